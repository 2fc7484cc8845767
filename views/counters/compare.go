package counters

import (
	"time"

	"cxdeck/perf/compare"
	"cxdeck/ui"
	"cxdeck/views/counters/timeline"
	"cxdeck/views/deck"
)

// whatChangedAction opens History with a comparison of a range with the time before it: the marked range, the time around the
// cursor or from the mark under it, or the end of the visible time.
func (s *Screen) whatChangedAction() ui.Action {
	a := ui.Action{ID: "counters.moved", Keys: []string{"W"}, Name: "what changed",
		Help: "Rank all counters by change against the time before: in the marked range, around the cursor, from the event or change under it, or at the end of the visible time"}
	if s.monitor == nil || s.picture.empty || s.picture.newest.IsZero() {
		a.Disabled = "there is no sample yet"
		return a
	}
	request := s.whatChanged()
	a.Run = func() ui.Cmd { return ui.Go("history", request) }
	return a
}

const (
	// cursorPart is the divisor of the window's length that gives the range around the cursor.
	cursorPart = 10
	// markReach is the maximum distance between the cursor and a mark under it, in pieces of the chart.
	markReach = 2
)

// whatChanged returns the request to History.
func (s *Screen) whatChanged() any {
	if r, ok := s.deck.MarkedRange(); ok {
		return deck.WhatChanged{Range: r}
	}
	length := timeline.Spans[s.time.Span].Length
	cursor := s.time.Cursor
	if cursor.IsZero() {
		end := s.time.Last(s.picture.newest)
		return deck.WhatChanged{Range: compare.Range{From: end.Add(-length / 5), To: end}, Why: "at the end of the visible time"}
	}
	if m, ok := timeline.Nearest(s.picture.inView, cursor, markReach*s.picture.frame.PieceLength); ok {
		if m.Change != 0 {
			return deck.AroundChange{Change: m.Change}
		}
		return deck.WhatChanged{Range: compare.Range{From: m.At, To: m.At.Add(deck.EventPeriod)}, Why: "after " + s.clock(m.At) + " " + m.Text}
	}
	half := max(length/cursorPart/2, time.Duration(minCursorSamples)*s.sampleInterval())
	return deck.WhatChanged{Range: compare.Range{From: cursor.Add(-half), To: cursor.Add(half)}, Why: "around " + s.clock(cursor)}
}

// minCursorSamples is the minimum number of samples on each side of the cursor.
const minCursorSamples = 3

// compareAction compares two marked ranges, of one session or of two: it keeps the first until the second is marked.
func (s *Screen) compareAction() ui.Action {
	a := ui.Action{ID: "counters.compare", Keys: []string{"c"}, Name: "compare", Hidden: !s.hasRange(),
		Help: "Compare two marked ranges: keep the first one, then mark another, here or in another session, and compare"}
	r, ok := s.deck.MarkedRange()
	switch {
	case !ok:
		a.Disabled = "mark a range first, with V at both of its ends"
	case s.deck.HasKeptRange():
		a.Name = "compare with the kept range"
		a.Run = func() ui.Cmd {
			first := s.deck.TakeKeptRange()
			s.deck.KeepRange(r)
			return ui.Go("history", deck.CompareRanges{First: *first, Second: *s.deck.TakeKeptRange()})
		}
	default:
		a.Name = "keep to compare"
		a.Run = func() ui.Cmd {
			s.deck.KeepRange(r)
			s.deck.DropRange()
			s.changes++
			return ui.Toast(ui.Note, "The range "+s.clock(r.From)+" to "+s.clock(r.To)+" is kept. Mark another range, here or in another session, and press c.")
		}
	}
	return a
}

// addCounter adds a counter to the chart.
func (s *Screen) addCounter(path string) ui.Cmd {
	known := false
	if s.schema != nil {
		_, known = s.schema.Find(path)
	}
	if !known || !s.curves.add(s.schema, path) {
		return ui.Toast(ui.Caution, "The shown source has no counter "+path+", or it is on the chart already.")
	}
	s.live, s.awaiting, s.filled = -1, -1, true
	s.curvesChanged()
	s.changes++
	return s.saveLayoutSoon()
}
