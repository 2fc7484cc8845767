package store

import (
	"bytes"
	"fmt"
	"testing"
	"time"

	"cxdeck/perf"
)

// Saving a host while a session of it is recorded keeps the state in the session; a moment finds the state before it.
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
	for _, one := range []struct {
		at, taken int64
		want      string
	}{{199, 0, ""}, {200, 200, "first"}, {299, 200, "first"}, {300, 300, "second"}, {9999, 300, "second"}} {
		data, taken, ok, err := db.Snapshot(t.Context(), id, time.Unix(one.at, 0))
		if err != nil || ok != (one.want != "") || !bytes.Equal(data, []byte(one.want)) || ok && taken.Unix() != one.taken {
			t.Errorf("at %d: %q of %v, %v, %v", one.at, data, taken, ok, err)
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

// However many changes a session has, it keeps a bounded number of snapshots, among them the first and the newest.
func TestSnapshotsAreBounded(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	recorder, err := db.Begin(t.Context(), perf.SourceInfo{LabHash: "abc"}, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	id := recorder.Status().Session
	const saves = maxSnapshots + 10
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
	if err := db.reader.QueryRowContext(t.Context(), "SELECT count(*) FROM snapshot").Scan(&count); err != nil || count > maxSnapshots {
		t.Errorf("%d snapshots, %v", count, err)
	}
	for _, i := range []int{0, saves - 1} {
		data, taken, ok, err := db.Snapshot(t.Context(), id, time.Unix(int64(100+i), 0))
		if err != nil || !ok || taken.Unix() != int64(100+i) || string(data) != fmt.Sprint(i) {
			t.Errorf("snapshot %d is %q of %v, %v", i, data, taken, err)
		}
	}
}
