package counter

import "cxdeck/device/description"

// ReceiveKinds is the number of kinds of received packets that a processor counts for a port: the counters of package rss.
const ReceiveKinds = 28

// The numbers of guests and virtual functions of a port, and of virtual miniports, that have counters.
const (
	GuestSlots   = 160
	MaxFunctions = 127
	VirtualSlots = 64
)

// stride is the number of cells of one port.
const stride = int(PortCount) + Priorities*int(PriorityCount)

// Cell returns the place of a port's counter in Counters.
func Cell(port int, c Port) int { return port*stride + int(c) }

// PriorityCell returns the place of a priority's counter in Counters.
func PriorityCell(port, priority int, c Priority) int {
	return port*stride + int(PortCount) + priority*int(PriorityCount) + int(c)
}

// Layout has the places of a lab's counters in one list: the ports' counters, then the counters of rings, functions, guests,
// processors, cards and virtual miniports.
type Layout struct {
	processors int
	slots      []int // rings that a port can have, of each kind
	firstRing  []int // the number of its first ring among the rings of all ports
	rings      int
	receive    []int // first cell of a port's receive rings
	send       []int
	kinds      []int // first cell of a port's counts by processor and kind, which the counts by ring and kind follow
	functions  []int
	guests     []int
	host       int
	cards      int
	virtual    int
	cells      int
}

// The maximum number of rings of a port, by driver (RSS-5); MaxRings is WinOF's, the larger one.
const (
	MaxRings       = 64
	maxRingsWinOF2 = 16
)

// NewLayout assigns each counter of a described lab its place.
func NewLayout(d *description.Description) *Layout {
	l := &Layout{processors: d.Host.NUMANodes * d.Host.ProcessorsPerNode}
	take := func(n int) (at int) {
		at = l.cells
		l.cells += n
		return at
	}
	for i := range d.Adapters {
		l.cells += len(d.Adapters[i].Ports) * stride
	}
	for i := range d.Adapters {
		a := &d.Adapters[i]
		for range a.Ports {
			slots := maxRingsWinOF2
			if a.Family == description.WinOF {
				slots = MaxRings
			}
			slots = min(slots, l.processors)
			l.slots = append(l.slots, slots)
			l.firstRing = append(l.firstRing, l.rings)
			l.rings += slots
			l.receive = append(l.receive, take(slots*int(ReceiveRingCount)))
			l.send = append(l.send, take(slots*int(SendRingCount)))
			l.kinds = append(l.kinds, take(l.Kinds(len(l.slots)-1)))
			l.functions = append(l.functions, take(MaxFunctions*int(FunctionCount)))
			l.guests = append(l.guests, take(GuestSlots*int(GuestCount)))
		}
	}
	l.host = take(l.processors * int(ProcessorCount))
	l.cards = take(len(d.Adapters) * int(CardCount))
	l.virtual = take(VirtualSlots * int(VirtualCount))
	return l
}

// Cells returns the number of all counters.
func (l *Layout) Cells() int { return l.cells }

// Processors returns the number of logical processors of the host.
func (l *Layout) Processors() int { return l.processors }

// RingSlots returns the maximum number of receive rings, and of send rings, of a port; see Rings.
func (l *Layout) RingSlots(port int) int { return l.slots[port] }

// FirstRing returns the number of a port's first pair of rings among the AllRings pairs of all ports.
func (l *Layout) FirstRing(port int) int { return l.firstRing[port] }

// AllRings returns the maximum number of pairs of rings of all ports together.
func (l *Layout) AllRings() int { return l.rings }

// ReceiveRingCell returns the place of a receive ring's counter in Counters; rings count from 0 to RingSlots.
func (l *Layout) ReceiveRingCell(port, ring int, c ReceiveRing) int {
	return l.receive[port] + ring*int(ReceiveRingCount) + int(c)
}

// SendRingCell returns the place of a send ring's counter in Counters; rings count from 0 to RingSlots.
func (l *Layout) SendRingCell(port, ring int, c SendRing) int {
	return l.send[port] + ring*int(SendRingCount) + int(c)
}

// KindCell returns the place in Counters of the packets that a processor received from a port, by kind, which is a counter of
// package rss (RSS-3). It omits virtual functions, and all virtual ports except the default one; see VirtualPorts.
func (l *Layout) KindCell(port, processor, kind int) int {
	return l.kinds[port] + processor*ReceiveKinds + kind
}

// Kinds returns the number of a port's counts by processor or ring and kind, from its first KindCell on.
func (l *Layout) Kinds(port int) int { return l.processors*ReceiveKinds + l.SharedKinds(port) }

// SharedKinds returns the number of the counts for packets that virtual ports share, from its first SharedKindCell on.
func (l *Layout) SharedKinds(port int) int { return sharedPaths * l.slots[port] * ReceiveKinds }

// sharedPaths is the number of paths of packets that virtual ports share: in an overlay, and without.
const sharedPaths = 2

// SharedKindCell returns the place of the first kind of the packets of a ring that virtual ports share, in an overlay or
// without; the other kinds follow.
func (l *Layout) SharedKindCell(port int, overlay bool, ring int) int {
	row := l.processors + ring
	if overlay {
		row += l.slots[port]
	}
	return l.KindCell(port, row, 0)
}

// ProcessorCell returns the place of a logical processor's counter in Counters.
func (l *Layout) ProcessorCell(processor int, c Processor) int {
	return l.host + processor*int(ProcessorCount) + int(c)
}

// CardCell returns the place of a card's counter in Counters.
func (l *Layout) CardCell(adapter int, c Card) int {
	return l.cards + adapter*int(CardCount) + int(c)
}

// FunctionCell returns the place of a virtual function's counter in Counters; functions count from 0 to VirtualFunctions.
func (l *Layout) FunctionCell(port, function int, c Function) int {
	return l.functions[port] + function*int(FunctionCount) + int(c)
}

// GuestCell returns the place of a guest's counter in Counters; slots count from 0 to GuestSlots.
func (l *Layout) GuestCell(port, slot int, c Guest) int {
	return l.guests[port] + slot*int(GuestCount) + int(c)
}

// VirtualCell returns the place of a virtual miniport's counter in Counters; slots count from 0 to VirtualSlots.
func (l *Layout) VirtualCell(slot int, c Virtual) int {
	return l.virtual + slot*int(VirtualCount) + int(c)
}
