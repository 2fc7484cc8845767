package device

import (
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// laneRemainders holds the remainders of whole frames on a lane.
type laneRemainders struct{ Moved, TooLong, WrongSize, Damaged, Discarded, Starved, Full, Aborted, Joined, Copied float64 }

// take receives frames of a stream. It returns n, the delivered ones, out of all that arrived.
func (l *Lab) take(s *stream, a *amount) (n, all uint64) {
	sum := &l.loads[s.port]
	port := l.portCells(int(s.port))
	state := &l.links[s.port]
	want, drains := a.Want*sum.lineShare[receive], sum.slotReceiveShare
	if s.loopback { // the card sends no more than it receives
		want, drains = a.Want*min(sum.slotReceiveShare, sum.slotSendShare), 1
	}
	if s.ring {
		drains *= 1 - state.Waiting
	}
	full := 1 - drains
	if s.lossless && !state.silent { // the far end is paused: nothing is lost
		want, full = want*drains, 0
	}
	damaged, tooLong, wrongSize := state.faults[description.BadCable], 0.0, 0.0
	if s.ring && !s.ack {
		tooLong, wrongSize = state.faults[description.LongFrames], state.faults[description.WrongSizes]
	}
	if l.plan.ports[s.port].ignoreFCS {
		damaged = 0
	}
	for i := s.first; i < s.last; i++ {
		lane, rest := &l.plan.lanes[i], &l.lanes[i]
		arrived := counter.Whole(&rest.Moved, want*lane.share)
		if arrived == 0 {
			continue
		}
		all += arrived
		if s.tooLong {
			port[counter.ReceiveErrors] += arrived
			port[counter.FrameTooLong] += arrived
			continue
		}
		left := arrived
		if tooLong > 0 {
			bad := counter.Whole(&rest.TooLong, float64(left)*tooLong)
			left -= bad
			port[counter.ReceiveErrors] += bad
			port[counter.FrameTooLong] += bad
		}
		if wrongSize > 0 {
			bad := counter.Whole(&rest.WrongSize, float64(left)*wrongSize)
			left -= bad
			countWrongSizes(port, bad)
		}
		if damaged > 0 {
			bad := counter.Whole(&rest.Damaged, float64(left)*damaged)
			left -= bad
			countDamagedFrames(port, bad)
		}
		if full > 0 {
			lost := counter.Whole(&rest.Discarded, float64(left)*full)
			left -= lost
			port[counter.Discarded] += lost
			if state.Stalled > 0 && state.silent {
				port[counter.StalledDiscards] += lost
			}
			port[counter.PriorityCell(0, int(s.priority), counter.PriorityDiscarded)] += lost
			l.cardDrops[l.plan.ports[s.port].adapter] += lost
		}
		if s.unowned {
			port[counter.Discarded] += left
			port[counter.UnownedVLAN] += left
			port[counter.PriorityCell(0, int(s.priority), counter.PriorityDiscarded)] += left
			l.dropVirtual(s, left)
			continue
		}
		if lane.ring >= 0 {
			left = l.takeRing(s, lane, rest, left, port)
		}
		n += left
	}
	if s.loopback {
		l.countRDMA(s, counter.RDMAInBytes, n)
		return n, all
	}
	if l.tap != nil && l.tap.AtSwitch {
		l.tapData(s, all)
	}
	port[counter.ArrivedPackets] += all
	port[counter.WireBytesReceived] += all * s.frame
	l.count(s, counter.PriorityReceivedBytes, counter.ReceivedBytes, counter.HostInBytes, counter.RDMAInBytes, n)
	return n, all
}

// takeRing puts frames into a ring, from which the host takes them, and returns the number that found a descriptor.
func (l *Lab) takeRing(s *stream, lane *lane, rest *laneRemainders, n uint64, port []uint64) uint64 {
	state := &l.rings[lane.state]
	cell := l.plan.ports[s.port].rings[lane.ring].receive
	ring := l.counters[cell : cell+int(counter.ReceiveRingCount)]
	if state.lost > 0 {
		lost := counter.Whole(&rest.Starved, float64(n)*state.lost)
		n -= lost
		port[counter.NoDescriptor] += lost
		ring[counter.RingDropped] += lost
		if s.virtual {
			port[counter.FunctionsDropped] += lost
		}
		if s.synthetic {
			port[counter.SyntheticDropped] += lost
			if s.overlay {
				port[counter.OverlayDropped] += lost
			}
		}
	}
	state.taken += n
	ring[counter.RingPackets] += n
	ring[counter.RingBytes] += n * s.frame
	if lane.kind >= 0 && l.links[s.port].Counting {
		l.counters[lane.kind] += n
	}
	l.keepPackets(s, lane, n)
	if s.slowChecksum {
		port[counter.SlowChecksums] += n
	}
	if k := state.joinedSegments(s, lane); k >= 2 {
		events := counter.Whole(&rest.Joined, float64(n)/k)
		joined := events * uint64(k)
		port[counter.CoalescedEvents] += events
		port[counter.CoalescedPackets] += joined
		port[counter.CoalescedBytes] += joined * s.frame
		port[counter.CoalesceAborts] += counter.Whole(&rest.Aborted, float64(events)*abortShare)
	}
	return n
}

// abortShare is the fraction of joined packets that end early, because of a flag or a gap.
const abortShare = 1.0 / 200

// symbolShare is the number of damaged frames for one with a wrong symbol; the others have a wrong FCS.
const symbolShare = 8

func countDamagedFrames(port []uint64, bad uint64) {
	port[counter.ReceiveErrors] += bad
	damaged := port[counter.ReceiveErrors] - port[counter.FrameTooLong] - port[counter.FrameTooShort] - port[counter.FrameFragments] - port[counter.FrameJabbers]
	symbols := damaged / symbolShare
	port[counter.SymbolErrors], port[counter.BadCRC] = symbols, damaged-symbols
	port[counter.LaneErrors] += bad
	port[counter.CorrectedBits] += bad * correctedBits
}

// countWrongSizes counts frames of wrong sizes, each in one class.
func countWrongSizes(port []uint64, bad uint64) {
	port[counter.ReceiveErrors] += bad
	all := port[counter.FrameTooShort] + port[counter.FrameFragments] + port[counter.FrameJabbers] + bad
	port[counter.FrameTooShort], port[counter.FrameFragments], port[counter.FrameJabbers] = (all+2)/3, (all+1)/3, all/3
}

// correctedBits is the number of bits that forward error correction fixes for each frame damaged beyond repair.
const correctedBits = 600

// count adds n frames to the counters of a direction. The arguments are the counters of bytes; the counters of packets follow
// them.
func (l *Lab) count(s *stream, priority counter.Priority, total, host, rdma counter.Port, n uint64) {
	port := l.portCells(int(s.port))
	if l.tap != nil && (s.direction == send || !l.tap.AtSwitch) {
		l.tapData(s, n)
	}
	bytes := n * s.frame
	port[total] += bytes
	port[total+1] += n
	class := counter.PriorityCell(0, int(s.priority), priority)
	port[class] += bytes
	port[class+1] += n
	if s.virtual {
		countFunctions(port, s, n)
	}
	if s.synthetic {
		countSynthetic(port, s, n)
	}
	if s.multicast && total == counter.ReceivedBytes {
		l.dropBlockedCopies(int(s.port), n)
	}
	if s.team != setup.NoSlot || s.vlan != setup.NoSlot {
		l.countVirtual(s, n)
	}
	if s.rdma {
		l.countRDMA(s, rdma, n)
		return
	}
	port[host] += bytes
	port[host+1] += n
	if s.multicast {
		port[host+2] += n
	}
}

// countRDMA adds n frames to the counters of RDMA in a direction.
func (l *Lab) countRDMA(s *stream, rdma counter.Port, n uint64) {
	port := l.portCells(int(s.port))
	port[rdma] += n * s.rdmaFrame
	port[rdma+1] += n
	port[rdma+2] += n * s.data
	if s.ndspi {
		port[counter.OwnFrames] += n
	}
}
