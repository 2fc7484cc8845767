package overview

import "cxdeck/views/deck"

// layout says where the parts of the screen lie. A part of no size does not show.
type layout struct {
	tree, totals, side, foot deck.Rect
	// sideInFoot says that the details have no place of their own: Tab brings them to the foot in place of the events.
	sideInFoot bool
}

const (
	// sideFrom is the width from which on the details stand beside the tree.
	sideFrom = 110
	// sideLeast and sideMost bound the width of the details.
	sideLeast, sideMost = 30, 48
	// footLeast is the title of the foot and two rows.
	footLeast = 3
)

// place lays out the screen for a tree of so many rows. The foot takes what the tree leaves over.
func place(width, height, rows int) layout {
	l := layout{sideInFoot: width < sideFrom}
	main := width
	if !l.sideInFoot {
		side := min(max(width/4, sideLeast), sideMost)
		main = width - side - 1 // a rule between them
		l.side = deck.Rect{X: main + 1, Width: side, Height: height}
	}
	foot := min(max(height/4+1, footLeast), height)
	tree := min(height-foot-1, max(rows, 1)+1) // the rows under their titles; the totals have a line
	if tree < 2 {
		l.tree = deck.Rect{Width: main, Height: height}
		return l
	}
	spare := 0
	if height-foot-1-tree > 0 {
		spare = 1 // a blank above the totals
	}
	l.tree = deck.Rect{Width: main, Height: tree}
	l.totals = deck.Rect{Y: tree + spare, Width: main, Height: 1}
	top := tree + spare + 1
	if height-top > foot {
		top++ // a blank above the foot
	}
	l.foot = deck.Rect{Y: top, Width: main, Height: height - top}
	return l
}
