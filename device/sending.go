package device

import (
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/ring"
)

// A pause that stops nearly all frames exceeds the head-of-queue limit: this fraction of the waiting frames is dropped with the
// default limit, and more with a shorter one.
const (
	longPause      = 0.98
	headOfLineLoss = 0.02
)

// countDiscards counts frames of a stream that were discarded before the line, at every priority of its traffic class: the counter is
// kept for the class (HQ-3). Untagged frames belong to the class of priority 0.
func (l *Lab) countDiscards(s *stream, lost uint64) {
	port, classOf := l.portCells(int(s.port)), &l.plan.ports[s.port].classOf
	port[counter.OutboundDiscarded] += lost
	port[counter.HeadOfQueueDrops] += lost
	class := classOf[int(s.class)%counter.Untagged]
	for priority := range counter.Priorities {
		if classOf[priority%counter.Untagged] == class {
			port[counter.PriorityCell(0, priority, counter.PrioritySentDiscards)] += lost
		}
	}
}

// emit sends frames of a stream and returns their number.
func (l *Lab) emit(s *stream, a *amount) (n uint64) {
	sum := &l.loads[s.port]
	port := l.portCells(int(s.port))
	passes := (1 - a.Held) * sum.priorityShare[s.class] * sum.slotSendShare
	if s.loopback {
		passes = sum.slotSendShare
	}
	want := a.Want * passes
	hangs := s.ring && l.links[s.port].faults[description.SendHang] > 0
	if a.Held >= longPause && !hangs && l.plan.ports[s.port].headLoss > 0 {
		held := a.Want * a.Held
		dropped := held * l.plan.ports[s.port].headLoss
		if limit := l.setup.Ports[s.port].StallDrops; limit > 0 && dropped >= float64(limit) {
			dropped = held
		}
		l.countDiscards(s, counter.Whole(&a.HeadOfLine, dropped))
	}
	plan := &l.plan.ports[s.port]
	for i := s.first; i < s.last; i++ {
		lane, rest := &l.plan.lanes[i], &l.lanes[i]
		if lane.ring < 0 {
			n += counter.Whole(&rest.Moved, want*lane.share)
			continue
		}
		state, cell := &l.rings[lane.state], plan.rings[lane.ring].send
		if hangs { // posted packets stay, and fill the ring
			full := counter.Whole(&rest.Full, a.Want*lane.share/s.sends)
			l.counters[cell+int(counter.SendRingFull)] += full
			port[counter.SendRingFullDrops] += full
			port[counter.SentQueued] += full
			continue
		}
		sent := counter.Whole(&rest.Moved, want*lane.share*state.sends)
		n += sent
		cells := l.counters[cell : cell+int(counter.SendRingCount)]
		posted := sent
		if s.sends > 1 {
			posted = counter.Whole(&rest.Joined, float64(sent)/s.sends)
		}
		cells[counter.SendRingPosted] += posted
		cells[counter.SendRingCompleted] += posted
		cells[counter.SendRingPackets] += sent
		state.posted += posted
		if s.copied > 0 {
			copies := counter.Whole(&rest.Copied, float64(posted)*s.copied)
			cells[counter.SendRingCopied] += copies
			port[counter.SentCopied] += copies
		}
		pressure := sum.wire[send] / plan.line
		if passing := passes * state.sends; passing < 1 {
			pressure = 1 / max(passing, 1e-6)
		}
		fullShare := plan.burstWait // fraction of sends that find the ring full
		if pressure > ring.LightLoad {
			fullShare = max(fullShare, ring.Overflow(pressure, plan.transmitBuffers/s.burst))
		}
		if fullShare > 0 {
			waits := a.Want * lane.share / s.sends * fullShare
			full := counter.Whole(&rest.Full, waits)
			cells[counter.SendRingFull] += full
			port[counter.SendRingFullDrops] += full
			port[counter.SentQueued] += full
		}
	}
	if s.loopback {
		l.countRDMA(s, counter.RDMAOutBytes, n)
		return n
	}
	l.count(s, counter.PrioritySentBytes, counter.SentBytes, counter.HostOutBytes, counter.RDMAOutBytes, n)
	return n
}
