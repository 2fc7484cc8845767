package lab

import (
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/scenes"
	"cxdeck/ui"
	"cxdeck/views/viewtest"
)

// TestSceneInAReplay checks the page of a recorded scene before and while it runs: no key runs or ends it.
func TestSceneInAReplay(t *testing.T) {
	t.Parallel()
	plan, err := scenes.All()[0].Plan(viewtest.Lab(t).Host(), "Ethernet 7")
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.ReplayPlans(t, 30, map[int]driver.Plan{10: plan})
	s := viewtest.Open(t, d, []ui.View{New(d)})
	s.SeekTo(d, 5*time.Second)
	s.Want("○ not running at this time", "X closes the")
	s.WantNot("Space runs it")
	s.SeekTo(d, 20*time.Second)
	s.Want("● running at Ethernet 7 since", "in the recorded session; X")
	s.WantNot("Space ends it", "not running")
}
