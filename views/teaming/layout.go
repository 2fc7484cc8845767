package teaming

import (
	"cxdeck/views/browse"
)

const (
	// besideFrom is the minimum width for a page beside the table.
	besideFrom = 110
	// minGraphHeight is the minimum height of the curves with their axes, graphFrom the minimum height of a body with curves.
	minGraphHeight = 7
	graphFrom      = 13
	// minGuideHeight is the minimum height of the guide that replaces the curves.
	minGuideHeight = 6
)

// layout holds the areas of the screen's parts. A part of size 0 is not shown.
type layout struct {
	bar, table, why, title, graph, page browse.Rect
	panels                              browse.Panels
}

// place lays out the screen for a number of table rows. The table gets at most half of the height; the curves get the
// rest. The guide, which may replace them, needs less.
func place(width, height, rows int, guide, inPage bool) layout {
	l := layout{panels: browse.PlacePanels(width, height, besideFrom, inPage)}
	l.bar = l.panels.Bar
	main := l.panels.Table
	switch {
	case l.panels.Beside:
		l.page = l.panels.Page
	case inPage:
		l.page = l.panels.Page
		return l
	default:
		main = browse.Rect{Y: 1, Width: width, Height: max(height-1, 0)}
	}
	if main.Height < graphFrom {
		l.table = browse.Rect{X: main.X, Y: main.Y, Width: main.Width, Height: max(main.Height-1, 0)}
		l.why = browse.Rect{X: main.X, Y: main.Y + l.table.Height, Width: main.Width, Height: min(main.Height, 1)}
		return l
	}
	maxTable := max(main.Height/2, main.Height-3-2*minGraphHeight)
	if guide {
		maxTable = max(maxTable, main.Height-2-minGuideHeight)
	}
	table := min(rows+1, maxTable)
	at := main.Y
	next := func(height int) browse.Rect {
		r := browse.Rect{X: main.X, Y: at, Width: main.Width, Height: height}
		at += height
		return r
	}
	l.table = next(table)
	l.why = next(1)
	if main.Height-table-2 > minGraphHeight+3 {
		next(1) // a blank row above the curves
	}
	l.title = next(1)
	l.graph = next(main.Y + main.Height - at)
	return l
}
