package device

import "math"

// A pause that stops nearly everything outlasts the head-of-queue limit: of the frames that wait this part is thrown
// away.
const (
	longPause      = 0.98
	headOfLineLoss = 0.02
)

// emit sends frames of a stream and gives how many.
func (l *Lab) emit(s *stream, a *amount) (n uint64) {
	sum := &l.loads[s.port]
	port := l.counters[int(s.port)*portStride : int(s.port+1)*portStride]
	passes := (1 - a.Held) * sum.sends[s.priority] * sum.fetches
	want := a.Want * passes
	if a.Held >= longPause {
		lost := whole(&a.HeadOfLine, a.Want*a.Held*headOfLineLoss)
		port[OutboundDiscarded] += lost
		port[HeadOfQueueDrops] += lost
		port[int(portCounters)+int(s.priority)*int(priorityCounters)+int(PrioritySentDiscards)] += lost
	}
	plan := &l.plan.ports[s.port]
	for i := s.first; i < s.last; i++ {
		here, rest := &l.plan.lanes[i], &l.lanes[i]
		if here.ring < 0 {
			n += whole(&rest.Moved, want*here.share)
			continue
		}
		state, cell := &l.rings[here.state], plan.rings[here.ring].send
		gone := whole(&rest.Moved, want*here.share*state.sends)
		n += gone
		ring := l.counters[cell : cell+int(sendRingCounters)]
		posted := gone
		if s.sends > 1 {
			posted = whole(&rest.Joined, float64(gone)/s.sends)
		}
		ring[SendRingPosted] += posted
		ring[SendRingCompleted] += posted
		ring[SendRingPackets] += gone
		state.posted += posted
		if s.copied {
			ring[SendRingCopied] += posted
			port[SentCopied] += posted
		}
		pressure := sum.wire[send] / plan.line
		if passing := passes * state.sends; passing < 1 {
			pressure = 1 / math.Max(passing, 1e-6)
		}
		if pressure > lightLoad {
			waits := a.Want * here.share / s.sends * overflow(pressure, plan.transmitBuffers/s.burst)
			full := whole(&rest.Full, waits)
			ring[SendRingFull] += full
			port[SendRingFullDrops] += full
			port[SentQueued] += full
		}
	}
	l.count(s, PrioritySentBytes, SentBytes, HostOutBytes, RDMAOutBytes, n)
	return n
}
