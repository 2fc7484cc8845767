package device

import (
	"math"

	"cxdeck/device/moderation"
)

// passTime is how long a pass of a polling ring takes; what comes meanwhile is the next one's.
const passTime = 20e-6

const (
	lowResource = 0.9 // load at which the driver asks for its buffers back at once
	passLimit   = 256 // packets that a pass takes at most
)

// complete counts how the packets of this step were found, and from their rate finds how those of the next will be
// (NIC-9 to NIC-14).
func (l *Lab) complete() {
	for i := range l.plan.ports {
		p := &l.plan.ports[i]
		if !l.links[i].Enabled {
			continue
		}
		for j := range p.rings {
			r := &l.rings[p.firstRing+j]
			l.receiveCompletions(p, &p.rings[j], r)
			l.sendCompletions(p, &p.rings[j], r)
		}
	}
	for i := range l.works {
		w := &l.works[i]
		busy := math.Min(1, (w.in+w.out)/stepSeconds)
		if l.busyPolls[i] {
			busy = 1
		}
		l.counters[l.ProcessorCell(i, ProcessorBusy)] += uint64(busy * stepMicroseconds)
		l.busyPolls[i] = false
	}
}

func (l *Lab) receiveCompletions(p *portPlan, at *ringPlan, r *ringState) {
	ring := l.counters[at.receive : at.receive+int(receiveRingCounters)]
	if p.polling.Always {
		l.busyPolls[at.processor] = true
	}
	if r.taken > 0 {
		n := float64(r.taken)
		if r.Polls {
			ring[RingPollingPackets] += r.taken
		} else {
			ring[RingInterruptPackets] += r.taken
			interrupts := whole(&r.Interrupts, n/r.PerInterrupt)
			ring[RingInterrupts] += interrupts
			l.counters[l.ProcessorCell(at.processor, ProcessorInterrupts)] += interrupts
		}
		indicates := whole(&r.Indicates, n/r.PerPass)
		ring[RingIndicates] += indicates
		ring[RingAverage] = uint64(math.Round(r.PerPass))
		if r.load > lowResource {
			ring[RingLowResource] += whole(&r.Low, n*math.Min(1, r.load)*lowResource)
		}
		if r.PerPass >= passLimit || r.load >= 1 {
			ring[RingMaxReceives] += whole(&r.Limits, n/passLimit)
		}
		if r.load > 1 {
			ring[RingTotalStarvations]++
			if r.load > 2 {
				ring[RingSingleStarvations]++
			}
		}
	}
	rate := float64(r.taken) / stepSeconds
	if class := p.rates.Next(r.Class, rate); class != r.Class {
		r.Class = class
		ring[RingTransitions]++
	}
	r.PerInterrupt = 1
	if p.moderation.On {
		r.PerInterrupt = float64(p.moderation.Setting(r.Class).PacketsPerInterrupt(rate))
	}
	pass := rate * passTime
	_, again := p.polling.Pass(pass, int(math.Min(pass, passLimit)))
	r.Polls = again
	r.PerPass = r.PerInterrupt
	if r.Polls {
		r.PerPass = math.Max(1, math.Min(pass, passLimit))
	}
	if r.load >= 1 { // each pass finds more than it may take
		r.PerPass = passLimit
	}
}

func (l *Lab) sendCompletions(p *portPlan, at *ringPlan, r *ringState) {
	ring := l.counters[at.send : at.send+int(sendRingCounters)]
	if r.posted > 0 {
		ring[SendRingAverage] = uint64(math.Round(r.SendPerInterrupt))
		if p.polling.Always {
			ring[SendRingPollingPackets] += r.posted
		} else {
			ring[SendRingInterruptPackets] += r.posted
			interrupts := whole(&r.SendInterrupts, float64(r.posted)/r.SendPerInterrupt)
			ring[SendRingInterrupts] += interrupts
			l.counters[l.ProcessorCell(at.processor, ProcessorInterrupts)] += interrupts
		}
	}
	r.SendPerInterrupt = float64(p.sendSetting.PacketsPerInterrupt(float64(r.posted) / stepSeconds))
}

// fresh is a ring of a port after the start of its driver.
func fresh(p *portPlan) ringState {
	return ringState{ringRest: ringRest{
		Polls: p.polling.Always, PerInterrupt: 1, PerPass: 1, SendPerInterrupt: 1, Class: moderation.Latency,
	}}
}

// showRings sets what the rings of a port show without any traffic.
func (l *Lab) showRings(port int) {
	p := &l.plan.ports[port]
	for i := range l.plant.layout.slots[port] {
		posted, processor := uint64(0), uint64(0)
		if i < len(p.rings) {
			posted, processor = uint64(p.receiveBuffers), uint64(p.rings[i].processor)
		}
		l.counters[l.ReceiveRingCell(port, i, RingPosted)] = posted
		l.counters[l.ReceiveRingCell(port, i, RingProcessor)] = processor
		l.counters[l.SendRingCell(port, i, SendRingProcessor)] = processor
	}
}

// refresh makes the rings of a port what they are after the start of its driver.
func (l *Lab) refresh(port int) {
	p := &l.plan.ports[port]
	for i := range l.plant.layout.slots[port] {
		l.rings[p.firstRing+i] = fresh(p)
	}
	l.showRings(port)
}
