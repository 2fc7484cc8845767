package counters

import (
	"fmt"
	"slices"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// group holds the curves of one instance, which share a small chart.
type group struct {
	instance string
	rows     []int
}

// groups groups the curves by instance, in the order of the legend.
func (s *Screen) groups() []group {
	var groups []group
	for i := range s.curves {
		instance := s.curves[i].instance
		n := slices.IndexFunc(groups, func(g group) bool { return g.instance == instance })
		if n < 0 {
			n = len(groups)
			groups = append(groups, group{instance: instance})
		}
		groups[n].rows = append(groups[n].rows, i)
	}
	return groups
}

// smallPlot returns the area of a small chart below its title, without the blank column at the right.
func smallPlot(place widget.Area) widget.Area {
	return place.Sub(0, 1, place.Width-1, place.Height-1)
}

// drawSmall draws one small chart per instance, all with the same axis, so that they can be compared.
func (s *Screen) drawSmall(area widget.Area) {
	p := &s.picture
	groups := s.groups()
	places := tileRect(rect{0, 0, area.Width, area.Height}, len(groups))
	s.keepSmallInView(groups, len(places))
	all := p.chart.Series
	for n, place := range places {
		g := s.smallTop + n
		if g >= len(groups) {
			break
		}
		whole := subArea(area, place)
		style := heading
		if i := s.selected(); i >= 0 && slices.Contains(groups[g].rows, i) {
			style = themes.Style{Role: themes.Accent, Attr: themes.Bold}
		}
		x := whole.PrintCut(1, 0, whole.Width-2, groups[g].title(), style)
		s.drawSmallValues(whole, x+2, groups[g])
		p.chart.Series = p.chart.Series[len(p.chart.Series):]
		for _, i := range groups[g].rows {
			if i < len(p.rows) && p.axis.factors[i] != 0 {
				p.chart.Series = append(p.chart.Series, s.chartSeries(i))
			}
		}
		p.chart.ID = zoneSmall
		p.chart.Draw(smallPlot(whole))
		whole.Zone(0, 0, whole.Width, 1, zoneSmall+".title", g)
	}
	p.chart.Series, p.chart.ID = all, zoneChart
}

// drawSmallValues draws the newest values after a small chart's title, as many as fit.
func (s *Screen) drawSmallValues(area widget.Area, x int, g group) {
	for _, i := range g.rows {
		if i >= len(s.picture.rows) {
			return
		}
		text := string(s.curves[i].letter()) + " " + s.picture.rows[i].cells[columnLast]
		if x+widget.Width(text) >= area.Width {
			return
		}
		area.Print(x, 0, text, themes.Style{Role: s.curves[i].role()})
		// A minimum width, so that a value stays in its place when the values before it change.
		x += max(13, widget.Width(text)+2)
	}
}

func (g group) title() string {
	if g.instance == "" {
		return "whole computer"
	}
	return g.instance
}

// keepSmallInView scrolls by pages of small charts to show the selected curve's chart.
func (s *Screen) keepSmallInView(groups []group, shown int) {
	if shown == 0 {
		return
	}
	if i := s.selected(); i >= 0 {
		n := slices.IndexFunc(groups, func(g group) bool { return slices.Contains(g.rows, i) })
		s.smallTop = max(n, 0) / shown * shown
	}
	if s.smallTop >= len(groups) {
		s.smallTop = 0
	}
}

// smallNote returns the number of small charts for the title line.
func (s *Screen) smallNote() string {
	if n := len(s.groups()); n != 1 {
		return fmt.Sprintf("%d charts", n)
	}
	return "1 chart"
}
