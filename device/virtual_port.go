package device

import "slices"

// virtualPorts is what a port keeps for the virtual ports of its embedded switch: the default one, which has what the
// host and all without a queue of their own receive, and one for each guest with queues (VIRT-1 to VIRT-3). What a
// virtual function receives goes past them. It is replaced and never changed.
type virtualPorts struct {
	// On says that a virtual switch is bound to the port: its packets count by virtual port, and not for all of it (R6).
	On bool `json:",omitempty"`
	// Shared is what the guests had received on each ring when they changed last, by way, ring and kind, and Taken what
	// of that each of them has. nil stands for nothing.
	Shared []uint64       `json:",omitempty"`
	Taken  []VirtualCount `json:",omitempty"`
}

// VirtualCount is what a processor has received for a virtual port.
type VirtualCount struct {
	// Slot is the slot of the guest, or DefaultSlot.
	Slot int
	// Processor is its number, or AllProcessors for the sum.
	Processor int
	// Kinds are the packets by kind, which is a counter of package rss (RSS-3).
	Kinds [ReceiveKinds]uint64
}

const (
	// DefaultSlot stands for the default virtual port.
	DefaultSlot = -1
	// AllProcessors is the sum over the processors of a virtual port.
	AllProcessors = -1
)

// turns is how many packets of a ring the guests on it share out at a time: of so many each has its part in one piece.
// So each packet is one guest's, none counts twice, and no count ever falls.
const turns = 1024

// SetVirtualPorts sets for each port whether a virtual switch is bound to it. Where that changes, the driver recreates
// its queues, and its counts by processor start at 0.
func (l *Lab) SetVirtualPorts(on []bool) {
	now, changed := slices.Clone(l.virtual), false
	for port := range now {
		if now[port].On == on[port] {
			continue
		}
		l.clearKinds(port)
		now[port], changed = virtualPorts{On: on[port]}, true
	}
	if changed {
		l.virtual, l.filled = now, -1
		l.replan()
	}
}

// HasVirtualPorts says whether a port counts by virtual port.
func (l *Lab) HasVirtualPorts(port int) bool { return l.virtual[port].On }

// VirtualPorts is what the processors have received for each virtual port of a port: in the order of slots, each with the
// sum of its processors first. It is empty without a virtual switch, or when the driver does not count. The list is the
// lab's own: it may be read until the next Advance or change.
func (l *Lab) VirtualPorts(port int) []VirtualCount {
	l.Counters()
	return l.shown[port].rows
}

// VirtualCount is what a processor has received for a virtual port, nil when it does not exist or the processor does
// not serve it. As VirtualPorts it may be read for a while.
func (l *Lab) VirtualCount(port, slot, processor int) *VirtualCount {
	l.Counters()
	return l.shown[port].find(slot, processor)
}

// shownPorts are the counts of the virtual ports of a port as they are now, and the first one of each slot.
type shownPorts struct {
	rows  []VirtualCount
	first []int32 // -1 for a slot without any; the default one precedes them
}

// fillVirtualPorts brings the counts of the virtual ports of a port up to date.
func (l *Lab) fillVirtualPorts(port int) {
	shown := &l.shown[port]
	shown.rows = shown.rows[:0]
	if s := &l.settings[port]; !l.virtual[port].On || !s.CountRSS || !l.plan.ports[port].ethernet {
		return
	}
	shown.begin()
	l.addDefault(shown, port)
	var guests [GuestSlots]*Guest
	for i := range l.guests[port] {
		guests[l.guests[port][i].Slot] = &l.guests[port][i]
	}
	for slot, g := range guests {
		if g == nil || !g.queued() {
			continue
		}
		shown.open(slot)
		for _, ring := range g.Rings {
			shown.add(slot, l.RingProcessor(port, ring))
		}
		l.addTaken(shown, port, slot)
	}
	l.shareOut(shown, port)
	var sum *VirtualCount
	for i := range shown.rows {
		row := &shown.rows[i]
		if row.Processor == AllProcessors {
			sum = row
			continue
		}
		for kind, n := range row.Kinds {
			sum.Kinds[kind] += n
		}
	}
}

// begin empties the index.
func (p *shownPorts) begin() {
	if p.first == nil {
		p.first = make([]int32, 1+GuestSlots)
	}
	for i := range p.first {
		p.first[i] = -1
	}
}

// open begins the counts of a virtual port.
func (p *shownPorts) open(slot int) {
	p.first[slot-DefaultSlot] = int32(len(p.rows))
	p.rows = append(p.rows, VirtualCount{Slot: slot, Processor: AllProcessors})
}

// add is the count of a processor of the virtual port that was opened last, a new one unless it is there.
func (p *shownPorts) add(slot, processor int) *VirtualCount {
	if row := p.find(slot, processor); row != nil {
		return row
	}
	p.rows = append(p.rows, VirtualCount{Slot: slot, Processor: processor})
	return &p.rows[len(p.rows)-1]
}

// find is the count of a processor of a virtual port, nil for none.
func (p *shownPorts) find(slot, processor int) *VirtualCount {
	if len(p.rows) == 0 || slot < DefaultSlot || slot >= GuestSlots || p.first[slot-DefaultSlot] < 0 {
		return nil
	}
	for i := int(p.first[slot-DefaultSlot]); i < len(p.rows) && p.rows[i].Slot == slot; i++ {
		if p.rows[i].Processor == processor {
			return &p.rows[i]
		}
	}
	return nil
}

// addDefault adds the default virtual port: the processors that serve a ring, and the processors that have counted.
func (l *Lab) addDefault(shown *shownPorts, port int) {
	shown.open(DefaultSlot)
	for ring := range l.HostRings(port) {
		shown.add(DefaultSlot, l.RingProcessor(port, ring))
	}
	for processor := range l.plant.layout.processors {
		counted := l.counters[l.KindCell(port, processor, 0):][:ReceiveKinds]
		if slices.ContainsFunc(counted, func(n uint64) bool { return n != 0 }) {
			copy(shown.add(DefaultSlot, processor).Kinds[:], counted)
		}
	}
	l.addTaken(shown, port, DefaultSlot)
}

// addTaken adds what a virtual port had when the guests changed last.
func (l *Lab) addTaken(shown *shownPorts, port, slot int) {
	for i := range l.virtual[port].Taken {
		if had := &l.virtual[port].Taken[i]; had.Slot == slot {
			row := shown.add(slot, had.Processor)
			for kind, n := range had.Kinds {
				row.Kinds[kind] += n
			}
		}
	}
}

// shareOut adds what the guests of a port received on each ring since they changed last.
func (l *Lab) shareOut(shown *shownPorts, port int) {
	for ring := range l.plan.ports[port].rings {
		for _, by := range [...]way{byHost, byOverlay} {
			l.shareRing(shown, port, by, ring)
		}
	}
}

// shareRing adds what came on a ring to the guests of one way.
func (l *Lab) shareRing(shown *shownPorts, port int, by way, ring int) {
	at := l.sharedKinds(port, by, ring)
	var since [ReceiveKinds]uint64
	for kind := range since {
		since[kind] = l.counters[at+kind] - entry(l.virtual[port].Shared, at-l.sharedKinds(port, byHost, 0)+kind)
	}
	if since == [ReceiveKinds]uint64{} {
		return
	}
	rings, all, upTo, from := len(l.plan.ports[port].rings), 0.0, 0.0, uint64(0)
	for i := range l.guests[port] {
		all += l.guests[port][i].partOfRing(by, ring, rings)
	}
	for i := range l.guests[port] {
		g := &l.guests[port][i]
		part := g.partOfRing(by, ring, rings)
		if part == 0 {
			continue
		}
		upTo += part
		to, slot := uint64(turns*min(1, upTo/all)+0.5), g.Slot
		if !g.queued() {
			slot = DefaultSlot
		}
		row := shown.find(slot, l.RingProcessor(port, ring))
		for kind, n := range since {
			row.Kinds[kind] += n/turns*(to-from) + min(n%turns, to) - min(n%turns, from)
		}
		from = to
	}
}

// partOfRing is how much of its share a guest on a way has of a ring of its port.
func (g *Guest) partOfRing(by way, ring, rings int) (part float64) {
	if g.way() != by {
		return 0
	}
	for _, r := range g.Rings {
		if r%rings == ring {
			part += g.Share / float64(len(g.Rings))
		}
	}
	return part
}

// queued says whether a guest has queues, and so a virtual port, of its own.
func (g *Guest) queued() bool { return g.Function == NoFunction && !g.Default }

// closeVirtualPorts stores the counts of a port's guests under their present shares, before they change. Later packets
// use the new shares. A returning virtual port continues its counts; the counts of a removed slot are dropped.
func (l *Lab) closeVirtualPorts(port, gone int) {
	before := &l.virtual[port]
	if !before.On || l.steps == 0 {
		return
	}
	l.fillVirtualPorts(port)
	next, shown := virtualPorts{On: true}, &l.shown[port]
	for i := range shown.rows {
		row := shown.rows[i]
		if row.Processor == AllProcessors || row.Slot == gone {
			continue
		}
		if row.Slot == DefaultSlot { // what the host received is counted elsewhere
			for kind := range row.Kinds {
				row.Kinds[kind] -= l.counters[l.KindCell(port, row.Processor, kind)]
			}
		}
		if row.Kinds != [ReceiveKinds]uint64{} {
			next.Taken = append(next.Taken, row)
		}
	}
	for _, had := range before.Taken {
		if had.Slot != gone && shown.find(had.Slot, AllProcessors) == nil {
			next.Taken = append(next.Taken, had)
		}
	}
	shared := l.sharedKindsOf(port)
	if slices.ContainsFunc(shared, func(n uint64) bool { return n != 0 }) {
		next.Shared = slices.Clone(shared)
	}
	l.virtual, l.filled = slices.Clone(l.virtual), -1
	l.virtual[port] = next
}

// noSlot stands for no guest.
const noSlot = -2

// valid reports whether the virtual ports are possible at a port.
func (v *virtualPorts) valid(l *Lab, port int) bool {
	processors, shared := l.plant.layout.processors, sharedWays*l.plant.layout.slots[port]*ReceiveKinds
	if v.Shared != nil && len(v.Shared) != shared || len(v.Taken) > (GuestSlots+1)*processors {
		return false
	}
	return !slices.ContainsFunc(v.Taken, func(had VirtualCount) bool {
		return had.Slot < DefaultSlot || had.Slot >= GuestSlots || had.Processor < 0 || had.Processor >= processors
	})
}
