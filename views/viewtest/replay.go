package viewtest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/deck"
)

// Replay records a session of the lab and returns a deck that replays it, paused at its end. The session has one sample per
// second, and snapshots of the host at the start and after each change. The key of a change is the sample before which it
// is applied. The live lab of the deck has ended.
func Replay(t testing.TB, samples int, changes map[int]driver.Operation) *deck.Deck {
	t.Helper()
	plans := map[int]driver.Plan{}
	for at, change := range changes {
		plans[at] = driver.Plan{Title: change.Describe(), Operations: []driver.Operation{change}}
	}
	return ReplayPlans(t, samples, plans)
}

// ReplayPlans is Replay with plans of several Operations.
func ReplayPlans(t testing.TB, samples int, plans map[int]driver.Plan) *deck.Deck {
	t.Helper()
	return ReplayRecording(t, &Recording{Samples: samples, Plans: plans})
}

// Recording describes a session of the lab to record.
type Recording struct {
	Samples int
	// Plans are applied before the samples with these numbers.
	Plans map[int]driver.Plan
	// Undone are the numbers of the samples before which the newest change is undone.
	Undone map[int]bool
	// Keep reports whether the snapshot of the change before a sample is kept; nil for all.
	Keep func(sample int) bool
	// Events are recorded at the end, in addition to the events of the lab; nil for none.
	Events func() []eventlog.Event
	// See is called with the host after each change and each sample; nil for nothing.
	See func(host *driver.Host)
}

// ReplayRecording is Replay of any recording.
func ReplayRecording(t testing.TB, recording *Recording) *deck.Deck {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	id, plant := recording.record(t, db)
	d := WatchLab(t, 1, nil)
	d.DB, d.NoDB = db, ""
	d.Restore = func(_ string, _ uint64, state []byte) (*driver.Host, error) { return driver.RestoreOn(plant, state) }
	replay, err := deck.LoadReplay(t.Context(), db, id, d.Restore)
	if err != nil {
		t.Fatal(err)
	}
	d.ShowReplay(replay)
	return d
}

// changeBefore applies or undoes the change before a sample; ok is false if there is none.
func (r *Recording) changeBefore(t testing.TB, host *driver.Host, sample int) (entry driver.Entry, ok bool) {
	t.Helper()
	var err error
	plan, planned := r.Plans[sample]
	switch {
	case planned:
		entry, err = host.Apply(plan)
	case r.Undone[sample]:
		entry, err = host.Undo()
	default:
		return entry, false
	}
	if err != nil {
		t.Fatal(err)
	}
	return entry, true
}

// SeekTo moves the replay of a deck to a time after its start, and waits until the host of that time is shown.
func (s *Stage) SeekTo(d *deck.Deck, after time.Duration) {
	s.t.Helper()
	from, _, _ := d.Replay.Seekable()
	if err := d.Replay.Seek(s.t.Context(), from.Add(after)); err != nil {
		s.t.Fatal(err)
	}
	s.Await(d, "the host of the replay's time", func() bool { return !d.Replay.Restoring() })
	s.Shell.Send(ui.DataMsg{})
	s.WaitIdle()
}

// record records the lab, and returns the ID of the session and the plant of the lab.
func (r *Recording) record(t testing.TB, db *store.DB) (id int64, plant *device.Plant) {
	t.Helper()
	source := Lab(t)
	host := source.Host()
	plant = host.Lab().Plant()
	recorder, err := db.Begin(t.Context(), source.Info(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	save := func() {
		data, err := host.Save()
		if err == nil {
			err = db.SaveHost(t.Context(), store.HostState{LabHash: plant.Hash(), Seed: seed, Time: host.Now(), Elapsed: host.Lab().Elapsed(), Data: data})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	see := func() {
		if r.See != nil {
			r.See(host)
		}
	}
	var schema *perf.Schema
	var inventory *perf.Inventory
	var column perf.Column
	save()
	for n := range r.Samples {
		if entry, ok := r.changeBefore(t, host, n); ok {
			recorder.Journal(entry)
			if r.Keep == nil || r.Keep(n) {
				save()
			}
			see()
		}
		if err := source.Next(t.Context(), time.Second, &column); err != nil {
			t.Fatal(err)
		}
		if schema != source.Schema() || inventory != source.Inventory() {
			schema, inventory = source.Schema(), source.Inventory()
			recorder.Schema(schema, inventory)
		}
		recorder.Column(&column)
		recorder.Events(source.Events())
		see()
	}
	if r.Events != nil {
		recorder.Events(r.Events())
	}
	if err := recorder.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	return recorder.Status().Session, plant
}
