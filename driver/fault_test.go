package driver

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
)

func TestSetAndUndoFaults(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	const connection = "Ethernet 7" // it has virtual functions
	port := portOf(t, h, connection)
	for _, kind := range description.FaultKinds() {
		o := SetFault{connection, kind, 1}
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
		SetFault{connection, description.BadCable, 1.5}, SetFault{connection, description.BadCable, -0.1},
		SetFault{connection, description.Stall, 0.5}, SetFault{connection, 99, 1}, SetFault{"nothing", description.Stall, 1},
		SetFault{"Ethernet 8", description.WrongAddress, 1}, // without virtual functions
		SetDropless{connection, false}, SetDropless{"Ethernet 3", true}, SetDropless{"nothing", true},
	} {
		if err := h.Check(Plan{"x", []Operation{o}}); err == nil {
			t.Errorf("%s was allowed", o.Describe())
		}
	}
}

func TestTheLinkOfTheSessionDoesNotFlap(t *testing.T) {
	t.Parallel()
	h := newHost(t, 1)
	was, now := SetFault{"Ethernet 5", description.LinkFlap, 1}, SetFault{"Ethernet 7", description.LinkFlap, 1}
	if h.Check(Plan{"x", []Operation{was}}) == nil {
		t.Error("the connection that the description marks was allowed to flap")
	}
	mustApply(t, h, MarkManagement{now.Connection, true})
	if h.Check(Plan{"x", []Operation{now}}) == nil {
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
	mustApply(t, h, SetDropless{connection, true})
	if err := h.Check(Plan{"x", []Operation{SetDropless{connection, true}}}); err == nil {
		t.Error("it entered twice")
	}
	mustApply(t, h, SetDropless{connection, false})
	mustApply(t, h, SetDropless{connection, true}, RestartAdapter{connection})
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
