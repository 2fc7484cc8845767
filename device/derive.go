package device

import "math"

// derivedPort lists the counters of a port that are derived from others: one for so many.
var derivedPort = [...]struct {
	counter       Counter
	sources, less []Counter
	per           uint64
}{
	{RDMAMessages, []Counter{RDMAInFrames, RDMAOutFrames}, []Counter{OwnFrames}, requestFrames},
	{ShapedTurns, []Counter{ShapedFrames}, nil, requestFrames},
	{FreeTurns, []Counter{FreeFrames}, nil, requestFrames},
}

// derivedCard lists the counters of a card that are derived from others: one for so many, times clocks.
var derivedCard = [...]struct {
	counter, source CardCounter
	clocks, per     uint64
}{
	{CardSendFarMisses, CardSendQueueMisses, 1, nearMisses},
	{CardReceiveFarMisses, CardReceiveQueueMisses, 1, nearMisses},
	{CardTranslationFarMisses, CardTranslationMisses, 1, nearMisses},
	{CardProtectionFarMisses, CardProtectionMisses, 1, nearMisses},
	{CardTranslationPressure, CardTranslationMisses, missTicks, 1},
	{CardBlueFlameSwaps, CardBlueFlames, 1, blueFlamesSwapped},
}

// The lab's assumptions about the caches of a card; the manuals give no figures.
const (
	// nearMisses: of so many misses of a first cache one misses the second, too.
	nearMisses = 4
	// blueFlamesSwapped: of so many descriptors that are written into the card one is pushed out again.
	blueFlamesSwapped = 256
)

// derive updates the counters that depend on others or on the present state. They cost nothing until they are read.
func (l *Lab) derive() {
	for port := range l.plan.ports {
		cells := l.counters[port*portStride : (port+1)*portStride]
		for i := range derivedPort {
			d, sum := &derivedPort[i], uint64(0)
			for _, source := range d.sources {
				sum += cells[source]
			}
			for _, part := range d.less {
				sum -= cells[part]
			}
			cells[d.counter] = sum / d.per
		}
		lanes := cableLanes(l.plant.ports[port].description.SpeedGbps)
		for lane := 1; lane < int(lanes); lane++ {
			cells[int(LaneErrors1)+lane-1] = (cells[LaneErrors] + lanes - 1 - uint64(lane)) / lanes
		}
		l.deriveNow(port, cells)
	}
	for adapter := range l.cards {
		at := l.CardCell(adapter, 0)
		cells := l.counters[at : at+int(cardCounters)]
		for i := range derivedCard {
			d := &derivedCard[i]
			cells[d.counter] = cells[d.source] * d.clocks / d.per
		}
		cells[CardHeldClocks] = 0
	}
	for port := range l.plan.ports {
		held := uint64(0)
		for priority := range Priorities {
			held += l.counters[PriorityCell(port, priority, SelfPaused)]
		}
		l.counters[l.CardCell(l.plan.ports[port].adapter, CardHeldClocks)] += uint64(float64(held) * (clock / 1e6))
	}
}

// deriveNow sets gauges: connections with coalesced segments, and waiting notifications.
func (l *Lab) deriveNow(port int, cells []uint64) {
	connections := 0
	for i := range l.plan.flows {
		f := &l.plan.flows[i]
		for j := f.first; j < f.last; j++ {
			if s := &l.plan.streams[j]; int(s.port) == port && s.coalesces >= 2 && l.streams[j].Want > 0 {
				connections += int(s.connections)
				break
			}
		}
	}
	cells[CoalescingConnections] = uint64(connections)
	for priority := range Priorities {
		cells[int(portCounters)+priority*int(priorityCounters)+int(PriorityNotices)] = 0
	}
	for _, f := range l.plan.ports[port].rdma {
		priority := l.plan.flows[f].priority
		cells[int(portCounters)+priority*int(priorityCounters)+int(PriorityNotices)] += l.controls[2*f+receive].Pending
	}
}

// cableLanes is how many lanes the cable of a port has.
func cableLanes(gbps int) uint64 {
	switch {
	case gbps <= 25:
		return 1
	case gbps == 50:
		return 2
	}
	return 4
}

// shape counts the rate limiters of a port and their rates, by priority.
func (l *Lab) shape(port int) {
	p := &l.plan.ports[port]
	var limited, rates [Priorities]float64
	for _, f := range p.rdma {
		if c := &l.controls[2*f+send]; c.pair.Limited() {
			flow := &l.plan.flows[f]
			limited[flow.priority] += float64(flow.pairs)
			rates[flow.priority] += float64(flow.pairs) * c.pair.Rate(&p.control)
		}
	}
	for _, f := range p.rdma {
		priority := l.plan.flows[f].priority
		at := PriorityCell(port, priority, 0)
		cells := l.counters[at : at+int(priorityCounters)]
		before, rate := cells[PriorityLimited], uint64(rates[priority])
		cells[PriorityLimited], cells[PriorityRate] = uint64(limited[priority]), rate
		switch {
		case limited[priority] == 0:
			cells[PriorityRateMean] = 0
			continue
		case before == 0:
			cells[PriorityRateMean], cells[PriorityRateLow] = rate, rate
		default:
			cells[PriorityRateMean] = (cells[PriorityRateMean]*(rateSteps-1) + rate) / rateSteps
			cells[PriorityRateLow] = min(cells[PriorityRateLow], rate)
		}
		cells[PriorityRateHigh] = max(cells[PriorityRateHigh], rate)
	}
}

// rateSteps is the number of steps in the mean rate of limiters.
const rateSteps = 20

// countCommands counts commands that the firmware executes for a port in one go, by one of the card's processors in turn.
func (l *Lab) countCommands(port int, n uint64) {
	if n == 0 {
		return
	}
	commands := &l.counters[Cell(port, Commands)]
	*commands += n
	const processors = CardLatency3 - CardLatency0 + 1
	processor := CardLatency0 + CardCounter(*commands%uint64(processors))
	latency := &l.counters[l.CardCell(l.plan.ports[port].adapter, processor)]
	*latency = max(*latency, uint64(math.Round(shortestCycle+float64(n)*commandTime)))
}

// The lab's assumptions about commands; the manuals give no figures.
const (
	shortestCycle   = 2.0 // of a processor of the card, in microseconds
	commandTime     = 0.5 // more for each command in one go, in microseconds
	commandsToStart = 40  // that set a port up
	commandsOfRing  = 6   // that make a pair of rings
	commandsOfPair  = 4   // that open an RDMA connection: its queue pair goes through its states
	statisticsSteps = 20  // steps between two readings of a port's statistics, a command each
)

// runPeriodicWork does the driver's periodic work: it reads the statistics, and tries to open connections that are
// missing because there is no link, or the peers have another RoCE mode.
func (l *Lab) runPeriodicWork() {
	if l.steps%statisticsSteps != 0 {
		return
	}
	for port := range l.links {
		s := &l.links[port]
		if !s.Enabled {
			continue
		}
		l.countCommands(port, 1)
		if s.Exited {
			continue
		}
		l.counters[Cell(port, RDMAFailed)] += l.plan.ports[port].refused
		if !s.Up {
			l.counters[Cell(port, RDMAFailed)] += l.plan.ports[port].initiated
		}
	}
}
