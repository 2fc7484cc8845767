package registry

import (
	"cxdeck/views/browse"
)

// layout holds the rectangles of the screen's parts; a part of height 0 is not drawn.
type layout struct {
	bar, tree, table, page browse.Rect
	// rules are the lines between the parts; a rule of width 1 is vertical.
	rules []browse.Rect
}

const (
	// threeFrom is the minimum width for tree, table and page side by side, treeFrom for the tree beside the table.
	threeFrom = 156
	treeFrom  = 104
	// belowFrom is the minimum height for the page below the table.
	belowFrom = 18
	// The widths of the tree and of the page beside the table, and the minimum height of the page below it.
	minTreeWidth, maxTreeWidth = 21, 30
	minPageWidth, maxPageWidth = 42, 64
	minBelowHeight             = 7
)

// arrangeParts lays out the screen's body.
func arrangeParts(width, height int, focus part) layout {
	width, height = max(width, 0), max(height, 0)
	l := layout{bar: browse.Rect{Width: width, Height: min(1, height)}}
	rest := browse.Rect{Y: 1, Width: width, Height: max(height-1, 0)}
	if width >= treeFrom {
		l.tree = rest
		l.tree.Width = min(max(width*15/100, minTreeWidth), maxTreeWidth)
		l.rules = append(l.rules, browse.Rect{X: l.tree.Width, Y: 1, Width: 1, Height: rest.Height})
		rest.X = l.tree.Width + 2
		rest.Width -= rest.X
	} else if focus == treePart {
		l.tree = rest
		return l
	}
	switch {
	case width >= threeFrom:
		l.page = rest
		l.page.Width = min(max(width*27/100, minPageWidth), maxPageWidth)
		l.page.X = width - l.page.Width
		l.rules = append(l.rules, browse.Rect{X: l.page.X - 2, Y: 1, Width: 1, Height: rest.Height})
		rest.Width -= l.page.Width + 2
		l.table = rest
	case height >= belowFrom && (width >= treeFrom || focus != pagePart):
		below := max(minBelowHeight, rest.Height*2/5)
		l.table = rest
		l.table.Height -= below
		l.rules = append(l.rules, browse.Rect{X: rest.X, Y: rest.Y + l.table.Height, Width: rest.Width, Height: 1})
		l.page = browse.Rect{X: rest.X, Y: rest.Y + l.table.Height + 1, Width: rest.Width, Height: below - 1}
	case focus == pagePart:
		l.page = rest
	default:
		l.table = rest
	}
	return l
}
