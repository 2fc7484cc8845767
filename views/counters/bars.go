package counters

import (
	"math"

	"cxdeck/ui/widget"
)

// makeBars makes one bar per curve: its newest value, or its value at the cursor.
func (s *Screen) makeBars() {
	p := &s.picture
	p.bars = p.bars[:0]
	for i := range s.curves {
		c, r := &s.curves[i], &p.rows[i]
		value, text := r.statistics.Last, r.cells[columnLast]
		if !s.time.Cursor.IsZero() {
			value, text = r.at, r.cells[columnCursor]
		}
		value = value*p.axis.factors[i] - max(p.axis.low, 0)
		if s.log && value > 0 {
			value = logPart(value, p.axis.low, p.axis.high) * (p.axis.high - p.axis.low)
		}
		if math.IsNaN(value) {
			value = 0
		}
		label := string(c.letter()) + " " + c.title()
		if c.instance != "" {
			label = string(c.letter()) + " " + c.instance + "  " + c.title()
		}
		p.bars = append(p.bars, widget.Bar{Label: label, Value: value, Text: text, Role: c.role()})
	}
}

// logPart returns the position of a value on a logarithmic axis, from 0 at low to 1 at high.
func logPart(value, low, high float64) float64 {
	if value <= low || low <= 0 || high <= low {
		return 0
	}
	return math.Log(value/low) / math.Log(high/low)
}

// drawBars draws the bars that fit around the selected one.
func (s *Screen) drawBars(area widget.Area) {
	p := &s.picture
	s.barList.SetLength(len(p.bars))
	s.barList.SetHeight(area.Height)
	s.barList.Select(s.selected())
	from, to := s.barList.Visible()
	if to <= from {
		return
	}
	widget.DrawBars(area.Sub(1, 0, area.Width-2, area.Height), p.bars[from:to], p.axis.high-max(p.axis.low, 0))
	for i := from; i < to; i++ {
		area.Zone(0, i-from, area.Width, 1, zoneBars, i)
	}
	if i := s.selected(); i >= from && i < to {
		area.Set(0, i-from, area.Glyphs().Closed, attention)
	}
}
