package events

import (
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

func TestWhatChangedFromAnEventOn(t *testing.T) {
	t.Parallel()
	d := viewtest.Replay(t, 40, map[int]driver.Operation{20: hardware.PullCable{Connection: "Ethernet 5"}})
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "history")
	s.Shell.Send(ui.DataMsg{})
	s.WaitIdle()
	var events, changes int
	for range 4 {
		e := v.event()
		if e == nil {
			break
		}
		s.Press("W")
		switch arg := s.ShowArgs["history"].(type) {
		case deck.WhatChanged:
			if !arg.Range.From.Equal(e.Time) || arg.Range.Length() != time.Minute || arg.Why == "" {
				t.Errorf("the request to History for %q is %+v", e.Message, arg)
			}
			events++
		case deck.AroundChange:
			if arg.Change != 1 || !deck.IsChange(e) {
				t.Errorf("the request to History for %q is %+v", e.Message, arg)
			}
			changes++
		default:
			t.Fatalf("the request to History for %q is %+v", e.Message, arg)
		}
		s.Press("1", "down")
	}
	if events == 0 || changes == 0 {
		t.Errorf("History was opened for %d events and %d changes:\n%s", events, changes, s.Text())
	}
	s.Press("/")
	s.Type("no such event")
	s.Press("enter", "W")
	s.Want("What changed: no event is selected")
}
