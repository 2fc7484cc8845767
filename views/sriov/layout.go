package sriov

import "cxdeck/views/deck"

const (
	// besideFrom is the width from which on the page stands beside the table.
	besideFrom = 190
	// graphFrom is the height of a body from which on there are curves, graphHeight theirs with their title.
	graphFrom, graphHeight = 26, 9
)

// layout says where the parts of the screen lie. A part of no size does not show.
type layout struct {
	strip, bar, table, why, title, graph, page deck.Rect
	panels                                     deck.Panels
}

// place lays out the screen: the strip and the bar of the port, the table, a line about the selected row, and the curves of it
// where there is room. The page stands beside them, or in their place.
func place(width, height int, inPage bool) layout {
	l := layout{}
	l.strip = deck.Rect{Width: width, Height: min(1, height)}
	l.bar = deck.Rect{Y: 1, Width: width, Height: min(1, max(height-1, 0))}
	l.panels = deck.PlacePanels(width, max(height-1, 0), besideFrom, inPage)
	down := func(r deck.Rect) deck.Rect { r.Y++; return r }
	main := deck.Rect{Y: 2, Width: width, Height: max(height-2, 0)}
	switch {
	case l.panels.Beside:
		main, l.page = down(l.panels.Table), down(l.panels.Page)
		main.Width-- // a blank before the rule
		l.panels.Rule = down(l.panels.Rule)
	case inPage:
		l.page = main
		return l
	}
	below := 0
	if height >= graphFrom {
		below = graphHeight
	}
	table := max(main.Height-1-below, 0)
	l.table = deck.Rect{X: main.X, Y: main.Y, Width: main.Width, Height: table}
	l.why = deck.Rect{X: main.X, Y: main.Y + table, Width: main.Width, Height: min(1, main.Height)}
	if below > 0 {
		l.title = deck.Rect{X: main.X, Y: l.why.Y + 1, Width: main.Width, Height: 1}
		l.graph = deck.Rect{X: main.X, Y: l.why.Y + 2, Width: main.Width, Height: below - 1}
	}
	return l
}
