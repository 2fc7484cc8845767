package timeline

import (
	"slices"
	"sort"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/themes"
	"cxdeck/views/deck"
)

// Mark is an event or a change on the time axis.
type Mark struct {
	At   time.Time
	Role themes.Role
	Text string
	// Change is the number of the change; 0 for an event.
	Change uint64
}

const (
	maximumMarks = 4000 // the newest are kept
	marksInView  = 400  // the newest are drawn
)

// Marks holds the events and applied changes of a monitor, oldest first.
type Marks struct {
	list []Mark
	// position is the next event of the log; resets changes when the log was restarted.
	position, resets int
}

// Update adds the new events of a log, or all of them after the log was restarted.
func (m *Marks) Update(log *deck.EventLog) {
	if log.Resets() != m.resets {
		*m = Marks{resets: log.Resets()}
	}
	first, end := log.Span()
	for m.position = max(m.position, first); m.position < end; m.position++ {
		m.add(eventMark(log.At(m.position)))
	}
	if over := len(m.list) - maximumMarks; over > 0 {
		m.list = slices.Delete(m.list, 0, over)
	}
}

// add inserts a mark by its time; most marks come in order.
func (m *Marks) add(mark Mark) {
	i := len(m.list)
	for i > 0 && m.list[i-1].At.After(mark.At) {
		i--
	}
	m.list = slices.Insert(m.list, i, mark)
}

// Between appends the newest marks in [from, to) to dst, oldest first.
func (m *Marks) Between(from, to time.Time, dst []Mark) []Mark {
	first := sort.Search(len(m.list), func(i int) bool { return !m.list[i].At.Before(from) })
	end := sort.Search(len(m.list), func(i int) bool { return !m.list[i].At.Before(to) })
	return append(dst, m.list[max(first, end-marksInView):end]...)
}

// Next returns the time of the first mark after a time, or of the last one before it.
func (m *Marks) Next(from time.Time, direction int) (time.Time, bool) {
	if direction < 0 {
		i := sort.Search(len(m.list), func(i int) bool { return !m.list[i].At.Before(from) })
		if i == 0 {
			return time.Time{}, false
		}
		return m.list[i-1].At, true
	}
	i := sort.Search(len(m.list), func(i int) bool { return m.list[i].At.After(from) })
	if i == len(m.list) {
		return time.Time{}, false
	}
	return m.list[i].At, true
}

// Nearest returns the mark closest to a time, at most reach away; the later one of two.
func Nearest(list []Mark, at time.Time, reach time.Duration) (Mark, bool) {
	best, found := Mark{}, false
	for _, m := range list {
		distance := m.At.Sub(at).Abs()
		if distance <= reach && (!found || distance <= best.At.Sub(at).Abs()) {
			best, found = m, true
		}
	}
	return best, found
}

// eventMark returns the mark of an event.
func eventMark(e *eventlog.Event) Mark {
	m := Mark{At: e.Time, Role: themes.Info, Text: e.Message}
	switch e.Severity {
	case eventlog.Warning:
		m.Role = themes.Warn
	case eventlog.Error:
		m.Role = themes.Bad
	case eventlog.Information:
	}
	if deck.IsChange(e) {
		m.Change = deck.ChangeNumber(e)
		m.Text += " (" + e.Source + ")"
		if e.Severity == eventlog.Information {
			m.Role = themes.Pending
		}
	}
	if e.Adapter != "" {
		m.Text = e.Adapter + ": " + deck.EventText(e)
	}
	return m
}
