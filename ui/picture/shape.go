package picture

import (
	"fmt"
	"strings"
)

// The arms of a box line, from the middle of its cell.
const (
	toUp = 1 << iota
	toRight
	toDown
	toLeft
	heavy
)

// boxLines are the characters that are drawn as lines.
var boxLines = map[rune]int{
	'─': toLeft | toRight, '│': toUp | toDown, '┌': toRight | toDown, '┐': toLeft | toDown, '└': toUp | toRight, '┘': toUp | toLeft,
	'├': toUp | toDown | toRight, '┤': toUp | toDown | toLeft, '┬': toLeft | toRight | toDown, '┴': toLeft | toRight | toUp,
	'┼': toUp | toRight | toDown | toLeft, '╭': toRight | toDown, '╮': toLeft | toDown, '╰': toUp | toRight, '╯': toUp | toLeft,
	'━': toLeft | toRight | heavy, '┃': toUp | toDown | heavy,
}

// isShape reports whether a character is drawn as a path.
func isShape(r rune) bool {
	return r >= 0x2800 && r <= 0x28ff || r >= 0x2580 && r <= 0x258f || boxLines[r] != 0
}

// drawShape draws a character as a path; it is false for characters that are not shapes.
func (p *painter) drawShape(r rune, x, y int, color string) bool {
	if !isShape(r) {
		return false
	}
	path := p.paths[color]
	if path == nil {
		path = &strings.Builder{}
		p.paths[color] = path
	}
	x0, y0 := left(x), top(y)
	switch {
	case r >= 0x2800:
		braille(path, x0, y0, int(r-0x2800))
	case r >= 0x2580 && r <= 0x258f:
		block(path, x0, y0, r)
	default:
		lines(path, x0, y0, boxLines[r])
	}
	return true
}

// rectangle appends a filled rectangle.
func rectangle(path *strings.Builder, x, y, width, height float64) {
	fmt.Fprintf(path, "M%g %gh%gv%gh%gz", x, y, width, height, -width)
}

// brailleDots are the columns and rows of the eight dots, by bit (Unicode, chapter 21.1).
var brailleDots = [8][2]float64{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}}

func braille(path *strings.Builder, x, y float64, bits int) {
	const dot = 2.8
	for bit, at := range brailleDots {
		if bits&(1<<bit) != 0 {
			rectangle(path, x+at[0]*cellWidth/2+(cellWidth/2-dot)/2, y+at[1]*cellHeight/4+(cellHeight/4-dot)/2, dot, dot)
		}
	}
}

// block draws the block elements: the upper half, the lower and the left eighths.
func block(path *strings.Builder, x, y float64, r rune) {
	switch {
	case r == '▀':
		rectangle(path, x, y, cellWidth, cellHeight/2)
	case r <= '█':
		height := cellHeight * float64(r-'▀') / 8
		rectangle(path, x, y+cellHeight-height, cellWidth, height)
	default:
		rectangle(path, x, y, cellWidth*float64('▐'-r)/8, cellHeight)
	}
}

func lines(path *strings.Builder, x, y float64, arms int) {
	thick := 1.0
	if arms&heavy != 0 {
		thick = 3
	}
	middleX, middleY := x+(cellWidth-thick)/2, y+(cellHeight-thick)/2
	if arms&toLeft != 0 {
		rectangle(path, x, middleY, (cellWidth+thick)/2, thick)
	}
	if arms&toRight != 0 {
		rectangle(path, middleX, middleY, (cellWidth+thick)/2, thick)
	}
	if arms&toUp != 0 {
		rectangle(path, middleX, y, thick, (cellHeight+thick)/2)
	}
	if arms&toDown != 0 {
		rectangle(path, middleX, middleY, thick, (cellHeight+thick)/2)
	}
}
