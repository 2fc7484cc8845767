package device

import (
	"cxdeck/device/card"
	"cxdeck/device/counter"
)

// derive updates the counters that depend on others or on the current state. They are computed only when they are read.
func (l *Lab) derive() {
	for port := range l.plan.ports {
		cells := l.portCells(port)
		counter.DerivePort(cells, requestFrames)
		lanes := card.CableLanes(l.plant.ports[port].description.SpeedGbps)
		for lane := 1; lane < int(lanes); lane++ {
			cells[int(counter.LaneErrors1)+lane-1] = (cells[counter.LaneErrors] + lanes - 1 - uint64(lane)) / lanes
		}
		l.deriveGauges(port, cells)
	}
	for adapter := range l.cards {
		cells := l.cardCells(adapter)
		card.Derive(cells)
		cells[counter.CardBackPressureClocks] = 0
	}
	for port := range l.plan.ports {
		held := uint64(0)
		for priority := range counter.Priorities {
			held += l.counters[counter.PriorityCell(port, priority, counter.SelfPaused)]
		}
		l.counters[l.CardCell(l.plan.ports[port].adapter, counter.CardBackPressureClocks)] += uint64(float64(held) * (card.Clock / 1e6))
	}
}

// deriveGauges sets gauges: connections with coalesced segments, and waiting notifications.
func (l *Lab) deriveGauges(port int, cells []uint64) {
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
	cells[counter.CoalescingConnections] = uint64(connections)
	for priority := range counter.Priorities {
		cells[counter.PriorityCell(0, priority, counter.PriorityNotices)] = 0
	}
	for _, f := range l.plan.ports[port].rdma {
		priority := l.plan.flows[f].arrives
		cells[counter.PriorityCell(0, priority, counter.PriorityNotices)] += l.controls[2*f+receive].Pending
	}
}

// countRateLimiters counts the rate limiters of a port and their rates, by priority.
func (l *Lab) countRateLimiters(port int) {
	p := &l.plan.ports[port]
	var limited, rates [counter.Priorities]float64
	for _, f := range p.rdma {
		if c := &l.controls[2*f+send]; c.Pair.Limited() {
			flow := &l.plan.flows[f]
			limited[flow.priority] += float64(flow.pairs)
			rates[flow.priority] += float64(flow.pairs) * c.Pair.Rate(&p.control)
		}
	}
	for _, f := range p.rdma {
		priority := l.plan.flows[f].priority
		at := counter.PriorityCell(port, priority, 0)
		cells := l.counters[at : at+int(counter.PriorityCount)]
		counter.CountLimiters(cells, uint64(limited[priority]), uint64(rates[priority]))
	}
}

// countCommands counts commands that the firmware executes together for a port, on one of the card's processors in turn.
func (l *Lab) countCommands(port int, n uint64) {
	if n == 0 {
		return
	}
	card.CountCommands(l.cardCells(l.plan.ports[port].adapter), &l.counters[counter.Cell(port, counter.Commands)], n)
}

// The lab's assumptions about commands; the manuals give no figures.
const (
	commandsToStart = 40 // to set up a port
	commandsOfRing  = 6  // to create a pair of rings
	commandsOfPair  = 4  // to open an RDMA connection: the state changes of its queue pair
	statisticsSteps = 20 // steps between two readings of a port's statistics, a command each
)

// runPeriodicWork does the driver's periodic work: it reads the statistics, and retries connections that fail for lack of a
// link, or because the peers have another RoCE mode.
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
		l.counters[counter.Cell(port, counter.RDMAFailed)] += l.plan.ports[port].refused
		if !s.Up {
			l.counters[counter.Cell(port, counter.RDMAFailed)] += l.plan.ports[port].initiated
		}
	}
}
