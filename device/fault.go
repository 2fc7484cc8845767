package device

import (
	"fmt"
	"math"
	"slices"

	"cxdeck/device/description"
)

// faultShares is the share of each fault of a port, 0 for an absent one; FaultKind says what it is a share of.
type faultShares [description.FaultCount]float64

// Fault returns the share that an operator has set for a fault of a port, 0 for none, without the description's
// schedules.
func (l *Lab) Fault(port int, kind description.FaultKind) float64 {
	if !kind.Known() {
		return 0
	}
	return l.faults[port][kind]
}

// SetFault sets a fault of a port; a share of 0 fixes it. It takes effect in the next step; the larger of this share
// and the schedule's applies.
func (l *Lab) SetFault(port int, kind description.FaultKind, share float64) error {
	if _, err := l.link(port); err != nil {
		return err
	}
	if err := checkFault(kind, share); err != nil {
		return err
	}
	if kind.ByFunction() && share > 0 && l.VirtualFunctions(port) == 0 {
		return fmt.Errorf("%s: the port has no virtual functions", kind)
	}
	l.faults = slices.Clone(l.faults)
	l.faults[port][kind] = share
	return nil
}

func checkFault(kind description.FaultKind, share float64) error {
	if !kind.Known() {
		return fmt.Errorf("the lab has no fault %d", kind)
	}
	if !(share >= 0 && share <= 1) {
		return fmt.Errorf("the share of a fault must be 0 to 1, not %v", share)
	}
	if kind.Entire() && share != math.Trunc(share) {
		return fmt.Errorf("%s: the share must be 0 or 1, not %v", kind, share)
	}
	return nil
}

// applyFaults finds the faults of a step.
func (l *Lab) applyFaults() {
	l.extras = l.extras[:0]
	for i := range l.links {
		s := &l.links[i]
		s.faults, s.pausePriority = l.faults[i], l.switches[i].PausePriority
		s.faults[description.FarEndPause] = math.Max(s.faults[description.FarEndPause], l.switches[i].PauseShare)
	}
	for _, f := range l.plant.faults {
		if !l.schedules[f.schedule].on(l.steps) {
			continue
		}
		s := &l.links[f.port]
		if f.kind == description.FarEndPause && f.share > s.faults[description.FarEndPause] {
			s.pausePriority = f.priority
		}
		s.faults[f.kind] = math.Max(s.faults[f.kind], f.share)
	}
	for i := range l.links {
		l.stall(i)
		l.endApplications(i)
		l.applyFunctionFaults(i)
		l.dropHeldSends(i)
		s := &l.links[i]
		s.silent = l.plan.ports[i].ethernet && (s.faults[description.Debugger] > 0 || s.Stalled > l.settings[i].stallSteps(l.settings[i].StallTimeout))
	}
}

// stall counts how long the host has taken nothing from the receive buffer of a port, and the marks that this passes.
func (l *Lab) stall(port int) {
	s, settings := &l.links[port], &l.settings[port]
	if s.faults[description.Stall] == 0 || !s.Up {
		s.Stalled = 0
		return
	}
	s.Stalled++
	if s.Stalled == settings.stallSteps(settings.StallWatermark)+1 {
		l.counters[Cell(port, StallsMinor)]++
	}
	if s.Stalled == settings.stallSteps(settings.StallTimeout)+1 {
		l.counters[Cell(port, StallsCritical)]++
	}
}

// stallSteps converts a stall limit from milliseconds to whole steps; without a limit it exceeds any stall.
func (s *Settings) stallSteps(milliseconds int) int64 {
	if milliseconds == 0 {
		return math.MaxInt64 - 1
	}
	return int64(milliseconds) / Step.Milliseconds()
}

// postedReceives is how many receive requests an application keeps posted for each of its queue pairs.
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
		l.counters[Cell(port, ResponderCQEErrors)] += pairs * postedReceives
		l.counters[Cell(port, InvalidPairs)] += pairs // one packet of each is on the way
	}
	active := &l.counters[Cell(port, RDMAActive)]
	l.counters[Cell(port, RDMAClosed)] += *active
	*active = 0
}

// morePairs is how many more queue pairs ManyQueuePairs is at its worst.
const morePairs = 1 << 16

// pairs counts the queue pairs of a card now.
func (l *Lab) pairs(adapter int) int {
	n := float64(l.plan.cards[adapter].pairs + l.ownPairs(adapter))
	for i := range l.links {
		if l.plan.ports[i].adapter == adapter {
			n += l.links[i].faults[description.ManyQueuePairs] * morePairs
		}
	}
	return int(n)
}
