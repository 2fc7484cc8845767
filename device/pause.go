package device

import (
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/pause"
)

// pauseRest carries what was left of whole frames and microseconds, of pause frames in both ways.
type pauseRest struct{ Sent, FarEnd, Received, Self float64 }

// farEndHold is how long one pause of the switch holds, in microseconds; it sends a frame to stop and one to continue.
const farEndHold = 160.0

// controlFrame is the length of a pause frame from header to FCS.
const controlFrame = 64

const stepMicroseconds = float64(Step / 1000)

// pauseFromFarEnd counts the pause frames that the far end sends in a step, and the time it holds this end back.
func (l *Lab) pauseFromFarEnd(port int) {
	s, c := &l.links[port], &l.plan.ports[port].flowControl
	if s.faults[description.FarEndPause] == 0 || !s.Up || s.silent || c.FarSilent {
		return
	}
	priority := s.pausePriority
	if c.FarGlobal {
		priority = counter.Untagged
	}
	if !c.Holds(s.pausePriority, priority) {
		return
	}
	asked, held := s.faults[description.FarEndPause]*stepMicroseconds, l.pausedShare(port)*stepMicroseconds
	l.countPause(port, priority, receive, 2*asked/farEndHold, held)
}

// pauseFarEnd counts the pause frames that this end sends in a step because its slot takes less than what arrives.
func (l *Lab) pauseFarEnd(port int) {
	sum, s, c := &l.loads[port], &l.links[port], &l.plan.ports[port].flowControl
	if s.silent || sum.drains == 1 && s.Waiting == 0 {
		return
	}
	switch c.Mode {
	case pause.Off:
	case pause.Global:
		all, ring := 0.0, 0.0
		for priority := range sum.asked {
			all += sum.asked[priority]
			ring += sum.waits[priority]
		}
		l.pauseClass(port, counter.Untagged, all, ring)
	case pause.PerPriority:
		for priority := range sum.asked {
			l.pauseClass(port, priority, sum.asked[priority], sum.waits[priority])
		}
	}
}

// pauseClass stops and releases one priority as often as the buffer swings between its two marks: it fills with what
// arrives beyond what drains, and empties while the far end is silent. Of what is offered a part goes to the rings,
// where it may have to wait. When nothing drains, the far end is reminded before it continues by itself.
func (l *Lab) pauseClass(port, priority int, offered, ring float64) {
	if offered == 0 {
		return
	}
	sum, p := &l.loads[port], &l.plan.ports[port]
	drains := sum.drains * (1 - l.links[port].Waiting*ring/offered)
	if drains >= 1 {
		return
	}
	if drains <= 0 {
		l.countPause(port, priority, send, stepMicroseconds/pause.Duration(pause.MaxQuanta, p.rate), stepMicroseconds)
		return
	}
	arrives := offered * sum.passes[receive]
	drained := arrives * drains
	swing := (pause.HighMark - pause.LowMark) * p.buffer
	cycle := swing/drained + swing/(arrives-drained) // in steps
	l.countPause(port, priority, send, 2/cycle, (1-drains)*stepMicroseconds)
}

// countPause counts pause frames and microseconds: of frames that were sent, the far end's rest; of frames that were
// received, our own.
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
	first := *counted == 0 && held > 0 // no time without a frame that asked for it
	if first && n == 0 {
		n, *frameRest = 1, 0
	}
	lost := l.crossCable(port, priority, direction, n)
	cells := l.portCells(port)
	if direction == receive && lost > 0 {
		if first && lost == n {
			lost--
		}
		countDamage(cells, lost)
		cells[counter.ArrivedPackets] += lost
		cells[counter.WireBytesReceived] += lost * controlFrame
		n -= lost
	}
	*counted += n
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
