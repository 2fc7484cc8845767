package device

import (
	"strings"
	"testing"
	"time"

	"cxdeck/device/description"
)

// TestStallMonitor follows the stalls of the specification: 60, 150 and 700 ms with limits of 100 and 500 ms give two minor stalls and a
// critical one, which turns off flow control until it ends.
func TestStallMonitor(t *testing.T) {
	t.Parallel()
	l := quietLab(t)
	port := portOf(t, l, "Ethernet 7")
	s := l.Settings(port)
	s.StallWatermark, s.StallTimeout = 100, 500
	if err := l.Configure(port, s); err != nil {
		t.Fatal(err)
	}
	state := func() StallMonitor {
		m, ok := l.StallMonitor(port)
		if !ok {
			t.Fatal("an Ethernet port has no monitor")
		}
		return m
	}
	if m := state(); m.Now() != "receiving" || m.Limits() != "minor after 100 ms, critical after 500 ms, which turns off flow control" {
		t.Errorf("%s; %s", m.Limits(), m.Now())
	}
	for _, stall := range []struct {
		length          time.Duration
		minor, critical uint64
		silent          bool
	}{{60 * time.Millisecond, 0, 0, false}, {150 * time.Millisecond, 1, 0, false}, {700 * time.Millisecond, 2, 1, true}} {
		if err := l.SetFault(port, description.Stall, 1); err != nil {
			t.Fatal(err)
		}
		l.Advance(stall.length)
		if m := state(); m.Minor != stall.minor || m.Critical != stall.critical || m.Silent != stall.silent || m.Stalled == 0 {
			t.Errorf("after %s: %+v", stall.length, m)
		}
		if m := state(); stall.silent != strings.Contains(m.Now(), "flow control is off") {
			t.Errorf("after %s: %s", stall.length, m.Now())
		}
		if err := l.SetFault(port, description.Stall, 0); err != nil {
			t.Fatal(err)
		}
		l.Advance(time.Second)
		if m := state(); m.Silent || m.Stalled != 0 {
			t.Errorf("after the end: %+v", m)
		}
	}
	if _, ok := l.StallMonitor(portOf(t, l, "Ethernet 4")); ok {
		t.Error("an InfiniBand port has a monitor")
	}
}
