package device

import (
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/setup"
)

// turns is the number of packets of a ring that its guests share at a time: each guest gets its part of them in one piece. So
// each packet belongs to one guest, no packet is counted twice, and no count decreases.
const turns = 1024

// SetVirtualPorts sets for each port whether a virtual switch is bound to it. When that changes, the driver recreates its
// queues, and its counts by processor restart at 0.
func (l *Lab) SetVirtualPorts(on []bool) {
	now, changed := slices.Clone(l.setup.Virtual), false
	for port := range now {
		if now[port].On == on[port] {
			continue
		}
		l.clearKinds(port)
		now[port], changed = setup.VirtualPorts{On: on[port]}, true
	}
	if changed {
		l.setup.Virtual, l.filled = now, -1
		l.replan()
	}
}

// HasVirtualPorts reports whether a port counts by virtual port.
func (l *Lab) HasVirtualPorts(port int) bool { return l.setup.Virtual[port].On }

// VirtualPorts returns the received packets of each virtual port of a port by processor, in the order of slots, each with the
// sum of its processors first. It is empty without a virtual switch, or when the driver does not count. The list belongs to the
// lab: it may be read until the next Advance or change.
func (l *Lab) VirtualPorts(port int) []setup.VirtualCount {
	l.Counters()
	return l.shown[port].Rows
}

// VirtualCount returns the packets that a processor has received for a virtual port, nil when the port does not exist or the
// processor does not serve it. It may be read until the next Advance or change.
func (l *Lab) VirtualCount(port, slot, processor int) *setup.VirtualCount {
	l.Counters()
	return l.shown[port].Find(slot, processor)
}

// fillVirtualPorts updates the counts of the virtual ports of a port.
func (l *Lab) fillVirtualPorts(port int) {
	shown := &l.shown[port]
	shown.Rows = shown.Rows[:0]
	if s := &l.setup.Ports[port]; !l.setup.Virtual[port].On || !s.CountRSS || !l.plan.ports[port].ethernet {
		return
	}
	shown.Begin()
	l.addDefault(shown, port)
	var guests [counter.GuestSlots]*setup.Guest
	for i := range l.setup.Guests[port] {
		guests[l.setup.Guests[port][i].Slot] = &l.setup.Guests[port][i]
	}
	for slot, g := range guests {
		if g == nil || !g.Queued() {
			continue
		}
		shown.Open(slot)
		for _, ring := range g.Rings {
			shown.Add(slot, l.RingProcessor(port, ring))
		}
		l.addTaken(shown, port, slot)
	}
	l.addGuestCounts(shown, port)
	var sum *setup.VirtualCount
	for i := range shown.Rows {
		row := &shown.Rows[i]
		if row.Processor == setup.AllProcessors {
			sum = row
			continue
		}
		for kind, n := range row.Kinds {
			sum.Kinds[kind] += n
		}
	}
}

// addDefault adds the default virtual port: the processors that serve a ring, and the processors that have counted.
func (l *Lab) addDefault(shown *setup.VirtualCounts, port int) {
	shown.Open(setup.DefaultSlot)
	for ring := range l.HostRings(port) {
		shown.Add(setup.DefaultSlot, l.RingProcessor(port, ring))
	}
	for processor := range l.Processors() {
		counted := l.counters[l.KindCell(port, processor, 0):][:counter.ReceiveKinds]
		if slices.ContainsFunc(counted, func(n uint64) bool { return n != 0 }) {
			copy(shown.Add(setup.DefaultSlot, processor).Kinds[:], counted)
		}
	}
	l.addTaken(shown, port, setup.DefaultSlot)
}

// addTaken adds the counts that a virtual port had before the last change of the guests.
func (l *Lab) addTaken(shown *setup.VirtualCounts, port, slot int) {
	for i := range l.setup.Virtual[port].Taken {
		if had := &l.setup.Virtual[port].Taken[i]; had.Slot == slot {
			row := shown.Add(slot, had.Processor)
			for kind, n := range had.Kinds {
				row.Kinds[kind] += n
			}
		}
	}
}

// addGuestCounts adds the packets that the guests of a port have received on each ring since their last change.
func (l *Lab) addGuestCounts(shown *setup.VirtualCounts, port int) {
	for ring := range l.plan.ports[port].rings {
		for _, by := range [...]setup.Path{setup.SyntheticPath, setup.OverlayPath} {
			l.shareRing(shown, port, by, ring)
		}
	}
}

// shareRing adds the packets of a ring to the guests of one path.
func (l *Lab) shareRing(shown *setup.VirtualCounts, port int, by setup.Path, ring int) {
	at := l.SharedKindCell(port, by == setup.OverlayPath, ring)
	var since [counter.ReceiveKinds]uint64
	for kind := range since {
		since[kind] = l.counters[at+kind] - setup.Entry(l.setup.Virtual[port].Shared, at-l.SharedKindCell(port, false, 0)+kind)
	}
	if since == [counter.ReceiveKinds]uint64{} {
		return
	}
	rings, all, upTo, from := len(l.plan.ports[port].rings), 0.0, 0.0, uint64(0)
	for i := range l.setup.Guests[port] {
		all += l.setup.Guests[port][i].PartOfRing(by, ring, rings)
	}
	for i := range l.setup.Guests[port] {
		g := &l.setup.Guests[port][i]
		part := g.PartOfRing(by, ring, rings)
		if part == 0 {
			continue
		}
		upTo += part
		to, slot := uint64(turns*min(1, upTo/all)+0.5), g.Slot
		if !g.Queued() {
			slot = setup.DefaultSlot
		}
		row := shown.Find(slot, l.RingProcessor(port, ring))
		for kind, n := range since {
			row.Kinds[kind] += n/turns*(to-from) + min(n%turns, to) - min(n%turns, from)
		}
		from = to
	}
}

// closeVirtualPorts stores the counts of a port's guests under their current shares, before they change. Later packets
// use the new shares. A returning virtual port continues its counts; the counts of slot, which is removed, are dropped.
func (l *Lab) closeVirtualPorts(port, slot int) {
	before := &l.setup.Virtual[port]
	if !before.On || l.steps == 0 {
		return
	}
	l.fillVirtualPorts(port)
	next, shown := setup.VirtualPorts{On: true}, &l.shown[port]
	for i := range shown.Rows {
		row := shown.Rows[i]
		if row.Processor == setup.AllProcessors || row.Slot == slot {
			continue
		}
		if row.Slot == setup.DefaultSlot { // the host's packets are counted elsewhere
			for kind := range row.Kinds {
				row.Kinds[kind] -= l.counters[l.KindCell(port, row.Processor, kind)]
			}
		}
		if row.Kinds != [counter.ReceiveKinds]uint64{} {
			next.Taken = append(next.Taken, row)
		}
	}
	for _, had := range before.Taken {
		if had.Slot != slot && shown.Find(had.Slot, setup.AllProcessors) == nil {
			next.Taken = append(next.Taken, had)
		}
	}
	shared := l.counters[l.SharedKindCell(port, false, 0):][:l.SharedKinds(port)]
	if slices.ContainsFunc(shared, func(n uint64) bool { return n != 0 }) {
		next.Shared = slices.Clone(shared)
	}
	l.setup.Virtual, l.filled = slices.Clone(l.setup.Virtual), -1
	l.setup.Virtual[port] = next
}

// noSlot means no guest.
const noSlot = -2
