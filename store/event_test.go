package store

import (
	"strings"
	"testing"

	"cxdeck/driver"
	"cxdeck/perf"
)

// One journal entry of a session that can't be read hides no other.
func TestUnreadableEntryLeavesTheOthers(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	recorder, err := db.Begin(t.Context(), perf.SourceInfo{Name: "lab", Host: "h"}, 1)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		recorder.Journal(driver.Entry{Sequence: uint64(n + 1), Plan: driver.Plan{Title: "a change"}})
	}
	if err := recorder.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	session := ids(t, db)[0]
	for _, entry := range []string{"{broken", "", "[]", "5", `{"sequence":"x"}`} {
		if _, err := db.writer.ExecContext(t.Context(), "UPDATE journal SET entry = ? WHERE id = (SELECT min(id) + 1 FROM journal)", entry); err != nil {
			t.Fatal(err)
		}
		list, err := db.SessionJournal(t.Context(), session)
		if err != nil || len(list) != 3 || list[0].Unread != "" || list[1].Unread == "" || list[2].Unread != "" {
			t.Errorf("%q: %+v, %v", entry, list, err)
		} else if strings.Contains(list[1].Unread, "Go value") || strings.Contains(list[1].Unread, "\n") {
			t.Errorf("%q: %s", entry, list[1].Unread)
		}
	}
}
