package deck_test

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// opened opens a session a second time, paused at its end.
func opened(t *testing.T, db *store.DB, id int64, restore deck.Restore) *deck.Replay {
	t.Helper()
	r, err := deck.LoadReplay(t.Context(), db, id, restore)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Stop(); <-r.Ended() })
	return r
}

// await waits for updates of the monitor until a condition holds.
func await(t *testing.T, r *deck.Replay, what string, condition func() bool) {
	t.Helper()
	deadline := time.After(time.Minute)
	for !condition() {
		select {
		case <-r.Monitor.Updates():
		case <-deadline:
			t.Fatalf("waited in vain for %s: %+v", what, r.Monitor.Status())
		}
	}
}

// playTo plays a session from its start to a time or a little further, and returns the position.
func playTo(t *testing.T, r *deck.Replay, to time.Time) time.Time {
	t.Helper()
	m := r.Monitor
	from, _, _ := m.Seekable()
	if err := m.Seek(t.Context(), from); err != nil {
		t.Fatal(err)
	}
	if err := m.SetSpeed(1000); err != nil {
		t.Fatal(err)
	}
	if err := m.SetPaused(false); err != nil {
		t.Fatal(err)
	}
	await(t, r, "the time to play to", func() bool { return !m.Status().Now.Before(to) || m.Status().Ended })
	if err := m.SetPaused(true); err != nil {
		t.Fatal(err)
	}
	// Wait until no sample is being taken: ReadRange does. A seek would fill the window again.
	if _, _, err := m.ReadRange(t.Context(), 0, from, from, nil); err != nil {
		t.Fatal(err)
	}
	return m.Status().Now
}

// stateAt returns the values of nine minutes before the position of a replay, and all events before it.
func stateAt(r *deck.Replay, series []int) (state []string) {
	m := r.Monitor
	now := m.Status().Now
	for _, index := range series {
		for _, p := range m.Window().Points(index, now.Add(-9*time.Minute), now.Add(1), nil) {
			state = append(state, fmt.Sprint(index, p.Time, math.Float64bits(p.Value)))
		}
	}
	events := m.Events(0, eventlog.Kept)
	for i := range events {
		state = append(state, fmt.Sprint(events[i].Time.UnixNano(), events[i].Source, events[i].Message))
	}
	return state
}

// TestSeekEqualsPlay compares playing to a time with seeking to it: values and events must be equal, also events from long before
// the window.
func TestSeekEqualsPlay(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	random := rand.New(rand.NewPCG(2, 43))
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	list := make([]perf.Series, 4)
	for i := range list {
		list[i] = perf.Series{Set: "Network Interface", Instance: "Ethernet 7", Counter: fmt.Sprintf("Counter %d", i), Cell: i}
	}
	list[1].Kind = perf.Rate
	for interval, samples := range map[time.Duration]int{250 * time.Millisecond: 3000, time.Second: 1000} {
		schema, err := perf.NewSchema(1, len(list), list)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
		recorder, err := db.Begin(t.Context(), perf.SourceInfo{Kind: perf.LocalSource, Name: "h", Host: "h", Started: start}, interval)
		if err != nil {
			t.Fatal(err)
		}
		recorder.Schema(schema, nil)
		cells := make([]int64, len(list))
		var all []eventlog.Event
		at := start
		for n := range samples {
			for i := range cells {
				cells[i] += random.Int64N(1000)
			}
			recorder.Column(&perf.Column{Time: at, Cells: cells})
			if random.IntN(20) == 0 {
				e := eventlog.Event{Sequence: uint64(n + 1), Time: at, Source: "mlx5", Message: fmt.Sprint("event ", n)}
				all = append(all, e)
				recorder.Events([]eventlog.Event{e})
			}
			at = at.Add(interval)
			if random.IntN(400) == 0 {
				at = at.Add(7 * interval) // samples were missed
			}
		}
		if err := recorder.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		id := recorder.Status().Session
		played, sought := opened(t, db, id, nil), opened(t, db, id, nil)
		from, to, _ := played.Monitor.Seekable()
		for range 3 {
			at := playTo(t, played, from.Add(time.Duration(random.Float64()*float64(to.Sub(from)))))
			if err := sought.Monitor.Seek(t.Context(), at); err != nil {
				t.Fatal(err)
			}
			if now := sought.Monitor.Status().Now; !now.Equal(at) {
				t.Fatalf("every %s: sought %s and is at %s", interval, at, now)
			}
			series := []int{0, 1, 2, 3}
			state, other := stateAt(played, series), stateAt(sought, series)
			if !slices.Equal(state, other) {
				t.Errorf("every %s: at %s playing shows %d values and events, and seeking %d others", interval, at.Sub(from), len(state), len(other))
			}
			before := slices.IndexFunc(all, func(e eventlog.Event) bool { return e.Time.After(at) })
			if before < 0 {
				before = len(all)
			}
			if shown := len(sought.Monitor.Events(0, eventlog.Kept)); shown != before {
				t.Errorf("every %s: at %s %d of %d events show", interval, at.Sub(from), shown, before)
			}
		}
	}
}

// TestSeekRestoresTheHostOfPlay compares the hosts after playing and after seeking, in a session with changes: they must be
// equal to the last counter.
func TestSeekRestoresTheHostOfPlay(t *testing.T) {
	t.Parallel()
	plans := map[int]driver.Plan{}
	for n, o := range map[int]driver.Operation{
		10: hardware.PullCable{Connection: "Ethernet 5"},
		25: edit.SetValue{Connection: "Ethernet 7", Key: "*JumboPacket", Value: "4014"},
		40: adapters.RestartAdapter{Connection: "Ethernet 7"},
		60: hardware.PlugCable{Connection: "Ethernet 5"},
	} {
		plans[n] = driver.Plan{Title: o.Describe(), Operations: []driver.Operation{o}}
	}
	d := viewtest.ReplayRecording(t, &viewtest.Recording{Samples: 90, Plans: plans, Keep: func(n int) bool { return n != 25 }})
	session, _ := d.ReplaySession()
	played, sought := opened(t, d.DB, session.ID, d.Restore), opened(t, d.DB, session.ID, d.Restore)
	host := func(r *deck.Replay) (data []byte) {
		await(t, r, "the host", func() bool { return !r.Monitor.Restoring() })
		err := r.Monitor.ReadHost(t.Context(), func(h *driver.Host) (err error) { data, err = h.Save(); return err })
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	random := rand.New(rand.NewPCG(3, 47))
	from, to, _ := played.Monitor.Seekable()
	for range 4 {
		at := playTo(t, played, from.Add(time.Duration(random.Float64()*float64(to.Sub(from)))))
		if err := sought.Monitor.Seek(t.Context(), at); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(stateAt(played, []int{0, 100, 1000}), stateAt(sought, []int{0, 100, 1000})) {
			t.Errorf("at %s seeking shows other values or events than playing", at.Sub(from))
		}
		if !bytes.Equal(host(played), host(sought)) {
			t.Errorf("at %s seeking shows another host than playing", at.Sub(from))
		}
	}
}
