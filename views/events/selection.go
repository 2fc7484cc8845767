package events

import (
	"slices"

	"cxdeck/driver/eventlog"
	"cxdeck/views/browse"
	"cxdeck/views/deck"
)

// severityCount is the number of severities.
const severityCount = int(eventlog.Error) + 1

// criteria select the visible events.
type criteria struct {
	hidden  [severityCount]bool
	source  string // empty for all
	adapter string // empty for all
	text    *browse.Filter
}

// active reports whether any criterion is set.
func (c *criteria) active() bool {
	return c.hidden != [severityCount]bool{} || c.source != "" || c.adapter != "" || c.text.Active()
}

// match reports whether an event meets all criteria.
func (c *criteria) match(e *eventlog.Event) bool {
	if c.hidden[min(int(e.Severity), severityCount-1)] ||
		c.source != "" && e.Source != c.source || c.adapter != "" && e.Adapter != c.adapter {
		return false
	}
	return c.text.Match(e.Message, e.Adapter, e.Source, e.Key)
}

// selection holds the positions of the matching events, oldest first. Updates read only new events; after a change of the
// criteria all events are read again.
type selection struct {
	positions []int
	next      int // the position after the last event that was read
	resets    int // of the log that the positions belong to
}

// update adds new events of the log and removes dropped ones. It returns the number of added events; fresh is set if all
// events were read again.
func (s *selection) update(log *deck.EventLog, c *criteria, again bool) (added int, fresh bool) {
	first, end := log.Span()
	if again || s.resets != log.Resets() {
		*s = selection{positions: s.positions[:0], resets: log.Resets()}
		fresh = true
	}
	if old, _ := slices.BinarySearch(s.positions, first); old > 0 {
		s.positions = slices.Delete(s.positions, 0, old)
	}
	for at := max(s.next, first); at < end; at++ {
		if c.match(log.At(at)) {
			s.positions = append(s.positions, at)
			added++
		}
	}
	s.next = end
	return added, fresh
}

// newest returns the position of the n-th shown event, counted from the newest.
func (s *selection) newest(n int) int { return s.positions[len(s.positions)-1-n] }

// row returns the row of an event, counted from the newest; for a hidden event it is the next older shown one.
func (s *selection) row(position int) int {
	i, found := slices.BinarySearch(s.positions, position)
	if !found {
		i--
	}
	return len(s.positions) - 1 - max(i, 0)
}
