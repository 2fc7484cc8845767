package registry

import (
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/registry/edit"
	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// TestReplayShowsTheValuesOfItsTime seeks in a session in which a value is stored, and takes effect at a restart.
func TestReplayShowsTheValuesOfItsTime(t *testing.T) {
	t.Parallel()
	d := viewtest.Replay(t, 90, map[int]driver.Operation{
		30: edit.SetValue{Connection: "Ethernet 7", Key: "*JumboPacket", Value: "4014"},
		60: adapters.RestartAdapter{Connection: "Ethernet 7"},
	})
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	s.SeekTo(d, 10*time.Second)
	s.Want("*JumboPacket             9014        9014")
	changes := func() int {
		s.Await(d, "the changes of all sessions", func() bool { return v.history.asked && v.history.read == v.history.all })
		return len(v.history.of[v.current().ID])
	}
	if n := changes(); n != 0 {
		t.Errorf("%d changes of the key are listed before the first was made", n)
	}
	s.SeekTo(d, 40*time.Second)
	s.Golden("replay")
	if n := changes(); n != 1 {
		t.Errorf("%d changes of the key are listed after the first", n)
	}
	s.SeekTo(d, 80*time.Second)
	s.Want("*JumboPacket           • 4014        4014")
}

// TestReplayKeepsTheDraft edits the live host, opens a replay and closes it.
func TestReplayKeepsTheDraft(t *testing.T) {
	t.Parallel()
	d := viewtest.Replay(t, 20, map[int]driver.Operation{10: edit.SetValue{Connection: "Ethernet 7", Key: "*JumboPacket", Value: "4014"}})
	replay := d.Opened()
	d.Replay = nil // the live host first
	v, s := shownOn(t, d)
	e := v.current()
	value, err := e.Row.Parse("4014")
	if err != nil {
		t.Fatal(err)
	}
	v.edit(e, value)
	s.Want("draft: 1 change")
	d.Replay = replay.Monitor
	s.SeekTo(d, 18*time.Second)
	s.Await(d, "the recorded host", func() bool { return !v.elsewhere && !v.loading })
	s.WantNot("draft: 1 change")
	s.Press("e")
	s.Want("a recorded session is played back, not changed")
	s.Press("X")
	s.Await(d, "the live host", func() bool { return !v.elsewhere && !v.loading })
	s.Want("draft: 1 change")
}
