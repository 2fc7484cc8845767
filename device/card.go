package device

import (
	"cxdeck/device/card"
	"cxdeck/device/counter"
)

// stepClocks is the length of a step in core clocks of a card.
const stepClocks = card.Clock * stepSeconds

// countCards counts the work of the cards in a step, and sets their gauges.
func (l *Lab) countCards() {
	l.countRequests()
	l.runPeriodicWork()
	for i := range l.cards {
		cells, load, plan := l.cardCells(i), &l.cards[i], &l.plan.cards[i]
		used := min(load.bytes[receive], plan.slot) + min(load.bytes[send], plan.slot)
		l.cardRemainders[i].CountSlot(cells, used, plan.raw)
		for direction, counter := range [...]counter.Card{receive: counter.CardWriteBackPressure, send: counter.CardReadBackPressure} {
			if passes := share(plan.slot, load.bytes[direction]); passes < 1 {
				cells[counter] += uint64(stepClocks * (1 - passes))
			}
		}
		cells[counter.CardBufferDrops] += l.cardDrops[i]
		l.cardDrops[i] = 0
	}
	for i := range l.cards {
		l.cards[i].pairs = l.pairs(i)
	}
	for port := range l.plan.ports {
		l.countContexts(port)
	}
	for i := range l.cards {
		l.gaugeCard(i)
	}
}

// showCard sets the gauges of a card before its first step.
func (l *Lab) showCard(adapter int) {
	card.ShowIdle(l.cardCells(adapter))
	l.cards[adapter].pairs = l.pairs(adapter)
	l.gaugeCard(adapter)
}

// countContexts counts the look-ups of queue pairs, descriptors and memory keys for a port's frames.
func (l *Lab) countContexts(port int) {
	p := &l.plan.ports[port]
	last, cells := &l.lastFrames[port], l.portCells(port)
	frames := card.Frames{
		In: cells[counter.ReceivedPackets] - last[receive], Out: cells[counter.SentPackets] - last[send], BlueFlame: l.setup.Ports[port].BlueFlame,
	}
	last[receive], last[send] = cells[counter.ReceivedPackets], cells[counter.SentPackets]
	for _, f := range p.rdma {
		frames.RDMAIn += l.delivered[2*f+receive]
		frames.RDMAOut += l.delivered[2*f+send]
	}
	l.cardRemainders[p.adapter].CountContexts(l.cardCells(p.adapter), frames, l.cards[p.adapter].pairs, stepClocks)
}

// gaugeCard sets the gauges of a card from its ports.
func (l *Lab) gaugeCard(adapter int) {
	plan := &l.plan.cards[adapter]
	g := card.Gauges{Speed: plan.speed, Lanes: plan.lanes, Pairs: l.cards[adapter].pairs, Rings: plan.rings}
	for port := range l.plan.ports {
		if l.plan.ports[port].adapter == adapter {
			g.Limited += l.counters[counter.Cell(port, counter.LimitedFlows)]
			g.AllLimited += l.counters[counter.Cell(port, counter.LimitersAdded)]
			g.NoDescriptor += l.counters[counter.Cell(port, counter.NoDescriptor)]
			g.Broken += l.counters[counter.Cell(port, counter.ErrorQueuePairs)]
		}
	}
	g.Show(l.cardCells(adapter))
}
