package device

import (
	"math"

	"cxdeck/device/completion"
	"cxdeck/device/effort"
	"cxdeck/device/ring"
)

// ringState is the moving part of a pair of rings.
type ringState struct {
	completion.RingState
	ringStep
}

// ringStep is the work of a ring in a step.
type ringStep struct {
	// The number of arriving packets, also in bursts, and of packets that exceed the ring in a burst; the fraction lost; the
	// fraction of sends that is served; and the load offered to its processor. taken and posted count packets and sends.
	offered, bursts, excess, lost, sends, load float64
	// work is the processor time that the ring requires, in seconds.
	work          float64
	taken, posted uint64
}

// processorTime is the time that is required of a processor in a step, in seconds, for receiving (in) and sending (out).
type processorTime struct{ in, out float64 }

const (
	// minSending is the minimum fraction of a processor for sending.
	minSending = 0.2
)

// joinedSegments returns the number of segments of a stream that the adapter joins on a ring; below 2 it joins none.
func (r *ringState) joinedSegments(s *stream, lane *lane) float64 {
	if s.coalesces < 2 {
		return 1
	}
	// Segments of one flow arrive in bursts, so one hand-over has segments of few flows.
	flows := max(1, lane.together/4)
	return math.Floor(min(s.coalesces, r.PerPass/flows))
}

// serve computes the processors' capacity for the rings, and the fraction of packets without a descriptor.
func (l *Lab) serve() {
	clear(l.works)
	for i := range l.rings {
		r := &l.rings[i]
		r.ringStep = ringStep{sends: 1}
	}
	for i := range l.plan.streams {
		s, a := &l.plan.streams[i], &l.streams[i]
		if a.Want == 0 || !s.ring || s.tooLong {
			continue
		}
		sum, plan := &l.loads[s.port], &l.plan.ports[s.port]
		if s.direction == send {
			posts := a.Want * (1 - a.Held) * sum.priorityShare[s.class] * sum.slotSendShare / s.sends
			for j := s.first; j < s.last; j++ {
				lane := &l.plan.lanes[j]
				r := &l.rings[lane.state]
				sending, completing := posts*lane.share*s.work, posts*lane.share*plan.sendInterrupt/r.SendPerInterrupt
				r.work += sending + completing
				at := plan.rings[lane.ring].processor
				if plan.forwards >= 0 {
					l.works[plan.forwards].out += sending / 2
					sending /= 2
				}
				l.works[at].out += sending
				l.works[l.sendProcessor(int(s.port), at)].out += completing
			}
			continue
		}
		frames := a.Want * sum.lineShare[receive] * sum.slotReceiveShare
		for j := s.first; j < s.last; j++ {
			lane := &l.plan.lanes[j]
			r, part := &l.rings[lane.state], frames*lane.share
			cost := s.work
			if k := r.joinedSegments(s, lane); k >= 2 {
				cost *= effort.JoinWork + (1-effort.JoinWork)/k
			}
			if !r.Polls {
				cost += effort.InterruptTime * plan.slowness / r.PerInterrupt
			}
			r.offered += part
			r.bursts += part * s.burst
			r.excess += part * s.excess
			r.work += part * cost
			l.works[plan.rings[lane.ring].processor].in += part * cost
		}
	}
	l.shareProcessors()
}

// shareProcessors shares each processor between receiving and sending, and computes the losses of the rings.
func (l *Lab) shareProcessors() {
	for i := range l.plan.ports {
		p := &l.plan.ports[i]
		for j := range p.rings {
			r, w := &l.rings[p.firstRing+j], &l.works[p.rings[j].processor]
			out := w.out
			if w.in+out > stepSeconds {
				out = min(out, max(minSending*stepSeconds, stepSeconds-w.in))
				r.sends = out / max(w.out, 1e-12)
				if w.out == 0 {
					r.sends = 1
				}
			}
			r.load = w.in / (stepSeconds - out)
			if r.offered > 0 {
				r.lost = max(p.burstLoss, ring.Overflow(r.load, p.ringCapacity/(r.bursts/r.offered)), r.excess/r.offered)
			}
		}
		l.holdPackets(i)
	}
}
