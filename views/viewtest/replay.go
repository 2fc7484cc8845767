package viewtest

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/deck"
)

// Replay gives a deck on which a recorded session of the lab shows, paused at its end: so many samples, one a second, with
// changes applied before some of them, and snapshots of the host at the start and after each change. The live lab has
// ended behind it.
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
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	id, plant := record(t, db, samples, plans)
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

// SeekTo moves the replay of a deck to a time after its start, and waits until the host of that time shows.
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

// record records the lab, and gives the session's number and the lab's plant.
func record(t testing.TB, db *store.DB, samples int, plans map[int]driver.Plan) (id int64, plant *device.Plant) {
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
	var schema *perf.Schema
	var inventory *perf.Inventory
	var column perf.Column
	save()
	for n := range samples {
		if plan, ok := plans[n]; ok {
			entry, err := host.Apply(plan)
			if err != nil {
				t.Fatal(err)
			}
			recorder.Journal(entry)
			save()
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
	}
	if err := recorder.Close(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	return recorder.Status().Session, plant
}
