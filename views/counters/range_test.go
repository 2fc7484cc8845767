package counters

import (
	"testing"
	"time"

	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/viewtest"
)

func TestMarkRangeWithTheCursor(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 2, 200)
	p.Press("@")
	p.Type("14:01:00")
	p.Press("enter", "V")
	p.Want("range from 14:01:00 on")
	if _, ok := p.deck.MarkedRange(); ok {
		t.Fatal("a range with one end is marked")
	}
	p.Press("V")
	p.Want("the range begins here: move the cursor to its other end first")
	p.Press("@")
	p.Type("14:02:30")
	p.Press("enter")
	p.Want("range 14:01:00 to 14:02:30, 1 min 30 s")
	p.Press("V")
	r, ok := p.deck.MarkedRange()
	if !ok || r.From.Sub(began) != time.Minute || r.Length() != 90*time.Second {
		t.Fatalf("marked is %v, %v", r, ok)
	}
	viewtest.Golden(t, p.screen, "range")
	p.Press("@")
	p.Type("14:01:30")
	p.Press("enter", "V")
	p.Want("range from 14:01:30 on")
	p.Press("@")
	p.Type("14:01:10")
	p.Press("enter", "V")
	if r, _ = p.deck.MarkedRange(); r.From.Sub(began) != 70*time.Second || r.Length() != 20*time.Second {
		t.Errorf("marked backwards is %v", r)
	}
	p.Press("esc")
	p.WantNot("range 14")
	p.Want("at 14:01:10") // the cursor stays
}

func TestMarkRangeWithTheMouse(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 2, 200)
	at := func(button ui.MouseButton, x int) {
		p.Text()
		p.Shell.Send(ui.HitMsg{Hit: widget.Hit{ID: zoneChart, X: x, Y: 3, Width: 108, Height: 14}, Button: button})
	}
	at(ui.Press, 50)
	at(ui.Drag, 50)
	if _, ok := p.deck.MarkedRange(); ok {
		t.Error("a press marks a range")
	}
	at(ui.Drag, 60)
	at(ui.Drag, 80)
	at(ui.Release, 80)
	r, ok := p.deck.MarkedRange()
	if want := p.screen.picture.chart.TimeAt(50, 108); !ok || !r.From.Equal(want) || r.Length() < 80*time.Second {
		t.Errorf("marked is %v from %s, %v", r, want, ok)
	}
	at(ui.Drag, 20)
	if again, _ := p.deck.MarkedRange(); again != r {
		t.Errorf("without a press the mouse marks %v", again)
	}
}

func TestRangeShowsOnTheSeekBar(t *testing.T) {
	t.Parallel()
	p := replayed(t)
	p.Press("V", "}", "}", "V")
	r, ok := p.deck.MarkedRange()
	if !ok || r.From.Sub(began) != 30*time.Minute || r.Length() != 2*time.Minute {
		t.Fatalf("marked is %v, %v", r, ok)
	}
	p.Want("range 14:30:00 to 14:32:00, 2 min", "═")
	// The marked range belongs to the source.
	p.deck.Live = viewtest.WatchLab(t, 2, nil).Live
	if _, ok := p.deck.MarkedRange(); ok {
		t.Error("the range is marked for another source")
	}
}
