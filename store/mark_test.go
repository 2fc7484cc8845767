package store

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"cxdeck/store/fault"
	"cxdeck/store/sessions"
)

// withSession returns a new history with one ended session of one sample.
func withSession(t *testing.T) (*DB, int64) {
	t.Helper()
	db := openNew(t, Options{})
	recorder := begin(t, db)
	recorder.Schema(schemaOf(t, 1, 2), nil)
	recorder.Column(column(0, 1, 2))
	closeRecorder(t, recorder)
	return db, recorder.Status().Session
}

func TestMarks(t *testing.T) {
	t.Parallel()
	db, id := withSession(t)
	at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	late, err := db.AddMark(t.Context(), sessions.Mark{Session: id, From: at.Add(time.Minute), To: at, Text: "cable pulled"})
	if err != nil {
		t.Fatal(err)
	}
	if !late.To.Equal(late.From) || late.Made.IsZero() || late.ID == 0 {
		t.Errorf("a mark that ends before it begins was stored as %+v", late)
	}
	early, err := db.AddMark(t.Context(), sessions.Mark{Session: id, From: at, To: at.Add(time.Hour), Text: strings.Repeat("é", sessions.MaxMarkText)})
	if err != nil {
		t.Fatal(err)
	}
	marks, err := db.Marks(t.Context(), id)
	if err != nil || !reflect.DeepEqual(marks, []sessions.Mark{early, late}) {
		t.Errorf("marks are %+v, %v", marks, err)
	}
	if all, err := db.Marks(t.Context(), 0); err != nil || len(all) != 2 {
		t.Errorf("all marks are %+v, %v", all, err)
	}
	if other, err := db.Marks(t.Context(), id+1); err != nil || len(other) != 0 {
		t.Errorf("another session has %+v, %v", other, err)
	}
	if _, err := db.AddMark(t.Context(), sessions.Mark{Session: id, Text: strings.Repeat("x", sessions.MaxMarkText+1)}); err == nil {
		t.Error("a long mark was stored")
	}
	if _, err := db.AddMark(t.Context(), sessions.Mark{Session: id + 1}); !errors.Is(err, fault.ErrNoSession) {
		t.Errorf("a mark on a missing session: %v", err)
	}
	if err := db.DeleteMark(t.Context(), early.ID); err != nil {
		t.Fatal(err)
	}
	if err := db.DeleteMark(t.Context(), early.ID); !errors.Is(err, ErrNoMark) {
		t.Errorf("deleted twice: %v", err)
	}
	if marks, err := db.Marks(t.Context(), id); err != nil || len(marks) != 1 {
		t.Errorf("marks after the deletion: %+v, %v", marks, err)
	}
}

func TestTags(t *testing.T) {
	t.Parallel()
	db, id := withSession(t)
	if err := db.Tag(t.Context(), id, []string{"storage", "Bad-hour", "STORAGE"}, nil); err != nil {
		t.Fatal(err)
	}
	session, err := db.Session(t.Context(), id)
	if err != nil || !reflect.DeepEqual(session.Tags, []string{"Bad-hour", "storage"}) {
		t.Errorf("tags are %q, %v", session.Tags, err)
	}
	if err := db.Tag(t.Context(), id, []string{"x"}, []string{"Storage", "absent"}); err != nil {
		t.Fatal(err)
	}
	all, err := db.Sessions(t.Context())
	if err != nil || len(all) != 1 || !reflect.DeepEqual(all[0].Tags, []string{"Bad-hour", "x"}) {
		t.Errorf("sessions are %+v, %v", all, err)
	}
	for _, tag := range []string{"", "a b", "a,b", "\x1b[2J", strings.Repeat("x", sessions.MaxTag+1), "\xff"} {
		var wrong *sessions.TagError
		if err := db.Tag(t.Context(), id, []string{tag}, nil); !errors.As(err, &wrong) {
			t.Errorf("tag %q: %v", tag, err)
		}
	}
	var many []string
	for i := range sessions.MaxTags + 1 {
		many = append(many, strings.Repeat("t", i+1))
	}
	if err := db.Tag(t.Context(), id, many, nil); err == nil {
		t.Error("too many tags were stored")
	}
	if err := db.Tag(t.Context(), id+1, nil, nil); !errors.Is(err, fault.ErrNoSession) {
		t.Errorf("a tag on a missing session: %v", err)
	}
}

// Deleting a session deletes its marks, tags and snapshots.
func TestDeletedSessionLeavesNoRows(t *testing.T) {
	t.Parallel()
	db, id := withSession(t)
	if _, err := db.AddMark(t.Context(), sessions.Mark{Session: id, Text: "x"}); err != nil {
		t.Fatal(err)
	}
	if err := db.Tag(t.Context(), id, []string{"x"}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := db.writer.ExecContext(t.Context(), "INSERT INTO snapshot (session, time, state) VALUES (?, 1, x'00')", id); err != nil {
		t.Fatal(err)
	}
	if err := db.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	var rest int
	err := db.reader.QueryRowContext(t.Context(), "SELECT (SELECT count(*) FROM mark) + (SELECT count(*) FROM tag) + (SELECT count(*) FROM snapshot)").Scan(&rest)
	if err != nil || rest != 0 {
		t.Errorf("%d rows stay, %v", rest, err)
	}
}
