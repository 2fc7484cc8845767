package functions

import (
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// turns is the number of packets of a ring that its guests share at a time: each guest gets its part of them in one piece. So
// each packet belongs to one guest, no packet is counted twice, and no count decreases.
const turns = 1024

// NoSlot means no guest.
const NoSlot = -2

// FillVirtual updates the counts of the virtual ports of a port.
func (p *Ports) FillVirtual(shown *setup.VirtualCounts, port int) {
	shown.Rows = shown.Rows[:0]
	if !p.Setup.Virtual[port].On || !p.Setup.Ports[port].CountRSS || p.Links[port] != description.Ethernet {
		return
	}
	shown.Begin()
	p.addDefault(shown, port)
	var guests [counter.GuestSlots]*setup.Guest
	for i := range p.Setup.Guests[port] {
		guests[p.Setup.Guests[port][i].Slot] = &p.Setup.Guests[port][i]
	}
	for slot, g := range guests {
		if g == nil || !g.Queued() {
			continue
		}
		shown.Open(slot)
		for _, ring := range g.Rings {
			shown.Add(slot, p.Rings.RingProcessor(port, ring))
		}
		p.addTaken(shown, port, slot)
	}
	p.addGuestCounts(shown, port)
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
func (p *Ports) addDefault(shown *setup.VirtualCounts, port int) {
	shown.Open(setup.DefaultSlot)
	for ring := range p.Rings.HostRings(port) {
		shown.Add(setup.DefaultSlot, p.Rings.RingProcessor(port, ring))
	}
	for processor := range p.Processors() {
		counted := p.Counters[p.KindCell(port, processor, 0):][:counter.ReceiveKinds]
		if slices.ContainsFunc(counted, func(n uint64) bool { return n != 0 }) {
			copy(shown.Add(setup.DefaultSlot, processor).Kinds[:], counted)
		}
	}
	p.addTaken(shown, port, setup.DefaultSlot)
}

// addTaken adds the counts that a virtual port had before the last change of the guests.
func (p *Ports) addTaken(shown *setup.VirtualCounts, port, slot int) {
	for i := range p.Setup.Virtual[port].Taken {
		if had := &p.Setup.Virtual[port].Taken[i]; had.Slot == slot {
			row := shown.Add(slot, had.Processor)
			for kind, n := range had.Kinds {
				row.Kinds[kind] += n
			}
		}
	}
}

// addGuestCounts adds the packets that the guests of a port have received on each ring since their last change.
func (p *Ports) addGuestCounts(shown *setup.VirtualCounts, port int) {
	for ring := range p.Rings.Rings(port) {
		for _, by := range [...]setup.Path{setup.SyntheticPath, setup.OverlayPath} {
			p.shareRing(shown, port, by, ring)
		}
	}
}

// shareRing adds the packets of a ring to the guests of one path.
func (p *Ports) shareRing(shown *setup.VirtualCounts, port int, by setup.Path, ring int) {
	at := p.SharedKindCell(port, by == setup.OverlayPath, ring)
	var since [counter.ReceiveKinds]uint64
	for kind := range since {
		since[kind] = p.Counters[at+kind] - setup.Entry(p.Setup.Virtual[port].Shared, at-p.SharedKindCell(port, false, 0)+kind)
	}
	if since == [counter.ReceiveKinds]uint64{} {
		return
	}
	rings, all, upTo, from := p.Rings.Rings(port), 0.0, 0.0, uint64(0)
	for i := range p.Setup.Guests[port] {
		all += p.Setup.Guests[port][i].PartOfRing(by, ring, rings)
	}
	for i := range p.Setup.Guests[port] {
		g := &p.Setup.Guests[port][i]
		part := g.PartOfRing(by, ring, rings)
		if part == 0 {
			continue
		}
		upTo += part
		to, slot := uint64(turns*min(1, upTo/all)+0.5), g.Slot
		if !g.Queued() {
			slot = setup.DefaultSlot
		}
		row := shown.Find(slot, p.Rings.RingProcessor(port, ring))
		for kind, n := range since {
			row.Kinds[kind] += n/turns*(to-from) + min(n%turns, to) - min(n%turns, from)
		}
		from = to
	}
}

// CloseVirtual stores the counts of a port's guests under their current shares, before they change. Later packets
// use the new shares. A returning virtual port continues its counts; the counts of slot, which is removed, are dropped.
func (p *Ports) CloseVirtual(shown *setup.VirtualCounts, port, slot int) {
	before := &p.Setup.Virtual[port]
	if !before.On {
		return
	}
	p.FillVirtual(shown, port)
	next := setup.VirtualPorts{On: true}
	for i := range shown.Rows {
		row := shown.Rows[i]
		if row.Processor == setup.AllProcessors || row.Slot == slot {
			continue
		}
		if row.Slot == setup.DefaultSlot { // the host's packets are counted elsewhere
			for kind := range row.Kinds {
				row.Kinds[kind] -= p.Counters[p.KindCell(port, row.Processor, kind)]
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
	shared := p.Counters[p.SharedKindCell(port, false, 0):][:p.SharedKinds(port)]
	if slices.ContainsFunc(shared, func(n uint64) bool { return n != 0 }) {
		next.Shared = slices.Clone(shared)
	}
	p.Setup.Virtual = slices.Clone(p.Setup.Virtual)
	p.Setup.Virtual[port] = next
}
