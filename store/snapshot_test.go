package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/perf"
	"cxdeck/store/codec"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// Saving a host also stores a snapshot in the session that records it; a time finds the newest snapshot before it.
func TestSnapshots(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	host := HostState{LabHash: "abc", Seed: 7, Name: "H", Time: time.Unix(100, 0).UTC(), Data: []byte("before")}
	if err := db.SaveHost(t.Context(), host); err != nil { // nothing is recorded
		t.Fatal(err)
	}
	recorder, err := db.Begin(t.Context(), perf.SourceInfo{LabHash: "abc", Seed: 7}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	id := recorder.Status().Session
	save := func(at int64, hash, data string) {
		t.Helper()
		host.Time, host.LabHash, host.Data = time.Unix(at, 0).UTC(), hash, []byte(data)
		if err := db.SaveHost(t.Context(), host); err != nil {
			t.Fatal(err)
		}
	}
	save(200, "abc", "first")
	save(300, "abc", "replaced")
	save(300, "abc", "second")
	save(400, "other", "another host")
	for _, c := range []struct {
		at, taken int64
		want      string
	}{{199, 0, ""}, {200, 200, "first"}, {299, 200, "first"}, {300, 300, "second"}, {9999, 300, "second"}} {
		data, taken, ok, err := db.Snapshot(t.Context(), id, time.Unix(c.at, 0))
		if err != nil || ok != (c.want != "") || !bytes.Equal(data, []byte(c.want)) || ok && taken.Unix() != c.taken {
			t.Errorf("at %d: %q of %v, %v, %v", c.at, data, taken, ok, err)
		}
	}
	if err := recorder.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	save(500, "abc", "after the session")
	if data, _, _, err := db.Snapshot(t.Context(), id, time.Unix(600, 0)); err != nil || string(data) != "second" {
		t.Errorf("an ended session got %q, %v", data, err)
	}
}

// However many changes a session has, its number of snapshots is limited, and the first and the newest stay.
func TestSnapshotsAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	db := openNew(t, Options{})
	recorder, err := db.Begin(t.Context(), perf.SourceInfo{LabHash: "abc"}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	id := recorder.Status().Session
	const saves = sessions.MaxSnapshots + 10
	for i := range saves {
		err := db.SaveHost(t.Context(), HostState{LabHash: "abc", Time: time.Unix(int64(100+i), 0), Data: fmt.Appendf(nil, "%d", i)})
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := recorder.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var count int
	if err := db.reader.QueryRowContext(t.Context(), "SELECT count(*) FROM snapshot").Scan(&count); err != nil || count > sessions.MaxSnapshots {
		t.Errorf("%d snapshots, %v", count, err)
	}
	for _, i := range []int{0, saves - 1} {
		data, taken, ok, err := db.Snapshot(t.Context(), id, time.Unix(int64(100+i), 0))
		if err != nil || !ok || taken.Unix() != int64(100+i) || string(data) != fmt.Sprint(i) {
			t.Errorf("snapshot %d is %q of %v, %v", i, data, taken, err)
		}
	}
}

// TestExtractHasTheInventoriesOfItsRange extracts the middle of a session whose inventory and counters change often.
func TestExtractHasTheInventoriesOfItsRange(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	recorder := begin(t, db)
	const samples, every = 10 * codec.WindowSamples, 50
	name := func(n int) string { return strconv.Itoa(n / every) }
	for n := range samples {
		if n%every == 0 {
			cells := 3 + n/every/8
			recorder.Schema(schemaOf(t, uint64(cells), cells), &perf.Inventory{Nodes: []perf.Node{{ID: "a", Parent: -1, Name: name(n)}}})
		}
		recorder.Column(column(n, make([]int64, 3+n/every/8)...))
	}
	closeRecorder(t, recorder)
	for _, period := range [][2]int{{400, 700}, {0, 10}, {samples - 5, samples - 1}, {0, samples - 1}} {
		path := filepath.Join(t.TempDir(), "part.db")
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		from, to := column(period[0]).Time, column(period[1]).Time
		if err := db.Extract(t.Context(), 1, from, to, path, nil); err != nil {
			t.Fatal(err)
		}
		part := openAt(t, path, Options{})
		source := replayOf(t, part, 1)
		first, last := 0, 0
		for i := 0; ; i++ {
			var c perf.Column
			if err := source.Next(t.Context(), time.Second, &c); err != nil {
				break
			}
			if last = int(c.Time.Sub(start) / time.Second); i == 0 {
				first = last
			}
			if got := source.Inventory().Nodes[0].Name; got != name(last) {
				t.Fatalf("%v: sample %d has the inventory %s, want %s", period, last, got, name(last))
			}
		}
		if first > period[0] || last < period[1] {
			t.Errorf("%v: the part has the samples %d to %d", period, first, last)
		}
		count, err := sqlite.Integers(t.Context(), part.reader, "SELECT count(*) FROM generation")
		if limit := (last-first)/every + 3; err != nil || int(count[0]) > limit {
			t.Errorf("%v: the part has %v inventories, want at most %d, %v", period, count, limit, err)
		}
	}
}

// TestExtractHasTheChangesSinceItsSnapshot extracts a range whose first snapshot is older than some changes before the range:
// the host at the beginning needs both.
func TestExtractHasTheChangesSinceItsSnapshot(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	recorder := begin(t, db)
	id, at := recorder.Status().Session, func(second int) time.Time { return start.Add(time.Duration(second) * time.Second) }
	schema := schemaOf(t, 1, 3)
	recorder.Schema(schema, nil)
	for n := range 60 {
		recorder.Column(&perf.Column{Time: at(n), Cells: make([]int64, schema.Cells)})
	}
	for i, second := range []int{5, 10, 20, 30, 50} {
		recorder.Journal(driver.Entry{Sequence: uint64(i + 1), Time: at(second), Plan: driver.Plan{Title: "pull", Operations: []driver.Operation{hardware.PullCable{Connection: "Ethernet 7"}}}})
	}
	for _, second := range []int{5, 10, 50} {
		if err := db.SaveHost(t.Context(), HostState{LabHash: "abc", Seed: 1<<63 + 7, Time: at(second), Data: []byte("state")}); err != nil {
			t.Fatal(err)
		}
	}
	closeRecorder(t, recorder)
	path := filepath.Join(t.TempDir(), "part.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := db.Extract(t.Context(), id, at(40), at(55), path, nil); err != nil {
		t.Fatal(err)
	}
	part := openAt(t, path, Options{})
	snapshots, err := part.Snapshots(t.Context(), id)
	if err != nil || len(snapshots) != 2 || !snapshots[0].Equal(at(10)) {
		t.Fatalf("snapshots %v, %v", snapshots, err)
	}
	var sequences []uint64
	journal, err := part.SessionJournal(t.Context(), id)
	for i := range journal {
		sequences = append(sequences, journal[i].Sequence)
	}
	if err != nil || !slices.Equal(sequences, []uint64{3, 4, 5}) {
		t.Errorf("changes %v, %v", sequences, err)
	}
}

// In a month of snapshots every five minutes, with hundreds of changes in some hours, no two snapshots are more than half an
// hour apart.
func TestSnapshotsStayEvenlySpread(t *testing.T) {
	t.Parallel()
	const minute, days = int64(time.Minute), 30
	var times []int64
	add := func(at int64) {
		times = append(times, at)
		if len(times) > sessions.MaxSnapshots {
			i := closestNeighbours(times)
			times = slices.Delete(times, i, i+1)
		}
	}
	for at := int64(0); at < days*24*60*minute; at += 5 * minute {
		add(at)
		if at%(36*60*minute) < 10*minute { // a script with many changes
			for n := int64(1); n < 300; n++ {
				add(at + n*minute/60)
			}
		}
	}
	widest := int64(0)
	for i := 1; i < len(times); i++ {
		widest = max(widest, times[i]-times[i-1])
	}
	if times[0] != 0 || len(times) != sessions.MaxSnapshots || widest > 30*minute {
		t.Errorf("%d snapshots from %d on, %s apart at most", len(times), times[0], time.Duration(widest))
	}
}
