package teaming

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// TestReplayWithoutTeams opens a recorded session without teams: the screen says that they are missing, and rejects changes.
func TestReplayWithoutTeams(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	db, err := store.Open(ctx, filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	recorder, err := db.Begin(ctx, viewtest.Lab(t).Info(), time.Second)
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.FreezeLab(t, 20, hostChanges(), recorder)
	if err := recorder.Close(ctx); err != nil {
		t.Fatal(err)
	}
	d.DB = db
	replay, err := deck.LoadReplay(ctx, db, recorder.Status().Session, nil)
	if err != nil {
		t.Fatal(err)
	}
	d.ShowReplay(replay)
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	s.Shell.Send(ui.DataMsg{})
	s.AwaitText(d, "Overview (1)")
	s.Want("A recorded session has counters, events and changes, but no host", "Overview (1)", "X closes the replay")
	s.Press("n")
	s.Want("a recorded session is played back, not changed")
	s.Press("esc", "X")
	s.Await(d, "the lab", func() bool { return len(v.rows) > 0 })
}

func TestMouseActsLikeTheKeys(t *testing.T) {
	t.Parallel()
	d, v, s := openScreen(t, teamA()...)
	s.Hit(v.Table.ID, 1, false)
	if r := v.row(); r == nil || r.kind != memberRow {
		t.Fatalf("a click selected %+v", r)
	}
	s.Hit(v.Table.ID, 1, true)
	if focus, ok := s.ShowArgs["counters"].(deck.Focus); !ok || focus.Title != "Ethernet 7" {
		t.Errorf("a double click went to %+v", s.ShowArgs["counters"])
	}
	s.Press("1")
	s.Hit("teams.page", 0, false)
	if !v.InPage {
		t.Error("a click on the page does not focus it")
	}
	span := v.graph.span
	s.Shell.Send(ui.HitMsg{Hit: hitOn(zoneGraph), Button: ui.WheelDown})
	if v.graph.span <= span {
		t.Errorf("the wheel left %s", v.graph.span)
	}
	v.drill = &drill{connection: "Ethernet 7", cancel: func() { span = 0 }}
	s.Hit(zoneDrill, 0, false)
	if span != 0 {
		t.Error("a click does not end the drill")
	}
	v.drill = nil
	_ = d
}

func hitOn(id string) widget.Hit { return widget.Hit{ID: id, Width: 60, Height: 10} }
