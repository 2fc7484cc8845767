package device

import "math"

// amount is the moving part of a stream.
type amount struct {
	// want is how many frames it would move in this step.
	want float64
	// moved, damaged, discarded and starved carry what was left of whole frames.
	moved, damaged, discarded, starved float64
}

// load is what the streams of a port want of one step, and what of it passes.
type load struct {
	// wire is what is offered in each direction in bytes on the wire, frames in bytes without preamble and gap.
	wire, frames [2]float64
	// lossless are the arriving bytes of each priority that the far end holds back when it is told to.
	lossless [Priorities]float64
	// ring is the number of arriving packets that need a receive descriptor.
	ring float64
	// control is what control frames take of the line, in bytes on the wire.
	control [2]float64
	// passes is the part that the line takes in each direction, drains the part of arriving bytes that the slot
	// takes and fetches the part of sent bytes that it brings; serves is the part of ring packets that find a
	// descriptor.
	passes                  [2]float64
	drains, fetches, serves float64
}

// cardLoad is what the ports of a card want of its slot, in bytes.
type cardLoad struct{ bytes [2]float64 }

// step moves everything by one step, in the order of the path: what the flows want, the line, the slot, the receive
// rings; then whole frames are counted.
func (l *Lab) step() {
	for i := range l.schedules {
		l.schedules[i].move(&l.plant.schedules[i], l.steps)
	}
	l.moveLinks()
	l.demand()
	l.limit()
	l.move()
}

// demand finds what each stream wants and adds it up by port.
func (l *Lab) demand() {
	clear(l.loads)
	for i := range l.plant.flows {
		f, r := &l.plant.flows[i], &l.rhythms[i]
		level := f.level(r, l.schedules, l.steps) * r.window
		for j := f.first; j < f.last; j++ {
			s, a := &l.plant.streams[j], &l.streams[j]
			state := &l.links[s.port]
			if !state.up {
				a.want = 0
				continue
			}
			a.want = s.perStep * level
			if s.ack {
				a.want = s.perStep * float64(l.delivered[2*i+int(1-s.direction)])
			}
			if s.direction == send && state.pauseShare > 0 && l.held(s) {
				a.want *= 1 - state.pauseShare
			}
			sum := &l.loads[s.port]
			sum.wire[s.direction] += a.want * s.wire
			bytes := a.want * float64(s.frame)
			sum.frames[s.direction] += bytes
			if s.direction == receive {
				if s.lossless {
					sum.lossless[s.priority] += bytes
				}
				if s.ring {
					sum.ring += a.want
				}
			}
		}
	}
}

// held says whether a pause of the far end stops a stream.
func (l *Lab) held(s *stream) bool {
	p := &l.plant.ports[s.port]
	return p.global || p.lossless>>s.priority&1 == 1 && int(s.priority) == l.links[s.port].pausePriority
}

// limit finds what part of the demand passes the line, the slot and the rings.
func (l *Lab) limit() {
	clear(l.cards)
	for i := range l.loads {
		sum, p := &l.loads[i], &l.plant.ports[i]
		l.pauseFromFarEnd(i)
		sum.passes[receive] = share(p.line-sum.control[receive], sum.wire[receive])
		l.cards[p.adapter].bytes[receive] += sum.frames[receive] * sum.passes[receive]
	}
	for i := range l.loads {
		sum, p := &l.loads[i], &l.plant.ports[i]
		sum.drains = share(l.plant.cards[p.adapter].slot, l.cards[p.adapter].bytes[receive])
		l.pauseFarEnd(i)
		sum.serves = share(p.hostPackets, sum.ring*sum.passes[receive]*sum.drains)
		sum.passes[send] = share(p.line-sum.control[send], sum.wire[send])
		l.cards[p.adapter].bytes[send] += sum.frames[send] * sum.passes[send]
	}
	for i := range l.loads {
		p := &l.plant.ports[i]
		l.loads[i].fetches = share(l.plant.cards[p.adapter].slot, l.cards[p.adapter].bytes[send])
	}
}

// share is the part of wanted that room is enough for.
func share(room, wanted float64) float64 {
	if wanted <= room {
		return 1
	}
	return math.Max(0, room/wanted)
}

// move counts whole frames.
func (l *Lab) move() {
	clear(l.moved)
	for i := range l.plant.flows {
		f := &l.plant.flows[i]
		var arrived, lost uint64
		for j := f.first; j < f.last; j++ {
			s, a := &l.plant.streams[j], &l.streams[j]
			if a.want == 0 {
				continue
			}
			var n uint64
			if s.direction == send {
				sum := &l.loads[s.port]
				n = whole(&a.moved, a.want*sum.passes[send]*sum.fetches)
				l.count(s, PrioritySentBytes, SentBytes, HostOutBytes, RDMAOutBytes, n)
			} else {
				var all uint64
				n, all = l.take(s, a)
				arrived += all
				lost += all - n
			}
			if !s.ack {
				l.moved[2*i+int(s.direction)] += n
			}
		}
		if f.backsOff {
			l.rhythms[i].answer(arrived, lost)
		}
	}
	l.delivered, l.moved = l.moved, l.delivered
}

// take receives frames of a stream: all that arrived, and n of them that were delivered.
func (l *Lab) take(s *stream, a *amount) (n, all uint64) {
	sum := &l.loads[s.port]
	port := l.counters[int(s.port)*portStride : int(s.port+1)*portStride]
	want, full := a.want*sum.passes[receive], 1-sum.drains
	if s.lossless { // the far end is told to wait: nothing is lost
		want, full = want*sum.drains, 0
	}
	all = whole(&a.moved, want)
	n = all
	port[ArrivedPackets] += all
	if damaged := l.links[s.port].damaged; damaged > 0 {
		bad := whole(&a.damaged, float64(n)*damaged)
		n -= bad
		countDamage(port, bad)
	}
	if full > 0 {
		lost := whole(&a.discarded, float64(n)*full)
		n -= lost
		port[Discarded] += lost
		port[int(portCounters)+int(s.priority)*int(priorityCounters)+int(PriorityDiscarded)] += lost
	}
	if s.ring && sum.serves < 1 {
		lost := whole(&a.starved, float64(n)*(1-sum.serves))
		n -= lost
		port[NoDescriptor] += lost
	}
	l.count(s, PriorityReceivedBytes, ReceivedBytes, HostInBytes, RDMAInBytes, n)
	return n, all
}

// symbolShare: one damaged frame in so many has a wrong symbol, the others a wrong FCS.
const symbolShare = 8

func countDamage(port []uint64, bad uint64) {
	port[ReceiveErrors] += bad
	symbols := port[ReceiveErrors] / symbolShare
	port[SymbolErrors], port[BadCRC] = symbols, port[ReceiveErrors]-symbols
}

// count adds n frames to the counters of a direction. Of each group the counter of bytes is named; packets follow it.
func (l *Lab) count(s *stream, priority PriorityCounter, total, host, rdma Counter, n uint64) {
	port := l.counters[int(s.port)*portStride : int(s.port+1)*portStride]
	bytes := n * s.frame
	port[total] += bytes
	port[total+1] += n
	class := int(portCounters) + int(s.priority)*int(priorityCounters) + int(priority)
	port[class] += bytes
	port[class+1] += n
	if s.rdma {
		port[rdma] += n * s.rdmaFrame
		port[rdma+1] += n
		return
	}
	port[host] += bytes
	port[host+1] += n
	if s.multicast {
		port[host+2] += n
	}
}

// whole adds to a remainder and takes the whole part out of it.
func whole(remainder *float64, more float64) uint64 {
	sum := *remainder + more
	n := math.Floor(sum)
	*remainder = sum - n
	return uint64(n)
}

// How a TCP sender answers losses: it sends less at once, and slowly more when all arrives.
const (
	lossSeen   = 1000 // one in so many
	backOff    = 0.92
	recovery   = 0.008
	leastShare = 0.5
)

func (r *rhythm) answer(arrived, lost uint64) {
	if lost*lossSeen > arrived {
		r.window = math.Max(leastShare, r.window*backOff)
	} else {
		r.window = math.Min(1, r.window+recovery)
	}
}
