package deck

import (
	"slices"

	"cxdeck/driver"
)

// EventLimit is how many events are kept for the screens.
const EventLimit = 10_000

// EventLog is the screens' own copy of a monitor's newest events, oldest first. Positions rise by one with each event
// and stay good while older events are dropped, so that a screen can filter what is new and nothing else.
type EventLog struct {
	monitor eventer
	after   uint64
	first   int // the position of events[0]
	events  []driver.Event
	resets  int
}

// Span is the first position that is kept and the one after the last.
func (l *EventLog) Span() (first, end int) { return l.first, l.first + len(l.events) }

// At is the event at a position; nil outside Span.
func (l *EventLog) At(position int) *driver.Event {
	if position < l.first || position-l.first >= len(l.events) {
		return nil
	}
	return &l.events[position-l.first]
}

// Resets counts how often the log began anew, because another monitor is shown or was
// sought: positions from before mean nothing.
func (l *EventLog) Resets() int { return l.resets }

// eventer is what a log is copied from: a monitor.
type eventer interface {
	Events(after uint64, limit int) []driver.Event
}

// catchUp takes over what the monitor has seen since the last call. A monitor that was sought to another time has
// forgotten its events: then the log begins anew, as it does with another monitor.
func (l *EventLog) catchUp(monitor eventer) {
	if monitor != l.monitor {
		*l = EventLog{monitor: monitor, resets: l.resets + 1}
	}
	if monitor == nil {
		return
	}
	if l.after > 0 {
		// The newest event is asked for again: when it does not come, it was forgotten.
		events := monitor.Events(l.after-1, EventLimit+1)
		if len(events) > 0 && events[0].Sequence == l.after {
			l.add(events[1:])
			return
		}
		*l = EventLog{monitor: monitor, resets: l.resets + 1}
	}
	l.add(monitor.Events(0, EventLimit))
}

// add appends events and drops the oldest, a quarter at a time so that it costs little.
func (l *EventLog) add(events []driver.Event) {
	if len(events) == 0 {
		return
	}
	l.events = append(l.events, events...)
	l.after = events[len(events)-1].Sequence
	if over := len(l.events) - EventLimit; over > EventLimit/4 {
		l.events = slices.Delete(l.events, 0, over)
		l.first += over
	}
}
