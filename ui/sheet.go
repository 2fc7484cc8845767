package ui

import (
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// sheet is a dialog that shows paragraphs and scrolls.
type sheet struct {
	title      string
	leadWidth  int // the column in which the text beside a lead begins
	paragraphs []paragraph

	rows  []sheetRow // the paragraphs, wrapped for width
	width int
	list  widget.List
}

// paragraph is a text; one with a lead, or indented, stands in the second column.
type paragraph struct {
	lead, text string
	indented   bool
	role       themes.Role
	attr       themes.Attribute
}

// sheetRow is one row of a wrapped paragraph.
type sheetRow struct {
	lead, text string
	x          int
	style      themes.Style
}

// widestSheet is the width from which on lines get no easier to read, in cells.
const widestSheet = 96

func (d *sheet) Title() string { return d.title }

func (d *sheet) Size(width, height int) (int, int) {
	width = min(width, widestSheet)
	d.wrap(width)
	return width, min(height, len(d.rows))
}

// wrap breaks the paragraphs for a width; the last two columns are the scroll bar's.
func (d *sheet) wrap(width int) {
	if d.width == width {
		return
	}
	d.width, d.rows = width, nil
	for _, p := range d.paragraphs {
		x := 0
		if p.lead != "" || p.indented {
			x = d.leadWidth
		}
		lead := p.lead
		for _, line := range widget.Wrap(p.text, max(1, width-2-x)) {
			d.rows = append(d.rows, sheetRow{lead, line, x, themes.Style{Role: p.role, Attr: p.attr}})
			lead = ""
		}
	}
	d.list.SetLength(len(d.rows))
}

func (d *sheet) Update(msg Msg) (bool, Cmd) {
	switch msg := msg.(type) {
	case KeyMsg:
		page := max(1, d.list.Height()-1)
		switch msg.Name {
		case "up", "k":
			d.list.Scroll(-1)
		case "down", "j":
			d.list.Scroll(1)
		case "pgup":
			d.list.Scroll(-page)
		case "pgdown", " ":
			d.list.Scroll(page)
		case "home", "g":
			d.list.ScrollTo(0)
		case "end", "G":
			d.list.ScrollTo(len(d.rows))
		case "enter", "q", "?", "!":
			return true, nil
		}
	case HitMsg:
		d.list.Scroll(msg.Button.Wheel())
	}
	return false, nil
}

func (d *sheet) Draw(area widget.Area) {
	d.wrap(area.Width)
	d.list.SetHeight(area.Height)
	area.Zone(0, 0, area.Width, area.Height, "sheet", 0)
	from, to := d.list.Visible()
	for y, row := range d.rows[from:to] {
		area.PrintCut(0, y, d.leadWidth-1, row.lead, themes.Style{Role: themes.KeyCap})
		area.PrintCut(row.x, y, area.Width-1-row.x, row.text, row.style)
	}
	if hidden := len(d.rows) - area.Height; hidden > 0 && area.Height > 0 {
		area.Set(area.Width-1, from*(area.Height-1)/hidden, area.Glyphs().ScrollThumb, themes.Style{Role: themes.Muted})
	}
}

func (d *sheet) Hints() []Hint {
	return []Hint{{"esc", "close"}, {"up", "up"}, {"down", "down"}, {"pgdown", "a page down"}, {"pgup", "a page up"}}
}
