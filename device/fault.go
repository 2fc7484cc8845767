package device

import (
	"fmt"
	"math"
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
	"cxdeck/device/traffic"
)

// Fault returns the share that an operator has set for a fault of a port, 0 for none, without the description's
// schedules.
func (l *Lab) Fault(port int, kind description.FaultKind) float64 {
	if !kind.Known() {
		return 0
	}
	return l.setup.Faults[port][kind]
}

// SetFault sets a fault of a port; a share of 0 clears it. It takes effect in the next step, with the larger of this share and
// the schedule's.
func (l *Lab) SetFault(port int, kind description.FaultKind, share float64) error {
	if _, err := l.link(port); err != nil {
		return err
	}
	if err := setup.CheckFault(kind, share); err != nil {
		return err
	}
	if kind.ByFunction() && share > 0 && l.VirtualFunctions(port) == 0 {
		return fmt.Errorf("%s: the port has no virtual functions", kind)
	}
	l.setup.Faults = slices.Clone(l.setup.Faults)
	l.setup.Faults[port][kind] = share
	return nil
}

// applyFaults sets the faults of a step.
func (l *Lab) applyFaults() {
	l.extras = l.extras[:0]
	for i := range l.links {
		s := &l.links[i]
		s.faults, s.pausePriority = l.setup.Faults[i], l.setup.Switches[i].PausePriority
		s.faults[description.FarEndPause] = max(s.faults[description.FarEndPause], l.setup.Switches[i].PauseShare)
		if p, excess := &l.plan.ports[i], l.remotes[i].Excess; p.remote.slowHeld && excess > s.faults[description.FarEndPause] && p.flowControl.Asks(p.remote.slowAt) {
			s.faults[description.FarEndPause], s.pausePriority = excess, p.remote.slowAt
		}
	}
	for _, f := range l.plant.faults {
		if len(f.levels) > 0 {
			if f.share *= traffic.TraceLevel(f.levels, f.period, l.steps); f.share == 0 {
				continue
			}
		} else if !l.schedules[f.schedule].On(l.steps) {
			continue
		}
		s := &l.links[f.port]
		if f.kind == description.FarEndPause && f.share > s.faults[description.FarEndPause] {
			s.pausePriority = f.priority
		}
		s.faults[f.kind] = max(s.faults[f.kind], f.share)
	}
	for i := range l.links {
		l.countStall(i)
		l.endApplications(i)
		l.applyFunctionFaults(i)
		l.dropBlockedSends(i)
		s := &l.links[i]
		s.silent = l.plan.ports[i].ethernet && (s.faults[description.Debugger] > 0 && !l.setup.Ports[i].PauseUnderDebugger || s.Stalled > stallSteps(l.setup.Ports[i].StallTimeout))
	}
}

// countStall counts the time for which the host has taken nothing from the receive buffer of a port, and the limits that it
// exceeds.
func (l *Lab) countStall(port int) {
	s, settings := &l.links[port], &l.setup.Ports[port]
	if s.faults[description.Stall] == 0 || !s.Up {
		s.Stalled = 0
		return
	}
	s.Stalled++
	if s.Stalled == stallSteps(settings.StallWatermark)+1 {
		l.counters[counter.Cell(port, counter.StallsMinor)]++
	}
	if s.Stalled == stallSteps(settings.StallTimeout)+1 {
		l.counters[counter.Cell(port, counter.StallsCritical)]++
	}
}

// stallSteps converts a stall limit from milliseconds to whole steps; without a limit it exceeds any stall.
func stallSteps(milliseconds int) int64 {
	if milliseconds == 0 {
		return math.MaxInt64 - 1
	}
	return int64(milliseconds) / Step.Milliseconds()
}

// postedReceives is the number of receive requests that an application keeps posted for each queue pair.
const postedReceives = 64

// endApplications stops or restarts the RDMA applications of a port. Their posted requests are flushed.
func (l *Lab) endApplications(port int) {
	s := &l.links[port]
	ended := s.faults[description.ApplicationExit] > 0
	if ended == s.Exited {
		return
	}
	s.Exited = ended
	if !ended {
		if s.Up {
			l.connect(port)
		}
		return
	}
	for _, f := range l.plan.ports[port].rdma {
		if !l.runs(f) {
			continue
		}
		pairs := uint64(l.plan.flows[f].pairs)
		l.counters[counter.Cell(port, counter.ResponderCQEErrors)] += pairs * postedReceives
		l.counters[counter.Cell(port, counter.InvalidPairs)] += pairs // one packet of each is in flight
	}
	active := &l.counters[counter.Cell(port, counter.RDMAActive)]
	l.counters[counter.Cell(port, counter.RDMAClosed)] += *active
	*active = 0
}

// morePairs is the number of additional queue pairs of ManyQueuePairs with a share of 1.
const morePairs = 1 << 16

// pairs returns the current number of queue pairs of a card.
func (l *Lab) pairs(adapter int) int {
	n := float64(l.plan.cards[adapter].pairs + l.ownPairs(adapter))
	for i := range l.links {
		if l.plan.ports[i].adapter == adapter {
			n += l.links[i].faults[description.ManyQueuePairs] * morePairs
		}
	}
	return int(n)
}
