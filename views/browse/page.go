package browse

import (
	"strings"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
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

// Paragraph is a text over as many lines of a width as it takes, with a lead before the first and as much room before
// the others.
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

// Line adds one line, cut where the panel ends.
func (p *Page) Line(text string, style themes.Style) {
	p.lines = append(p.lines, pageLine{text: text, style: style})
}

// Row adds one line: a label, and a text with a style of its own behind it, cut where the panel ends.
func (p *Page) Row(label, text string, style themes.Style) {
	p.lines = append(p.lines, pageLine{label: label, text: text, column: pageLabel, style: style})
}

// Length is how many lines the page has.
func (p *Page) Length() int { return len(p.lines) }

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

// Sheet is a page that is kept: it is written once for a state and a width, and drawn many times.
type Sheet struct {
	*Page
	// Width is in cells; Glyphs is the set that it is written with.
	Width  int
	Glyphs *themes.Glyphs
	// Stale has it rewritten when it is drawn next.
	Stale bool
	// Scroll has its cursor on the first line that shows.
	Scroll widget.List
}

// Show draws the sheet, which write writes when it is not as it was; it says whether there is room for it.
func (s *Sheet) Show(area widget.Area, write func()) bool {
	if area.Width == 0 || area.Height == 0 {
		return false
	}
	if g := area.Glyphs(); s.Stale || s.Width != area.Width || s.Glyphs != g || s.Page == nil {
		s.Page, s.Width, s.Glyphs, s.Stale = NewPage(area.Width), area.Width, g, false
		write()
	}
	s.Draw(area, &s.Scroll)
	return true
}

// DrawWhy says in one line why something is not as it should be; trouble marks it as a warning. No reason draws
// nothing.
func DrawWhy(area widget.Area, why string, trouble bool) {
	if why == "" || area.Height == 0 {
		return
	}
	glyph, style := area.Glyphs().Bullet, themes.Style{Role: themes.Muted}
	if trouble {
		glyph, style = area.Glyphs().Warning, themes.Style{Role: themes.Warn}
	}
	area.PrintCut(0, 0, area.Width, string(glyph)+" "+deck.Sentence(why)+".", style)
}

// Absence is what a screen says in place of what only the lab has: for a recorded session, this machine and a log file.
type Absence struct{ Session, Local, Log string }

// DrawAbsence says why a screen has nothing to show of a monitor's source; m is nil before there is one.
func DrawAbsence(area widget.Area, m *monitor.Monitor, a Absence) {
	said := "Waiting for the source."
	if m != nil {
		switch m.Status().Info.Kind {
		case perf.LabSource:
		case perf.SessionSource:
			said = a.Session
		case perf.LocalSource:
			said = a.Local
		default:
			said = a.Log
		}
	}
	DrawNotice(area, said)
}

// DrawNotice says in place of a screen why it has nothing to show.
func DrawNotice(area widget.Area, text string) {
	for y, line := range widget.Wrap(text, area.Width-4) {
		area.Print(2, 1+y, line, themes.Style{Role: themes.Muted})
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
