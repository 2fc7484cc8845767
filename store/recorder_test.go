package store

import (
	"slices"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/store/codec"
	"cxdeck/store/sqlite"
)

func TestRecordedColumnsAreReplayed(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{Version: "test"})
	recorder := begin(t, db)
	schema := schemaOf(t, 1, 40)
	recorder.Schema(schema, &perf.Inventory{Host: "lab"})
	traffic := newTraffic(1, 40)
	var pushed []perf.Column
	for n := range 300 {
		traffic.step()
		c := column(n, slices.Clone(traffic.cells)...)
		pushed = append(pushed, *c)
		recorder.Column(c)
	}
	recorder.Events([]eventlog.Event{{Sequence: 1, Time: start.Add(5 * time.Second), Key: "mlx5.link-down", Message: "down"}})
	closeRecorder(t, recorder)

	sessions, err := db.Sessions(t.Context())
	if err != nil || len(sessions) != 1 {
		t.Fatalf("sessions: %v, %v", sessions, err)
	}
	s := sessions[0]
	if s.Samples != 300 || s.Series != 40 || s.Events != 1 || s.Running || !s.Started.Equal(start) ||
		!s.Ended.Equal(start.Add(299*time.Second)) || s.Source.Seed != 1<<63+7 {
		t.Errorf("session: %+v", s)
	}
	source := replayOf(t, db, s.ID)
	if got := source.Inventory().Host; got != "lab" {
		t.Errorf("inventory of host %q", got)
	}
	equalColumns(t, play(t, source, time.Second), pushed)
	if got := source.(perf.Eventer).Events(); len(got) != 1 || got[0].Message != "down" {
		t.Errorf("events: %v", got)
	}
}

func equalColumns(t testing.TB, got, want []perf.Column) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d columns came back of %d", len(got), len(want))
	}
	for i := range want {
		if !got[i].Time.Equal(want[i].Time) || got[i].Missed != want[i].Missed || !slices.Equal(got[i].Cells, want[i].Cells) {
			t.Fatalf("column %d: got %v, want %v", i, got[i], want[i])
		}
	}
}

// Frames that are in the file stay in memory until their window is full. They must not be counted as pending: with too many
// pending bytes the writer takes nothing from the queue, and one window of a very wide host has more.
func TestSavedFramesDoNotBlockTheWriter(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	log := writerOf(t, db)
	log.add([]item{{schema: schemaOf(t, 1, 100), inventory: &perf.Inventory{}}})
	traffic := newTraffic(1, 100)
	for n := range codec.WindowSamples + 10 {
		traffic.step()
		log.addColumn(column(n, traffic.cells...))
		if log.size() == 0 || !log.hasPending() {
			t.Fatalf("sample %d is not pending", n)
		}
		if n%7 != 0 {
			continue
		}
		if err := log.commit(db.writer, start); err != nil {
			t.Fatal(err)
		}
		if log.size() != 0 || log.hasPending() {
			t.Fatalf("after sample %d was saved, %d bytes are pending", n, log.size())
		}
	}
}

// Every kind of item is pending until a commit, alone or with others, and the totals of the session match its rows.
func TestItemsAreSavedAndCounted(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	for mix := range 16 {
		log := writerOf(t, db)
		schema := schemaOf(t, 1, 70)
		schema.Series[7].Line = uint64(mix) // no other session has the same list
		log.add([]item{{schema: schema, inventory: &perf.Inventory{Host: "lab"}}})
		check := func(when string, waits bool) {
			t.Helper()
			if log.hasPending() != waits {
				t.Errorf("mix %d, %s: something waits: %v", mix, when, !waits)
			}
			if err := log.commit(db.writer, start); err != nil {
				t.Fatal(err)
			}
			if log.hasPending() {
				t.Errorf("mix %d, %s: items are pending after the commit", mix, when)
			}
			checkTotals(t, db, log.session)
		}
		check("the schema", true)
		kinds := [][]item{
			{{column: column(0, make([]int64, 70)...)}},
			{{schema: schema, inventory: &perf.Inventory{Host: "other"}}},
			{{event: &eventlog.Event{Key: "mlx5.link-down", Message: "down"}}, {event: &eventlog.Event{Source: "mlx4eth63", Channel: "System", Adapter: "Ethernet 7"}}},
			{{entry: &driver.Entry{Sequence: 1}}, {entry: &driver.Entry{Sequence: 2}}, {entry: &driver.Entry{Sequence: 3, Time: start}}},
		}
		for i, items := range kinds {
			if mix>>i&1 == 1 {
				log.add(items)
			}
		}
		check("the mix", mix > 0)
		if err := log.finish(db.writer, start); err != nil {
			t.Fatal(err)
		}
		checkTotals(t, db, log.session)
	}
}

// checkTotals compares the totals of a session with its rows, of which none was removed.
func checkTotals(t *testing.T, db *DB, id int64) {
	t.Helper()
	s, err := db.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for what, c := range map[string]struct {
		got   int64
		query string
	}{
		"samples": {s.Samples, "SELECT (SELECT coalesce(sum(samples), 0) FROM clock WHERE session = ?1) + (SELECT count(*) FROM frame WHERE session = ?1)"},
		"events":  {int64(s.Events), "SELECT count(*) FROM event WHERE session = ?1"},
		"changes": {int64(s.Changes), "SELECT count(*) FROM journal WHERE session = ?1"},
		"bytes": {s.Bytes, `SELECT (SELECT coalesce(sum(length(times) + length(missed)), 0) FROM clock WHERE session = ?1)
			+ (SELECT coalesce(sum(length(data)), 0) FROM chunk WHERE place >> 16 IN (SELECT id FROM clock WHERE session = ?1))
			+ (SELECT coalesce(sum(length(key) + length(source) + length(channel) + length(adapter) + length(message)), 0) FROM event WHERE session = ?1)
			+ (SELECT coalesce(sum(length(entry)), 0) FROM journal WHERE session = ?1)
			+ (SELECT coalesce(sum(length(inventory)), 0) FROM generation WHERE session = ?1)
			+ (SELECT coalesce(sum(length(data)), 0) FROM series_list WHERE id = (SELECT list FROM session WHERE id = ?1))`},
	} {
		if want, err := sqlite.Integers(t.Context(), db.reader, c.query, id); err != nil || c.got != want[0] {
			t.Errorf("session %d has %v %s, and its total is %d, %v", id, want, what, c.got, err)
		}
	}
}

// Of inventories that differ only in health remarks, one per window is stored, and the last, however many commits there are.
func TestHealthInventoriesAreStoredOncePerWindow(t *testing.T) {
	t.Parallel()
	const samples = 3*codec.WindowSamples + 10
	db := openNew(t, Options{})
	log := writerOf(t, db)
	schema := schemaOf(t, 1, 1)
	for n := range samples {
		health := []perf.Finding{{Text: time.Duration(n).String()}}
		log.add([]item{{schema: schema, inventory: &perf.Inventory{Nodes: []perf.Node{{ID: "a", Parent: -1, Health: health}}}}})
		log.addColumn(column(n, 1))
		if err := log.commit(db.writer, start); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.finish(db.writer, start); err != nil {
		t.Fatal(err)
	}
	at, err := sqlite.Integers(t.Context(), db.reader, "SELECT sample FROM generation ORDER BY id")
	if err != nil || len(at) != 1+samples/codec.WindowSamples+1 || at[0] != 0 || at[len(at)-1] != samples-1 {
		t.Errorf("inventories were stored before samples %v, %v", at, err)
	}
}
