package device

import (
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/pause"
)

// pauseRemainders holds the remainders of whole pause frames and microseconds, in both directions.
type pauseRemainders struct{ Sent, FarEnd, Received, Self float64 }

// farEndHold is the length of one pause by the switch, in microseconds; it sends a frame to pause and one to resume.
const farEndHold = 160.0

// controlFrame is the length of a pause frame from header to FCS.
const controlFrame = 64

const stepMicroseconds = float64(Step / 1000)

// pauseFromFarEnd counts the pause frames that the far end sends in a step, and the time for which it pauses this end.
func (l *Lab) pauseFromFarEnd(port int) {
	s, c := &l.links[port], &l.plan.ports[port].flowControl
	if s.faults[description.FarEndPause] == 0 || !s.Up || s.silent || c.FarSilent {
		return
	}
	priority := s.pausePriority
	if c.FarGlobal {
		priority = counter.Untagged
	}
	if !c.Stops(s.pausePriority, priority) {
		if c.Asks(s.pausePriority) {
			n := l.remotes[port].Ignore(priority, 2*s.faults[description.FarEndPause]*stepMicroseconds/farEndHold)
			far := &l.farEnds[port]
			far.SentPauses[priority] += n
			far.SentFrames += n
			far.SentBytes += n * controlFrame
		}
		return
	}
	asked, held := s.faults[description.FarEndPause]*stepMicroseconds, l.pausedShare(port)*stepMicroseconds
	l.countPause(port, priority, receive, 2*asked/farEndHold, held)
}

// pauseFarEnd counts the pause frames that this end sends in a step because its slot carries less than arrives.
func (l *Lab) pauseFarEnd(port int) {
	sum, s, c := &l.loads[port], &l.links[port], &l.plan.ports[port].flowControl
	if s.silent || sum.slotReceiveShare == 1 && s.Waiting == 0 {
		return
	}
	switch c.Mode {
	case pause.Off:
	case pause.Global:
		all, ring := 0.0, 0.0
		for priority := range sum.pausable {
			all += sum.pausable[priority]
			ring += sum.pausableInRings[priority]
		}
		l.pauseClass(port, counter.Untagged, all, ring)
	case pause.PerPriority:
		for priority := range sum.pausable {
			l.pauseClass(port, priority, sum.pausable[priority], sum.pausableInRings[priority])
		}
	}
}

// pauseClass pauses and releases one priority as often as the buffer swings between its two marks: it fills by the excess of
// arriving over drained bytes, and empties during the pause. A part of the offered load goes to the rings, where it may have to
// wait. When nothing drains, the pause is renewed before it expires.
func (l *Lab) pauseClass(port, priority int, offered, ring float64) {
	if offered == 0 {
		return
	}
	sum, p := &l.loads[port], &l.plan.ports[port]
	drains := sum.slotReceiveShare * (1 - l.links[port].Waiting*ring/offered)
	if drains >= 1 {
		return
	}
	if drains <= 0 {
		l.countPause(port, priority, send, stepMicroseconds/pause.Duration(pause.MaxQuanta, p.rate), stepMicroseconds)
		return
	}
	arrives := offered * sum.lineShare[receive]
	drained := arrives * drains
	swing := (pause.HighMark - pause.LowMark) * p.buffer
	cycle := swing/drained + swing/(arrives-drained) // in steps
	l.countPause(port, priority, send, 2/cycle, (1-drains)*stepMicroseconds)
}

// countPause counts pause frames and microseconds: pauses of the far end for sent frames, of this end for received ones.
func (l *Lab) countPause(port, priority, direction int, frames, held float64) {
	rest := &l.pauses[port*counter.Priorities+priority]
	count, clock, total, control := counter.PauseReceived, counter.SelfPaused, counter.ReceivedBytes, counter.ReceivedControl
	frameRest, clockRest := &rest.Received, &rest.Self
	if direction == send {
		count, clock, total, control = counter.PauseSent, counter.FarEndPaused, counter.SentBytes, counter.SentControl
		frameRest, clockRest = &rest.Sent, &rest.FarEnd
	}
	n := counter.Whole(frameRest, frames)
	counted := &l.counters[counter.PriorityCell(port, priority, count)]
	first := *counted == 0 && held > 0 // paused time needs at least one frame
	if first && n == 0 {
		n, *frameRest = 1, 0
	}
	lost := l.crossCable(port, priority, direction, n)
	cells := l.portCells(port)
	if direction == receive && lost > 0 {
		if first && lost == n {
			lost--
		}
		countDamagedFrames(cells, lost)
		cells[counter.ArrivedPackets] += lost
		cells[counter.WireBytesReceived] += lost * controlFrame
		n -= lost
	}
	*counted += n
	if l.tap != nil {
		l.tap.Pauses(port, priority, direction == send, controlFrame, n)
	}
	l.counters[counter.PriorityCell(port, priority, clock)] += counter.Whole(clockRest, held)
	cells[total] += n * controlFrame
	cells[total+1] += n
	cells[control] += n
	if direction == receive {
		cells[counter.ArrivedPackets] += n
		cells[counter.WireBytesReceived] += n * controlFrame
	}
	l.loads[port].control[direction] += float64(n) * (controlFrame + l.plan.ports[port].overhead)
}
