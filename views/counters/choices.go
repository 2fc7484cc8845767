package counters

import (
	"fmt"
	"math"
	"time"

	"cxdeck/ui"
	"cxdeck/views/counters/dimension"
)

// toggleHighlight highlights the selected curve, or removes its highlight.
func (s *Screen) toggleHighlight() {
	i := s.selected()
	if i < 0 || i == s.highlighted() {
		s.highlight = ""
		return
	}
	s.highlight = s.curves[i].path
}

func (s *Screen) removeSelected() ui.Cmd {
	i := s.selected()
	if i < 0 {
		return nil
	}
	s.curves.remove(i)
	s.why, s.awaiting, s.live = "", -1, -1
	s.curvesChanged()
	return s.saveLayoutSoon()
}

func (s *Screen) clearCurves() ui.Cmd {
	s.curves, s.why, s.title, s.awaiting, s.live = s.curves[:0], "", "Counters", -1, -1
	s.curvesChanged()
	return s.saveLayoutSoon()
}

// addPaths adds curves; a toast says how many did not fit.
func (s *Screen) addPaths(paths []string) ui.Cmd {
	added, duplicates := 0, 0
	for _, path := range paths {
		switch {
		case s.curves.add(s.schema, path):
			added++
		case s.curves.index(path) >= 0:
			duplicates++
		}
	}
	s.why, s.awaiting, s.live = "", -1, -1
	s.curvesChanged()
	if added > 0 {
		s.legend.List.Select(len(s.curves) - added)
	}
	cmd := s.saveLayoutSoon()
	switch left := len(paths) - added - duplicates; {
	case left > 0:
		return ui.Batch(cmd, ui.Toast(ui.Caution, fmt.Sprintf("%d counters were added; %d more did not fit: the maximum is %d.",
			added, left, maximumCurves)))
	case added == 0 && duplicates > 0:
		return ui.Batch(cmd, ui.Toast(ui.Note, "These counters are shown already."))
	}
	return cmd
}

// nextScale selects the next scale. The manual scale starts with the current top of the axis.
func (s *Screen) nextScale() ui.Cmd {
	s.scale = (s.scale + 1) % scaleCount
	s.changes++
	if s.scale == scaleManual && s.manual == 0 {
		s.manual = s.picture.axis.high
		return ui.Batch(s.saveLayoutSoon(), ui.Toast(ui.Note, "The scale stays at this value; = types another one."))
	}
	return s.saveLayoutSoon()
}

// askScale asks for the top of the axis.
func (s *Screen) askScale() ui.Cmd {
	lead := s.picture.axis.lead
	initial := ""
	if s.manual > 0 {
		initial = lead.Number(s.manual, s.deck.InBytes)
	}
	inBytes := s.deck.InBytes
	return ui.Prompt("Scale", "Value at the top of the axis, in "+lead.Name(inBytes)+" (40G, 500k)", initial,
		func(text string) string {
			_, err := topOfAxis(text, lead, inBytes)
			if err != nil {
				return err.Error()
			}
			return ""
		},
		func(text string) ui.Cmd {
			value, err := topOfAxis(text, lead, inBytes)
			if err != nil {
				return ui.Toast(ui.Failure, err.Error())
			}
			s.manual, s.scale = value, scaleManual
			s.changes++
			return s.saveLayoutSoon()
		})
}

// topOfAxis parses the value for the top of the axis; it must be above 0.
func topOfAxis(text string, d dimension.Dimension, inBytes bool) (float64, error) {
	value, percent, err := d.Parse(text, inBytes)
	switch {
	case err != nil:
		return 0, err
	case percent:
		return 0, fmt.Errorf("type a value, not a percentage; Y has a scale by line rate")
	case !(value > 0):
		return 0, fmt.Errorf("the top of the axis must be above 0")
	}
	return value, nil
}

// setCurveScale multiplies the selected curve's own scale; a curve of the axis's unit drops its own scale at 1.
func (s *Screen) setCurveScale(by float64) {
	i := s.selected()
	if i < 0 {
		return
	}
	c := &s.curves[i]
	scale := c.scale
	if scale == 0 {
		scale = 1
		if i < len(s.picture.axis.scales) && s.picture.axis.scales[i] > 0 && !s.picture.axis.percent {
			scale = s.picture.axis.scales[i]
		}
	}
	// Round to a power of ten: rounding errors must not add up.
	c.scale = math.Pow10(int(math.Round(math.Log10(scale * by))))
	if c.scale == 1 && c.Dimension == s.picture.axis.lead {
		c.scale = 0
	}
}

// cursorStep returns the step of the cursor: one piece of the chart, at least one sample.
func (s *Screen) cursorStep() time.Duration {
	return max(s.picture.frame.PieceLength, s.sampleInterval())
}

// moveCursorTo moves the cursor to a time, within the times that can be shown.
func (s *Screen) moveCursorTo(at time.Time) {
	oldest, newest := s.timeRange()
	s.time.SetCursor(at, oldest, newest)
	s.changes++
}

// timeRange returns the oldest and newest time that can be shown.
func (s *Screen) timeRange() (oldest, newest time.Time) {
	oldest, newest = s.picture.oldest, s.picture.newest
	if window := s.monitor.Window(); window != nil && (newest.IsZero() || !s.time.Frozen) {
		oldest, newest, _ = window.Span()
	}
	if from, _, ok := s.seekable(); ok {
		oldest = from
	}
	return oldest, newest
}

// goToMark goes to the previous mark (-1) or the next one (1): it seeks to it in a session, otherwise it moves the cursor.
func (s *Screen) goToMark(direction int) ui.Cmd {
	at, ok := s.nextMark(direction)
	if !ok {
		return nil
	}
	if len(s.moments()) > 0 {
		return s.seek(at)
	}
	s.moveCursorTo(at)
	return s.readPast()
}

// nextMark returns the time of the previous or next mark, from the cursor or the position of the replay.
func (s *Screen) nextMark(direction int) (time.Time, bool) {
	if len(s.moments()) > 0 {
		before, after := s.deck.Opened().Around(s.place())
		if direction < 0 {
			return before, !before.IsZero()
		}
		return after, !after.IsZero()
	}
	from := s.time.Cursor
	if from.IsZero() {
		from = s.time.Last(s.picture.newest).Add(time.Nanosecond)
	}
	return s.marks.Next(from, direction)
}

// noMark returns why there is no mark to go to; empty if there is one.
func (s *Screen) noMark(direction int) string {
	_, ok := s.nextMark(direction)
	switch {
	case ok:
		return ""
	case direction < 0:
		return "no event or change is known before this time"
	default:
		return "no event or change is known after this time"
	}
}

// canRelease reports whether release would change anything.
func (s *Screen) canRelease() bool {
	return s.hasRange() || !s.time.Cursor.IsZero() || s.highlight != "" || !s.time.Following() && !s.time.Frozen
}

// release clears the first of these that is set: the marked range, the cursor, the highlight, the scrolled time.
func (s *Screen) release() {
	switch {
	case s.hasRange():
		s.deck.DropRange()
	case !s.time.Cursor.IsZero():
		s.time.Cursor = time.Time{}
	case s.highlight != "":
		s.highlight = ""
	case !s.time.Frozen:
		s.time.End = time.Time{}
	}
}
