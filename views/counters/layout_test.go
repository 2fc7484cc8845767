package counters

import (
	"context"
	"encoding/json"
	"math"
	"path/filepath"
	"testing"

	"cxdeck/perf"
	"cxdeck/perf/threshold"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/counters/timeline"
)

// openDB opens a new database.
func openDB(t *testing.T) *store.DB {
	t.Helper()
	db, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func TestLayoutsAreSavedByName(t *testing.T) {
	t.Parallel()
	db := openDB(t)
	p := newPlay(t, 2, 20)
	p.deck.DB = db
	p.Press("P", "2", "m", "m", "]", "]", "ctrl+s", "ctrl+u")
	p.Want("A layout requires a name")
	p.Type("night shift")
	p.Press("enter")
	p.Want("The layout night shift is saved.")
	p.run(func() ui.Msg { return keepLayoutMsg{} })

	// Another run, on a source with other ports: it keeps the missing curves.
	q := newPlay(t, 1, 20)
	q.deck.DB = db
	q.run(q.screen.readLayouts())
	q.Want("Throughput")
	q.Press("ctrl+o")
	q.Want("Layouts", "night shift")
	q.Press("down", "up", "enter")
	q.Want("Drops and errors", "bars", "duration 10 min", "missing")
	if got, all := q.screen.curves.present(), len(q.screen.curves); got != 1 || all != 2 {
		t.Errorf("%d of %d curves have a series", got, all)
	}
	q.Press("ctrl+o", "down", "d")
	q.Want("Delete the layout night shift?")
	q.Press("y")
	q.Want("is deleted")
	if list, err := db.Layouts(context.Background(), ID); err != nil || len(list) != 1 || list[0].Name != lastLayout {
		t.Errorf("%d layouts are left, %v", len(list), err)
	}
}

func TestReadOnlyModeSavesNoLayout(t *testing.T) {
	t.Parallel()
	db := openDB(t)
	p := newPlay(t, 2, 20)
	p.deck.DB, p.deck.ReadOnly = db, true
	p.screen, p.Stage = staged(t, p.deck)
	p.Press("P", "2", "ctrl+s")
	p.Want("Read-only mode: “save layout” is not available.")
	p.Press("ctrl+o", "n")
	p.Want("Read-only mode: “save” is not available.")
	if list, err := db.Layouts(context.Background(), ID); err != nil || len(list) != 0 {
		t.Errorf("%d layouts were saved, %v", len(list), err)
	}
}

func TestLastLayoutIsOffered(t *testing.T) {
	t.Parallel()
	db := openDB(t)
	p := newPlay(t, 2, 20)
	p.deck.DB = db
	p.run(p.screen.readLayouts())
	p.Press("o", "m")
	p.run(func() ui.Msg { return keepLayoutMsg{} })
	q := newPlay(t, 2, 20)
	q.deck.DB = db
	q.run(q.screen.readLayouts())
	q.Press("m")
	q.run(func() ui.Msg { return keepLayoutMsg{} }) // this run saves its own layout; the previous run's is still offered
	q.Press("ctrl+o")
	q.Want("as it was last time")
	q.Press("enter")
	if !q.screen.small || !q.screen.stacked || q.screen.mode != modeLine {
		t.Error("the last layout was not restored")
	}
}

func TestLayoutsRoundTrip(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 3, 20)
	p.Press("Y", "Y", "L", "down", "enter", "d", "+")
	p.screen.scale, p.screen.manual = scaleManual, 5e9
	want := p.screen.layout()
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	l, err := parseLayout(data)
	if err != nil {
		t.Fatal(err)
	}
	q := newPlay(t, 3, 20)
	q.screen.restore(l)
	got, err := json.Marshal(q.screen.layout())
	if err != nil || string(got) != string(data) {
		t.Errorf("the restored layout is\n%s\nwant\n%s", got, data)
	}
}

func FuzzParseLayout(f *testing.F) {
	f.Add([]byte(`{"version":1,"title":"x","curves":[{"path":"\\S(i)\\C","slot":3,"factor":0.1}],"mode":"bars","scale":"fit","window":"1 h"}`))
	f.Add([]byte(`{"curves":[{"path":"S"},{"path":"\\S\\C","slot":-1,"factor":-1}],"manual":1e400}`))
	f.Add([]byte(`[]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := parseLayout(data)
		if err != nil {
			return
		}
		for _, c := range l.Curves {
			if _, _, _, ok := perf.SplitPath(c.Path); !ok || c.Slot < 0 || c.Slot >= maximumCurves || c.Factor < 0 || math.IsInf(c.Factor, 0) {
				t.Fatalf("%+v was accepted", c)
			}
		}
		s := &Screen{}
		s.restore(l)
		if s.mode >= modeCount || s.scale >= scaleCount || s.time.Span >= len(timeline.Spans) {
			t.Fatalf("%+v gives an invalid layout", l)
		}
	})
}

func TestThresholdsAreSavedWithLayoutsAndForTheNextRun(t *testing.T) {
	t.Parallel()
	db := openDB(t)
	p := newPlay(t, 2, 20)
	p.deck.DB = db
	p.run(p.screen.readLayouts())
	p.Press("t")
	p.Type("2M")
	p.Press("enter")
	p.Want("An alarm is raised")
	p.Press("ctrl+s")
	p.Type("night shift")
	p.Press("enter")
	p.Want("The layout night shift is saved.")
	set := p.deck.Live.Thresholds()[0]

	// The next run loads it at the start.
	q := newPlay(t, 2, 20)
	q.deck.DB = db
	if err := q.deck.LoadThresholds(context.Background()); err != nil {
		t.Fatal(err)
	}
	if list := q.deck.Thresholds.ApplyTo(nil); len(list) != 1 || list[0].Path != set.Path || list[0].Level != set.Level {
		t.Fatalf("the next run has %+v", list)
	}
	q.deck.Live.SetThresholds(q.deck.Thresholds.ApplyTo(nil))
	q.run(q.screen.readLayouts())
	q.Press("t", "ctrl+x")
	q.Want("is removed")
	r := newPlay(t, 2, 20)
	r.deck.DB = db
	if err := r.deck.LoadThresholds(context.Background()); err != nil {
		t.Fatal(err)
	}
	if list := r.deck.Thresholds.ApplyTo([]threshold.Rule{set.Rule}); len(list) != 0 {
		t.Fatalf("the removed threshold was loaded: %+v", list)
	}

	// The layout restores its own threshold.
	r.run(r.screen.readLayouts())
	r.Press("ctrl+o", "enter")
	if list := r.deck.Live.Thresholds(); len(list) != 1 || list[0].Level != set.Level || list[0].Path != set.Path {
		t.Errorf("the layout restored %+v", list)
	}
}
