package browse

import (
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// Rect is a place on a screen's body, in cells.
type Rect struct{ X, Y, Width, Height int }

// In returns the part of an area that the rectangle covers.
func (r Rect) In(area widget.Area) widget.Area { return area.Sub(r.X, r.Y, r.Width, r.Height) }

// Panels are the places of the parts of a screen with a table and a page about the selected row: a line above, the
// table, and the page beside it, below it, or in its place. A part of size 0 is not drawn.
type Panels struct {
	Bar, Table, Page Rect
	// Rule is the line between table and page; it is vertical when they are side by side.
	Rule   Rect
	Beside bool
}

const (
	// belowFrom is the minimum height of a screen with the page below the table, in rows.
	belowFrom = 18
	// minPageWidth and maxPageWidth bound the width of a page beside a table, in cells.
	minPageWidth, maxPageWidth = 36, 60
	// minBelowHeight is the minimum height of a page below the table, its rule included; it takes a third where that is more.
	minBelowHeight = 7
)

// PlacePanels lays out a screen with a table and a page. The page is beside the table from a width of besideFrom on; on a
// narrower screen, opened puts the page in place of the table.
func PlacePanels(width, height, besideFrom int, opened bool) Panels {
	width, height = max(width, 0), max(height, 0)
	p := Panels{Bar: Rect{Width: width, Height: min(1, height)}, Beside: width >= besideFrom}
	rest := max(height-1, 0)
	switch {
	case p.Beside:
		page := min(max(width*3/10, minPageWidth), maxPageWidth)
		p.Table = Rect{Y: 1, Width: width - page - 2, Height: rest}
		p.Rule = Rect{X: width - page - 2, Y: 1, Width: 1, Height: rest}
		p.Page = Rect{X: width - page, Y: 1, Width: page, Height: rest}
	case opened:
		p.Page = Rect{Y: 1, Width: width, Height: rest}
	case height >= belowFrom:
		below := max(minBelowHeight, rest/3)
		table := rest - below
		p.Table = Rect{Y: 1, Width: width, Height: table}
		p.Rule = Rect{Y: 1 + table, Width: width, Height: 1}
		p.Page = Rect{Y: 2 + table, Width: width, Height: below - 1}
	default:
		p.Table = Rect{Y: 1, Width: width, Height: rest}
	}
	return p
}

// DrawRule draws the line between table and page; it has the accent colour when the page has the focus.
func (p Panels) DrawRule(area widget.Area, pageFocused bool) {
	style := themes.Style{Role: themes.Border}
	if pageFocused {
		style.Role = themes.Accent
	}
	rule := p.Rule.In(area)
	if p.Beside {
		rule.Vertical(0, area.Glyphs().Vertical, style)
		return
	}
	rule.Horizontal(0, area.Glyphs().Horizontal, style)
}
