package sriov

import (
	"cxdeck/views/browse"
)

const (
	// besideFrom is the minimum width for a page beside the table.
	besideFrom = 190
	// graphFrom is the minimum height of a body with curves, graphHeight the height of the curves with their title.
	graphFrom, graphHeight = 26, 9
	// minGraph is the minimum height of curves below the page.
	minGraph = 6
)

// layout holds the areas of the screen's parts. A part of size 0 is not shown.
type layout struct {
	strip, bar, table, why, title, graph, page browse.Rect
	panels                                     browse.Panels
}

// place lays out the screen: the strip and the bar of the port, the table, a line about the selected row and, if there
// is room, its curves. The page is beside them, with the curves below it, or replaces the table.
func place(width, height int, inPage, curves bool) layout {
	l := layout{}
	l.strip = browse.Rect{Width: width, Height: min(1, height)}
	l.bar = browse.Rect{Y: 1, Width: width, Height: min(1, max(height-1, 0))}
	l.panels = browse.PlacePanels(width, max(height-1, 0), besideFrom, inPage)
	down := func(r browse.Rect) browse.Rect { r.Y++; return r }
	main := browse.Rect{Y: 2, Width: width, Height: max(height-2, 0)}
	switch {
	case l.panels.Beside:
		main, l.page = down(l.panels.Table), down(l.panels.Page)
		main.Width-- // a blank column before the rule
		l.panels.Rule = down(l.panels.Rule)
	case inPage:
		if below := min(graphHeight, main.Height/2); curves && below >= minGraph {
			main.Height -= below
			l.placeGraph(main.X, main.Y+main.Height, main.Width, below)
		}
		l.page = main
		return l
	}
	below := 0
	if height >= graphFrom {
		below = graphHeight
	}
	table := max(main.Height-1-below, 0)
	l.table = browse.Rect{X: main.X, Y: main.Y, Width: main.Width, Height: table}
	l.why = browse.Rect{X: main.X, Y: main.Y + table, Width: main.Width, Height: min(1, main.Height)}
	if below > 0 {
		l.placeGraph(main.X, l.why.Y+1, main.Width, below)
	}
	return l
}

// placeGraph places the curves, with their title above.
func (l *layout) placeGraph(x, y, width, height int) {
	l.title = browse.Rect{X: x, Y: y, Width: width, Height: 1}
	l.graph = browse.Rect{X: x, Y: y + 1, Width: width, Height: height - 1}
}
