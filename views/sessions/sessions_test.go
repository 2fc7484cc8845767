package sessions

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/store/fault"
	"cxdeck/views/exec"
)

var began = time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)

// history records two sessions of 300 s. In the second, drops begin after 200 s and the link goes down once. A third session has
// no samples, a fourth has another counter.
func history(t *testing.T) *store.DB { return named(t, "H\x1b[2J", "link down\x1b[31m") }

// named is history with a host name and the message of an event.
func named(t *testing.T, host, message string) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "h.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	record := func(counters []string, samples int, cells func(i int) []int64, events ...eventlog.Event) {
		t.Helper()
		var series []perf.Series
		for i, counter := range counters {
			series = append(series, perf.Series{Set: "Port", Instance: "Ethernet 7", Counter: counter, Kind: perf.Cumulative, Unit: perf.Packets, Cell: i})
		}
		schema, err := perf.NewSchema(1, len(series), series)
		if err != nil {
			t.Fatal(err)
		}
		recorder, err := db.Begin(t.Context(), perf.SourceInfo{Kind: perf.LabSource, Name: "LAB", Host: host, Started: began}, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		recorder.Schema(schema, &perf.Inventory{})
		for i := range samples {
			recorder.Column(&perf.Column{Time: began.Add(time.Duration(i) * time.Second), Cells: cells(i)})
		}
		recorder.Events(events)
		if err := recorder.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	both := []string{"Packets", "Drops"}
	record(both, 300, func(i int) []int64 { return []int64{int64(i)*100 + int64(i%2), 0} },
		eventlog.Event{Key: "a", Source: "mlx5", Time: began, Message: "started"})
	record(both, 300, func(i int) []int64 { return []int64{int64(i)*100 + int64(i%2), int64(max(0, i-200)) * 17} },
		eventlog.Event{Key: "a", Source: "mlx5", Time: began, Message: "started"},
		eventlog.Event{Key: "b", Source: "mlx5", Time: began.Add(200 * time.Second), Adapter: "Ethernet 7", Message: message})
	record(both, 0, nil)
	record([]string{"Other"}, 2, func(i int) []int64 { return []int64{int64(i)} })
	return db
}

// run checks and runs a verb like the command line.
func run(t *testing.T, db *store.DB, call Call, words ...string) (string, error) {
	t.Helper()
	verb, ok := Find(words[0])
	if !ok {
		t.Fatalf("no verb %q", words[0])
	}
	if err := verb.Check(words[1:]); err != nil {
		return "", err
	}
	var out bytes.Buffer
	call.Ctx, call.DB, call.Arguments, call.Out = t.Context(), db, words[1:], &out
	err := verb.Do(&call)
	if strings.Contains(out.String(), "\x1b") {
		t.Errorf("%q prints control characters: %q", words, out.String())
	}
	return out.String(), err
}

func wants(t *testing.T, got string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			t.Errorf("this lacks %q:\n%s", part, got)
		}
	}
}

func clock(after time.Duration) string { return began.Add(after).Local().Format("15:04:05") }

func TestMoved(t *testing.T) {
	t.Parallel()
	db := history(t)
	got, err := run(t, db, Call{From: clock(205 * time.Second), To: clock(235 * time.Second)}, "changed", "2")
	if err != nil {
		t.Fatal(err)
	}
	wants(t, got, "Ethernet 7 Drops went from", "to 17.0 p/s", `\Port(Ethernet 7)\Drops`, "session 2, ")
	if at := strings.Index(got, `\Packets`); at < 0 || !strings.Contains(got[at:], "within its noise") {
		t.Errorf("packets moved:\n%s", got)
	}
	got, err = run(t, db, Call{JSON: true}, "changed", "2") // the last fifth, with drops at the same rate
	var document struct {
		Schema   int
		Sentence string
		Counters []counterJSON
	}
	if err != nil || json.Unmarshal([]byte(got), &document) != nil || document.Schema != 1 || len(document.Counters) != 2 ||
		document.Counters[0].After != 17 || document.Counters[0].Before >= 10 {
		t.Errorf("%v: %s", err, got)
	}
	for _, c := range []struct {
		from, to, want string
	}{
		{clock(0), "", "no samples before the range"}, {clock(20 * time.Second), clock(10 * time.Second), "must not be before"},
		{"noon", "", "write a time as"}, {"2020-01-01 10:00", "", "the recording begins at"},
	} {
		if _, err := run(t, db, Call{From: c.from, To: c.to}, "changed", "2"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("from %q to %q: %v", c.from, c.to, err)
		}
	}
	if _, err := run(t, db, Call{}, "changed", "3"); err == nil || !strings.Contains(err.Error(), "no samples") {
		t.Errorf("an empty session: %v", err)
	}
	if _, err := run(t, db, Call{}, "changed", "9"); !errors.Is(err, fault.ErrNoSession) {
		t.Errorf("no session: %v", err)
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	db := history(t)
	got, err := run(t, db, Call{}, "compare", "1", "2")
	if err != nil {
		t.Fatal(err)
	}
	wants(t, got, "Ethernet 7 Drops went from 0 to 5.", "Events only in the second", "link down")
	if strings.Contains(got, "first alone") || strings.Contains(got, "started") {
		t.Errorf("an event of both shows:\n%s", got)
	}
	if got, err = run(t, db, Call{To: "+100s"}, "compare", "1", "2"); err != nil || !strings.Contains(got, "No counter changed") || strings.Contains(got, "link down") {
		t.Errorf("the first 100 s: %v\n%s", err, got)
	}
	// Each session may have its own range.
	if got, err = run(t, db, Call{To: "+100s", From2: "+110s"}, "compare", "1", "1"); err != nil ||
		!strings.Contains(got, "After:  session 1, "+began.Add(110*time.Second).Local().Format(time.DateTime)) ||
		!strings.Contains(got, " to "+began.Add(100*time.Second).Local().Format(time.DateTime)) {
		t.Errorf("two ranges of one session: %v\n%s", err, got)
	}
	if _, err = run(t, db, Call{From2: "+10h"}, "compare", "1", "2"); err == nil || !strings.Contains(err.Error(), "session 2") {
		t.Errorf("a second range outside: %v", err)
	}
	if _, err := run(t, db, Call{}, "compare", "1", "4"); err == nil || !strings.Contains(err.Error(), "no counter in common") {
		t.Errorf("other counters: %v", err)
	}
}

func TestNotesAndTags(t *testing.T) {
	t.Parallel()
	db := history(t)
	for _, c := range []struct {
		call  Call
		words []string
		want  string
	}{
		{Call{}, []string{"note", "1", "quiet", "day"}, `"quiet day"`},
		{Call{From: clock(time.Minute)}, []string{"note", "1", "cable"}, "Note 1 on session 1"},
		{Call{From: clock(time.Minute), To: "-1m"}, []string{"note", "1", "storm"}, "Note 2 on session 1, " +
			began.Add(time.Minute).Local().Format(time.DateTime) + " to " + began.Add(239*time.Second).Local().Format(time.DateTime)},
		{Call{}, []string{"tag", "1", "storage", "bad"}, "the tags bad, storage"},
		{Call{}, []string{"untag", "1", "BAD"}, "the tag storage."},
		{Call{}, []string{"show", "1"}, "cable"},
		{Call{}, []string{"show", "1"}, "to " + began.Add(239*time.Second).Local().Format(time.DateTime)},
		{Call{}, []string{"list"}, "storage"},
		{Call{JSON: true}, []string{"list"}, `"storage"`},
		{Call{JSON: true}, []string{"show", "1"}, `"storm"`},
		{Call{}, []string{"edit-note", "1", "cable", "pulled"}, `Note 1: "cable pulled".`},
		{Call{JSON: true}, []string{"show", "1"}, `"cable pulled"`},
		{Call{}, []string{"unnote", "1", "2"}, "Note 2 is deleted."},
		{Call{}, []string{"untag", "1", "storage"}, "has no tags"},
		{Call{JSON: true}, []string{"tag", "1", "a"}, "{\n  \"schema\": 1,\n  \"done\": [\n    \"Session 1 has the tag a.\"\n  ]\n}\n"},
		{Call{JSON: true}, []string{"note", "1", "b"}, `"Session 1 has the note \"b\"."`},
		{Call{JSON: true}, []string{"pin", "1"}, `"done": [`},
	} {
		got, err := run(t, db, c.call, c.words...)
		if err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%q: %v\n%s", c.words, err, got)
		}
	}
	for _, c := range []struct {
		call    Call
		words   []string
		mistake bool
	}{
		{Call{}, []string{"note", "1", "a\x1bb"}, true},
		{Call{To: clock(time.Minute)}, []string{"note", "1", "x"}, true},
		{Call{From: "13:00"}, []string{"note", "1", "x"}, true},
		{Call{}, []string{"note", "1"}, true},
		{Call{}, []string{"note", "9", "x"}, false},
		{Call{}, []string{"tag", "1", "a b"}, true},
		{Call{}, []string{"tag", "9", "x"}, false},
		{Call{}, []string{"unnote", "77"}, false},
		{Call{}, []string{"edit-note", "77", "x"}, false},
		{Call{}, []string{"edit-note", "x", "y"}, true},
		{Call{}, []string{"edit-note", "1"}, true},
		{Call{}, []string{"unnote", "x"}, true},
		{Call{}, []string{"changed"}, true},
		{Call{}, []string{"moved"}, true}, // the former name
		{Call{}, []string{"changed", "1", "2"}, true},
		{Call{}, []string{"compare", "1"}, true},
		{Call{}, []string{"compare", "1", "x"}, true},
		{Call{}, []string{"list", "1"}, true},
	} {
		_, err := run(t, db, c.call, c.words...)
		var mistake *exec.MistakeError
		if err == nil || errors.As(err, &mistake) != c.mistake {
			t.Errorf("%q: %v", c.words, err)
		}
	}
}

func TestSearchVerb(t *testing.T) {
	t.Parallel()
	db := history(t)
	got, err := run(t, db, Call{}, "search", "LINK", "down")
	if err != nil || strings.Count(got, "link down") != 1 {
		t.Errorf("%v:\n%s", err, got)
	}
	wants(t, got, "2        "+began.Add(200*time.Second).Local().Format(time.DateTime), "Ethernet 7", "event")
	got, err = run(t, db, Call{JSON: true}, "search", "drops on Ethernet 7 > 5 for 30s")
	var document struct{ Found []foundJSON }
	if err != nil || json.Unmarshal([]byte(got), &document) != nil {
		t.Fatalf("%v: %s", err, got)
	}
	// The counter is cumulative: it exceeds 5 from the first drop on.
	if len(document.Found) != 1 || document.Found[0].Session != 2 || !document.Found[0].Time.Equal(began.Add(201*time.Second)) ||
		!document.Found[0].To.Equal(began.Add(299*time.Second)) {
		t.Errorf("found %+v", document.Found)
	}
	if got, err := run(t, db, Call{}, "search", "absent"); err != nil || !strings.Contains(got, "Nothing was found") {
		t.Errorf("%v: %s", err, got)
	}
	if got, err := run(t, db, Call{Count: 1}, "search", "started"); err != nil || !strings.Contains(got, "There is more") {
		t.Errorf("%v: %s", err, got)
	}
	for _, bad := range []string{"nothing-like-it > 5", "drops > much", "drops >", ""} {
		var mistake *exec.MistakeError
		if _, err := run(t, db, Call{}, "search", bad); !errors.As(err, &mistake) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
