package widget

import "cxdeck/themes"

// grid is the number of dots in a cell of a chart, as powers of two: dots are converted to cells thousands of times per frame,
// and shifts are much cheaper than divisions.
type grid struct{ acrossBits, downBits uint }

// dotGrid returns the dots that a glyph set can show in a cell: 2x4 dots of braille, two half blocks, or one character.
func dotGrid(g *themes.Glyphs) grid {
	switch {
	case g.Braille:
		return grid{1, 2}
	case g.ASCII:
		return grid{0, 0}
	}
	return grid{0, 1}
}

func (g grid) dotColumns() int { return 1 << g.acrossBits }
func (g grid) dotRows() int    { return 1 << g.downBits }

// raster is a picture of dots with one colour per cell, of the last curve drawn there.
type raster struct {
	width, height int // in cells
	grid          grid
	// areas reports that the curves are filled: if dots are too coarse for a line between areas, every second area is shaded,
	// so that neighbours can be distinguished without colour.
	areas bool
	// cells have one bit per dot in the low byte, column by column, the lowest dot first, and the number of the series in the
	// high byte.
	cells []uint16
}

// reset blanks the raster and gives it a size.
func (r *raster) reset(width, height int, g grid) {
	r.width, r.height, r.grid = width, height, g
	n := width * height
	if cap(r.cells) < n {
		r.cells = make([]uint16, n)
	}
	r.cells = r.cells[:n]
	clear(r.cells)
}

func (r *raster) dotWidth() int  { return r.width << r.grid.acrossBits }
func (r *raster) dotHeight() int { return r.height << r.grid.downBits }

// fill sets the dots of a dot column from row a up to row z, both counted from the bottom.
func (r *raster) fill(x, a, z, series int) {
	a, z = max(a, 0), min(z, r.dotHeight()-1)
	if a > z || x < 0 || x >= r.dotWidth() {
		return
	}
	bits := r.grid.downBits
	inCell := 1<<bits - 1
	shift := x & (1<<r.grid.acrossBits - 1) << bits
	column := uint16(1<<(inCell+1) - 1)
	first := column << (a & inCell) & column << shift
	last := column >> (inCell - z&inCell) << shift
	column <<= shift
	owner := uint16(series&0xff) << 8
	at := (r.height-1-a>>bits)*r.width + x>>r.grid.acrossBits
	end := (r.height-1-z>>bits)*r.width + x>>r.grid.acrossBits
	if at == end {
		r.cells[at] = r.cells[at]&0xff | first&last | owner
		return
	}
	r.cells[at] = r.cells[at]&0xff | first | owner
	for at -= r.width; at > end; at -= r.width {
		r.cells[at] = r.cells[at]&0xff | column | owner
	}
	r.cells[end] = r.cells[end]&0xff | last | owner
}

// brailleBase is the braille character without dots.
const brailleBase = 0x2800

// brailleOf converts the dots of a cell, left column first and bottom up, to a braille character.
func brailleOf(dots uint8) rune {
	// Unicode numbers the dots 1, 2, 3, 7 down the left side and 4, 5, 6, 8 down the right one.
	left := dots&1<<6 | dots&2<<1 | dots&4>>1 | dots&8>>3
	dots >>= 4
	right := dots&1<<7 | dots&2<<4 | dots&4<<2 | dots&8
	return brailleBase + rune(left) + rune(right)
}

// show draws the picture on an area of the raster's size. Cells without dots are not changed.
func (r *raster) show(area Area, series []ChartSeries) {
	g := area.Glyphs()
	for y := range min(r.height, area.Height) {
		row := area.canvas.Row(area.y + y)[area.x:]
		for x, cell := range r.cells[y*r.width:][:min(r.width, area.Width)] {
			if cell == 0 {
				continue
			}
			dots, s := uint8(cell), &series[cell>>8]
			style := themes.Style{Role: s.Role}
			if s.Bold {
				style.Attr = themes.Bold
			}
			symbol := r.symbol(g, dots, s.Role)
			if r.areas && !g.ASCII && cell>>8&1 == 1 && symbol == g.Full[7] {
				symbol = g.Shade
			}
			if under := &row[x]; under.Rune == ' ' {
				style.Ground = under.Style.Ground
				*under = Cell{Rune: symbol, Style: style}
			} else { // Set handles the halves of wide characters
				area.Set(x, y, symbol, style)
			}
		}
	}
}

// symbol returns the character for the dots of a cell.
func (r *raster) symbol(g *themes.Glyphs, dots uint8, role themes.Role) rune {
	switch {
	case g.Braille:
		return brailleOf(dots)
	case g.ASCII:
		if role >= themes.Series1 && role < themes.Series1+themes.SeriesCount {
			return g.Points[role-themes.Series1]
		}
		return g.Points[0]
	case dots == 1:
		return g.Full[3]
	case dots == 2:
		return g.UpperHalf
	}
	return g.Full[7]
}
