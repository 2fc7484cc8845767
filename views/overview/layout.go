package overview

import (
	"cxdeck/views/browse"
)

// layout holds the rectangles of the screen's parts. A part of size 0 is not drawn.
type layout struct {
	tree, totals, curves, side, foot browse.Rect
	// sideInFoot is set if the details are not beside the tree: Tab shows them in the foot in place of the events.
	sideInFoot bool
}

const (
	// sideFrom is the minimum width for the details beside the tree.
	sideFrom = 110
	// sideMin and sideMax bound the width of the details.
	sideMin, sideMax = 30, 48
	// footMin is the minimum height of the foot: its title and two rows.
	footMin = 3
)

// place lays out the screen for the numbers of rows of the tree, of events and of ports with curves. Curves get the room that
// tree and events leave; without curves the foot gets it. While the tree scrolls, the foot has no blank rows.
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
	// footWithCurves is the maximum height of the foot below curves.
	footWithCurves = 8
	// curveWidth and curveMin are the minimum size of a port's curve with its title, curveMax is the maximum height.
	curveWidth, curveMin, curveMax = 42, 7, 14
	// curveReadable is the minimum height at which the axis of a curve has several values. Curves are placed beside each other
	// before they get lower.
	curveReadable = 10
)

// curvesFit returns the number of curves that fit.
func curvesFit(width, height int) int { return width / curveWidth * max(height/curveMin, 0) }

// curvesHeight returns the height of the curves of a number of ports, within the room.
func curvesHeight(width, height, ports int) int {
	columns, rows := curveGrid(width, height, ports)
	if columns == 0 {
		return 0
	}
	return rows * min(height/rows, curveMax)
}

// curveGrid returns the numbers of columns and rows of curves: as few columns as possible at a readable height, because a curve
// needs width.
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
