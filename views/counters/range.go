package counters

import (
	"time"

	"cxdeck/ui"
	"cxdeck/views/moment"
)

// rangeAction marks the start or the end of a range at the cursor.
func (s *Screen) rangeAction() ui.Action {
	var at time.Time
	if !s.picture.empty && !s.picture.newest.IsZero() {
		at = s.cursorTime()
	}
	a := s.deck.RangeAction(ID, at)
	if mark := a.Run; mark != nil {
		a.Run = s.moveInTime(func() { mark() })
	}
	return a
}

// rangeShown returns the ends of the marked range, of the repeated range, or of the range that is being marked, which ends
// at the cursor; zero for none.
func (s *Screen) rangeShown() (from, to time.Time) {
	if r, ok := s.deck.MarkedRange(); ok {
		return r.From, r.To
	}
	if s.repeats() {
		return s.status.RepeatFrom, s.status.RepeatTo
	}
	from, ok := s.deck.RangeBegun()
	if !ok {
		return from, to
	}
	to = s.cursorTime()
	if to.Before(from) {
		return to, from
	}
	return from, to
}

// repeats reports whether the replay repeats a range.
func (s *Screen) repeats() bool { return s.status.RepeatFrom.Before(s.status.RepeatTo) }

// hasRange reports whether a range is marked or being marked.
func (s *Screen) hasRange() bool {
	from, _ := s.rangeShown()
	return !from.IsZero()
}

// rangeNote returns the text about the marked range in the title line; empty for none.
func (s *Screen) rangeNote() string {
	from, to := s.rangeShown()
	switch _, open := s.deck.RangeBegun(); {
	case from.IsZero():
		return ""
	case open && !to.After(from):
		return "range from " + s.clock(from) + " on"
	case s.repeats() && from.Equal(s.status.RepeatFrom) && to.Equal(s.status.RepeatTo):
		return "repeats " + s.clock(from) + " to " + s.clock(to) + ", " + moment.Span(to.Sub(from))
	}
	return "range " + s.clock(from) + " to " + s.clock(to) + ", " + moment.Span(to.Sub(from))
}

// dragRange marks the range from the pressed cell of the chart to the current one, once they differ.
func (s *Screen) dragRange(at time.Time) {
	if s.picture.empty || s.pressed.IsZero() {
		return
	}
	s.moveCursorTo(at)
	if !s.time.Cursor.Equal(s.pressed) {
		s.deck.MarkRange(s.pressed, s.time.Cursor)
	}
}
