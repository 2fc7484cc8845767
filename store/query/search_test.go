package query

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/store/engine"
)

func second(n int) time.Time { return time.Unix(int64(1000+n), 0).UTC() }

// recorded returns a history with one session of one sample; add may record more.
func recorded(t testing.TB, add func(*store.Recorder)) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	recorder, err := db.Begin(t.Context(), perf.SourceInfo{Kind: perf.LabSource, Name: "LAB-N4", Host: "lab", Started: second(0)}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	schema, err := perf.NewSchema(1, 1, []perf.Series{{Set: "Network Interface", Instance: "Ethernet 7", Counter: "Bytes/sec", Unit: perf.Bytes}})
	if err != nil {
		t.Fatal(err)
	}
	recorder.Schema(schema, nil)
	recorder.Column(&perf.Column{Time: second(0), Cells: []int64{1}})
	add(recorder)
	if err := recorder.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	return db
}

// insert runs a statement on the file of a history.
func insert(t testing.TB, db *store.DB, statement string) {
	t.Helper()
	file := engine.OpenPool(db.Path())
	defer file.Close()
	if _, err := file.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func TestSearch(t *testing.T) {
	t.Parallel()
	db := recorded(t, func(recorder *store.Recorder) {
		recorder.Events([]eventlog.Event{
			{Sequence: 1, Time: second(1), Key: "mlx5.link-down", ID: 77, Source: "mlx5", Adapter: "Ethernet 7", Message: "link is down"},
			{Sequence: 2, Time: second(2), Source: "threshold", Adapter: "Ethernet 7", Message: "Drops is at 5, over 1"},
			{Sequence: 3, Time: second(3), Source: "mlx5", Adapter: "Ethernet 8", Message: "100% of _all_ is up"},
		})
		recorder.Journal(driver.Entry{Sequence: 1, Time: second(4), Plan: driver.Plan{Title: "Pull the cable of Ethernet 7"}})
	})
	const id = 1
	if _, err := db.AddMark(t.Context(), store.Mark{Session: id, From: second(5), Text: "Ethernet 7 smells"}); err != nil {
		t.Fatal(err)
	}
	if err := db.Tag(t.Context(), id, []string{"storage"}, nil); err != nil {
		t.Fatal(err)
	}
	insert(t, db, "INSERT INTO journal (session, entry) VALUES (1, 'cable {')")
	for text, want := range map[string]string{
		"ethernet 7":      "[note change threshold event]",
		"DOWN ethernet":   "[event]",
		"77":              "[event]",
		"link-down":       "[event]",
		"threshold":       "[threshold]",
		"cable":           "[change]",
		"100%":            "[event]",
		"_all_":           "[event]",
		"%":               "[event]",
		"storage":         "[session]",
		`x\`:              "[]",
		"' OR 1=1 --":     "[]",
		"ethernet absent": "[]",
	} {
		found, err := Search(t.Context(), db, text, 100)
		kinds := []string{}
		for _, f := range found {
			kinds = append(kinds, f.Kind)
			if f.Session != id || f.Text == "" || f.Time.IsZero() {
				t.Errorf("%q found %+v", text, f)
			}
		}
		if fmt.Sprint(kinds) != want || err != nil {
			t.Errorf("%q found %v, want %s; %v", text, kinds, want, err)
		}
	}
	if found, err := Search(t.Context(), db, "e", 1); err != nil || len(found) != 5 {
		t.Errorf("with a limit of one per kind: %d, %v", len(found), err)
	}
	if _, err := Search(t.Context(), db, "  ", 100); err == nil {
		t.Error("an empty search was accepted")
	}
	for length, refused := range map[int]bool{maxSearchWord: false, maxSearchWord + 1: true, 100_000: true} {
		found, err := Search(t.Context(), db, strings.Repeat("%", length), 100)
		if len(found) != 0 || (err != nil) != refused || refused && !strings.Contains(err.Error(), "a word of a search has at most 4096 bytes") {
			t.Errorf("a word of %d bytes: %d found, %v", length, len(found), err)
		}
	}
}

// BenchmarkSearch looks for two words in 30 days of events, one every ten seconds.
func BenchmarkSearch(b *testing.B) {
	db := recorded(b, func(*store.Recorder) {})
	insert(b, db, `INSERT INTO event (session, sequence, time, key, number, source, channel, severity, adapter, message)
		WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 259200)
		SELECT 1, i, i * 10000000000, 'mlx5.link-up', 77, 'mlx5', 'System', 0, 'Ethernet ' || (i % 10),
			'ConnectX-4 adapter Mellanox ConnectX-5 Ex Ethernet Adapter: link is up, normal operation started' FROM n`)
	for b.Loop() {
		if found, err := Search(b.Context(), db, "ethernet absent", 100); err != nil || len(found) != 0 {
			b.Fatal(len(found), err)
		}
	}
}
