package device

import (
	"math"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/farend"
	"cxdeck/device/framesize"
)

// FarEnd are the counters of the other end of a port's cable.
type FarEnd = farend.Counters

// farEnd adds the state for the next step: the port's counters at the last step, and remainders of whole frames.
type farEnd struct {
	FarEnd
	Sent, SentBytesBefore, Arrived, ArrivedBytes, Control             uint64
	Damaged, Full, Barred, LostPauses, LostAnswers, LostNotifications float64
}

// FarEnd returns the counters of the other end of a port's cable.
func (l *Lab) FarEnd(port int) FarEnd { return l.farEnds[port].FarEnd }

// forgetPort adapts the far end of a port's cable after the port's counters were cleared.
func (f *farEnd) forgetPort() {
	f.Sent, f.SentBytesBefore, f.Arrived, f.ArrivedBytes, f.Control = 0, 0, 0, 0, 0
}

// damage returns the fraction of the frames in a direction that a port's cable damages, so that the receiver drops them.
func (l *Lab) damage(port, direction int) float64 {
	if direction == receive && l.plan.ports[port].ignoreFCS {
		return 0
	}
	return l.links[port].faults[description.BadCable]
}

// pausedShare returns the fraction of a step for which received pauses stop a port.
func (l *Lab) pausedShare(port int) float64 {
	return l.links[port].faults[description.FarEndPause] * (1 - l.damage(port, receive))
}

// crossCable returns the number of pause frames, out of n in a direction, that are lost on the cable of a port. It counts them
// at the far end.
func (l *Lab) crossCable(port, priority, direction int, n uint64) (lost uint64) {
	far := &l.farEnds[port]
	if share := l.damage(port, direction); share > 0 && n > 0 {
		lost = min(n, counter.Whole(&far.LostPauses, float64(n)*share))
	}
	if direction == send {
		if l.plan.ports[port].flowControl.Obeys(priority) { // otherwise it ignores them
			far.ReceivedPauses[priority] += n - lost
		}
		far.ReceivedFrames += n - lost
		far.ReceivedBytes += (n - lost) * controlFrame
		far.ReceivedErrors += lost
		return lost
	}
	far.SentPauses[priority] += n
	return lost
}

// arriveAtHost returns the number of negative answers of the peers, out of n, that reach a port.
func (l *Lab) arriveAtHost(port int, n uint64) uint64 {
	return l.answer(&l.farEnds[port].LostAnswers, l.damage(port, receive), n)
}

// arriveAtPeers returns the number of negative answers of a port, out of n, that reach its peers.
func (l *Lab) arriveAtPeers(port int, n uint64) uint64 {
	return l.answer(&l.farEnds[port].LostNotifications, l.damage(port, send), n)
}

func (l *Lab) answer(rest *float64, damaged float64, n uint64) uint64 {
	if damaged == 0 || n == 0 {
		return n
	}
	return n - min(n, counter.Whole(rest, float64(n)*damaged))
}

// countFarEnds counts the frames of the step at the far ends. Pause frames from the host are counted already.
func (l *Lab) countFarEnds() {
	crowded := false
	for port := range l.farEnds {
		far, cells := &l.farEnds[port], l.portCells(port)
		sent, bytes := counter.Increase(&far.Sent, cells[counter.SentPackets]), counter.Increase(&far.SentBytesBefore, cells[counter.SentBytes])
		control := counter.Increase(&far.Control, cells[counter.SentControl])
		sent, bytes = sent-control, bytes-control*controlFrame
		if load := &l.loads[port]; load.disallowedFrames > 0 {
			damaged := min(sent, load.disallowedFrames)
			far.ReceivedErrors += damaged
			sent, bytes = sent-damaged, bytes-min(bytes, load.disallowedBytes)
		}
		if share := l.damage(port, send); share > 0 && sent > 0 {
			lost := min(sent, counter.Whole(&far.Damaged, float64(sent)*share))
			far.ReceivedErrors += lost
			bytes -= uint64(math.Round(float64(bytes) * (float64(lost) / float64(sent))))
			sent -= lost
		}
		far.ReceivedFrames += sent
		far.ReceivedBytes += bytes
		far.SentFrames += counter.Increase(&far.Arrived, cells[counter.ArrivedPackets])
		far.SentBytes += counter.Increase(&far.ArrivedBytes, cells[counter.WireBytesReceived])
		crowded = crowded || l.loads[port].lineShare[receive] < 1
	}
	for _, b := range l.plan.blocked {
		if l.links[b.port].Up {
			far := &l.farEnds[b.port]
			far.WrongVLAN += counter.Whole(&far.Barred, b.perStep*l.level(b.flow))
		}
	}
	if !crowded {
		return
	}
	for i := range l.plan.streams { // the excess over the capacity of the line to the host, which is not paused
		s, a := &l.plan.streams[i], &l.streams[i]
		passes := l.loads[s.port].lineShare[receive]
		if passes < 1 && s.direction == receive && !s.lossless && a.Want > 0 {
			far := &l.farEnds[s.port]
			lost := counter.Whole(&far.Full, a.Want*(1-passes))
			far.NoBuffer += lost
			l.remotes[s.port].SwitchDrops[s.atSwitch] += lost
		}
	}
}

// countFailures counts n failed requests at the end that detected them, and returns the number for the port's counter: answers
// to the requester may be lost.
func (l *Lab) countFailures(port int, failed counter.Port, n uint64) uint64 {
	far := &l.farEnds[port]
	switch failed {
	case counter.RequesterRNR:
		far.PeerResponderRNR += n
		return l.arriveAtHost(port, n)
	case counter.ResponderRNR:
		far.PeerRequesterRNR += l.arriveAtPeers(port, n)
	default:
	}
	return n
}

// blockedFlow is a flow whose frames the switch drops, because the port does not carry their VLAN; perStep is the number of its
// frames in a step at level 1.
type blockedFlow struct {
	flow, port int
	perStep    float64
}

// addBlockedFlow records the frames of the flow that the switch drops.
func (b *streamBuilder) addBlockedFlow() {
	f := b.flow
	if f.ReceiveGbps == 0 || b.lab.setup.Switches[b.at].Forwards(f.VLAN) {
		return
	}
	mean := (&framesize.Frames{Flow: f, Tags: 1}).Mean()
	b.plan.blocked = append(b.plan.blocked, blockedFlow{b.number, b.at, f.ReceiveGbps * 1e9 / 8 / mean * stepSeconds * b.parts[receive]})
}
