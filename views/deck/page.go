package deck

import (
	"strings"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// pageLabel is the width of the labels of a page, the blank behind them included.
const pageLabel = 10

// Page is a panel of text about one thing: sentences, and fields with their labels in a column of their own. It is
// written once for a width and drawn many times.
type Page struct {
	width int
	lines []pageLine
}

type pageLine struct {
	label, text string
	column      int // where the text begins
	style       themes.Style
}

// NewPage makes an empty page for a panel of this width.
func NewPage(width int) *Page { return &Page{width: width} }

// Blank adds an empty line.
func (p *Page) Blank() { p.lines = append(p.lines, pageLine{}) }

// Text adds a text over as many lines as it takes.
func (p *Page) Text(text string, style themes.Style) {
	for _, part := range Paragraph("", text, p.width) {
		p.lines = append(p.lines, pageLine{text: part, style: style})
	}
}

// Paragraph is a text over as many lines of a width as it takes, with a lead before the first and as much room before the others.
func Paragraph(lead, text string, width int) []string {
	list := widget.Wrap(text, width-widget.Width(lead))
	for i := range list {
		list[i] = lead + list[i]
		if i == 0 {
			lead = strings.Repeat(" ", widget.Width(lead))
		}
	}
	return list
}

// Item adds a text with a glyph before its first line.
func (p *Page) Item(glyph rune, text string, style themes.Style) {
	for _, part := range Paragraph(string(glyph)+" ", text, p.width) {
		p.lines = append(p.lines, pageLine{text: part, style: style})
	}
}

// Field adds a value with its label; a label too long for its column takes the room of the value, or a line of its own.
// An empty value adds nothing.
func (p *Page) Field(label, value string) {
	if value == "" {
		return
	}
	column := pageLabel
	if long := widget.Width(label) + 1; long > column {
		if column = long; long+widget.Width(value) > p.width {
			p.Text(label, themes.Style{Role: themes.Muted})
			label, column = " ", pageLabel
		}
	}
	for _, part := range widget.Wrap(value, p.width-column) {
		p.lines = append(p.lines, pageLine{label: label, text: part, column: column})
		label = " "
	}
}

// Draw draws the page from the line on that scroll has its cursor on, and tells scroll how far it can go.
func (p *Page) Draw(area widget.Area, scroll *widget.List) {
	if area.Height == 0 || area.Width == 0 {
		return
	}
	scroll.SetLength(max(len(p.lines)-area.Height+1, 1))
	scroll.SetHeight(1)
	top := min(max(scroll.Cursor(), 0), len(p.lines))
	for y, l := range p.lines[top:min(top+area.Height, len(p.lines))] {
		area.Print(0, y, l.label, themes.Style{Role: themes.Muted})
		area.PrintCut(l.column, y, area.Width-l.column, l.text, l.style)
	}
	if len(p.lines)-top > area.Height {
		area.Set(area.Width-1, area.Height-1, area.Glyphs().ArrowDown, themes.Style{Role: themes.Accent})
	}
}

// Heading draws the title of a part into the first row; the part with the focus has it in the accent.
func Heading(area widget.Area, text string, focused bool) {
	style := themes.Style{Role: themes.Title}
	if focused {
		style = themes.Style{Role: themes.Accent, Attr: themes.Bold}
	}
	area.PrintCut(0, 0, area.Width, text, style)
}
