package device

import (
	"cxdeck/device/pause"
	"cxdeck/device/wire"
)

// pauseRest carries what was left of whole frames and microseconds, of pause frames in both ways.
type pauseRest struct{ sent, farEnd, received, self float64 }

// farEndHold is how long one pause of the switch holds, in microseconds; it sends a frame to stop and one to go on.
const farEndHold = 160.0

// controlFrame is the length of a pause frame from header to FCS.
const controlFrame = 64

const stepMicroseconds = float64(Step / 1000)

// pauseFromFarEnd counts the pause frames that the far end sends in a step, and the time it holds this end back.
func (l *Lab) pauseFromFarEnd(port int) {
	s, p := &l.links[port], &l.plant.ports[port]
	if s.pauseShare == 0 || !s.up {
		return
	}
	priority := s.pausePriority
	if p.global {
		priority = Untagged
	} else if p.lossless>>priority&1 == 0 {
		return
	}
	held := s.pauseShare * stepMicroseconds
	l.countPause(port, priority, receive, 2*held/farEndHold, held)
}

// pauseFarEnd counts the pause frames that this end sends in a step because its slot takes less than what arrives.
func (l *Lab) pauseFarEnd(port int) {
	sum, p := &l.loads[port], &l.plant.ports[port]
	if sum.drains == 1 || p.description.Link == InfiniBand { // InfiniBand waits for credits and has no pause frames
		return
	}
	if p.global {
		all := 0.0
		for _, bytes := range sum.lossless {
			all += bytes
		}
		l.pauseClass(port, Untagged, all)
		return
	}
	for priority, bytes := range sum.lossless {
		l.pauseClass(port, priority, bytes)
	}
}

// pauseClass stops and releases one priority as often as the buffer swings between its two marks: it fills with what
// arrives beyond what drains, and empties while the far end is silent.
func (l *Lab) pauseClass(port, priority int, offered float64) {
	if offered == 0 {
		return
	}
	sum, p := &l.loads[port], &l.plant.ports[port]
	arrives := offered * sum.passes[receive]
	drained := arrives * sum.drains
	swing := (pause.HighMark - pause.LowMark) * p.buffer
	cycle := swing/drained + swing/(arrives-drained) // in steps
	l.countPause(port, priority, send, 2/cycle, (1-sum.drains)*stepMicroseconds)
}

// countPause counts pause frames and microseconds: of frames that were sent, the far end's rest; of frames that were
// received, our own.
func (l *Lab) countPause(port, priority, direction int, frames, held float64) {
	rest := &l.pauses[port*Priorities+priority]
	count, clock, total, control := PauseReceived, SelfPaused, ReceivedBytes, ReceivedControl
	frameRest, clockRest := &rest.received, &rest.self
	if direction == send {
		count, clock, total, control = PauseSent, FarEndPaused, SentBytes, SentControl
		frameRest, clockRest = &rest.sent, &rest.farEnd
	}
	n := whole(frameRest, frames)
	counted := &l.counters[PriorityCell(port, priority, count)]
	if *counted == 0 && n == 0 { // no time without a frame that asked for it
		n, *frameRest = 1, 0
	}
	*counted += n
	l.counters[PriorityCell(port, priority, clock)] += whole(clockRest, held)
	cells := l.counters[port*portStride : (port+1)*portStride]
	cells[total] += n * controlFrame
	cells[total+1] += n
	cells[control] += n
	if direction == receive {
		cells[ArrivedPackets] += n
	}
	l.loads[port].control[direction] += float64(n) * (controlFrame + wire.PreambleGap)
}
