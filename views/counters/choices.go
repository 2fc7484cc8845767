package counters

import (
	"fmt"
	"math"
	"time"

	"cxdeck/ui"
	"cxdeck/views/counters/dimension"
)

// toggleHighlight emphasises the selected curve, or none.
func (s *Screen) toggleHighlight() {
	i := s.selected()
	if i < 0 || i == s.highlighted() {
		s.highlight = ""
		return
	}
	s.highlight = s.curves[i].path
}

// removeSelected takes the selected curve away.
func (s *Screen) removeSelected() ui.Cmd {
	i := s.selected()
	if i < 0 {
		return nil
	}
	s.curves.remove(i)
	s.why, s.awaiting, s.live = "", -1, -1
	s.curvesChanged()
	return s.changedLayout()
}

// clearCurves takes all curves away.
func (s *Screen) clearCurves() ui.Cmd {
	s.curves, s.why, s.title, s.awaiting, s.live = s.curves[:0], "", "Counters", -1, -1
	s.curvesChanged()
	return s.changedLayout()
}

// addPaths adds curves, and says how many there were no room for.
func (s *Screen) addPaths(paths []string) ui.Cmd {
	added, twice := 0, 0
	for _, path := range paths {
		switch {
		case s.curves.add(s.schema, path):
			added++
		case s.curves.index(path) >= 0:
			twice++
		}
	}
	s.why, s.awaiting, s.live = "", -1, -1
	s.curvesChanged()
	if added > 0 {
		s.legend.List.Select(len(s.curves) - added)
	}
	cmd := s.changedLayout()
	switch left := len(paths) - added - twice; {
	case left > 0:
		return ui.Batch(cmd, ui.Toast(ui.Caution, fmt.Sprintf("%d counters were added; %d more did not fit: the maximum is %d.",
			added, left, maximumCurves)))
	case added == 0 && twice > 0:
		return ui.Batch(cmd, ui.Toast(ui.Note, "These counters are shown already."))
	}
	return cmd
}

// nextScale goes through the scales; the manual one asks for its value the first time.
func (s *Screen) nextScale() ui.Cmd {
	s.scale = (s.scale + 1) % scaleCount
	s.changes++
	if s.scale == scaleManual && s.manual == 0 {
		s.manual = s.picture.axis.high
		return ui.Batch(s.changedLayout(), ui.Toast(ui.Note, "The scale stays at this value; = types another one."))
	}
	return s.changedLayout()
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
			return s.changedLayout()
		})
}

// topOfAxis reads the value of the axis' top.
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

// setCurveScale sets the selected curve's own scale; at 1 a curve with an axis drops it.
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
	// Whole powers of ten, however often it was pressed.
	c.scale = math.Pow10(int(math.Round(math.Log10(scale * by))))
	if c.scale == 1 && c.Dimension == s.picture.axis.lead {
		c.scale = 0
	}
}

// cursorStep returns how far the cursor moves: one piece of the chart, but no less than a sample.
func (s *Screen) cursorStep() time.Duration {
	return max(s.picture.frame.PieceLength, s.sampleInterval())
}

// moveCursorTo puts the cursor on a time.
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

// goToMark goes to the mark before (-1) or after (1): a recording moves to the session's event, otherwise the cursor to
// the mark.
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

// nextMark returns the time of the mark before or after where the operator is.
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

// noMark returns why there is nothing to go to.
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

// release drops the marked range, then the cursor, then the highlight, then the time that was scrolled to.
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
