package device

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"cxdeck/device/tunnel"
)

// Guest is a network adapter of a virtual machine that moves traffic through a port.
type Guest struct {
	// Slot is its place among the guests of the port, and of its counters.
	Slot int
	// Function is the virtual function that carries its traffic, or NoFunction for the synthetic path: through the
	// host's virtual switch and the physical function.
	Function int
	// Share is its part of the port's flows of virtual machines.
	Share float64
	// Rings serve it on the synthetic path; there is at least one.
	Rings []int
	// Default says that it has no queue of its own on the synthetic path, and shares the default queue (VIRT-2).
	Default bool
	// Redirected says that its DHCP goes to the physical function, despite its virtual function (IOV-13).
	Redirected bool
	// Held says that its port at the virtual switch is held (VIRT-4): the virtual port of its function is down, it moves
	// nothing, and its share must be 0.
	Held bool
	// Overlay is the network on top of that of the port in which its packets travel, on the synthetic way.
	Overlay tunnel.Overlay
}

// NoFunction stands for no virtual function.
const NoFunction = -1

// Limits of the guests of a port.
const (
	GuestSlots   = 160
	MaxFunctions = 127 // of a port
	maxShare     = 64.0
	wholeEnough  = 1e-6 // shares whose sum is so near to 1 are all
)

// GuestCounter is one of the counters of each guest of a port, on both paths.
type GuestCounter int

// The counters of a guest.
const (
	GuestReceivedBytes GuestCounter = iota
	GuestReceivedPackets
	GuestSentBytes
	GuestSentPackets
	GuestDropped // received packets that found no descriptor
	guestCounters
)

// GuestCell is the place of a guest's counter in Counters; slots count from 0 to GuestSlots.
func (l *Lab) GuestCell(port, slot int, c GuestCounter) int {
	return l.plant.layout.guests[port] + slot*int(guestCounters) + int(c)
}

// guestParts are the counters of a port that guests share, on each path. Overlay counters are part of the synthetic
// ones.
var guestParts = [guestCounters]struct{ function, synthetic, overlay Counter }{
	GuestReceivedBytes:   {FunctionsReceivedBytes, SyntheticReceivedBytes, OverlayReceivedBytes},
	GuestReceivedPackets: {FunctionsReceivedPackets, SyntheticReceivedPackets, OverlayReceivedPackets},
	GuestSentBytes:       {FunctionsSentBytes, SyntheticSentBytes, OverlaySentBytes},
	GuestSentPackets:     {FunctionsSentPackets, SyntheticSentPackets, OverlaySentPackets},
	GuestDropped:         {FunctionsDropped, SyntheticDropped, OverlayDropped},
}

// Guests returns the virtual machines of a port; nil when SetGuests was never called, so that the described virtual
// functions share the traffic. They must not be changed.
func (l *Lab) Guests(port int) []Guest { return l.guests[port] }

// SetGuests sets the virtual machines that use a port from now on. The counters so far stay with the guests, by their
// slots, and with the virtual functions.
func (l *Lab) SetGuests(port int, guests []Guest) error {
	return l.SetGuestsOf(map[int][]Guest{port: guests})
}

// SetGuestsOf is SetGuests for several ports at once.
func (l *Lab) SetGuestsOf(ports map[int][]Guest) error {
	for port, guests := range ports {
		if _, err := l.link(port); err != nil {
			return err
		}
		if err := l.checkGuests(guests); err != nil {
			return err
		}
	}
	l.guests = slices.Clone(l.guests)
	for port, guests := range ports {
		l.rebaseShares(port)
		l.closeVirtualPorts(port, noSlot)
		l.guests[port] = append([]Guest{}, guests...)
		l.lease(port)
	}
	l.replanRDMA()
	return nil
}

func (l *Lab) checkGuests(guests []Guest) error {
	var slots [GuestSlots]bool
	var functions [MaxFunctions]bool
	for _, g := range guests {
		if g.Slot < 0 || g.Slot >= GuestSlots || slots[g.Slot] {
			return fmt.Errorf("slot %d of a guest does not exist, or is taken", g.Slot)
		}
		slots[g.Slot] = true
		if g.Function != NoFunction {
			if g.Function < 0 || g.Function >= MaxFunctions || functions[g.Function] {
				return fmt.Errorf("the virtual function %d does not exist, or is taken", g.Function)
			}
			functions[g.Function] = true
		}
		if !(g.Share >= 0 && g.Share <= maxShare) || g.Held && g.Share > 0 {
			return fmt.Errorf("the share of a guest must be 0 to %g, and 0 for a held one, not %v", maxShare, g.Share)
		}
		if err := g.Overlay.Check(); err != nil {
			return err
		}
		if len(g.Rings) == 0 || len(g.Rings) > maxRingsWinOF || slices.ContainsFunc(g.Rings, func(r int) bool { return r < 0 || r >= maxRingsWinOF }) {
			return errors.New("a guest needs rings that its port can have")
		}
	}
	return nil
}

// books holds the counters of the virtual functions and guests of a port when their shares changed last, and the shared
// counters of the port at that time. It is replaced and never changed; nil stands for zeroes.
type shareBase struct {
	Functions, Guests, Shared []uint64
}

// rebaseShares stores the counters of a port's virtual functions and guests under their present shares; new shares
// apply only to later traffic.
func (l *Lab) rebaseShares(port int) {
	if l.steps == 0 {
		return // nothing to share yet
	}
	l.fillFunctionsOf(port)
	l.resetShareBase(port)
}

func (l *Lab) setShareBase(port int, b shareBase) {
	for _, part := range []*[]uint64{&b.Functions, &b.Guests, &b.Shared} {
		if !slices.ContainsFunc(*part, func(n uint64) bool { return n != 0 }) {
			*part = nil
		}
	}
	l.shareBases = slices.Clone(l.shareBases)
	l.shareBases[port] = b
}

// valid reports whether the lists have the lengths of a port's counters.
func (b *shareBase) valid() bool {
	right := func(part []uint64, n int) bool { return part == nil || len(part) == n }
	return right(b.Functions, MaxFunctions*int(functionCounters)) && right(b.Guests, GuestSlots*int(guestCounters)) &&
		right(b.Shared, sharedCounters)
}

// row returns the counters of one function or guest in a part of a share base, nil when the part is empty.
func row(part []uint64, at, width int) []uint64 {
	if part == nil {
		return nil
	}
	return part[at*width : (at+1)*width]
}

// entry is an entry of a row that may not be there.
func entry(row []uint64, at int) uint64 {
	if row == nil {
		return 0
	}
	return row[at]
}

// ResetGuest sets the counters of a guest to 0.
func (l *Lab) ResetGuest(port, slot int) {
	if l.steps == 0 {
		return // nothing has moved yet
	}
	l.fillFunctionsOf(port)
	clear(l.counters[l.GuestCell(port, slot, 0):][:guestCounters])
	l.resetShareBase(port)
	l.closeVirtualPorts(port, slot)
}

// ResetFunction resets the counters of a virtual function to 0. Its memory pages stay.
func (l *Lab) ResetFunction(port, function int) {
	if l.steps == 0 {
		return // nothing has moved yet
	}
	l.fillFunctionsOf(port)
	clear(l.counters[l.FunctionCell(port, function, 0):l.FunctionCell(port, function, FunctionPages)])
	l.resetShareBase(port)
}

// SetFunctionPages sets how many pages of the host's memory a virtual function has, 4 KB each.
func (l *Lab) SetFunctionPages(port, function int, pages uint64) {
	l.counters[l.FunctionCell(port, function, FunctionPages)] = pages
}

// RefuseFunction counts a command of a virtual function that failed because it asked for more than its quota.
func (l *Lab) RefuseFunction(port, function int) {
	l.counters[l.FunctionCell(port, function, FunctionQuotaCommands)]++
}

// resetShareBase stores counters that are up to date as the new share base.
func (l *Lab) resetShareBase(port int) {
	l.setShareBase(port, shareBase{
		slices.Clone(l.counters[l.FunctionCell(port, 0, 0):][:MaxFunctions*int(functionCounters)]),
		slices.Clone(l.counters[l.GuestCell(port, 0, 0):][:GuestSlots*int(guestCounters)]),
		slices.Clone(l.counters[Cell(port, FunctionsReceivedBytes):][:sharedCounters]),
	})
}

// sharedCounters are the counters of a port that virtual functions and guests share; they stand next to each other.
const sharedCounters = int(OverlayDropped - FunctionsReceivedBytes + 1)

// way returns the path of a guest's traffic.
func (g *Guest) way() way {
	switch {
	case g.Function != NoFunction:
		return byFunction
	case g.Overlay.Subnet != 0:
		return byOverlay
	}
	return byHost
}

// ways returns the part of virtual machine flows on each path. managed is false when SetGuests was never called.
func (l *Lab) ways(port int) (parts [ways]float64, managed bool) {
	if l.guests[port] == nil {
		return parts, false
	}
	for i := range l.guests[port] {
		g := &l.guests[port][i]
		parts[g.way()] += g.Share
	}
	for i, x := range parts {
		if math.Abs(x-1) < wholeEnough {
			parts[i] = 1
		}
	}
	return parts, true
}

// attached is the guest of a virtual function, nil for none.
func (l *Lab) attached(port, function int) *Guest {
	for i := range l.guests[port] {
		if g := &l.guests[port][i]; g.Function == function {
			return g
		}
	}
	return nil
}

// syntheticLanes returns the share of each ring in the frames of a port's guests on one of the synthetic paths.
func (l *Lab) syntheticLanes(port int, by way, rings int) (parts [maxRingsWinOF]float64) {
	all, _ := l.ways(port)
	for i := range l.guests[port] {
		g := &l.guests[port][i]
		if g.way() != by || g.Share == 0 {
			continue
		}
		for _, ring := range g.Rings {
			parts[ring%rings] += g.Share / all[by] / float64(len(g.Rings))
		}
	}
	return parts
}

// RingProcessor is the logical processor that serves a ring of a port now; rings beyond its number start again from the first.
func (l *Lab) RingProcessor(port, ring int) int {
	rings := l.plan.ports[port].rings
	return rings[ring%len(rings)].processor
}

// copyShareBase returns a copy of a port's share base for changes.
func (l *Lab) copyShareBase(port int) shareBase {
	kept := &l.shareBases[port]
	b := shareBase{slices.Clone(kept.Functions), slices.Clone(kept.Guests), slices.Clone(kept.Shared)}
	if b.Functions == nil {
		b.Functions = make([]uint64, MaxFunctions*int(functionCounters))
	}
	if b.Guests == nil {
		b.Guests = make([]uint64, GuestSlots*int(guestCounters))
	}
	if b.Shared == nil {
		b.Shared = make([]uint64, sharedCounters)
	}
	return b
}
