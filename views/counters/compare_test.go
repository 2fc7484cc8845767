package counters

import (
	"testing"
	"time"

	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// playWithHistory returns a play with an empty screen in place of History.
func playWithHistory(t *testing.T, samples int) *play {
	t.Helper()
	p := newPlay(t, 2, samples)
	p.Stage = viewtest.Open(t, p.deck, []ui.View{p.screen}, "history")
	return p
}

// goTo types a time to go to.
func (p *play) goTo(at string) {
	p.t.Helper()
	p.Press("@")
	p.Type(at)
	p.Press("enter")
}

func TestWhatChangedOpensHistory(t *testing.T) {
	t.Parallel()
	p := playWithHistory(t, 200)
	asked := func() deck.WhatChanged {
		t.Helper()
		p.Press("W")
		moved, ok := p.ShowArgs["history"].(deck.WhatChanged)
		if !ok {
			t.Fatalf("the request to History is %+v", p.ShowArgs["history"])
		}
		p.Press("1")
		return moved
	}
	end := p.screen.status.Now
	if got := asked(); got.Range.To != end || got.Range.Length() != time.Minute || got.Why == "" {
		t.Errorf("without a cursor: %+v", got)
	}
	p.goTo("14:01:00")
	if got := asked(); got.Range.From.Sub(began) != 45*time.Second || got.Range.Length() != 30*time.Second || got.Why != "around 14:01:00" {
		t.Errorf("around the cursor: %+v", got)
	}
	p.Press("J") // the event
	if got := asked(); got.Range.From.Sub(began) != 100*time.Second || got.Range.Length() != time.Minute || got.Why != "after 14:01:40 Port 2: the link went down" {
		t.Errorf("at an event: %+v", got)
	}
	p.Press("V")
	p.goTo("14:02:10")
	p.Press("V")
	if got := asked(); got.Range.From.Sub(began) != 100*time.Second || got.Range.Length() != 30*time.Second || got.Why != "" {
		t.Errorf("a marked range: %+v", got)
	}
}

func TestTwoRangesAreCompared(t *testing.T) {
	t.Parallel()
	p := playWithHistory(t, 200)
	p.Press("c")
	p.Want("mark a range first, with V at both of its ends")
	mark := func(from, to string) {
		p.goTo(from)
		p.Press("V")
		p.goTo(to)
		p.Press("V")
	}
	mark("14:00:10", "14:00:40")
	p.Press("c")
	p.Want("is kept. Mark another range")
	p.WantNot(", 30 s")
	mark("14:02:00", "14:02:30")
	p.Press("c")
	got, ok := p.ShowArgs["history"].(deck.CompareRanges)
	if !ok || got.First.Range.From.Sub(began) != 10*time.Second || got.Second.Range.From.Sub(began) != 2*time.Minute {
		t.Errorf("History is asked for %+v", p.ShowArgs["history"])
	}
	for _, side := range []deck.KeptRange{got.First, got.Second} {
		subject, err := side.Open(t.Context())
		if err != nil || subject.FullRange().To.Before(side.Range.To) {
			t.Errorf("%s opens as %+v, %v", side.Name, subject, err)
		}
	}
	if p.deck.HasKeptRange() {
		t.Error("a compared range is still kept")
	}
}

func TestAddCounterMessage(t *testing.T) {
	t.Parallel()
	p := playWithHistory(t, 50)
	before := len(p.screen.curves)
	path := p.screen.curves[0].path
	p.screen.curves.remove(0)
	p.Shell.Send(deck.AddCounter{Path: path})
	if len(p.screen.curves) != before || p.screen.curves.index(path) < 0 {
		t.Errorf("%d curves, before %d", len(p.screen.curves), before)
	}
	p.Shell.Send(deck.AddCounter{Path: `\No(such)\counter`})
	p.Want(`has no counter \No(such)\counter`)
}

// TestFocusOnATimeMovesTheCursor checks that a focus without counters keeps the curves.
func TestFocusOnATimeMovesTheCursor(t *testing.T) {
	t.Parallel()
	p := playWithHistory(t, 200)
	before := len(p.screen.curves)
	p.Shell.Send(ui.Go(ID, deck.Focus{At: began.Add(time.Minute)})())
	p.Want("at 14:01:00")
	if len(p.screen.curves) != before {
		t.Errorf("%d curves, before %d", len(p.screen.curves), before)
	}
}
