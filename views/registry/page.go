package registry

import (
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
)

// page is the text about the key under the cursor. Where there is room it has two columns of its width; the cursor goes
// through both.
type page struct {
	browse.Page
	split int // the first line of the second column; len(Lines) for one column
}

// labelWidth is the column in which the values of fields begin, twoFrom the width from which on a page has two columns.
const (
	labelWidth = 12
	twoFrom    = 84
	columnGap  = 3
)

// column returns the width of a column of a page.
func column(width int) int {
	if width >= twoFrom {
		return (width - columnGap) / 2
	}
	return width
}

// field is a labelled text.
func (p *page) field(label, value string) {
	if value != "" {
		p.Lead(widget.Pad(label, labelWidth), value, themes.Style{})
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
	p.Fit(width, area.Glyphs())
	p.Rewrite(func() { v.write(area.Width >= twoFrom) })
	p.Scroll.SetHeight(area.Height)
	first, second := area.Sub(0, 0, width, area.Height), area.Sub(0, 0, 0, 0)
	if width < area.Width {
		second = area.Sub(width+columnGap, 0, area.Width-width-columnGap, area.Height)
	}
	p.drawLines(first, 0, p.split, v.focus == pagePart)
	p.drawLines(second, p.split, len(p.Lines), v.focus == pagePart)
}

// drawLines draws the lines of a column around the cursor, when that is in it.
func (p *page) drawLines(area widget.Area, from, to int, focused bool) {
	top, cursor := from, p.Scroll.Cursor()
	if focused && cursor >= from && cursor < to {
		top = max(from, min(cursor-area.Height/2, to-area.Height))
	}
	end := min(to, top+area.Height)
	for i := top; i < end; i++ {
		l, y := &p.Lines[i], i-top
		l.Draw(area, y, area.Width)
		area.Zone(0, y, area.Width, 1, zonePage, i)
		if focused && i == cursor {
			area.Ground(0, y, area.Width, themes.Selected)
		}
	}
	if end < to {
		area.Set(area.Width-1, area.Height-1, area.Glyphs().ArrowDown, accent)
	}
}
