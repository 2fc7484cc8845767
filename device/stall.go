package device

import (
	"fmt"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
)

// StallMonitor is the state of a port's receive-stall monitor (STL-1).
type StallMonitor struct {
	// Watermark and Timeout are its limits: a longer stall counts as minor, and as critical; 0 means no limit.
	Watermark, Timeout time.Duration
	// Stalled is for how long the host has taken no packets, 0 while it does.
	Stalled time.Duration
	// Silent reports that the stall has turned off flow control.
	Silent bool
	// Minor and Critical count stalls since the driver's counters began, Discarded the packets dropped without flow control.
	Minor, Critical, Discarded uint64
}

// Monitors reports whether it turns off flow control.
func (m *StallMonitor) Monitors() bool { return m.Timeout > 0 }

// StallMonitor returns the state of the receive-stall monitor of an Ethernet port; ok is false for an InfiniBand port.
func (l *Lab) StallMonitor(port int) (m StallMonitor, ok bool) {
	if l.plant.ports[port].description.Link != description.Ethernet {
		return m, false
	}
	s, link := &l.setup.Ports[port], &l.links[port]
	return StallMonitor{
		Watermark: time.Duration(s.StallWatermark) * time.Millisecond, Timeout: time.Duration(s.StallTimeout) * time.Millisecond,
		Stalled: time.Duration(link.Stalled) * Step, Silent: link.Stalled > stallSteps(s.StallTimeout),
		Minor: l.counters[counter.Cell(port, counter.StallsMinor)], Critical: l.counters[counter.Cell(port, counter.StallsCritical)],
		Discarded: l.counters[counter.Cell(port, counter.StalledDiscards)],
	}, true
}

// Limits describes the limits: "minor after 500 ms, critical after 1 s".
func (m *StallMonitor) Limits() string {
	minor, critical := "minor stalls are not counted", "flow control stays on however long a stall lasts"
	if m.Watermark > 0 {
		minor = fmt.Sprintf("minor after %d ms", m.Watermark.Milliseconds())
	}
	if m.Monitors() {
		critical = fmt.Sprintf("critical after %d ms, which turns off flow control", m.Timeout.Milliseconds())
	}
	return minor + ", " + critical
}

// Now describes the state: "receiving".
func (m *StallMonitor) Now() string {
	switch {
	case m.Stalled == 0:
		return "receiving"
	case m.Silent:
		return fmt.Sprintf("the host has received no packets for %.1f s: flow control is off, and %d packets were dropped", m.Stalled.Seconds(), m.Discarded)
	}
	return fmt.Sprintf("the host has received no packets for %.1f s: the port pauses the switch", m.Stalled.Seconds())
}
