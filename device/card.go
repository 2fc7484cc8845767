package device

import (
	"cxdeck/device/counter"
)

// The lab's assumptions about a card; the manuals give no figures.
const (
	clock           = 156.25e6 // core clocks per second
	idleTemperature = 46.0     // degrees Celsius without load
	loadTemperature = 24.0     // additional degrees at full load
	cachedContexts  = 256      // maximum number of queue pairs with a cached context
	doorbellFrames  = 16.0     // frames per doorbell
	missTicks       = 20       // clocks that the card waits for a context that is not cached

	stepClocks = clock * stepSeconds
)

// cardRest holds the remainders of whole events of a card.
type cardRest struct{ Used, Doorbells, SendMisses, ReceiveMisses, BlueFlames float64 }

// countCards counts the work of the cards in a step, and sets their gauges.
func (l *Lab) countCards() {
	l.countRequests()
	l.runPeriodicWork()
	for i := range l.cards {
		cells, load, plan := l.cardCells(i), &l.cards[i], &l.plan.cards[i]
		used := min(load.bytes[receive], plan.slot) + min(load.bytes[send], plan.slot)
		cells[counter.CardUsedBytes] += counter.Whole(&l.cardRests[i].Used, used)
		cells[counter.CardAvailableBytes] += uint64(plan.raw)
		for direction, counter := range [...]counter.Card{receive: counter.CardWriteBackPressure, send: counter.CardReadBackPressure} {
			if passes := share(plan.slot, load.bytes[direction]); passes < 1 {
				cells[counter] += uint64(stepClocks * (1 - passes))
			}
		}
		cells[counter.CardBufferDrops] += l.cardDrops[i]
		l.cardDrops[i] = 0
		cells[counter.CardTemperature] = uint64(idleTemperature + loadTemperature*used/max(1, plan.raw))
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
	l.counters[l.CardCell(adapter, counter.CardTemperature)] = idleTemperature
	l.cards[adapter].pairs = l.pairs(adapter)
	l.gaugeCard(adapter)
}

// countContexts counts the look-ups of queue pairs, descriptors and memory keys for a port's frames.
func (l *Lab) countContexts(port int) {
	p := &l.plan.ports[port]
	rest := &l.cardRests[p.adapter]
	cells, ports := l.cardCells(p.adapter), l.portCells(port)
	last := &l.lastFrames[port]
	in, out := ports[counter.ReceivedPackets]-last[receive], ports[counter.SentPackets]-last[send]
	last[receive], last[send] = ports[counter.ReceivedPackets], ports[counter.SentPackets]
	cells[counter.CardDescriptorLookups] += in
	cells[counter.CardDescriptorHits] += in - in/64
	cells[counter.CardDoorbells] += counter.Whole(&rest.Doorbells, float64(out)/doorbellFrames)
	if l.setup.Ports[port].BlueFlame {
		cells[counter.CardBlueFlames] += counter.Whole(&rest.BlueFlames, float64(out)/doorbellFrames/8)
	}
	frames := in + out
	missing := 0.0
	if pairs := l.cards[p.adapter].pairs; pairs > cachedContexts {
		missing = 1 - cachedContexts/float64(pairs)
	}
	var rdma [2]uint64
	for _, f := range p.rdma {
		rdma[receive] += l.delivered[2*f+receive]
		rdma[send] += l.delivered[2*f+send]
	}
	sending := counter.Whole(&rest.SendMisses, float64(rdma[send])*missing/doorbellFrames)
	receiving := counter.Whole(&rest.ReceiveMisses, float64(rdma[receive])*missing/doorbellFrames)
	misses := sending + receiving
	cells[counter.CardContextPressure] += uint64(min(stepClocks, float64(misses)*missTicks))
	cells[counter.CardSendQueueMisses] += sending
	cells[counter.CardReceiveQueueMisses] += receiving
	cells[counter.CardSteeringHits] += in - receiving
	cells[counter.CardSteeringMisses] += receiving
	cells[counter.CardCompletionQueueMisses] += misses / 4
	cells[counter.CardEventQueueMisses] += misses / 16
	cells[counter.CardTranslationMisses] += misses
	cells[counter.CardProtectionMisses] += misses / 2
	cells[counter.CardTranslationHits] += frames - misses
	cells[counter.CardProtectionHits] += frames - misses/2
}

// gaugeCard sets the gauges of a card from its ports.
func (l *Lab) gaugeCard(adapter int) {
	cells, plan := l.cardCells(adapter), &l.plan.cards[adapter]
	var limited, all, starved, broken uint64
	for port := range l.plan.ports {
		if l.plan.ports[port].adapter == adapter {
			limited += l.counters[counter.Cell(port, counter.LimitedFlows)]
			all += l.counters[counter.Cell(port, counter.LimitersAdded)]
			starved += l.counters[counter.Cell(port, counter.NoDescriptor)]
			broken += l.counters[counter.Cell(port, counter.ErrorQueuePairs)]
		}
	}
	cells[counter.CardSlotSpeed], cells[counter.CardSlotLanes] = plan.speed, plan.lanes
	cells[counter.CardNoDescriptor] = starved
	cells[counter.CardLimitedPairs], cells[counter.CardAllLimitedPairs] = limited, max(all, limited)
	cells[counter.CardMaxLimitedPairs] = max(cells[counter.CardMaxLimitedPairs], limited)
	cells[counter.CardErrorQueuePairs] = broken
	pairs := l.cards[adapter].pairs
	cells[counter.CardQueuePairs], cells[counter.CardCompletionQueues] = uint64(pairs), uint64(2*plan.rings+pairs)
	cells[counter.CardEventQueues], cells[counter.CardMemoryRegions] = uint64(plan.rings+1), uint64(4*pairs+plan.rings)
}
