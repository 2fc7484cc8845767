package device

import (
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/pause"
	"cxdeck/device/setup"
)

// flowControl is how the two ends of a link stop each other. The sets have a bit for each priority and for Untagged.
type flowControl struct {
	mode pause.Mode // of the frames that this end sends
	// asked: this end asks the far end to wait when these fill. heeded: and that listens. obeyed: the far end is
	// listened to when it asks.
	asked, heeded, obeyed uint16
	farGlobal, farSilent  bool
}

const everyPriority = 1<<counter.Priorities - 1

func newFlowControl(s *setup.Port, far *setup.SwitchPort, ethernet bool) (c flowControl) {
	if !ethernet { // InfiniBand waits for credits and has no pause frames
		return c
	}
	c.farGlobal, c.farSilent = far.FlowControl == description.GlobalPause, far.FlowControl == description.NoFlowControl
	if s.QoS && s.Lossless != 0 {
		c.mode, c.asked = pause.PerPriority, uint16(s.Lossless)
		if far.FlowControl == description.PriorityPause {
			c.heeded = c.asked & uint16(far.Lossless)
			c.obeyed = c.heeded
		}
		if s.UntaggedLossless { // QOS-14
			c.asked |= 1 << counter.Untagged
			if far.FlowControl == description.PriorityPause {
				c.heeded |= 1 << counter.Untagged
			}
		}
		return c
	}
	if s.AsksPause {
		c.mode, c.asked = pause.Global, everyPriority
		if c.farGlobal {
			c.heeded = everyPriority
		}
	}
	if s.ObeysPause && c.farGlobal {
		c.obeyed = everyPriority
	}
	return c
}

func (c *flowControl) requestsPause(priority int) bool { return c.asked>>priority&1 == 1 }

// listens reports whether the far end waits when it is asked to for a priority.
func (c *flowControl) listens(priority int) bool { return c.heeded>>priority&1 == 1 }

// holds reports whether a pause of the far end that names a priority stops frames of another or the same.
func (c *flowControl) holds(named, priority int) bool {
	return c.obeyed>>priority&1 == 1 && (c.farGlobal || named == priority)
}

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
	if s.faults[description.FarEndPause] == 0 || !s.Up || s.silent || c.farSilent {
		return
	}
	priority := s.pausePriority
	if c.farGlobal {
		priority = counter.Untagged
	}
	if !c.holds(s.pausePriority, priority) {
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
	switch c.mode {
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
	n := whole(frameRest, frames)
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
	l.counters[counter.PriorityCell(port, priority, clock)] += whole(clockRest, held)
	cells[total] += n * controlFrame
	cells[total+1] += n
	cells[control] += n
	if direction == receive {
		cells[counter.ArrivedPackets] += n
		cells[counter.WireBytesReceived] += n * controlFrame
	}
	l.loads[port].control[direction] += float64(n) * (controlFrame + l.plan.ports[port].overhead)
}
