package counters

import (
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/counters/timeline"
)

// The styles of the screen's own texts.
var (
	plain     = themes.Style{Role: themes.Text}
	muted     = themes.Style{Role: themes.Muted}
	heading   = themes.Style{Role: themes.Title, Attr: themes.Bold}
	attention = themes.Style{Role: themes.Accent}
)

func (s *Screen) Draw(area widget.Area) {
	s.glyph, s.ellipsis = area.Glyphs().Line, area.Glyphs().Ellipsis
	places := arrange(area.Width, area.Height, s.needs())
	s.legend.List.SetLength(len(s.curves))
	plot := subArea(area, places.chart)
	s.refresh(s.dots(plot), plot.Width)
	s.drawTitle(subArea(area, places.title))
	s.drawPlot(plot)
	s.drawLegend(subArea(area, places.legend))
	s.drawDescription(subArea(area, places.description))
	s.drawMarks(subArea(area, places.marks))
}

func subArea(area widget.Area, r rect) widget.Area { return area.Sub(r.x, r.y, r.width, r.height) }

func (s *Screen) needs() needs {
	return needs{curves: len(s.curves), report: s.mode == modeReport}
}

// dots returns the number of dots that fit across the charts.
func (s *Screen) dots(plot widget.Area) int {
	if s.mode == modeLine && s.small {
		if places := tileRect(rect{0, 0, plot.Width, plot.Height}, len(s.groups())); len(places) > 0 {
			return max(1, s.picture.chart.Dots(smallPlot(subArea(plot, places[0]))))
		}
	}
	return max(1, s.picture.chart.Dots(plot))
}

// drawPlot draws the chart, the bars or the report, or a text that explains why there is nothing to draw.
func (s *Screen) drawPlot(area widget.Area) {
	if text := s.blankText(); text != "" {
		drawMessage(area, text)
		return
	}
	switch {
	case s.mode == modeBars:
		s.drawBars(area)
	case s.mode == modeReport:
		s.drawReport(area)
	case s.small:
		s.drawSmall(area)
	default:
		s.picture.chart.Draw(area)
		if !s.hasValue() {
			drawMessage(area, s.noValueText())
		}
	}
}

// drawMessage draws a text in the middle of an area.
func drawMessage(area widget.Area, text string) {
	lines := widget.Wrap(text, max(1, min(area.Width-4, 76)))
	y := max(0, (area.Height-len(lines))/2)
	for i, line := range lines {
		area.Print(max(0, (area.Width-widget.Width(line))/2), y+i, line, muted)
	}
}

func (s *Screen) drawLegend(area widget.Area) {
	if area.Height == 0 {
		return
	}
	s.arrangeLegend(area.Width)
	if len(s.picture.rows) < len(s.curves) {
		s.legend.List.SetLength(len(s.picture.rows))
	}
	s.legend.Draw(area, s.drawRow)
}

// drawDescription draws the description of the selected curve; a text that does not fit is cut in the last line.
func (s *Screen) drawDescription(area widget.Area) {
	lines := s.picture.description
	if s.selected() < 0 {
		return
	}
	for y, line := range lines[:min(len(lines), area.Height)] {
		if y == area.Height-1 && len(lines) > area.Height {
			line += " " + lines[y+1]
		}
		area.PrintCut(1, y, area.Width-2, line, muted)
	}
}

// drawMarks draws the mark under the cursor, or else the newest marks in view.
func (s *Screen) drawMarks(area widget.Area) {
	p := &s.picture
	if area.Height == 0 || len(p.inView) == 0 {
		return
	}
	glyph := string(area.Glyphs().Marker)
	write := func(x int, m timeline.Mark, style themes.Style) int {
		x = area.Print(x, 0, glyph+" ", themes.Style{Role: m.Role})
		x = area.Print(x, 0, s.clock(m.At)+" ", muted)
		return area.PrintCut(x, 0, area.Width-x, m.Text, style)
	}
	area.Zone(0, 0, area.Width, 1, zoneMarks, 0)
	if !s.time.Cursor.IsZero() {
		if m, ok := timeline.Nearest(p.inView, s.time.Cursor, 2*p.frame.PieceLength); ok {
			write(1, m, attention)
			return
		}
	}
	x := 1
	for n := len(p.inView) - 1; n >= 0 && x < area.Width-16; n-- {
		x = write(x, p.inView[n], plain) + 3
	}
}
