package driver

import (
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
	"cxdeck/driver/registry/edit"
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

// TestAHangIsFoundInTime: the driver restarts 16 s after its send queues stopped, whatever happens to the host in
// between; a mask of sensors can forbid it.
func TestAHangIsFoundInTime(t *testing.T) {
	t.Parallel()
	for _, mask := range []string{"", "0"} {
		h := newHost(t, 1)
		const connection = "Ethernet 3"
		port := portOf(t, h, connection)
		if mask != "" {
			mustApply(t, h, edit.SetValue{Connection: connection, Key: "SHMPResetActiveSensorsMask", Value: mask})
		}
		h.Advance(time.Second)
		mustApply(t, h, SetFault{connection, description.SendHang, 1})
		h.Advance(9 * time.Second)
		saved, err := h.Save()
		if err != nil {
			t.Fatal(err)
		}
		if h, err = RestoreHost(h.lab.Description(), saved); err != nil {
			t.Fatal(err)
		}
		from := h.events.Last()
		h.Advance(6900 * time.Millisecond)
		if keys := newest(h, from, connection); slices.Contains(keys, "mlx4.sh-hw-send-stall") {
			t.Error("the hang is found too early")
		}
		h.Advance(200 * time.Millisecond)
		if keys := newest(h, from, connection); !slices.Contains(keys, "mlx4.sh-hw-send-stall") {
			t.Errorf("the hang is not found: %v", keys)
		}
		restarts := h.miniports[port].state == Restarting
		h.Advance(5 * time.Second)
		if hangs := h.lab.Fault(port, description.SendHang) > 0; restarts != (mask == "") || hangs != (mask != "") {
			t.Errorf("with the mask %q: restarted %t, hangs %t", mask, restarts, hangs)
		}
	}
}

// The keys of the check for hangs: when one is found, and what is told of it.
func TestKeysOfHangs(t *testing.T) {
	t.Parallel()
	const connection, dump = "Ethernet 3", "mlx4.dmn-created"
	for _, c := range []struct {
		key, value string
		after      time.Duration
		dump       string
	}{
		{"CheckForHangCQMaxNoProgress", "4", 16 * time.Second, ""}, // the default
		{"SHCheckForHangTimeInSeconds", "2", 8 * time.Second, ""},
		{"CheckForHangCQMaxNoProgress", "5", 20 * time.Second, ""},
		{"SHSensorsDumpMask", "8", 16 * time.Second, `Mlx4_Dump_Me_Now\`},
		{"DumpMeNowDirectory", `\??\D:\Dumps`, 16 * time.Second, `D:\Dumps\`},
	} {
		h := newHost(t, 1)
		mustApply(t, h, set(connection, c.key, c.value))
		if c.key == "DumpMeNowDirectory" {
			mustApply(t, h, set(connection, "SHSensorsDumpMask", "8"))
		}
		mustApply(t, h, ReloadDriver{"mlx4"})
		h.Advance(longestStart)
		mustApply(t, h, SetFault{connection, description.SendHang, 1})
		from := h.events.Last()
		h.Advance(c.after - time.Second)
		if slices.Contains(newest(h, from, connection), "mlx4.sh-hw-send-stall") {
			t.Errorf("%s %s: found too early", c.key, c.value)
		}
		h.Advance(1100 * time.Millisecond)
		if !slices.Contains(newest(h, from, connection), "mlx4.sh-hw-send-stall") {
			t.Errorf("%s %s: not found", c.key, c.value)
		}
		told := ""
		for _, e := range h.EventsAfter(from) {
			if e.Key == dump {
				told = e.Message
			}
		}
		if (told != "") != (c.dump != "") || !strings.Contains(told, c.dump) {
			t.Errorf("%s %s: the event says %q", c.key, c.value, told)
		}
	}
}
