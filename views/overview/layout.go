package overview

import (
	"cxdeck/views/browse"
)

// layout is the places of the screen's parts. A part of size 0 is not shown.
type layout struct {
	tree, totals, curves, side, foot browse.Rect
	// sideInFoot reports that the details have no place of their own: Tab brings them to the foot in place of the events.
	sideInFoot bool
}

const (
	// sideFrom is the width from which on the details are beside the tree.
	sideFrom = 110
	// sideMin and sideMax bound the width of the details.
	sideMin, sideMax = 30, 48
	// footMin is the title of the foot and two rows.
	footMin = 3
)

// place lays out the screen for a tree of so many rows, so many events and curves of so many ports. Curves take the room
// that the tree and some events leave; without them the foot takes it. While the tree scrolls, the foot has no blank
// rows.
func place(width, height, rows, events, ports int) layout {
	l := layout{sideInFoot: width < sideFrom}
	main := width
	if !l.sideInFoot {
		side := min(max(width/4, sideMin), sideMax)
		main = width - side - 1 // a rule between them
		l.side = browse.Rect{X: main + 1, Width: side, Height: height}
	}
	foot := min(max(height/4+1, footMin), height)
	if need := max(rows, 1) + 1; height-foot-1 < need {
		foot = min(foot, 1+max(events, 1)) // the title, and the events or that there are none
	}
	tree := min(height-foot-1, max(rows, 1)+1) // the rows under their titles; the totals have a line
	if tree < 2 {
		l.tree = browse.Rect{Width: main, Height: height}
		return l
	}
	spare := 0
	if height-foot-1-tree > 0 {
		spare = 1 // a blank above the totals
	}
	l.tree = browse.Rect{Width: main, Height: tree}
	l.totals = browse.Rect{Y: tree + spare, Width: main, Height: 1}
	top := tree + spare + 1
	if height-top > foot {
		top++ // a blank above the foot or the curves
	}
	if room := height - top - 1 - min(foot, footWithCurves); !l.sideInFoot && ports > 0 && curvesFit(main, room) >= min(ports, 2) {
		l.curves = browse.Rect{Y: top, Width: main, Height: min(room, curvesHeight(main, room, ports))}
		top += l.curves.Height + 1
	}
	l.foot = browse.Rect{Y: top, Width: main, Height: height - top}
	return l
}

const (
	// footWithCurves is the most that the foot keeps where there are curves.
	footWithCurves = 8
	// curveWidth and curveMin are the minimum size of a port's curve with its title, curveMax is the greatest height.
	curveWidth, curveMin, curveMax = 42, 7, 14
	// curveReadable is the height from which on the axis of a curve has several values: rather more curves are beside
	// each other than lower ones.
	curveReadable = 10
)

// curvesFit returns how many curves have room.
func curvesFit(width, height int) int { return width / curveWidth * max(height/curveMin, 0) }

// curvesHeight returns the height that the curves of so many ports take of what there is.
func curvesHeight(width, height, ports int) int {
	columns, rows := curveGrid(width, height, ports)
	if columns == 0 {
		return 0
	}
	return rows * min(height/rows, curveMax)
}

// curveGrid returns how many curves are beside and below each other: as few beside each other as show all ports at a height
// that can be read, because a curve needs width.
func curveGrid(width, height, ports int) (columns, rows int) {
	limit, low := width/curveWidth, height/curveMin
	if limit <= 0 || low <= 0 || ports <= 0 {
		return 0, 0
	}
	for columns = 1; columns < limit && (columns*low < ports || height/((ports+columns-1)/columns) < curveReadable); {
		columns++
	}
	return columns, min(low, (ports+columns-1)/columns)
}
