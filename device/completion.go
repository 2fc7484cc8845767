package device

import (
	"math"

	"cxdeck/device/counter"
	"cxdeck/device/moderation"
)

// passTime is how long a pass of a polling ring takes; packets that arrive meanwhile belong to the next pass.
const passTime = 20e-6

// idleCycle is how long checking an empty ring takes; the manuals give no figure.
const idleCycle = 50e-9

const (
	lowResource = 0.9 // load at which the driver requests its buffers back at once
	passLimit   = 256 // packets that a pass takes at most
)

// complete counts the packets of this step by interrupt and polling, and from their rate decides between the two for the next
// step (NIC-9 to NIC-14).
func (l *Lab) complete() {
	for i := range l.plan.ports {
		p := &l.plan.ports[i]
		if !l.links[i].Enabled {
			continue
		}
		port := l.portCells(i)
		for j := range p.rings {
			r := &l.rings[p.firstRing+j]
			l.receiveCompletions(p, &p.rings[j], r, port)
			l.sendCompletions(p, &p.rings[j], l.completes(i, p.rings[j].processor), r, port)
			if p.polling.Always {
				l.pollers[p.rings[j].processor]++
			}
		}
	}
	l.countWork()
}

// countWork counts for how long the processors were busy, and for which port. One that polls is never idle.
func (l *Lab) countWork() {
	for i := range l.plan.ports {
		p, busy := &l.plan.ports[i], 0.0
		if !l.links[i].Enabled {
			continue
		}
		for j := range p.rings {
			processor := p.rings[j].processor
			w := &l.works[processor]
			wanted := w.in + w.out
			busy += l.rings[p.firstRing+j].work * share(stepSeconds, wanted)
			if p.polling.Always {
				busy += math.Max(0, stepSeconds-wanted) / float64(l.pollers[processor])
			}
		}
		l.counters[counter.Cell(i, counter.HostBusy)] += uint64(busy * stepMicroseconds / stepSeconds)
	}
	for i := range l.works {
		w := &l.works[i]
		busy := math.Min(1, (w.in+w.out)/stepSeconds)
		if l.pollers[i] > 0 {
			busy = 1
		}
		l.counters[l.ProcessorCell(i, counter.ProcessorBusy)] += uint64(busy * stepMicroseconds)
	}
	clear(l.pollers)
}

// IndicateRange is the width, in packets, of a range in the vendor tool's histogram of indications.
const IndicateRange = 40

// indicateRange returns the counter of that histogram for indications of so many packets.
func indicateRange(packets uint64) counter.ReceiveRing {
	return counter.RingFewIndicates + counter.ReceiveRing(min(packets/IndicateRange, uint64(counter.RingManyIndicates-counter.RingFewIndicates)))
}

func (l *Lab) receiveCompletions(p *portPlan, at *ringPlan, r *ringState, port []uint64) {
	ring := l.counters[at.receive : at.receive+int(counter.ReceiveRingCount)]
	if r.taken > 0 {
		n := float64(r.taken)
		if r.Polls {
			late := p.late(n)
			ring[counter.RingPollingPackets] += r.taken - late
			port[counter.PassiveReceives] += r.taken - late
			l.interrupt(ring, port, at.processor, r, late, usualBurst)
		} else {
			l.interrupt(ring, port, at.processor, r, r.taken, r.PerInterrupt)
		}
		indicates := whole(&r.Indicates, n/r.PerPass)
		port[counter.HostIndicates] += indicates
		ring[counter.RingAverage] = uint64(math.Round(r.PerPass))
		if r.load > lowResource {
			low := math.Min(1, r.load) * lowResource
			ring[counter.RingLowResource] += whole(&r.Low, n*low)
			back := min(indicates, whole(&r.LowIndicates, float64(indicates)*low))
			ring[counter.RingLowIndicates] += back
			indicates -= back
		}
		ring[indicateRange(ring[counter.RingAverage])] += indicates
		if r.PerPass >= passLimit || r.load >= 1 {
			ring[counter.RingMaxReceives] += whole(&r.Limits, n/passLimit)
		}
		if r.load > 1 {
			ring[counter.RingTotalStarvations]++
			port[counter.WatchDogs]++
			if r.load > 2 {
				ring[counter.RingSingleStarvations]++
			}
		}
	}
	rate := float64(r.taken) / stepSeconds
	if class := p.rates.Next(r.Class, rate); class != r.Class {
		r.Class = class
		ring[counter.RingTransitions]++
	}
	r.PerInterrupt = 1
	if p.moderation.On {
		r.PerInterrupt = float64(p.moderation.Setting(r.Class).PacketsPerInterrupt(rate))
	}
	pass, average := rate*passTime, 0.0
	if p.polling.AverageFactor > 0 { // over so many passes in a step the average approaches the size of a pass
		average = pass
	}
	_, again := p.polling.Pass(average, int(math.Min(pass, passLimit)))
	r.Polls = again
	r.PerPass = r.PerInterrupt
	if r.Polls {
		r.PerPass = math.Max(1, math.Min(pass, passLimit))
	}
	if r.load >= 1 { // each pass finds more than it may take
		r.PerPass = passLimit
	}
}

// interrupt counts packets of a receive ring that were found after an interrupt, so many to one.
func (l *Lab) interrupt(ring, port []uint64, processor int, r *ringState, packets uint64, each float64) {
	if packets == 0 {
		return
	}
	ring[counter.RingInterruptPackets] += packets
	interrupts := whole(&r.Interrupts, float64(packets)/each)
	ring[counter.RingInterrupts] += interrupts
	port[counter.Interrupts] += interrupts
	l.counters[l.ProcessorCell(processor, counter.ProcessorInterrupts)] += interrupts
}

// late returns how many of the packets that a polling ring gets in a step come after polling has ended, because for longer
// than it looks in vain there was no burst of them (NIC-14).
func (p *portPlan) late(packets float64) uint64 {
	if p.polling.Always {
		return 0
	}
	gap := passTime + float64(p.polling.IdleCycles)*idleCycle
	missed := packets / usualBurst * gap / stepSeconds // bursts that come in this time on average
	if missed > maxMissed {
		return 0
	}
	return uint64(packets * math.Exp(-missed))
}

// maxMissed: a gap in which more bursts arrive on average does not occur.
const maxMissed = 18.0

// completes returns the processor that handles send completions of a port, when another one has sent.
func (l *Lab) completes(port, sender int) int {
	if own := l.setup.Ports[port].SendProcessor; own >= 0 && own < l.Processors() {
		return own
	}
	return sender
}

func (l *Lab) sendCompletions(p *portPlan, at *ringPlan, processor int, r *ringState, port []uint64) {
	ring := l.counters[at.send : at.send+int(counter.SendRingCount)]
	if r.posted > 0 {
		port[counter.HostSends] += r.posted
		ring[counter.SendRingAverage] = uint64(math.Round(r.SendPerInterrupt))
		if p.polling.Always {
			ring[counter.SendRingPollingPackets] += r.posted
			port[counter.PassiveSends] += r.posted
		} else {
			ring[counter.SendRingInterruptPackets] += r.posted
			interrupts := whole(&r.SendInterrupts, float64(r.posted)/r.SendPerInterrupt)
			ring[counter.SendRingInterrupts] += interrupts
			port[counter.Interrupts] += interrupts
			l.counters[l.ProcessorCell(processor, counter.ProcessorInterrupts)] += interrupts
		}
	}
	r.SendPerInterrupt = math.Max(p.sendBatch, float64(p.sendSetting.PacketsPerInterrupt(float64(r.posted)/stepSeconds)))
}

// fresh returns a ring of a port after the start of its driver.
func fresh(p *portPlan) ringState {
	return ringState{ringRest: ringRest{
		Polls: p.polling.Always, PerInterrupt: 1, PerPass: 1, SendPerInterrupt: p.sendBatch, Class: moderation.Latency,
	}}
}

// showRings sets what the rings of a port show without any traffic.
func (l *Lab) showRings(port int) {
	p := &l.plan.ports[port]
	for i := range l.RingSlots(port) {
		posted, processor, completes := uint64(0), uint64(0), uint64(0)
		if i < len(p.rings) {
			posted, processor = uint64(p.receiveBuffers), uint64(p.rings[i].processor)
			completes = uint64(l.completes(port, p.rings[i].processor))
		}
		l.counters[l.ReceiveRingCell(port, i, counter.RingPosted)] = posted
		l.counters[l.ReceiveRingCell(port, i, counter.RingProcessor)] = processor
		l.counters[l.SendRingCell(port, i, counter.SendRingProcessor)] = completes
	}
}

// refresh resets the rings of a port to their state after the start of its driver.
func (l *Lab) refresh(port int) {
	p := &l.plan.ports[port]
	for i := range l.RingSlots(port) {
		l.rings[p.firstRing+i] = fresh(p)
	}
	l.showRings(port)
}
