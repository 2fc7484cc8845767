package deck

import (
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
)

// EventLimit is the number of events that are kept for the screens.
const EventLimit = 10_000

// EventLog is the screens' copy of a monitor's newest events and changes, oldest first. Each event has a position, one higher
// than the event before; it stays valid when older events are dropped, so that a screen needs to filter only new events.
type EventLog struct {
	monitor eventer
	after   uint64
	applied int // the number of changes in the log so far
	first   int // the position of events[0]
	events  []eventlog.Event
	resets  int
}

// Span returns the first kept position and the one after the last.
func (l *EventLog) Span() (first, end int) { return l.first, l.first + len(l.events) }

// At returns the event at a position; nil outside Span.
func (l *EventLog) At(position int) *eventlog.Event {
	if position < l.first || position-l.first >= len(l.events) {
		return nil
	}
	return &l.events[position-l.first]
}

// Resets returns how often the log was restarted, because of another monitor or a seek: earlier positions are invalid.
func (l *EventLog) Resets() int { return l.resets }

// eventer is the source of a log: a monitor.
type eventer interface {
	Events(after uint64, limit int) []eventlog.Event
}

// catchUp adds the monitor's new events. After a seek, the monitor no longer has the newest event of the log: then the log
// restarts, as with another monitor.
//
// Each change of the journal up to now is inserted before the first new event that is not older.
func (l *EventLog) catchUp(monitor eventer, journal []driver.Entry, now time.Time) {
	if monitor != l.monitor {
		*l = EventLog{monitor: monitor, resets: l.resets + 1}
	}
	if monitor == nil {
		return
	}
	defer func() { l.change(journal, now) }()
	if l.after > 0 {
		// Request the newest event again, to find out whether the monitor still has it.
		events := monitor.Events(l.after-1, EventLimit+1)
		if len(events) > 0 && events[0].Sequence == l.after {
			l.add(events[1:], journal)
			return
		}
		*l = EventLog{monitor: monitor, resets: l.resets + 1}
	}
	l.add(monitor.Events(0, EventLimit), journal)
}

// add appends events, and drops the oldest once they exceed the limit by a quarter, to drop many at a time.
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

// You is the source of events for the console's own changes; the source of other changes is the name of their author.
const You = "you"

// IsChange reports whether an event is a change of the journal, by any author.
func IsChange(e *eventlog.Event) bool { return e.Sequence >= changes }

// ChangeNumber returns the number of the change of an event for which IsChange is true.
func ChangeNumber(e *eventlog.Event) uint64 { return e.Sequence - changes }

// author returns the author of a change, as the source of its event.
func author(e *driver.Entry) string {
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

// changes is added to the number of a change to get the sequence number of its event, which no other event has.
const changes = 1 << 63

// changeEvent returns the event for a change.
func changeEvent(e *driver.Entry) eventlog.Event {
	event := eventlog.Event{Sequence: changes + e.Sequence, Time: e.Time, Source: author(e), Message: e.Plan.Title}
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
