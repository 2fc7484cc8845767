package driver

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/hardware"
)

func TestSetAndUndoFaults(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	const connection = "Ethernet 7" // it has virtual functions
	port := portOf(t, h, connection)
	for _, kind := range description.FaultKinds() {
		o := hardware.SetFault{Connection: connection, Fault: kind, Share: 1}
		if text := o.Describe(); !strings.Contains(text, connection) || !strings.Contains(text, kind.String()) {
			t.Errorf("%v is described as %q", o, text)
		}
		mustApply(t, h, o)
		h.Advance(200 * time.Millisecond)
		if h.lab.Fault(port, kind) != 1 {
			t.Errorf("%s is not there", kind)
		}
		if _, err := h.Undo(); err != nil || h.lab.Fault(port, kind) != 0 {
			t.Errorf("%s is still there: %v", kind, err)
		}
	}
	for _, o := range []Operation{
		hardware.SetFault{Connection: connection, Fault: description.BadCable, Share: 1.5}, hardware.SetFault{Connection: connection, Fault: description.BadCable, Share: -0.1},
		hardware.SetFault{Connection: connection, Fault: description.Stall, Share: 0.5}, hardware.SetFault{Connection: connection, Fault: 99, Share: 1}, hardware.SetFault{Connection: "nothing", Fault: description.Stall, Share: 1},
		hardware.SetFault{Connection: "Ethernet 8", Fault: description.WrongAddress, Share: 1}, // without virtual functions
		hardware.SetDropless{Connection: connection, On: false}, hardware.SetDropless{Connection: "Ethernet 3", On: true}, hardware.SetDropless{Connection: "nothing", On: true},
	} {
		if err := h.Check(Plan{Title: "x", Operations: []Operation{o}}); err == nil {
			t.Errorf("%s was allowed", o.Describe())
		}
	}
}

func TestTheLinkOfTheSessionDoesNotFlap(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	was, now := hardware.SetFault{Connection: "Ethernet 5", Fault: description.LinkFlap, Share: 1}, hardware.SetFault{Connection: "Ethernet 7", Fault: description.LinkFlap, Share: 1}
	if h.Check(Plan{Title: "x", Operations: []Operation{was}}) == nil {
		t.Error("the connection that the description marks was allowed to flap")
	}
	mustApply(t, h, adapters.MarkManagement{Connection: now.Connection, Carries: true})
	if h.Check(Plan{Title: "x", Operations: []Operation{now}}) == nil {
		t.Error("the connection that the operator marked was allowed to flap")
	}
	mustApply(t, h, was)
}

func TestDroplessModeEndsWithTheDriver(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	const connection = "Ethernet 6"
	port := portOf(t, h, connection)
	from := h.events.Last()
	mustApply(t, h, hardware.SetDropless{Connection: connection, On: true})
	if err := h.Check(Plan{Title: "x", Operations: []Operation{hardware.SetDropless{Connection: connection, On: true}}}); err == nil {
		t.Error("it entered twice")
	}
	mustApply(t, h, hardware.SetDropless{Connection: connection, On: false})
	mustApply(t, h, hardware.SetDropless{Connection: connection, On: true}, adapters.RestartAdapter{Connection: connection})
	h.Advance(5 * time.Second)
	if h.lab.Dropless(port) {
		t.Error("dropless mode outlived the driver")
	}
	keys := newest(h, from, connection)
	for _, key := range []string{"mlx5.dropless-entered", "mlx5.dropless-exited"} {
		if !slices.Contains(keys, key) {
			t.Errorf("no event %s, but %v", key, keys)
		}
	}
}
