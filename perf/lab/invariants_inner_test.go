package lab

import (
	"fmt"
	"strings"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/rss"
	"cxdeck/device/setup"
	"cxdeck/device/wire"
	"cxdeck/perf"
)

// still: D12: the traffic counters of a port without a link do not change.
func (c *labCheck) still(p *labPort) {
	if c.lab.Host().Lab().State(p.port).Up || len(c.lab.Host().EventsAfter(c.began.events)) > 0 {
		return
	}
	for i := range c.schema.Series {
		s := &c.schema.Series[i]
		if s.Instance == p.Connection && s.Set == p.traffic && c.before.Cells[s.Cell] != c.after.Cells[s.Cell] {
			c.need(false, "D12", "%s moved without a link", s.Path())
		}
	}
}

// links: D12: the number of events for a link that went down equals the counter.
func (c *labCheck) links(p *labPort) {
	events := uint64(0)
	for _, e := range c.lab.Host().EventsAfter(0) {
		if e.Adapter == p.Connection && strings.HasSuffix(e.Key, "link-down") {
			events++
		}
	}
	downs := c.lab.Host().Lab().Counters()[counter.Cell(p.port, counter.LinkDowns)]
	c.need(events == downs, "D12", "%s: %d events for %d times without link", p.Connection, events, downs)
}

// spread: R1, R2 with R3, R5, R7.
func (c *labCheck) spread(p *labPort) {
	lab := c.lab.Host().Lab()
	set := "Mellanox WinOF-2 Rss Counters"
	if p.adapter.Family == description.WinOF {
		set = "Mellanox Adapter RSS Counters"
	}
	total, virtual := p.Connection+" Total", lab.HasVirtualPorts(p.port)
	if virtual {
		total = p.Connection + " VPort_0 Total"
	}
	cell, shown := c.find(set, total, "Rss IPv4/Tcp")
	c.need(shown || !c.began.settings[p.port].CountRSS || p.Link == description.InfiniBand, "R4", "%s has no instances", p.Connection)
	if !shown || c.after.Cells[cell] == perf.Missing || c.before.Cells[cell] == perf.Missing {
		return
	}
	used := map[uint64]bool{}
	for ring := range lab.Rings(p.port) {
		used[lab.Counters()[lab.ReceiveRingCell(p.port, ring, counter.RingProcessor)]] = true
	}
	if d := lab.Settings(p.port).DefaultProcessor; d >= 0 {
		used[uint64(d)] = true
	}
	all, restarted := uint64(0), c.restarted(p)
	for kind := range rss.Counters {
		sum, name := uint64(0), rss.Counter(kind).String()
		for processor := range lab.Processors() {
			cell := lab.KindCell(p.port, processor, kind)
			if at, ok := c.find(set, fmt.Sprintf("%s VPort_0 Cpu_%d", p.Connection, processor), name); !virtual {
				sum += lab.Counters()[cell]
			} else if ok && c.after.Cells[at] != perf.Missing {
				sum += uint64(c.after.Cells[at])
			}
			if !restarted && c.moved(cell) != 0 && !used[uint64(processor)] {
				c.need(false, "R7", "%s: packets on processor %d, which serves no ring", p.Connection, processor)
			}
		}
		c.need(c.total(set, total, name) == sum, "R1", "%s: %s is %d, its processors have %d",
			p.Connection, name, c.total(set, total, name), sum)
		all += c.rise(set, total, name)
	}
	if restarted || !c.began.counting[p.port] {
		return
	}
	taken := c.hardware(p.port, counter.FunctionsReceivedRDMAPackets) - c.hardware(p.port, counter.FunctionsReceivedPackets)
	for ring := range lab.RingSlots(p.port) {
		taken += c.moved(lab.ReceiveRingCell(p.port, ring, counter.RingPackets))
	}
	c.need(all == taken, "R2, R3", "%s: %d packets by kind, %d from rings of the host", p.Connection, all, taken)
}

// rings: P1, P2, P4 and their like.
func (c *labCheck) rings(p *labPort) {
	lab := c.lab.Host().Lab()
	taken, posted, indicates := uint64(0), uint64(0), uint64(0)
	for ring := range lab.RingSlots(p.port) {
		moved := func(counter counter.ReceiveRing) uint64 {
			return c.moved(lab.ReceiveRingCell(p.port, ring, counter))
		}
		packets := moved(counter.RingPackets)
		taken += packets
		handled := moved(counter.RingInterruptPackets) + moved(counter.RingPollingPackets)
		c.need(handled == packets, "P1", "%s ring %d: %d packets, %d of them handled", p.Connection, ring, packets, handled)
		polls := c.began.settings[p.port].Completion == setup.Polling && lab.Settings(p.port).Completion == setup.Polling
		c.need(!polls || moved(counter.RingInterruptPackets) == 0 || c.restarted(p), "P5", "%s ring %d: interrupts while polling",
			p.Connection, ring)
		hits := moved(counter.RingFewIndicates) + moved(counter.RingSomeIndicates) + moved(counter.RingManyIndicates)
		indicates += hits + moved(counter.RingLowIndicates)
		c.need(hits+moved(counter.RingLowIndicates) <= packets, "P4", "%s ring %d: more calls than packets", p.Connection, ring)
		c.need(moved(counter.RingLowResource) <= packets, "P4", "%s ring %d: low resources", p.Connection, ring)
		sent := func(counter counter.SendRing) uint64 { return c.moved(lab.SendRingCell(p.port, ring, counter)) }
		posted += sent(counter.SendRingPackets)
		c.need(sent(counter.SendRingCompleted) <= sent(counter.SendRingPackets), "P1", "%s ring %d: more sends than frames", p.Connection, ring)
	}
	calls := c.hardware(p.port, counter.HostIndicates)
	c.need(indicates == calls, "P4", "%s: %d calls in histograms and with low resources, %d into the network stack", p.Connection, indicates, calls)
	in, out := c.hardware(p.port, counter.HostInPackets), c.hardware(p.port, counter.HostOutPackets)
	c.need(taken == in, "P2", "%s: %d packets from rings, %d in the network stack", p.Connection, taken, in)
	c.need(posted <= out, "P2", "%s: %d frames from rings, %d from the network stack", p.Connection, posted, out)
}

// diagnostics: D9, D13, D14, D15.
func (c *labCheck) diagnostics(p *labPort) {
	rise := func(cell counter.Port) uint64 { return c.hardware(p.port, cell) }
	c.need(rise(counter.RequesterCQEErrors) >= rise(counter.RetriesExceeded), "D9", "%s: retries without errors", p.Connection)
	c.need(rise(counter.CoalescedPackets) >= 2*rise(counter.CoalescedEvents), "D13", "%s: results of less than two", p.Connection)
	c.need(rise(counter.CoalescedBytes) == 0 || rise(counter.CoalescedPackets) > 0, "D13", "%s: octets without packets", p.Connection)
	before, after := &c.began.settings[p.port], c.lab.Host().Lab().Settings(p.port)
	on := before.CoalesceIPv4 || before.CoalesceIPv6 || after.CoalesceIPv4 || after.CoalesceIPv6
	c.need(on && p.Link == description.Ethernet || rise(counter.CoalescedEvents) == 0, "D13", "%s joins segments while that is off", p.Connection)
	c.need(rise(counter.SentCopied) <= rise(counter.SentPackets), "D14", "%s: more copies than packets", p.Connection)
	c.need(rise(counter.StallsCritical) <= rise(counter.StallsMinor), "D15", "%s: stalls", p.Connection)
}

// congestion: notifications answer marks, and cuts answer notifications (DCQ-1).
func (c *labCheck) congestion(p *labPort) {
	now := func(cell counter.Port) uint64 {
		return c.lab.Host().Lab().Counters()[counter.Cell(p.port, cell)]
	}
	c.need(now(counter.CNPsSent) <= now(counter.ECNMarked), "DCQ-1", "%s: %d notifications for %d marks",
		p.Connection, now(counter.CNPsSent), now(counter.ECNMarked))
	c.need(now(counter.RateCuts) == 0 || now(counter.CNPsHandled) > 0, "DCQ-1", "%s: cuts without notifications", p.Connection)
	c.need(c.hardware(p.port, counter.ECNMarked) <= c.hardware(p.port, counter.RDMAInFrames), "DCQ-1", "%s: marks", p.Connection)
	before, after := &c.began.settings[p.port], c.lab.Host().Lab().Settings(p.port)
	for priority := range 8 {
		notifies := before.Congestion.Notifies(uint8(priority)) || after.Congestion.Notifies(uint8(priority))
		sent := c.moved(counter.PriorityCell(p.port, priority, counter.PriorityCNPsSent))
		c.need(notifies || sent == 0, "DCQ-1", "%s: %d notifications of priority %d, which is off", p.Connection, sent, priority)
	}
}

// functions: the counts of virtual functions are part of the counts of their port.
func (c *labCheck) functions(p *labPort) {
	lab := c.lab.Host().Lab()
	if lab.VirtualFunctions(p.port) == 0 {
		return
	}
	counters, sum := lab.Counters(), uint64(0)
	for f := range lab.VirtualFunctions(p.port) {
		at := func(counter counter.Function) uint64 { return counters[lab.FunctionCell(p.port, f, counter)] }
		sum += at(counter.FunctionReceivedBytes)
		parts := at(counter.FunctionReceivedMulticastBytes) + at(counter.FunctionReceivedRDMABytes)
		c.need(parts <= at(counter.FunctionReceivedBytes), "VF", "%s VF %d: parts are more than the whole", p.Connection, f)
	}
	all := counters[counter.Cell(p.port, counter.FunctionsReceivedBytes)]
	c.need(sum <= all, "VF", "%s: functions have %d of %d", p.Connection, sum, all)
	c.need(all <= counters[counter.Cell(p.port, counter.ReceivedBytes)], "VF", "%s: functions have more than the port", p.Connection)
}

// cards: PERF-6, B2, B4, B5, B7, B8.
func (c *labCheck) cards() {
	const coreClock = 156.25e6
	lab := c.lab.Host().Lab()
	taken, cnps := make([][2]uint64, len(lab.Description().Adapters)), make([]uint64, len(lab.Description().Adapters))
	for port := range lab.Ports() {
		_, a, _ := lab.Port(port)
		// Control frames and notifications end in the card.
		const control, notice = 64, 82
		taken[a][0] += c.hardware(port, counter.ReceivedBytes) - control*c.hardware(port, counter.ReceivedControl) -
			notice*(c.hardware(port, counter.CNPsHandled)+c.hardware(port, counter.CNPsIgnored))
		taken[a][1] += c.hardware(port, counter.SentBytes) - control*c.hardware(port, counter.SentControl) -
			notice*c.hardware(port, counter.CNPsSent)
		cnps[a] += c.hardware(port, counter.CNPsHandled) + c.hardware(port, counter.CNPsIgnored)
	}
	for a := range taken {
		d := &lab.Description().Adapters[a]
		slot := lab.Slot(a)
		most := wire.PCIeUsable(slot.Generation, slot.Lanes, d.PCIeMaxPayload) * c.span.Seconds()
		c.need(float64(max(taken[a][0], taken[a][1])) <= most, "PERF-6", "%s: %d bytes in %s", d.Name, taken[a], c.span)
		moved := func(counter counter.Card) uint64 { return c.moved(lab.CardCell(a, counter)) }
		now := func(counter counter.Card) uint64 { return lab.Counters()[lab.CardCell(a, counter)] }
		c.need(moved(counter.CardDescriptorHits) <= moved(counter.CardDescriptorLookups), "B2", "%s: hits", d.Name)
		for _, pressure := range []counter.Card{counter.CardReadBackPressure, counter.CardWriteBackPressure} {
			c.need(float64(moved(pressure)) <= coreClock*c.span.Seconds(), "B4", "%s: %d clocks in %s", d.Name, moved(pressure), c.span)
		}
		c.need(now(counter.CardLimitedPairs) <= now(counter.CardMaxLimitedPairs) &&
			now(counter.CardMaxLimitedPairs) <= now(counter.CardAllLimitedPairs), "B5", "%s: limited queue pairs now %d, most %d, all %d",
			d.Name, now(counter.CardLimitedPairs), now(counter.CardMaxLimitedPairs), now(counter.CardAllLimitedPairs))
		c.need(now(counter.CardErrorQueuePairs) <= now(counter.CardQueuePairs), "B5", "%s: %d of %d queue pairs in error",
			d.Name, now(counter.CardErrorQueuePairs), now(counter.CardQueuePairs))
		c.need(moved(counter.CardArrivedCNPs) == cnps[a], "B8", "%s: %d notifications, its ports have %d",
			d.Name, moved(counter.CardArrivedCNPs), cnps[a])
		off := true
		for port := range lab.Ports() {
			_, of, _ := lab.Port(port)
			off = off && (of != a || !c.began.settings[port].BlueFlame && !lab.Settings(port).BlueFlame)
		}
		c.need(!off || moved(counter.CardBlueFlames) == 0, "B6", "%s: BlueFlame is off", d.Name)
		c.need(moved(counter.CardUsedBytes) <= moved(counter.CardAvailableBytes), "PERF-6", "%s: the slot", d.Name)
	}
}
