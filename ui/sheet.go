package ui

import (
	"strings"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// sheet is a dialog that shows text and scrolls: paragraphs, which are wrapped, or lines as they are, which scroll to the
// side, too.
type sheet struct {
	title      string
	leadWidth  int // the column in which the text beside a lead begins
	paragraphs []paragraph

	rows   []sheetRow // the paragraphs, wrapped for width; or the lines
	width  int
	widest int // of the lines, in cells; 0 for paragraphs
	left   int // cells scrolled out to the left
	list   widget.List
}

// ShowText opens a dialog with a text whose lines are not wrapped, such as a table.
func ShowText(title, text string) Cmd {
	d := &sheet{title: title}
	for line := range strings.SplitSeq(strings.TrimRight(text, "\n"), "\n") {
		d.rows = append(d.rows, sheetRow{text: line})
		d.widest = max(d.widest, widget.Width(line))
	}
	d.list.SetLength(len(d.rows))
	return OpenDialog(d)
}

// paragraph is a text; with a lead, or indented, it is in the second column.
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

// widestSheet is the maximum width of paragraphs, sideways the step of scrolling to the side, in cells.
const (
	widestSheet = 96
	sideways    = 8
)

func (d *sheet) Title() string { return d.title }

// Size leaves two columns for the scroll bar.
func (d *sheet) Size(width, height int) (int, int) {
	if d.paragraphs == nil {
		return min(width, d.widest+2), min(height, len(d.rows))
	}
	width = min(width, widestSheet)
	d.wrap(width)
	return width, min(height, len(d.rows))
}

// wrap breaks the paragraphs for a width; the last two columns are the scroll bar's.
func (d *sheet) wrap(width int) {
	if d.width == width || d.paragraphs == nil {
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
		switch msg.Name {
		case " ":
			d.list.ScrollKey("pgdown")
		case "left", "h":
			d.left = max(0, d.left-sideways)
		case "right", "l":
			d.left = min(d.left+sideways, max(0, d.widest-sideways))
		case "enter", "q", "?", "!":
			return true, nil
		default:
			d.list.ScrollKey(msg.Name)
		}
	case HitMsg:
		d.list.Scroll(msg.Button.WheelRows())
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
		area.PrintCut(row.x, y, area.Width-1-row.x, afterCells(row.text, d.left), row.style)
	}
	if hidden := len(d.rows) - area.Height; hidden > 0 && area.Height > 0 {
		area.Set(area.Width-1, from*(area.Height-1)/hidden, area.Glyphs().ScrollThumb, themes.Style{Role: themes.Muted})
	}
}

// afterCells returns the part of a line after its first cells.
func afterCells(line string, cells int) string {
	for i, r := range line {
		if cells <= 0 {
			return line[i:]
		}
		cells -= widget.RuneWidth(r)
	}
	return ""
}

func (d *sheet) Hints() []Hint {
	hints := []Hint{{"esc", "close"}, {"up", "up"}, {"down", "down"}, {"pgdown", "a page down"}, {"pgup", "a page up"}}
	if d.widest > 0 {
		hints = append(hints, Hint{"left", "left"}, Hint{"right", "right"})
	}
	return hints
}
