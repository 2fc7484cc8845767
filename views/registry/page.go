package registry

import (
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
)

// page is the text about the key under the cursor. It is written once for a state and a width, and drawn many times.
// Where there is room it has two columns; the cursor goes through both.
type page struct {
	list  widget.List
	lines []line
	split int // the first line of the second column; len(lines) for one column
	width int // of a column
	stale bool
	// glyphs is the set that it was written with.
	glyphs *themes.Glyphs
}

// line is one line of a page: a text, a value at the right, and what Enter on it opens.
type line struct {
	text, value       string
	style, valueStyle themes.Style
	open              func() ui.Cmd
	opens             string // what it opens, for the status line
}

// labelWidth is the column in which the values of fields begin, twoFrom the width from which on a page has two columns.
const (
	labelWidth = 12
	twoFrom    = 84
	columnGap  = 3
)

// current is the line under the cursor, nil when there is none.
func (p *page) current() *line {
	if at := p.list.Cursor(); at >= 0 && at < len(p.lines) {
		return &p.lines[at]
	}
	return nil
}

// column is the width of a column of a page.
func column(width int) int {
	if width >= twoFrom {
		return (width - columnGap) / 2
	}
	return width
}

func (p *page) blank() { p.lines = append(p.lines, line{}) }

// text is a text over as many lines as it takes.
func (p *page) text(text string, style themes.Style) { p.paragraph("", text, style) }

// item is a text with a glyph before it.
func (p *page) item(glyph rune, text string, style themes.Style) {
	p.paragraph(string(glyph)+" ", text, style)
}

// field is a labelled text.
func (p *page) field(label, value string) {
	if value != "" {
		p.paragraph(widget.Pad(label, labelWidth), value, themes.Style{})
	}
}

func (p *page) paragraph(lead, text string, style themes.Style) {
	for _, part := range browse.Paragraph(lead, text, p.width) {
		p.lines = append(p.lines, line{text: part, style: style})
	}
}

// drawPage draws the page; with the focus it has a cursor.
func (v *View) drawPage(area widget.Area) {
	if area.Height == 0 || area.Width == 0 {
		return
	}
	area.Zone(0, 0, area.Width, area.Height, zonePage+".area", 0)
	p := &v.detail
	width := column(area.Width)
	if p.width != width || p.glyphs != area.Glyphs() {
		p.width, p.glyphs, p.stale = width, area.Glyphs(), true
	}
	v.write(area.Width >= twoFrom)
	p.list.SetHeight(area.Height)
	first, second := area.Sub(0, 0, width, area.Height), area.Sub(0, 0, 0, 0)
	if width < area.Width {
		second = area.Sub(width+columnGap, 0, area.Width-width-columnGap, area.Height)
	}
	p.drawLines(first, 0, p.split, v.focus == pagePart)
	p.drawLines(second, p.split, len(p.lines), v.focus == pagePart)
}

// drawLines draws the lines of a column around the cursor, when that is in it.
func (p *page) drawLines(area widget.Area, from, to int, focused bool) {
	top, cursor := from, p.list.Cursor()
	if focused && cursor >= from && cursor < to {
		top = max(from, min(cursor-area.Height/2, to-area.Height))
	}
	end := min(to, top+area.Height)
	for i := top; i < end; i++ {
		l, y := &p.lines[i], i-top
		room := area.Width
		if l.value != "" {
			room -= widget.Width(l.value) + 1
			area.PrintRight(area.Width, y, l.value, l.valueStyle)
		}
		area.PrintCut(0, y, room, l.text, l.style)
		area.Zone(0, y, area.Width, 1, zonePage, i)
		if focused && i == cursor {
			area.Ground(0, y, area.Width, themes.Selected)
		}
	}
	if end < to {
		area.Set(area.Width-1, area.Height-1, area.Glyphs().ArrowDown, accent)
	}
}
