package find

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hardware"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/views/condition"
)

var began = time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)

func at(seconds int) time.Time { return began.Add(time.Duration(seconds) * time.Second) }

// library records a history of three sessions. In the first, Ethernet 7 drops 50 packets per second from second 100 to 119 and
// from 200 on; the second has the same counters without drops; the third has other counters.
func library(t testing.TB) *store.DB {
	t.Helper()
	db, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "h.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	port := func(instance, counter string, cell int) perf.Series {
		return perf.Series{Set: perf.SummarySet, Instance: instance, Counter: counter, Unit: perf.Packets, Kind: perf.Rate, Cell: cell}
	}
	drops := []perf.Series{port("Ethernet 7", perf.SummaryDrops, 0), port("Ethernet 8", perf.SummaryDrops, 1)}
	lost := func(second int) int64 {
		return 50 * int64(min(max(0, second-99), 20)+max(0, second-199))
	}
	for n, c := range []struct {
		series []perf.Series
		cells  func(second int) []int64
	}{
		{drops, func(second int) []int64 { return []int64{lost(second), 0} }},
		{drops, func(int) []int64 { return []int64{7, 0} }},
		{[]perf.Series{{Set: "Other", Instance: "x", Counter: "Temperature", Unit: perf.Celsius, Kind: perf.Gauge}}, func(int) []int64 { return []int64{40} }},
	} {
		schema, err := perf.NewSchema(1, len(c.series), c.series)
		if err != nil {
			t.Fatal(err)
		}
		recorder, err := db.Begin(context.Background(), perf.SourceInfo{Kind: perf.LabSource, Name: "LAB", Host: fmt.Sprintf("host%d", n+1), Started: began}, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		recorder.Schema(schema, &perf.Inventory{})
		for second := range 250 {
			recorder.Column(&perf.Column{Time: at(second), Cells: c.cells(second)})
		}
		recorder.Events([]eventlog.Event{
			{Key: "link", Source: "mlx5", Time: at(10 + n), Adapter: "Ethernet 7", Message: "Link 100% down_now"},
			{Key: "threshold", Source: "threshold", Time: at(20 + n), Adapter: "Ethernet 8", Message: "Drops above 1k/s"},
		})
		recorder.Journal(driver.Entry{Sequence: 1, Time: at(30 + n), By: "exec", Plan: driver.Plan{
			Title: "Pull the cable", Operations: []driver.Operation{hardware.PullCable{Connection: "Ethernet 7"}},
		}})
		if err := recorder.Close(context.Background()); err != nil {
			t.Fatal(err)
		}
		id := int64(n + 1)
		_, err = db.AddMark(context.Background(), store.Mark{Session: id, From: at(40 + n), To: at(50), Text: "storm of pauses"})
		if err := errors.Join(err, db.Tag(context.Background(), id, []string{"storage"}, nil), db.SetNote(context.Background(), id, "a bad Monday")); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

// brief returns each entry as "kind session second".
func brief(list []Entry) (lines []string) {
	for _, entry := range list {
		lines = append(lines, fmt.Sprintf("%s %d %g", entry.Kind, entry.Session, entry.Time.Sub(began).Seconds()))
	}
	return lines
}

// TestSearchForWords searches events, threshold events, changes, marks, and the notes, tags and hosts of sessions; the newest entry
// is first.
func TestSearchForWords(t *testing.T) {
	t.Parallel()
	db := library(t)
	for text, want := range map[string][]string{
		"link down_now":     {"event 3 12", "event 2 11", "event 1 10"},
		"DOWN_NOW  lInK":    {"event 3 12", "event 2 11", "event 1 10"},
		"above 1k/s":        {"threshold 3 22", "threshold 2 21", "threshold 1 20"},
		"pull cable":        {"change 3 32", "change 2 31", "change 1 30"},
		"exec":              {"change 3 32", "change 2 31", "change 1 30"},
		"storm":             {"note 3 42", "note 2 41", "note 1 40"},
		"host2":             {"session 2 0"},
		"monday storage":    {"session 1 0", "session 2 0", "session 3 0"},
		"ethernet 8":        {"threshold 3 22", "threshold 2 21", "threshold 1 20"},
		"link storm":        nil, // in no entry together
		"absent":            nil,
		"100%":              {"event 3 12", "event 2 11", "event 1 10"},
		"100_":              nil, // the signs of LIKE represent themselves
		"down%now":          nil,
		`down\_now`:         nil,
		`'; DROP TABLE x--`: nil,
	} {
		list, more, err := Search(t.Context(), db, text, Options{Limit: 100})
		got := brief(list)
		if len(want) == 3 && strings.HasPrefix(want[0], "session") {
			slices.Sort(got) // of one time
		}
		if err != nil || more || !slices.Equal(got, want) {
			t.Errorf("%q finds %q, %v, %v", text, got, more, err)
		}
	}
	if sessions, err := db.Sessions(t.Context()); err != nil || len(sessions) != 3 {
		t.Errorf("%d sessions are left, %v", len(sessions), err)
	}
}

// TestSearchLimit checks that a limit keeps the newest entries, and that the search reports further ones.
func TestSearchLimit(t *testing.T) {
	t.Parallel()
	db := library(t)
	for _, c := range []struct {
		text  string
		limit int
		want  []string
		more  bool
	}{
		{"link", 2, []string{"event 3 12", "event 2 11"}, true},
		{"link", 3, []string{"event 3 12", "event 2 11", "event 1 10"}, false},
		{"link", 0, nil, true},
		{"e", 4, []string{"note 3 42", "note 2 41", "note 1 40", "change 3 32"}, true}, // of all kinds
		{"drops on Ethernet 7 > 10", 1, []string{"condition 1 200"}, true},
	} {
		list, more, err := Search(t.Context(), db, c.text, Options{Limit: c.limit})
		if got := brief(list); err != nil || more != c.more || !slices.Equal(got, c.want) {
			t.Errorf("%q, at most %d: %q, %v, %v", c.text, c.limit, got, more, err)
		}
	}
}

// TestSearchForConditions checks the periods of conditions, in all sessions that have the counter.
func TestSearchForConditions(t *testing.T) {
	t.Parallel()
	db := library(t)
	for text, want := range map[string][]string{
		"drops on Ethernet 7 > 10":         {"condition 1 200", "condition 1 100"},
		"drops on Ethernet 7 > 10 for 30s": {"condition 1 200"},
		"drops on Ethernet 7 > 10 for 90s": nil,
		"drops on Ethernet 7 > 1k/s":       nil,
		"drops > 10":                       {"condition 1 200", "condition 1 100"},
		"drops on Ethernet 8 > 10":         nil,
		"temperature > 30":                 {"condition 3 0"},
	} {
		sessions := 0
		list, more, err := Search(t.Context(), db, text, Options{Limit: 100, Progress: func(done, all int) {
			if all != 3 || done < sessions {
				t.Errorf("%d of %d sessions", done, all)
			}
			sessions = done
		}})
		if got := brief(list); err != nil || more || !slices.Equal(got, want) || sessions != 3 {
			t.Errorf("%q finds %q, %v, %v after %d sessions", text, got, more, err, sessions)
		}
		for _, entry := range list {
			if entry.Kind != Held || entry.To.Before(entry.Time) || entry.Text == "" {
				t.Errorf("%q: %+v", text, entry)
			}
		}
	}
	list, _, err := Search(t.Context(), db, "drops on Ethernet 8 < 1", Options{Limit: 100})
	if err != nil || len(list) == 0 || !strings.HasSuffix(list[0].Text, " for 4m8s") {
		t.Errorf("%v: %+v", err, list)
	}
	var h sessionSearch
	h.add(&condition.Watch{}, &perf.Series{Counter: "Drops"}, []condition.Period{{From: began, To: began, Extreme: 5}})
	if h.list[0].Text != "Drops up to 5" {
		t.Errorf("of one sample: %q", h.list[0].Text)
	}
	list, _, err = Search(t.Context(), db, "drops on Ethernet 7 > 10", Options{Limit: 100})
	if err != nil || !list[1].To.Equal(at(119)) || !list[0].To.Equal(at(249)) || !strings.Contains(list[1].Text, "50") {
		t.Errorf("%v: %+v", err, list)
	}
}

// TestInvalidSearches checks that an invalid search returns an *InvalidError of one line.
func TestInvalidSearches(t *testing.T) {
	t.Parallel()
	db := library(t)
	for _, text := range []string{
		"\x00", "link\x1b[2J", `\No(*)\Such > 5`, "temperature > 5%", "", "   ", strings.Repeat("a ", 17), "drops > much", "drops >", "> 5", "nothing-like-it > 5", "drops on Ethernet 99 > 5", "drops > 5 for never",
	} {
		_, _, err := Search(t.Context(), db, text, Options{Limit: 5})
		var invalid *InvalidError
		if !errors.As(err, &invalid) || strings.Contains(err.Error(), "\n") || errors.Unwrap(err) == nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestSearchThatFails checks that a cancelled search does not return an *InvalidError.
func TestSearchThatFails(t *testing.T) {
	t.Parallel()
	db := library(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, text := range []string{"link", "drops > 5"} {
		_, _, err := Search(ctx, db, text, Options{Limit: 5})
		var invalid *InvalidError
		if err == nil || errors.As(err, &invalid) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzSearch(f *testing.F) {
	db := library(f)
	for _, text := range []string{"link down", "drops on Ethernet 7 > 1k/s for 10s", `\Port(*)\* < 5`, "%_\\", "\x1b[2J", "a > b > c", "> > >", strings.Repeat("x ", 20)} {
		f.Add(text, 3)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		list, _, err := Search(t.Context(), db, text, Options{Limit: max(0, limit)})
		var invalid *InvalidError
		if err != nil && !errors.As(err, &invalid) {
			t.Fatalf("%q: %v", text, err)
		}
		if len(list) > max(0, limit) {
			t.Errorf("%q: %d entries of %d", text, len(list), limit)
		}
	})
}
