package device

import (
	"cxdeck/device/completion"
	"cxdeck/device/counter"
)

// complete counts the packets of this step by interrupt and polling, and chooses between the two for the next step from their
// rate (NIC-9 to NIC-14).
func (l *Lab) complete() {
	for i := range l.plan.ports {
		p := &l.plan.ports[i]
		if !l.links[i].Enabled {
			continue
		}
		port := l.portCells(i)
		for j := range p.rings {
			r := &l.rings[p.firstRing+j]
			ring := &p.rings[j]
			receives, sends := l.counters[ring.receive:][:counter.ReceiveRingCount], l.counters[ring.send:][:counter.SendRingCount]
			interrupts := r.Receive(&p.completion, completion.Received{Taken: r.taken, Load: r.load}, stepSeconds, receives, port)
			l.counters[l.ProcessorCell(ring.processor, counter.ProcessorInterrupts)] += interrupts
			interrupts = r.Send(&p.completion, r.posted, stepSeconds, sends, port)
			l.counters[l.ProcessorCell(l.sendProcessor(i, ring.processor), counter.ProcessorInterrupts)] += interrupts
			if p.completion.Polling.Always {
				l.pollers[ring.processor]++
			}
		}
	}
	l.countWork()
}

// countWork counts the busy time of the processors, and of each port. A processor that polls is never idle.
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
			if p.completion.Polling.Always {
				busy += max(0, stepSeconds-wanted) / float64(l.pollers[processor])
			}
		}
		l.counters[counter.Cell(i, counter.HostBusy)] += uint64(busy * stepMicroseconds / stepSeconds)
	}
	for i := range l.works {
		w := &l.works[i]
		busy := min(1, (w.in+w.out)/stepSeconds)
		if l.pollers[i] > 0 {
			busy = 1
		}
		l.counters[l.ProcessorCell(i, counter.ProcessorBusy)] += uint64(busy * stepMicroseconds)
	}
	clear(l.pollers)
}

// sendProcessor returns the processor that handles send completions of a port, which may differ from the sender.
func (l *Lab) sendProcessor(port, sender int) int {
	if processor := l.setup.Ports[port].SendProcessor; processor >= 0 && processor < l.Processors() {
		return processor
	}
	return sender
}

// showRings sets the counters of a port's rings that do not depend on traffic.
func (l *Lab) showRings(port int) {
	p := &l.plan.ports[port]
	for i := range l.RingSlots(port) {
		posted, processor, sendProcessor := uint64(0), uint64(0), uint64(0)
		if i < len(p.rings) {
			posted, processor = uint64(p.receiveBuffers), uint64(p.rings[i].processor)
			sendProcessor = uint64(l.sendProcessor(port, p.rings[i].processor))
		}
		l.counters[l.ReceiveRingCell(port, i, counter.RingPosted)] = posted
		l.counters[l.ReceiveRingCell(port, i, counter.RingProcessor)] = processor
		l.counters[l.SendRingCell(port, i, counter.SendRingProcessor)] = sendProcessor
	}
}

// resetRings resets the rings of a port to their state after the start of its driver.
func (l *Lab) resetRings(port int) {
	p := &l.plan.ports[port]
	for i := range l.RingSlots(port) {
		l.rings[p.firstRing+i] = ringState{RingState: completion.NewRingState(&p.completion)}
	}
	l.showRings(port)
}
