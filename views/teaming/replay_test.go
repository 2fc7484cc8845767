package teaming

import (
	"testing"
	"time"

	"cxdeck/driver/hardware"
	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// TestReplayShowsTheTeamsOfItsTime replays a session in which a team is created and fails over.
func TestReplayShowsTheTeamsOfItsTime(t *testing.T) {
	t.Parallel()
	changes := hostChanges()
	changes[60] = hardware.PullCable{Connection: "Ethernet 5"}
	d := viewtest.Replay(t, 90, changes)
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v})
	s.SeekTo(d, 2*time.Second)
	s.Want("0 teams", "Ethernet 5")
	s.SeekTo(d, 50*time.Second)
	v.choose(teamID("A"))
	s.Want("1 team", "● up")
	s.SeekTo(d, 80*time.Second)
	v.choose(memberID("A", "Ethernet 5"))
	s.Golden("replay")
	s.Press("K")
	s.AwaitText(d, "14:01:00")
	s.Press("(")
	s.AwaitText(d, "14:00:50")
	s.Press("@")
	s.Type("14:00:30")
	s.Press("enter")
	s.AwaitText(d, "14:00:30")
	s.Press(">", ";")
	s.AwaitText(d, "x2")
	s.WantNot("paused")
	s.Press(";")
	s.AwaitText(d, "paused")
	s.Press("p")
	s.Want("a recorded session is played back, not changed")
	s.Press("esc", "X")
	s.Await(d, "the lab", func() bool { return len(v.state.Teams) == 0 })
}
