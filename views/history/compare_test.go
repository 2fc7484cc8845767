package history

import (
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/perf/compare"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// changed opens History on a session with a pulled cable and a change of the registry.
func changed(t *testing.T) (*viewtest.Stage, *deck.Deck, *View) {
	t.Helper()
	d := viewtest.Replay(t, 330, map[int]driver.Operation{
		200: hardware.PullCable{Connection: "Ethernet 5"},
		264: edit.SetValue{Connection: "Ethernet 8", Key: "*ReceiveBuffers", Value: "1024"},
	})
	v := New(d, WithLocation(time.UTC))
	return viewtest.Open(t, d, []ui.View{v}, "counters", "registry"), d, v
}

// showHistory opens History with an argument, like another screen.
func showHistory(s *viewtest.Stage, arg any) {
	s.Shell.Send(ui.Go("history", arg)())
	s.WaitIdle()
}

func TestBeforeAndAfterAChange(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	s, _, v := changed(t)
	showHistory(s, deck.AroundChange{Change: 1})
	s.Want("Before and after change 1  pull the cable of Ethernet 5", "a ╌╌ before", "b ━━ after", "Ethernet 5", " to 0, ",
		"noise of the 3 min before", "▸ Counters ", "Host 1", "No driver restarted")
	viewtest.GoldenWide(t, v, "change")
	viewtest.EverySize(t, v)
	s.Press("tab")
	s.Want("▸ Registry 0", "No registry key differs.")
	s.Press("tab")
	viewtest.Golden(t, v, "change-host")
	s.Press("tab")
	viewtest.Golden(t, v, "change-events")
	s.Press("enter")
	if focus, ok := s.ShowArgs["counters"].(deck.Focus); !ok || focus.At.IsZero() || len(focus.Paths) != 0 {
		t.Errorf("an event opens Counters with %+v", s.ShowArgs["counters"])
	}
	showHistory(s, nil)
	s.Want("Before and after change 1") // it stays until Esc
	s.Press("tab", "down", "enter")
	focus, ok := s.ShowArgs["counters"].(deck.Focus)
	if want := v.compared.Actions(nil); !ok || len(focus.Paths) != 1 || focus.Range.Length() != time.Minute || len(want) == 0 {
		t.Errorf("a counter opens Counters with %+v", s.ShowArgs["counters"])
	}
	if now := v.deck.Monitor().Status().Now; now.Before(focus.Range.To) {
		t.Errorf("the replay is at %s, before the end of the range at %s", now, focus.Range.To)
	}
	showHistory(s, nil)
	s.Press("[")
	s.Want("30 s, session 1", "noise of the ")
	s.Press("v", "/")
	s.Type("packets")
	s.Press("enter")
	s.Want("filter packets")
	s.Press("a")
	s.Want("was added to the chart on Counters.")
	s.Press("esc")
	s.WantNot("filter packets")
	s.Press("esc")
	s.Want("1 of 1 sessions")
}

func TestAChangeOfTheRegistry(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	s, _, v := changed(t)
	showHistory(s, deck.AroundChange{Change: 2})
	s.Press("tab")
	s.Want("▸ Registry 1", "*ReceiveBuffers", "1024", "Ethernet 8")
	viewtest.Golden(t, v, "change-registry")
	s.Press("enter")
	if focus, ok := s.ShowArgs["registry"].(deck.KeyFocus); !ok || focus.Connection != "Ethernet 8" || focus.Key != "*ReceiveBuffers" {
		t.Errorf("a key opens %+v", s.ShowArgs["registry"])
	}
}

func TestWhatChangedInARange(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	s, d, v := changed(t)
	from, _, _ := d.Replay.Seekable()
	showHistory(s, deck.WhatChanged{Range: compare.Range{From: from.Add(205 * time.Second), To: from.Add(245 * time.Second)}})
	s.Want("What changed?", "a ╌╌ before  ", "2 min 40 s, session 1", "40 s, session 1", "changed by more than their noise.")
	viewtest.GoldenWide(t, v, "moved")
	s.Press("W")
	s.Press("esc", "W")
	s.Want("What changed?  at the end of session 1")
	for _, c := range []struct {
		arg  any
		want string
	}{
		{deck.WhatChanged{Range: compare.Range{From: from.Add(time.Hour), To: from.Add(2 * time.Hour)}}, "session 1 has no samples from"},
		{deck.WhatChanged{Range: compare.Range{From: from, To: from.Add(time.Minute)}}, "there are no samples before the range"},
		{deck.AroundChange{Change: 77}, "no such change: 77"},
	} {
		showHistory(s, c.arg)
		s.Want("Cannot compare: ", "Esc goes back to the sessions.")
		if got := strings.Join(strings.Fields(s.Text()), " "); !strings.Contains(got, c.want) {
			t.Errorf("%+v: this lacks %q:\n%s", c.arg, c.want, got)
		}
	}
}

func TestWhatChangedLive(t *testing.T) {
	t.Parallel()
	d := viewtest.WatchLab(t, 300, map[int]driver.Operation{250: hardware.PullCable{Connection: "Ethernet 5"}})
	d.DB, d.NoDB = database(t), ""
	v := New(d, WithLocation(time.UTC))
	s := viewtest.Open(t, d, []ui.View{v}, "counters")
	oldest, newest, _ := d.Live.Window().FullSpan()
	showHistory(s, deck.WhatChanged{Range: compare.Range{From: newest.Add(-45 * time.Second), To: newest}, Why: "after 14:04:15 Ethernet 5: link is down"})
	s.Want("What changed?  after 14:04:15 Ethernet 5: link is down", "LAB-N4", "changed by more than their noise.")
	viewtest.GoldenWide(t, v, "moved-live")
	s.Press("tab")
	s.Want("The hosts can't be compared: ")
	s.Press("tab", "tab", "tab", "enter")
	if focus, ok := s.ShowArgs["counters"].(deck.Focus); !ok || len(focus.Paths) != 1 || focus.At.Before(oldest) {
		t.Errorf("a counter opens Counters with %+v", s.ShowArgs["counters"])
	}
	showHistory(s, deck.AroundChange{Change: 1})
	s.Want("Before and after change 1", "Cannot compare: LAB-N4: no such change: 1.")
}

func TestTwoSessionsAreCompared(t *testing.T) {
	t.Parallel()
	d := viewtest.Replay(t, 90, nil)
	d.CloseReplay()
	record(t, d.DB, 90, map[int]driver.Operation{30: hardware.PullCable{Connection: "Ethernet 5"}})
	v := New(d, WithLocation(time.UTC))
	s := viewtest.Open(t, d, []ui.View{v}, "counters")
	s.Press("c")
	s.Want("Compare: mark two sessions with Space first, or mark one and select another")
	s.Press(" ")
	s.Want("■ mark") // colour alone would not tell
	s.Press("down", "c")
	s.Want("Compare", "a ╌╌ ", "session 1", "b ━━ ", "session 2", "+0:00", "Events ")
	viewtest.GoldenWide(t, v, "pair")
	s.Press("ctrl+f")
	s.Want("Search all sessions")
	s.Type("link down")
	s.Press("enter")
	s.Want("search link down", "found")
	if v.comparing {
		t.Error("the comparison is shown in place of what was found")
	}
	s.Press("esc")
	s.Want("2 of 2 sessions")
	s.Press(" ")
	if len(v.marked) != 2 || len(v.pair()) != 2 {
		t.Errorf("marked are %v", v.marked)
	}
	s.Press("up", " ", " ")
	if len(v.marked) != 2 {
		t.Errorf("after unmarking and marking again, marked are %v", v.marked)
	}
}
