package widget

import "cxdeck/themes"

// grid is how many dots a cell of a chart has, as powers of two: the way from dots to cells is walked thousands of
// times a frame, and shifts are many times cheaper than divisions.
type grid struct{ acrossBits, downBits uint }

// dotGrid is what a glyph set can show in a cell: 2x4 dots of braille, two half blocks, or one character.
func dotGrid(g *themes.Glyphs) grid {
	switch {
	case g.Braille:
		return grid{1, 2}
	case g.ASCII:
		return grid{0, 0}
	}
	return grid{0, 1}
}

func (g grid) across() int { return 1 << g.acrossBits }
func (g grid) down() int   { return 1 << g.downBits }

// raster is a picture of dots that belongs to one colour a cell: that of the curve that came there last.
type raster struct {
	width, height int // in cells
	grid          grid
	dots          []uint8 // one a cell, a bit a dot: column by column, the lowest dot first
	owner         []uint8 // the number of the series
}

// reset blanks the raster and gives it a size.
func (r *raster) reset(width, height int, g grid) {
	r.width, r.height, r.grid = width, height, g
	n := width * height
	if cap(r.dots) < n {
		r.dots, r.owner = make([]uint8, n), make([]uint8, n)
	}
	r.dots, r.owner = r.dots[:n], r.owner[:n]
	clear(r.dots)
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
	down := 1 << bits
	shift := (x & (r.grid.across() - 1)) << bits
	last := z >> bits
	i := (r.height-1-a>>bits)*r.width + x>>r.grid.acrossBits
	for cell := a >> bits; cell <= last; cell++ {
		from, to := max(a-cell<<bits, 0), min(z-cell<<bits, down-1)
		mask := (uint8(1)<<(to-from+1) - 1) << (from + shift)
		r.dots[i] |= mask
		r.owner[i] = uint8(series)
		i -= r.width
	}
}

// brailleBase is the braille character without dots.
const brailleBase = 0x2800

// brailleOf turns the dots of a cell, left column first and bottom up, into a braille character.
func brailleOf(dots uint8) rune {
	// Unicode numbers the dots 1, 2, 3, 7 down the left side and 4, 5, 6, 8 down the right one.
	left := dots&1<<6 | dots&2<<1 | dots&4>>1 | dots&8>>3
	dots >>= 4
	right := dots&1<<7 | dots&2<<4 | dots&4<<2 | dots&8
	return brailleBase + rune(left) + rune(right)
}

// show puts the picture on an area of the raster's size. Cells without dots keep what is there.
func (r *raster) show(area Area, series []ChartSeries) {
	g := area.Glyphs()
	for y := range min(r.height, area.Height) {
		for x := range min(r.width, area.Width) {
			i := y*r.width + x
			dots := r.dots[i]
			if dots == 0 {
				continue
			}
			s := &series[r.owner[i]]
			style := themes.Style{Role: s.Role}
			if s.Bold {
				style.Attr = themes.Bold
			}
			area.Set(x, y, r.symbol(g, dots, s.Role), style)
		}
	}
}

// symbol is the character for the dots of a cell.
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
