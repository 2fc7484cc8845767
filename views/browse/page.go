package browse

import (
	"errors"
	"strings"

	"cxdeck/driver/wording"
	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// pageLabel is the width of the labels of a page in cells, with the blank after them.
const pageLabel = 10

// Page is a panel of text about one thing: sentences, and fields with their labels in a column of their own. It is
// written once for a state and a width, and drawn many times.
type Page struct {
	Lines []Line
	// Width is in cells; Glyphs is the set that it is written with.
	Width  int
	Glyphs *themes.Glyphs
	// Stale makes the next draw rewrite the lines.
	Stale bool
	// The cursor of Scroll is the first visible line, or the line whose link Enter opens.
	Scroll widget.List
}

// Line is one line of a page: a label, a text, and a value at the right.
type Line struct {
	Label, Text, Value string
	// Column is the first column of the text after a label, in cells.
	Column            int
	Style, ValueStyle themes.Style
	// Open runs on Enter, and Opens names it; nil for a line that is not a link.
	Open  func() ui.Cmd
	Opens string
}

// Fit makes the page stale when it was written for another width or with other glyphs.
func (p *Page) Fit(width int, g *themes.Glyphs) {
	if p.Width != width || p.Glyphs != g {
		p.Width, p.Glyphs, p.Stale = width, g, true
	}
}

// Rewrite calls write to fill Lines, if the page is stale and its width is known.
func (p *Page) Rewrite(write func()) {
	if p.Stale && p.Width > 0 {
		p.Lines, p.Stale = p.Lines[:0], false
		write()
	}
}

// Current returns the line under the cursor, nil when there is none.
func (p *Page) Current() *Line { return widget.At(&p.Scroll, p.Lines) }

// Add adds one line, which is cut where the panel ends.
func (p *Page) Add(l Line) { p.Lines = append(p.Lines, l) }

// Blank adds an empty line.
func (p *Page) Blank() { p.Add(Line{}) }

// Text adds a text, wrapped at the page's width.
func (p *Page) Text(text string, style themes.Style) { p.Lead("", text, style) }

// Lead adds a wrapped text with a lead before its first line.
func (p *Page) Lead(lead, text string, style themes.Style) {
	for _, part := range Paragraph(lead, text, p.Width) {
		p.Add(Line{Text: part, Style: style})
	}
}

// Paragraph wraps a text at a width in cells, with a lead before the first line and an indent of the same width before
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
	p.Lead(string(glyph)+" ", text, style)
}

// Field adds a value with its label; a label too long for its column takes the room of the value, or a line of its own.
// An empty value adds nothing.
func (p *Page) Field(label, value string) {
	if value == "" {
		return
	}
	column := pageLabel
	if long := widget.Width(label) + 1; long > column {
		if column = long; long+widget.Width(value) > p.Width {
			p.Text(label, themes.Style{Role: themes.Muted})
			label, column = " ", pageLabel
		}
	}
	for _, part := range widget.Wrap(value, p.Width-column) {
		p.Add(Line{Label: label, Text: part, Column: column})
		label = " "
	}
}

// Line adds one line, cut where the panel ends.
func (p *Page) Line(text string, style themes.Style) {
	p.Add(Line{Text: text, Style: style})
}

// Row adds one line: a label, and after it a text with its own style, cut where the panel ends.
func (p *Page) Row(label, text string, style themes.Style) {
	p.Add(Line{Label: label, Text: text, Column: pageLabel, Style: style})
}

// Show draws the page; write rewrites its lines when they are out of date. It returns false for an area of size 0.
func (p *Page) Show(area widget.Area, write func()) bool {
	if area.Width == 0 || area.Height == 0 {
		return false
	}
	p.Fit(area.Width, area.Glyphs())
	p.Rewrite(write)
	p.Scroll.SetLength(max(len(p.Lines)-area.Height+1, 1))
	p.Scroll.SetHeight(1)
	top := min(max(p.Scroll.Cursor(), 0), len(p.Lines))
	for y, l := range p.Lines[top:min(top+area.Height, len(p.Lines))] {
		l.Draw(area, y, area.Width)
	}
	if len(p.Lines)-top > area.Height {
		area.Set(area.Width-1, area.Height-1, area.Glyphs().ArrowDown, themes.Style{Role: themes.Accent})
	}
	return true
}

// Draw draws the line into row y of an area; its value ends at column right.
func (l *Line) Draw(area widget.Area, y, right int) {
	room := area.Width
	if l.Value != "" {
		room = right - widget.Width(l.Value) - 1
		area.PrintRight(right, y, l.Value, l.ValueStyle)
	}
	area.Print(0, y, l.Label, themes.Style{Role: themes.Muted})
	area.PrintCut(l.Column, y, room-l.Column, l.Text, l.Style)
}

// DrawWhy draws the reason for a state in one line; trouble marks it as a warning. An empty reason draws nothing.
func DrawWhy(area widget.Area, why string, trouble bool) {
	if why == "" || area.Height == 0 {
		return
	}
	glyph, style := area.Glyphs().Bullet, themes.Style{Role: themes.Muted}
	if trouble {
		glyph, style = area.Glyphs().Warning, themes.Style{Role: themes.Warn}
	}
	area.PrintCut(0, 0, area.Width, string(glyph)+" "+wording.UpperFirst(why)+".", style)
}

// Absence holds the texts that a screen shows in place of lab data: for a recorded session, this machine and a log file.
type Absence struct{ Session, Local, Log string }

// DrawAbsence draws why a screen has nothing to show of the monitor's source; m is nil before the source is ready.
func DrawAbsence(area widget.Area, m *monitor.Monitor, a Absence) {
	text := "Waiting for the source."
	if m != nil {
		switch m.Status().Info.Kind {
		case perf.LabSource:
		case perf.SessionSource:
			text = AbsentHost(m, a.Session)
		case perf.LocalSource:
			text = a.Local
		case perf.FleetSource, perf.PastSource:
			text = "Prometheus has counters alone: this screen shows the host of a lab."
		default:
			text = a.Log
		}
	}
	DrawNotice(area, text)
}

// AbsentHost returns why the host of a session can't be shown; unknown is the text for a session without a recorded host.
func AbsentHost(m *monitor.Monitor, unknown string) string {
	switch err := m.RecordedHostErr(); {
	case err == nil:
		return "Restoring the host as it was at that time."
	case errors.Is(err, monitor.ErrNoRecordedHost):
		return unknown
	default:
		return "The host as it was at that time can't be shown: " + err.Error() + ". X closes the replay."
	}
}

// DrawNotice draws a text in place of the contents of a screen.
func DrawNotice(area widget.Area, text string) {
	for y, line := range widget.Wrap(text, area.Width-4) {
		area.Print(2, 1+y, line, themes.Style{Role: themes.Muted})
	}
}

// Heading draws the title of a part into the first row, in the accent colour if the part has the focus.
func Heading(area widget.Area, text string, focused bool) {
	style := themes.Style{Role: themes.Title}
	if focused {
		style = themes.Style{Role: themes.Accent, Attr: themes.Bold}
	}
	area.PrintCut(0, 0, area.Width, text, style)
}
