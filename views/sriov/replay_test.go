package sriov

import (
	"math"
	"testing"
	"time"

	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// TestReplayShowsTheFunctionsOfItsTime replays a session in which functions of virtual machines are detached.
func TestReplayShowsTheFunctionsOfItsTime(t *testing.T) {
	t.Parallel()
	d := viewtest.Replay(t, 60, hostChanges())
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	s.SeekTo(d, 2*time.Second)
	s.Want("4 VFs, 4 attached")
	s.SeekTo(d, 50*time.Second)
	s.Golden("replay")
	s.Want("4 VFs, 2 attached")
}

// TestReplayShowsRatesOfItsTimeOrNone checks that the rates at a snapshot are those of the next second, and that they are
// unknown more than 31 minutes after the last snapshot.
func TestReplayShowsRatesOfItsTimeOrNone(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	d := viewtest.Replay(t, 2000, hostChanges())
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	receive := func() (sum float64) {
		functions := 0
		for i := range v.rows {
			if r := &v.rows[i]; r.vf != nil {
				functions++
				sum += r.load.Receive
			}
		}
		if functions == 0 {
			t.Fatal("there are no functions")
		}
		return sum
	}
	snapshots, err := d.DB.Snapshots(t.Context(), 1)
	if err != nil || len(snapshots) < 2 {
		t.Fatalf("%d snapshots, %v", len(snapshots), err)
	}
	from, _, _ := d.Replay.Seekable()
	s.SeekTo(d, snapshots[0].Sub(from))
	if got := receive(); !(got > 1e6) {
		t.Errorf("at the first snapshot the functions receive %v B/s", got)
	}
	s.SeekTo(d, snapshots[len(snapshots)-1].Sub(from)+20*time.Second)
	if got := receive(); math.IsNaN(got) {
		t.Error("the rates soon after a snapshot are unknown")
	}
	s.SeekTo(d, 399*time.Second)
	if got := receive(); !(got > 1e6) {
		t.Errorf("minutes after the last snapshot the functions receive %v B/s", got)
	}
	s.SeekTo(d, 1999*time.Second)
	if got := receive(); !math.IsNaN(got) {
		t.Errorf("long after the last snapshot the functions receive %v B/s", got)
	}
}
