package ui

import (
	"strconv"
	"unicode/utf8"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// Control sequences that frames are made of.
const (
	beginFrame  = "\x1b[?2026h"
	endFrame    = "\x1b[?2026l"
	hideCursor  = "\x1b[?25l"
	showCursor  = "\x1b[?25h"
	eraseScreen = "\x1b[2J"
	eraseLine   = "\x1b[K"
)

// shortGap is the number of unchanged cells that are written again instead of skipped: moving the cursor takes about as many
// bytes.
const shortGap = 5

// shortTail is the minimum length of a blank rest of a line that is erased instead of written.
const shortTail = 4

// differ turns the difference between the shown and the wanted canvas into bytes. It assumes nothing about the cursor and the
// attributes beyond its own output in the same frame.
type differ struct {
	painter *themes.Painter
	// erases reports that the plain style is the terminal's default, so that erasing gives plain blanks.
	erases bool

	out      []byte
	x, y     int // the position of the cursor; x is -1 when it is unknown
	style    themes.Style
	styled   bool // style is set in the terminal
	cursorOn bool // the terminal's cursor is visible
}

// setPainter sets the painter. The whole terminal must be repainted afterwards.
func (d *differ) setPainter(painter *themes.Painter) {
	d.painter = painter
	d.erases = ownGround(painter.SGR(themes.Style{}))
}

// ownGround reports whether an SGR sequence only resets all attributes.
func ownGround(sgr string) bool { return sgr == "\x1b[m" || sgr == "\x1b[0m" }

// frame returns the bytes that change the terminal from old to next; none when they are equal. old may have any other size;
// with all, it is ignored and everything is written. The bytes are valid until the next call.
func (d *differ) frame(old, next *widget.Canvas, all bool) []byte {
	d.out = append(d.out[:0], beginFrame...)
	d.x, d.styled = -1, false
	width, height := next.Size()
	if w, h := old.Size(); w != width || h != height {
		all = true
	}
	cursorX, cursorY, cursorOn := next.Cursor()
	if d.cursorOn || all {
		d.out = append(d.out, hideCursor...)
	}
	start := len(d.out)
	if all {
		d.setStyle(themes.Style{})
		d.out = append(d.out, eraseScreen...)
	}
	for y := range height {
		if all {
			d.writeRow(y, next.Row(y))
		} else {
			d.row(y, old.Row(y), next.Row(y))
		}
	}
	oldX, oldY, _ := old.Cursor()
	moved := cursorOn != d.cursorOn || cursorOn && (cursorX != oldX || cursorY != oldY)
	if len(d.out) == start && !moved {
		return nil
	}
	if d.styled {
		d.setStyle(themes.Style{})
	}
	if cursorOn {
		d.moveTo(cursorX, cursorY)
		d.out = append(d.out, showCursor...)
	}
	d.cursorOn = cursorOn
	d.out = append(d.out, endFrame...)
	return d.out
}

// writeRow writes a row onto an erased screen.
func (d *differ) writeRow(y int, next []widget.Cell) {
	end := len(next)
	if d.erases {
		end -= trailingBlanks(next)
	}
	d.cells(0, end, y, next)
}

// row writes the changed runs of a row.
func (d *differ) row(y int, old, next []widget.Cell) {
	width := len(next)
	x := 0
	for x < width && old[x] == next[x] {
		x++
	}
	if x == width {
		return
	}
	end := width
	for old[end-1] == next[end-1] {
		end--
	}
	// A rest of the line that becomes blank is erased with one sequence.
	erase := false
	if tail := trailingBlanks(next); d.erases && tail >= shortTail && end > width-tail+shortTail {
		end, erase = width-tail, true
	}
	for x < end {
		if old[x] == next[x] {
			x++
			continue
		}
		stop, same := x+1, 0
		for i := x + 1; i < end && same <= shortGap; i++ {
			if old[i] == next[i] {
				same++
			} else {
				stop, same = i+1, 0
			}
		}
		// Never begin or stop in the middle of a wide character.
		for x > 0 && next[x].Rune == 0 {
			x--
		}
		for stop < width && next[stop].Rune == 0 {
			stop++
		}
		d.cells(x, stop, y, next)
		x = stop
	}
	if erase {
		d.moveTo(end, y)
		d.setStyle(themes.Style{})
		d.out = append(d.out, eraseLine...)
	}
}

// trailingBlanks returns how many plain blanks a row ends with.
func trailingBlanks(row []widget.Cell) int {
	n := 0
	for n < len(row) && row[len(row)-1-n] == (widget.Cell{Rune: ' '}) {
		n++
	}
	return n
}

// cells writes the cells from x to before stop.
func (d *differ) cells(x, stop, y int, row []widget.Cell) {
	if x >= stop {
		return
	}
	d.moveTo(x, y)
	for ; x < stop; x++ {
		cell := row[x]
		if cell.Rune == 0 {
			if x > 0 && widget.RuneWidth(row[x-1].Rune) == 2 {
				continue // written with its left half
			}
			cell.Rune = ' '
		}
		d.setStyle(cell.Style)
		d.out = utf8.AppendRune(d.out, cell.Rune)
	}
	d.x = stop // there is no cell after the last column, so the next move uses absolute coordinates
}

func (d *differ) setStyle(style themes.Style) {
	if d.styled && d.style == style {
		return
	}
	if d.styled {
		d.out = d.painter.AppendChange(d.out, d.style, style)
	} else {
		d.out = append(d.out, d.painter.SGR(style)...)
	}
	d.style, d.styled = style, true
}

// moveTo moves the cursor to a cell with the shortest sequence.
func (d *differ) moveTo(x, y int) {
	switch {
	case d.x == x && d.y == y:
		return
	case d.x >= 0 && d.y == y && x > d.x:
		d.out = append(d.out, "\x1b["...)
		if x > d.x+1 {
			d.out = strconv.AppendInt(d.out, int64(x-d.x), 10)
		}
		d.out = append(d.out, 'C')
	default:
		d.out = append(d.out, "\x1b["...)
		d.out = strconv.AppendInt(d.out, int64(y+1), 10)
		if x > 0 {
			d.out = append(d.out, ';')
			d.out = strconv.AppendInt(d.out, int64(x+1), 10)
		}
		d.out = append(d.out, 'H')
	}
	d.x, d.y = x, y
}
