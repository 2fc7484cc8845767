package wizard

import (
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// pane is the content of a step: rows, rebuilt for each frame, which scroll as a whole.
type pane struct {
	rows          []paneRow
	width, height int
	glyphs        *themes.Glyphs
	list          widget.List
	// follow reports that the rows from first to last, with the focus, must be visible.
	follow      bool
	first, last int
}

// paneRow is one row of the pane: pieces of text, perhaps an input, and the target of a click.
type paneRow struct {
	pieces []panePiece
	input  *widget.Input
	// inputX and inputWidth are the position of the input; typing reports that it has the focus.
	inputX, inputWidth int
	typing             bool
	ground             themes.Ground
	// field and item are the target of a press, the item of a list or -1; inRow reports that the field is a column of the row
	// being edited.
	field string
	item  int
	inRow bool
	// starts is the ID of the Key that a press starts; adds reports that a press adds a row.
	starts string
	adds   bool
	// joined are pieces without gaps between them.
	joined []panePiece
	// plot are the curves of which this is the first row.
	plot *Plot
	// tabs are the commands for a row of tab titles, of which one is shown.
	tabs []Commands
	tab  int
}

// panePiece is a text at a column; it is cut before the next piece, and at the edge.
type panePiece struct {
	x     int
	text  string
	style themes.Style
}

// top scrolls back up.
func (p *pane) top() {
	p.list = widget.List{}
	p.follow = true
}

// begin empties the pane for writing.
func (p *pane) begin(width, height int, glyphs *themes.Glyphs) {
	p.rows, p.width, p.height, p.glyphs, p.first, p.last = p.rows[:0], width, height, glyphs, -1, -1
}

// row adds a row and returns it, valid until the next row is added.
func (p *pane) row(pieces ...panePiece) *paneRow {
	p.rows = append(p.rows, paneRow{pieces: pieces, item: -1})
	return &p.rows[len(p.rows)-1]
}

func (p *pane) blank() {
	if len(p.rows) > 0 {
		p.row()
	}
}

func (p *pane) heading(text string) {
	p.row(panePiece{0, text, themes.Style{Role: themes.Title, Attr: themes.Bold}})
}

// wrap adds a text wrapped from column x on, with a lead before the first row.
func (p *pane) wrap(lead []panePiece, x int, text string, style themes.Style) {
	for _, line := range widget.Wrap(text, max(p.width-x, 1)) {
		p.row(append(lead, panePiece{x, line, style})...)
		lead = nil
	}
}

// focusFrom marks the rows from one to the last as the ones with the focus.
func (p *pane) focusFrom(from int) { p.first, p.last = from, len(p.rows)-1 }

// scrollToField scrolls to the field with the focus, whose rows begin at from: to all its rows, or from the cursor on if they
// don't fit.
func (p *pane) scrollToField(from int) {
	switch end := len(p.rows); {
	case end-from <= p.height || p.first < from:
		p.focusFrom(from)
	case end-p.first <= p.height:
		p.focusFrom(p.first)
	}
}

// fitRows sets the list to the rows and the height, and scrolls to the focus.
func (p *pane) fitRows() {
	p.list.SetLength(len(p.rows))
	p.list.SetHeight(p.height)
	if !p.follow || p.first < 0 {
		return
	}
	if from, _ := p.list.Visible(); p.last >= from+p.height {
		p.list.ScrollTo(p.last - p.height + 1)
	}
	if from, _ := p.list.Visible(); p.first < from {
		p.list.ScrollTo(p.first)
	}
}

// draw draws the visible rows.
func (p *pane) draw(area widget.Area, id string) {
	area.Zone(0, 0, area.Width, area.Height, id+".pane", 0)
	from, to := p.list.Visible()
	for n := from; n < to; n++ {
		row, line := &p.rows[n], area.Sub(0, n-from, p.width, 1)
		for i, piece := range row.pieces {
			end := p.width
			if i+1 < len(row.pieces) {
				end = row.pieces[i+1].x - 1
			}
			line.PrintCut(piece.x, 0, min(end, line.Width)-piece.x, piece.text, piece.style)
		}
		if row.field != "" || row.starts != "" {
			line.Zone(0, 0, line.Width, 1, id+".row", n)
		}
		if row.input != nil {
			row.input.Draw(line.Sub(row.inputX, 0, row.inputWidth, 1), row.typing, themes.Style{})
		}
		for _, piece := range row.joined {
			line.PrintCut(piece.x, 0, line.Width-piece.x, piece.text, piece.style)
		}
		if row.plot != nil {
			row.plot.draw(area.Sub(row.pieces[0].x, n-from, p.width-row.pieces[0].x, min(plotHeight, to-n)))
		}
		x := 0
		for i := range row.tabs {
			x = drawTab(line, x, row.tabs[i].Title, i == row.tab, id+".tab", i)
		}
		if row.ground != themes.Plain {
			line.Ground(0, 0, line.Width, row.ground)
		}
	}
	if p.list.Length() > area.Height && area.Width > 1 {
		widget.DrawScrollBar(area.Sub(area.Width-1, 0, 1, area.Height), &p.list, id+".scroll")
	}
}

// drawTab draws the title of a tab, in brackets if it is shown, and returns the column for the next.
func drawTab(line widget.Area, x int, title string, shows bool, id string, n int) int {
	style := themes.Style{Role: themes.Muted}
	text := "  " + title + "  "
	if shows {
		style = themes.Style{Role: themes.Accent, Attr: themes.Bold}
		text = "[ " + title + " ]"
	}
	end := line.Print(x, 0, text, style)
	line.Zone(x, 0, end-x, 1, id, n)
	return end + 1
}

// mark returns the glyph and style of a state.
func (p *pane) mark(mark Mark) (glyph rune, style themes.Style) {
	g := p.glyphs
	switch mark {
	case Good:
		return g.Up, themes.Style{Role: themes.Good}
	case Down:
		return g.Down, themes.Style{Role: themes.Muted}
	case Busy:
		return g.Restarting, themes.Style{Role: themes.Info}
	case Warn:
		return g.Warning, themes.Style{Role: themes.Warn}
	case Bad:
		return g.Failed, themes.Style{Role: themes.Bad}
	case Waits:
		return g.Pending, themes.Style{Role: themes.Pending}
	default:
		return ' ', themes.Style{}
	}
}

// severityMarks are the marks of messages; a plain message has none.
var severityMarks = [...]Mark{Error: Bad, Warning: Warn, Info: NoMark}

// message adds a message from column x on.
func (p *pane) message(x int, m Message) {
	glyph, style := p.mark(severityMarks[min(m.Severity, Info)])
	if m.Severity >= Info {
		glyph, style = p.glyphs.Bullet, themes.Style{Role: themes.Muted}
	}
	p.wrap([]panePiece{{x, string(glyph), style}}, x+2, m.Text, style)
}

// facts adds facts: glyph, label, word, sentence, and the key that fixes it.
func (p *pane) facts(x int, facts []Fact) {
	labels, words := 0, 0
	for i := range facts {
		labels = max(labels, widget.Width(facts[i].Label))
		words = max(words, widget.Width(facts[i].Word))
	}
	labels, words = min(labels, p.width/3), min(words, p.width/4)
	word := x + 2 + labels + min(labels, 1)*2
	text := word + words + min(words, 1)*2
	for i := range facts {
		f := &facts[i]
		glyph, style := p.mark(f.Mark)
		p.wrap([]panePiece{{x, string(glyph), style}, {x + 2, f.Label, themes.Style{}}, {word, f.Word, style}}, text,
			f.Text, themes.Style{})
		if f.Fix.Key != "" {
			p.key(text, f.Fix)
		}
	}
}

// key adds a row for a key and its effect; pressing the row starts it.
func (p *pane) key(x int, key Key) {
	text := key.Help
	if text == "" {
		text = key.Name
	}
	at := x + widget.Width(key.Key) + 1
	p.row(panePiece{x, key.Key, themes.Style{Role: themes.KeyCap, Attr: themes.Bold}}, panePiece{at, text,
		themes.Style{}}).starts = key.ID
}
