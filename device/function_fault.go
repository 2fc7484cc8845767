package device

import (
	"fmt"
	"math"
	"slices"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// The traffic and commands of a misbehaving virtual function at share 1; the manuals give no figures.
const (
	badFrames      = 1000   // sent in a step
	stormFrames    = 50_000 // of a storm in a step: a million a second
	badFrameBytes  = 64     // the length of each
	firmwareUse    = 10     // percent of firmware use added to its counter in a second
	firmwareErrors = 10     // commands that fail in a second
)

// FunctionFaults returns the faults of all virtual functions, except the ones that SetFault and the schedules set for a port's
// first one.
func (l *Lab) FunctionFaults() []setup.FunctionFault { return l.setup.FunctionFaults }

// FunctionFault returns the share that an operator has set for a fault of a virtual function, 0 for none.
func (l *Lab) FunctionFault(port, function int, kind description.FaultKind) float64 {
	if function == 0 {
		return l.Fault(port, kind)
	}
	for _, m := range l.setup.FunctionFaults {
		if m.Port == port && m.Function == function && m.Kind == kind {
			return m.Share
		}
	}
	return 0
}

// SetFunctionFault sets a fault of a virtual function; a share of 0 clears it.
func (l *Lab) SetFunctionFault(port, function int, kind description.FaultKind, share float64) error {
	if _, err := l.link(port); err != nil {
		return err
	}
	if err := setup.CheckFault(kind, share); err != nil {
		return err
	}
	if !kind.ByFunction() {
		return fmt.Errorf("%s is not a fault of a virtual function", kind)
	}
	if open := l.VirtualFunctions(port); share > 0 && (function < 0 || function >= open) {
		if open == 0 {
			return fmt.Errorf("%s: the port has no virtual functions", kind)
		}
		return fmt.Errorf("%s: the port has the virtual functions 0 to %d, not %d", kind, open-1, function)
	}
	if function == 0 {
		return l.SetFault(port, kind, share)
	}
	same := func(m setup.FunctionFault) bool { return m.Port == port && m.Function == function && m.Kind == kind }
	l.setup.FunctionFaults = slices.DeleteFunc(slices.Clone(l.setup.FunctionFaults), same)
	if share > 0 {
		l.setup.FunctionFaults = append(l.setup.FunctionFaults, setup.FunctionFault{Port: port, Function: function, Kind: kind, Share: share})
	}
	return nil
}

// extraFrames are frames that a virtual function sends in a step in addition to its share.
type extraFrames struct {
	port, function int
	frames         float64
	storm          bool
	kind           setup.FrameType
}

// blockedFrames is the number of frames, for DHCP and address resolution, that a machine sends in a second while its virtual
// port is down: an assumption of the lab.
const blockedFrames = 4

// dropBlockedSends drops the frames that machines with virtual ports that are down send.
func (l *Lab) dropBlockedSends(port int) {
	if l.steps%int64(time.Second/Step) != 0 || !l.links[port].Enabled {
		return
	}
	for i := range l.setup.Guests[port] {
		if g := &l.setup.Guests[port][i]; g.Held && g.Function != setup.NoFunction {
			l.counters[l.FunctionCell(port, g.Function, counter.FunctionBlockedSent)] += blockedFrames
		}
	}
}

// dropBlockedCopies drops copies of multicasts for virtual functions with ports that are down.
func (l *Lab) dropBlockedCopies(port int, n uint64) {
	for i := range l.setup.Guests[port] {
		if g := &l.setup.Guests[port][i]; g.Held && g.Function != setup.NoFunction {
			l.counters[l.FunctionCell(port, g.Function, counter.FunctionBlockedReceived)] += n
		}
	}
}

// applyFunctionFaults counts the effects of faulty virtual functions of a port, and collects the frames that they send.
func (l *Lab) applyFunctionFaults(port int) {
	if l.VirtualFunctions(port) == 0 || !l.links[port].Enabled {
		return
	}
	for _, kind := range description.FunctionFaults() {
		if share := l.links[port].faults[kind]; share > 0 {
			l.applyFunctionFault(setup.FunctionFault{Port: port, Kind: kind, Share: share})
		}
	}
	for _, m := range l.setup.FunctionFaults {
		if m.Port == port && m.Function < l.VirtualFunctions(port) {
			l.applyFunctionFault(m)
		}
	}
}

func (l *Lab) applyFunctionFault(m setup.FunctionFault) {
	guest := l.setup.Attached(m.Port, m.Function)
	if l.setup.Guests[m.Port] != nil && guest == nil {
		return // no machine uses the function
	}
	cells := l.counters[l.FunctionCell(m.Port, m.Function, 0):] // counters of this function only
	frames := uint64(math.Round(badFrames * m.Share))
	strict := l.dropsDisallowedFrames(m.Port)                             // the switch drops invalid frames (IOV-9, IOV-11)
	if guest != nil && guest.Held && m.Kind != description.FirmwareLoad { // its port is down: nothing is sent
		if m.Kind == description.Storm {
			frames = uint64(math.Round(stormFrames * m.Share))
		}
		cells[counter.FunctionBlockedSent] += frames
		return
	}
	switch m.Kind {
	case description.WrongAddress:
		if !strict {
			l.extras = append(l.extras, extraFrames{m.Port, m.Function, float64(frames), false, setup.IPv4Frame})
			return
		}
		l.counters[counter.Cell(m.Port, counter.FunctionsWrongAddress)] += frames
		cells[counter.FunctionWrongAddressPackets] += frames
		cells[counter.FunctionWrongAddressBytes] += frames * badFrameBytes
	case description.DisallowedType:
		l.sendExtraFrames(extraFrames{m.Port, m.Function, float64(frames), false, setup.TrialFrame})
	case description.FirmwareLoad:
		if l.steps%int64(time.Second/Step) != 0 {
			return
		}
		use, failed := uint64(math.Round(firmwareUse*m.Share)), uint64(math.Round(firmwareErrors*m.Share))
		l.counters[counter.Cell(m.Port, counter.FunctionsFirmwareUse)] += use
		l.counters[counter.Cell(m.Port, counter.FunctionsFirmwareErrors)] += failed
		cells[counter.FunctionFirmwareUse] += use
		cells[counter.FunctionFirmwareErrors] += failed
	case description.Storm:
		l.sendExtraFrames(extraFrames{m.Port, m.Function, stormFrames * m.Share, true, setup.ARPFrame})
	default: // faults of ports
	}
}

// sendExtraFrames queues frames that the card lets out. Of disallowed frames, later cards drop them in the switch; ConnectX-3 sends
// them damaged, and counts them as good (IOV-9).
func (l *Lab) sendExtraFrames(e extraFrames) {
	if !l.dropsDisallowedFrames(e.port) || !l.disallows(e.port, e.kind) {
		l.extras = append(l.extras, e)
		return
	}
	n := uint64(math.Round(e.frames))
	l.counters[counter.Cell(e.port, counter.FunctionsDisallowedType)] += n
	l.countDisallowed(e.port, e.function, n, badFrameBytes)
}

// offerExtras adds the frames of function faults to the load of the ports.
func (l *Lab) offerExtras() {
	for _, e := range l.extras {
		if !l.links[e.port].Up {
			continue
		}
		sum, wire := &l.loads[e.port], e.frames*(badFrameBytes+l.plan.ports[e.port].overhead)
		sum.wire[send] += wire
		sum.classes[counter.Untagged] += wire
		sum.leaves[counter.Untagged] += e.frames * badFrameBytes
	}
}

// sendExtras counts the extra frames that line and slot let through.
func (l *Lab) sendExtras() {
	for _, e := range l.extras {
		if !l.links[e.port].Up {
			continue
		}
		sum := &l.loads[e.port]
		n := uint64(e.frames * sum.priorityShare[counter.Untagged] * sum.slotSendShare)
		s := stream{flow: noFlow, port: int32(e.port), priority: counter.Untagged, team: setup.NoSlot, vlan: setup.NoSlot, direction: send, frame: badFrameBytes, multicast: e.storm}
		l.count(&s, counter.PrioritySentBytes, counter.SentBytes, counter.HostOutBytes, counter.RDMAOutBytes, n)
		l.countExtraFrames(e, n)
		if l.disallows(e.port, e.kind) {
			sum.disallowedFrames += n
			sum.disallowedBytes += n * badFrameBytes
		}
	}
	l.extras = l.extras[:0]
}

// countExtraFrames counts the extra frames of a virtual function at this function only, outside the shared traffic.
func (l *Lab) countExtraFrames(e extraFrames, n uint64) {
	b := l.setup.CopyShareBase(e.port)
	for i, amount := range [...]uint64{n * badFrameBytes, n} {
		sent := counter.FunctionsSentBytes + counter.Port(i)
		l.counters[counter.Cell(e.port, sent)] += amount
		b.Shared[sent-counter.FunctionsReceivedBytes] += amount
		setup.Row(b.Functions, e.function, int(counter.FunctionCount))[int(counter.FunctionSentBytes)+i] += amount
		if e.storm {
			l.counters[l.FunctionCell(e.port, e.function, counter.FunctionSentBroadcastBytes+counter.Function(i))] += amount
		}
		if g := l.setup.Attached(e.port, e.function); g != nil {
			setup.Row(b.Guests, g.Slot, int(counter.GuestCount))[int(counter.GuestSentBytes)+i] += amount
		}
	}
	l.setup.SetShareBase(e.port, b)
}
