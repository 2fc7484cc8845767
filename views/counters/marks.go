package counters

import (
	"slices"
	"sort"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/themes"
	"cxdeck/views/deck"
)

// mark is something that happened, on the time axis.
type mark struct {
	at   time.Time
	role themes.Role
	text string
	// change is the number of the change that it is, 0 for another event.
	change uint64
}

const (
	maximumMarks = 4000 // kept, the newest
	marksInView  = 400  // drawn, the newest
)

// marks are the events and applied changes of a monitor, oldest first.
type marks struct {
	list []mark
	// position is the next event of the log; resets changes when the log was restarted.
	position, resets int
}

// update takes over what is new.
func (m *marks) update(log *deck.EventLog) {
	if log.Resets() != m.resets {
		*m = marks{resets: log.Resets()}
	}
	first, end := log.Span()
	for m.position = max(m.position, first); m.position < end; m.position++ {
		m.add(eventMark(log.At(m.position)))
	}
	if over := len(m.list) - maximumMarks; over > 0 {
		m.list = slices.Delete(m.list, 0, over)
	}
}

// add puts a mark at its time; most come in order.
func (m *marks) add(one mark) {
	i := len(m.list)
	for i > 0 && m.list[i-1].at.After(one.at) {
		i--
	}
	m.list = slices.Insert(m.list, i, one)
}

// between appends the newest marks in [from, to) to dst, oldest first.
func (m *marks) between(from, to time.Time, dst []mark) []mark {
	first := sort.Search(len(m.list), func(i int) bool { return !m.list[i].at.Before(from) })
	end := sort.Search(len(m.list), func(i int) bool { return !m.list[i].at.Before(to) })
	return append(dst, m.list[max(first, end-marksInView):end]...)
}

// next returns the time of the first mark after a time, or of the last one before it.
func (m *marks) next(from time.Time, direction int) (time.Time, bool) {
	if direction < 0 {
		i := sort.Search(len(m.list), func(i int) bool { return !m.list[i].at.Before(from) })
		if i == 0 {
			return time.Time{}, false
		}
		return m.list[i-1].at, true
	}
	i := sort.Search(len(m.list), func(i int) bool { return m.list[i].at.After(from) })
	if i == len(m.list) {
		return time.Time{}, false
	}
	return m.list[i].at, true
}

// nearestMark returns the mark closest to a time, no further away than reach.
func nearestMark(list []mark, at time.Time, reach time.Duration) (mark, bool) {
	best, found := mark{}, false
	for _, m := range list {
		distance := m.at.Sub(at).Abs()
		if distance <= reach && (!found || distance <= best.at.Sub(at).Abs()) {
			best, found = m, true
		}
	}
	return best, found
}

// eventMark returns the mark of an event.
func eventMark(e *eventlog.Event) mark {
	m := mark{at: e.Time, role: themes.Info, text: e.Message}
	switch e.Severity {
	case eventlog.Warning:
		m.role = themes.Warn
	case eventlog.Error:
		m.role = themes.Bad
	case eventlog.Information:
	}
	if deck.IsChange(e) {
		m.change = deck.ChangeNumber(e)
		m.text += " (" + e.Source + ")"
		if e.Severity == eventlog.Information {
			m.role = themes.Pending
		}
	}
	if e.Adapter != "" {
		m.text = e.Adapter + ": " + deck.EventText(e)
	}
	return m
}
