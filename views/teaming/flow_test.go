package teaming

import (
	"testing"

	"cxdeck/device"
	"cxdeck/driver"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// opened is the screen on a running lab, on which operations were applied.
func opened(t *testing.T, operations ...driver.Operation) (*deck.Deck, *View, *viewtest.Stage) {
	t.Helper()
	d := viewtest.Watch(t, viewtest.Lab(t), 50)
	v := New(d)
	s := viewtest.Open(t, d, []ui.View{v}, "counters", "events")
	s.Await(d, "a sample", func() bool { return v.state != nil && len(v.state.Recent) > 1 })
	if len(operations) > 0 {
		if _, err := d.Monitor().Apply(t.Context(), driver.Plan{Title: "set up", Operations: operations}); err != nil {
			t.Fatal(err)
		}
		s.Await(d, "the set-up", func() bool { return v.state.Teams != nil && v.state.Teams[0].Connected })
	}
	return d, v, s
}

// teamA is a team of two ports.
func teamA() []driver.Operation {
	return []driver.Operation{
		driver.CreateTeam{Name: "A", Type: "AFT", Family: device.WinOF2},
		driver.AttachMember{Team: "A", Connection: "Ethernet 7", Primary: true, SetMAC: true},
		driver.AttachMember{Team: "A", Connection: "Ethernet 8"},
	}
}

func TestLook(t *testing.T) {
	d, v, s := opened(t)
	_ = v
	for _, size := range [][2]int{{80, 24}, {120, 40}} {
		s.Resize(size[0], size[1])
		s.Press("n")
		t.Log(s.Text())
		s.Press("enter")
		t.Log(s.Text())
		s.Press(" ", "down", " ", "enter")
		t.Log(s.Text())
		s.Press("enter")
		t.Log(s.Text())
		s.Press("a")
		t.Log(s.Text())
		s.Press("esc", "enter")
		t.Log(s.Text())
		s.Press("pgdown")
		t.Log(s.Text())
		s.Press("esc")
	}
	_ = d
}
