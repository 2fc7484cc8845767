// Package picture makes pictures of screens for the documentation: it draws a canvas as an SVG, with lines, blocks and braille
// as paths, which need no font.
package picture

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"maps"
	"slices"
	"strings"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// The size of a cell and of the letters in it, in pixels. A monospaced letter is about 0.6 times as wide as it is high.
const (
	cellWidth  = 9.0
	cellHeight = 18.0
	fontSize   = 15.0
	baseline   = 13.5
	margin     = 9.0
)

// The colours of a theme that leaves them to the terminal.
const (
	defaultInk    = "#d0d0d0"
	defaultGround = "#101010"
)

// SVG draws a canvas in the colours of a theme. The same canvas always gives the same bytes.
func SVG(canvas *widget.Canvas, theme themes.Theme) []byte {
	p := &painter{theme: theme, paths: map[string]*strings.Builder{}}
	columns, rows := canvas.Size()
	p.ground = colorOrDefault(theme.Backing(themes.Plain).Color.TrueColor, defaultGround)
	width, height := float64(columns)*cellWidth+2*margin, float64(rows)*cellHeight+2*margin
	fmt.Fprintf(&p.out, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g" viewBox="0 0 %g %g" `+
		`font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="%g">`+"\n", width, height, width, height, fontSize)
	fmt.Fprintf(&p.out, `<rect width="100%%" height="100%%" rx="6" fill="%s"/>`+"\n", p.ground)
	for y := range rows {
		p.drawBackgrounds(y, canvas.Row(y))
	}
	for y := range rows {
		p.row(y, canvas.Row(y))
	}
	for _, color := range slices.Sorted(maps.Keys(p.paths)) {
		fmt.Fprintf(&p.out, `<path fill="%s" d="%s"/>`+"\n", color, p.paths[color])
	}
	p.out.WriteString("</svg>\n")
	return p.out.Bytes()
}

// painter builds the picture. It joins shapes of the same colour, which keeps the file small.
type painter struct {
	theme  themes.Theme
	ground string
	out    bytes.Buffer
	paths  map[string]*strings.Builder
}

// looks is the appearance of a style.
type looks struct {
	ink, ground     string
	bold, underline bool
	dim             bool
}

func (p *painter) looks(style themes.Style) looks {
	ink := p.theme.Ink(style.Role)
	attributes := style.Attr | ink.Attr
	l := looks{
		ink:    colorOrDefault(ink.Color.TrueColor, defaultInk),
		ground: colorOrDefault(p.theme.Backing(style.Ground).Color.TrueColor, p.ground),
		bold:   attributes&themes.Bold != 0, underline: attributes&themes.Underline != 0, dim: attributes&themes.Dim != 0,
	}
	reverse := attributes&themes.Reverse != 0
	if p.theme.Backing(themes.Plain).Color.TrueColor == "" {
		// A theme without colours uses attributes instead, and has no faint text, as on a terminal.
		mono := ink.Mono | p.theme.Backing(style.Ground).Mono
		l.bold = l.bold || mono&themes.Bold != 0
		l.underline = l.underline || mono&themes.Underline != 0
		l.dim = false
		reverse = (attributes|ink.Mono)&themes.Reverse != 0 != (p.theme.Backing(style.Ground).Mono&themes.Reverse != 0)
	}
	if reverse {
		l.ink, l.ground = l.ground, l.ink
	}
	return l
}

func colorOrDefault(color, other string) string {
	if color == "" {
		return other
	}
	return color
}

// drawBackgrounds draws the backgrounds of a row, with one rectangle per run of the same colour.
func (p *painter) drawBackgrounds(y int, row []widget.Cell) {
	for x := 0; x < len(row); {
		color, start := p.looks(row[x].Style).ground, x
		for x < len(row) && p.looks(row[x].Style).ground == color {
			x++
		}
		if color != p.ground {
			fmt.Fprintf(&p.out, `<rect x="%g" y="%g" width="%g" height="%g" fill="%s"/>`+"\n",
				left(start), top(y), float64(x-start)*cellWidth, cellHeight, color)
		}
	}
}

// row draws the characters of a row: shapes as paths, words as text, each with its own position, so that a font of another
// width can't shift them.
func (p *painter) row(y int, row []widget.Cell) {
	for x := 0; x < len(row); {
		cell := row[x]
		l := p.looks(cell.Style)
		switch {
		case cell.Rune == 0 || cell.Rune == ' ' && !l.underline:
			x++
		case p.drawShape(cell.Rune, x, y, l.ink):
			x++
		default:
			start := x
			var word strings.Builder
			for x < len(row) && row[x].Style == cell.Style && (row[x].Rune != ' ' || l.underline) && !isShape(row[x].Rune) {
				if row[x].Rune != 0 {
					word.WriteRune(row[x].Rune)
				}
				x++
			}
			p.word(start, y, word.String(), l)
		}
	}
}

func (p *painter) word(x, y int, text string, l looks) {
	fmt.Fprintf(&p.out, `<text x="%g" y="%g" fill="%s"`, left(x), top(y)+baseline, l.ink)
	if l.bold {
		p.out.WriteString(` font-weight="bold"`)
	}
	if l.underline {
		p.out.WriteString(` text-decoration="underline" xml:space="preserve"`)
	}
	if l.dim {
		p.out.WriteString(` opacity="0.7"`)
	}
	p.out.WriteByte('>')
	_ = xml.EscapeText(&p.out, []byte(text)) // a buffer never fails
	p.out.WriteString("</text>\n")
}

// left and top are the coordinates of a cell, in pixels.
func left(x int) float64 { return margin + float64(x)*cellWidth }
func top(y int) float64  { return margin + float64(y)*cellHeight }
