package registry

import (
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
)

// page is the text about the key under the cursor, in two columns if there is room; the cursor moves through both.
type page struct {
	browse.Page
	split int // the first line of the second column; len(Lines) for one column
}

// labelWidth is the width of the labels of fields, twoFrom the minimum width of a page with two columns, in cells.
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

// field adds a text with its label; an empty text adds nothing.
func (p *page) field(label, value string) {
	if value != "" {
		p.Lead(widget.Pad(label, labelWidth), value, themes.Style{})
	}
}

// drawPage draws the page, with a cursor if it has the focus.
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

// drawLines draws the lines of a column, scrolled to the cursor if that is in the column.
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
