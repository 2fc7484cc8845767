package qos

import (
	"testing"

	"cxdeck/driver"
	"cxdeck/ui"
	"cxdeck/views/deck"
	"cxdeck/views/viewtest"
)

// opened is the screen of a running lab.
func opened(t *testing.T) (*deck.Deck, *View, *viewtest.Stage) {
	t.Helper()
	d := viewtest.Run(t, viewtest.Lab(t))
	v := New(d)
	return d, v, viewtest.Open(t, d, []ui.View{v}, "counters")
}

// apply makes a change as somebody else would.
func apply(t *testing.T, d *deck.Deck, o driver.Operation) {
	t.Helper()
	if _, err := d.Monitor().Apply(t.Context(), driver.Plan{Title: o.Describe(), Operations: []driver.Operation{o}}); err != nil {
		t.Fatal(err)
	}
}

func TestAMismatchIsFixedAndUndone(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	s.Await(d, "agreement", func() bool { return v.path().Settings != nil && len(v.path().Mismatches) == 0 })
	s.Press("r")
	s.Want("adapter and switch port agree")
	apply(t, d, withoutPFC)
	s.AwaitText(d, "1 mismatch")
	s.Want("▲ host", "no flow control: it")
	s.Press("r")
	s.Want("Make Ethernet 7 and Eth1/7 agree?", "1 mismatch.", "flow control pfc")
	s.Press("y")
	s.AwaitText(d, "no mismatches")
	s.Press("u")
	s.Await(d, "undo", func() bool { return len(v.path().Mismatches) == 1 })
	s.Press("tab", "enter")
	s.Want("no mismatch and no counter") // the cursor is on the title
	s.Press("down", "enter")
	s.Want("Set PFC on Eth1/7 to match Ethernet 7?")
	s.Press("esc")
}

func TestPortsAndPriorities(t *testing.T) {
	t.Parallel()
	d, v, s := opened(t)
	s.Await(d, "a port", func() bool { return v.port() != nil })
	first := v.port().Description.Connection
	s.Press("right", "left", "left")
	if v.port().Description.Connection == first || v.at != len(v.ports)-1 {
		t.Errorf("left of the first port is %s", v.port().Description.Connection)
	}
	s.Press("/")
	s.Type("ethernet 8")
	s.Press("enter")
	s.Want("Ethernet 8", "port 1 of 1")
	s.Press("right")
	s.Want("no other port")
	s.Press("down", "down", "down")
	s.Await(d, "figures", func() bool { return v.value(3, received) >= 0 })
	s.Press("enter")
	if focus, ok := s.ShowArgs["counters"].(deck.Focus); !ok || focus.Title != "Ethernet 8 Priority 3" {
		t.Errorf("Enter went to %+v", s.ShowArgs["counters"])
	}
	if got := v.port(); got == nil || got.Description.Connection != "Ethernet 8" {
		t.Errorf("the port is %+v", got)
	}
}

// TestInstancesAreInTheSchema holds that the figures of every Ethernet port are found.
func TestInstancesAreInTheSchema(t *testing.T) {
	t.Parallel()
	v := shown(viewtest.WatchLab(t, 5, nil))
	for v.at = range v.ports {
		if v.windows().Ethernet {
			for priority := range priorityRows {
				if got := len(v.find().at[priority]); got != int(counterCount) {
					t.Errorf("%s has %d figures", instanceOf(v.port(), priority), got)
				}
			}
		}
	}
}
