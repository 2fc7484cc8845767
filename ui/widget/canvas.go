package widget

import (
	"bytes"
	"unicode/utf8"

	"cxdeck/themes"
)

// Cell is one character position of the screen. The right half of a wide character has Rune 0.
type Cell struct {
	Rune  rune
	Style themes.Style
}

// Canvas is a grid of cells for a frame, with the zones that react to the mouse. The zero Canvas is empty; Resize gives it a
// size. A Canvas belongs to one goroutine.
type Canvas struct {
	width, height int
	cells         []Cell
	zones         []Zone
	cursorX       int
	cursorY       int
	cursorOn      bool
	glyphs        *themes.Glyphs
}

// Zone is a rectangle that reacts to the mouse.
type Zone struct {
	X, Y, Width, Height int
	// ID names the zone; Index selects one of several (a row, a tab). Both are chosen by the caller of Area.Zone.
	ID    string
	Index int
}

// Hit is the position of the mouse in a zone.
type Hit struct {
	ID    string
	Index int
	// X and Y are relative to the zone's corner.
	X, Y          int
	Width, Height int
}

// NewCanvas returns a blank canvas of the given size in cells.
func NewCanvas(width, height int) *Canvas {
	c := &Canvas{}
	c.Resize(width, height)
	return c
}

// Resize sets the size in cells and blanks the canvas. Negative sizes are treated as 0.
func (c *Canvas) Resize(width, height int) {
	c.width, c.height = max(width, 0), max(height, 0)
	n := c.width * c.height
	if cap(c.cells) < n {
		c.cells = make([]Cell, n)
	}
	c.cells = c.cells[:n]
	c.Clear()
}

// Clear blanks every cell and removes the zones and the cursor.
func (c *Canvas) Clear() {
	for i := range c.cells {
		c.cells[i] = Cell{Rune: ' '}
	}
	c.zones = c.zones[:0]
	c.cursorOn = false
}

// Size returns the width and height in cells.
func (c *Canvas) Size() (width, height int) { return c.width, c.height }

// Row returns one row of cells; it must not be kept past the next frame.
func (c *Canvas) Row(y int) []Cell { return c.cells[y*c.width : (y+1)*c.width] }

// CopyFrom makes c an exact copy of other, reusing c's memory. Zones are not copied.
func (c *Canvas) CopyFrom(other *Canvas) {
	c.width, c.height = other.width, other.height
	c.cells = append(c.cells[:0], other.cells...)
	c.zones = c.zones[:0]
	c.cursorX, c.cursorY, c.cursorOn = other.cursorX, other.cursorY, other.cursorOn
}

// Cursor returns the position of the terminal's cursor, and whether it is visible.
func (c *Canvas) Cursor() (x, y int, on bool) { return c.cursorX, c.cursorY, c.cursorOn }

// SetGlyphs sets the symbols for drawing.
func (c *Canvas) SetGlyphs(glyphs *themes.Glyphs) { c.glyphs = glyphs }

// HitAt returns the topmost zone at a cell: the one that was added last.
func (c *Canvas) HitAt(x, y int) (Hit, bool) {
	for i := len(c.zones) - 1; i >= 0; i-- {
		z := c.zones[i]
		if x >= z.X && x < z.X+z.Width && y >= z.Y && y < z.Y+z.Height {
			return Hit{ID: z.ID, Index: z.Index, X: x - z.X, Y: y - z.Y, Width: z.Width, Height: z.Height}, true
		}
	}
	return Hit{}, false
}

// All returns the area that covers the whole canvas.
func (c *Canvas) All() Area { return Area{canvas: c, Width: c.width, Height: c.height} }

// Text returns the canvas as plain lines without trailing blanks: the form of golden files and --plain.
func (c *Canvas) Text() string {
	text := make([]byte, 0, len(c.cells)+len(c.cells)/2+c.height)
	for y := range c.height {
		for _, cell := range c.Row(y) {
			if cell.Rune != 0 {
				text = utf8.AppendRune(text, cell.Rune)
			}
		}
		text = append(bytes.TrimRight(text, " "), '\n')
	}
	return string(text)
}

// Area is a rectangle of a canvas for drawing. Coordinates are relative to its corner, and drawing is clipped to it. Areas are
// values: splitting one changes nothing. The zero Area ignores all drawing.
//
// Drawing on the ground Plain keeps the existing background, so that widgets look right in a dialog, on a selected row and on
// the plain screen; only Fill and Ground set Plain.
type Area struct {
	canvas        *Canvas
	x, y          int
	Width, Height int
}

// Glyphs returns the symbols to draw with: the full set unless SetGlyphs chose another.
func (a Area) Glyphs() *themes.Glyphs {
	if a.canvas == nil {
		return themes.UnicodeGlyphs()
	}
	if a.canvas.glyphs == nil {
		a.canvas.glyphs = themes.UnicodeGlyphs()
	}
	return a.canvas.glyphs
}

// Sub returns the part of the area at (x, y) of the given size, clipped to the area.
func (a Area) Sub(x, y, width, height int) Area {
	if x < 0 {
		width += x
		x = 0
	}
	if y < 0 {
		height += y
		y = 0
	}
	width = max(0, min(width, a.Width-x))
	height = max(0, min(height, a.Height-y))
	return Area{canvas: a.canvas, x: a.x + x, y: a.y + y, Width: width, Height: height}
}

// SplitLeft splits off a column of the given width at the left.
func (a Area) SplitLeft(width int) (left, rest Area) {
	width = max(0, min(width, a.Width))
	return a.Sub(0, 0, width, a.Height), a.Sub(width, 0, a.Width-width, a.Height)
}

// SplitTop splits off rows at the top.
func (a Area) SplitTop(height int) (top, rest Area) {
	height = max(0, min(height, a.Height))
	return a.Sub(0, 0, a.Width, height), a.Sub(0, height, a.Width, a.Height-height)
}

// SplitBottom splits off rows at the bottom.
func (a Area) SplitBottom(height int) (rest, bottom Area) {
	height = max(0, min(height, a.Height))
	return a.Sub(0, 0, a.Width, a.Height-height), a.Sub(0, a.Height-height, a.Width, height)
}

// Set puts one narrow character into a cell. Outside the area it does nothing.
func (a Area) Set(x, y int, r rune, style themes.Style) {
	if x < 0 || y < 0 || x >= a.Width || y >= a.Height {
		return
	}
	if style.Ground == themes.Plain {
		style.Ground = a.canvas.cells[(a.y+y)*a.canvas.width+a.x+x].Style.Ground
	}
	a.put(x, y, Cell{Rune: r, Style: style})
}

// put replaces a cell of the area.
func (a Area) put(x, y int, cell Cell) {
	row := a.canvas.Row(a.y + y)
	i := a.x + x
	// A wide character that loses one of its halves becomes a blank.
	if row[i].Rune == 0 && i > 0 {
		row[i-1].Rune = ' '
	}
	if i+1 < len(row) && row[i+1].Rune == 0 {
		row[i+1].Rune = ' '
	}
	row[i] = cell
}

// At returns the cell at a position; outside the area it is blank.
func (a Area) At(x, y int) Cell {
	if x < 0 || y < 0 || x >= a.Width || y >= a.Height {
		return Cell{Rune: ' '}
	}
	return a.canvas.Row(a.y + y)[a.x+x]
}

// Print writes text from (x, y) to the right, cut at the area's edge, and returns the column after it. Control characters and
// characters without width are omitted, because text may come from outside. On an ASCII terminal it uses the nearest ASCII
// characters.
func (a Area) Print(x, y int, text string, style themes.Style) int {
	ascii := a.canvas != nil && a.canvas.glyphs != nil && a.canvas.glyphs.ASCII
	for _, r := range text {
		w := RuneWidth(r)
		if ascii && r >= utf8.RuneSelf && w > 0 {
			for range w { // as many as its width, so that columns stay aligned
				if x >= a.Width {
					return x
				}
				a.Set(x, y, toASCII(r), style)
				x++
			}
			continue
		}
		switch {
		case w == 0:
			continue
		case x+w > a.Width:
			return x
		case w == 1:
			a.Set(x, y, r, style)
		case x < 0: // the left half is outside: the right half is shown as a blank
			a.Set(x+1, y, ' ', style)
		case y >= 0 && y < a.Height:
			a.Set(x, y, r, style)
			a.Set(x+1, y, ' ', style)
			a.canvas.Row(a.y + y)[a.x+x+1].Rune = 0
		}
		x += w
	}
	return x
}

// PrintCut is Print in a field of the given width: longer text ends in an ellipsis.
func (a Area) PrintCut(x, y, width int, text string, style themes.Style) int {
	if len(text) <= width || Width(text) <= width {
		return a.Print(x, y, text, style)
	}
	if width <= 0 {
		return x
	}
	x = a.Print(x, y, cutWidth(text, width-1), style)
	a.Set(x, y, a.Glyphs().Ellipsis, style)
	return x + 1
}

// PrintRight writes text so that it ends just before column right.
func (a Area) PrintRight(right, y int, text string, style themes.Style) {
	a.Print(right-Width(text), y, text, style)
}

// Fill gives every cell of the area a blank of exactly this style.
func (a Area) Fill(style themes.Style) {
	for y := range a.Height {
		for x := range a.Width {
			a.put(x, y, Cell{Rune: ' ', Style: style})
		}
	}
}

// Ground changes the background of a row of the area from column x on, and keeps its characters.
func (a Area) Ground(x, y, width int, ground themes.Ground) {
	if y < 0 || y >= a.Height {
		return
	}
	row := a.canvas.Row(a.y + y)
	for i := max(x, 0); i < min(x+width, a.Width); i++ {
		row[a.x+i].Style.Ground = ground
	}
}

// Horizontal draws a rule across the area in row y.
func (a Area) Horizontal(y int, r rune, style themes.Style) {
	for x := range a.Width {
		a.Set(x, y, r, style)
	}
}

// Vertical draws a rule down the area in column x.
func (a Area) Vertical(x int, r rune, style themes.Style) {
	for y := range a.Height {
		a.Set(x, y, r, style)
	}
}

// Zone makes a rectangle react to the mouse; an empty id makes no zone.
func (a Area) Zone(x, y, width, height int, id string, index int) {
	s := a.Sub(x, y, width, height)
	if s.Width == 0 || s.Height == 0 || id == "" {
		return
	}
	a.canvas.zones = append(a.canvas.zones, Zone{X: s.x, Y: s.y, Width: s.Width, Height: s.Height, ID: id, Index: index})
}

// ShowCursor shows the terminal's cursor at a cell of the area.
func (a Area) ShowCursor(x, y int) {
	if x < 0 || y < 0 || x >= a.Width || y >= a.Height {
		return
	}
	a.canvas.cursorX, a.canvas.cursorY, a.canvas.cursorOn = a.x+x, a.y+y, true
}
