package deck

import (
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
)

// EventLimit is how many events are kept for the screens.
const EventLimit = 10_000

// EventLog is the screens' own copy of a monitor's newest events, oldest first, and of the changes that the operator
// applied between them. Positions rise by one with each event
// and stay good while older events are dropped, so that a screen can filter what is new and nothing else.
type EventLog struct {
	monitor eventer
	after   uint64
	applied int // how many changes were taken over
	first   int // the position of events[0]
	events  []eventlog.Event
	resets  int
}

// Span returns the first position that is kept and the one after the last.
func (l *EventLog) Span() (first, end int) { return l.first, l.first + len(l.events) }

// At returns the event at a position; nil outside Span.
func (l *EventLog) At(position int) *eventlog.Event {
	if position < l.first || position-l.first >= len(l.events) {
		return nil
	}
	return &l.events[position-l.first]
}

// Resets counts how often the log was restarted, because another monitor is shown or was
// sought: positions from before mean nothing.
func (l *EventLog) Resets() int { return l.resets }

// eventer is the source of a log: a monitor.
type eventer interface {
	Events(after uint64, limit int) []eventlog.Event
}

// catchUp takes over what the monitor has seen since the last call. A monitor that was sought to another time has
// forgotten its events: then the log restarts, as it does with another monitor.
//
// journal are the changes; each one up to now is inserted before the first new event that is not older.
func (l *EventLog) catchUp(monitor eventer, journal []driver.Entry, now time.Time) {
	if monitor != l.monitor {
		*l = EventLog{monitor: monitor, resets: l.resets + 1}
	}
	if monitor == nil {
		return
	}
	defer func() { l.change(journal, now) }()
	if l.after > 0 {
		// The newest event is asked for again: when it does not come, it was forgotten.
		events := monitor.Events(l.after-1, EventLimit+1)
		if len(events) > 0 && events[0].Sequence == l.after {
			l.add(events[1:], journal)
			return
		}
		*l = EventLog{monitor: monitor, resets: l.resets + 1}
	}
	l.add(monitor.Events(0, EventLimit), journal)
}

// add appends events and drops the oldest, a quarter at a time so that it costs little.
func (l *EventLog) add(events []eventlog.Event, journal []driver.Entry) {
	if len(events) == 0 {
		return
	}
	for i := range events {
		l.change(journal, events[i].Time)
		l.events = append(l.events, events[i])
	}
	l.after = events[len(events)-1].Sequence
	if over := len(l.events) - EventLimit; over > EventLimit/4 {
		l.events = slices.Delete(l.events, 0, over)
		l.first += over
	}
}

// You is the source of events made of the console's own changes; other changes have the name of their maker.
const You = "you"

// IsChange reports whether an event is a change of the journal, by any author.
func IsChange(e *eventlog.Event) bool { return e.Sequence >= changes }

// ChangeNumber returns the number of the change that an event is made of.
func ChangeNumber(e *eventlog.Event) uint64 { return e.Sequence - changes }

// maker is who made a change, as the source of an event.
func maker(e *driver.Entry) string {
	if e.By == "" || e.By == "console" {
		return You
	}
	return e.By
}

// change appends the changes up to a time.
func (l *EventLog) change(journal []driver.Entry, until time.Time) {
	for ; l.applied < len(journal) && !journal[l.applied].Time.After(until); l.applied++ {
		l.events = append(l.events, changeEvent(&journal[l.applied]))
	}
}

// changes is where the sequence numbers of changes begin, apart from the events' numbers.
const changes = 1 << 63

// changeEvent returns a change as an event.
func changeEvent(e *driver.Entry) eventlog.Event {
	event := eventlog.Event{Sequence: changes + e.Sequence, Time: e.Time, Source: maker(e), Message: e.Plan.Title}
	switch {
	case e.Unread != "":
		event.Severity, event.Message = eventlog.Warning, "can't be read: "+e.Plan.Title+": "+e.Unread
	case e.Err != "":
		event.Severity, event.Message = eventlog.Error, "failed: "+e.Plan.Title+": "+e.Err
	case e.Undoes != 0 && !strings.HasPrefix(e.Plan.Title, "Undo"):
		event.Message = "undone: " + e.Plan.Title
	}
	return event
}
