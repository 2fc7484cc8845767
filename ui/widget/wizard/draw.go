package wizard

import (
	"fmt"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// The widths from which on the steps and the help are at the sides, in cells.
const (
	wide        = 100 // from here on they are at the sides
	widestSteps = 34
	widestHelp  = 44
	widestPane  = 110
)

// Draw draws the wizard: the steps, the fields, the help, and the buttons.
func (w *Wizard) Draw(area widget.Area) {
	area, foot := area.SplitBottom(w.footHeight(area))
	w.drawFooter(foot)
	if area.Width < wide {
		head, rest := area.SplitTop(min(2, area.Height-1))
		w.drawHead(head)
		w.drawPane(rest, rest)
		return
	}
	steps, rest := area.SplitLeft(w.stepsWidth())
	w.drawSteps(steps)
	if w.Help() == "" || !w.Asking() {
		w.drawPane(rest.Sub(0, 0, min(rest.Width, widestPane), rest.Height), widget.Area{})
		return
	}
	help := min(area.Width/4, widestHelp)
	pane := min(rest.Width-help-3, widestPane)
	w.drawPane(rest.Sub(0, 0, pane, rest.Height), widget.Area{})
	side := rest.Sub(pane+1, 0, help+2, rest.Height)
	side.Vertical(0, area.Glyphs().Vertical, themes.Style{Role: themes.Border})
	text := side.Sub(2, 0, help, rest.Height)
	for y, line := range widget.Wrap(w.Help(), help) {
		if y == text.Height {
			text.Set(text.Width-1, y-1, area.Glyphs().ArrowDown, accentStyle)
			break
		}
		text.PrintCut(0, y, text.Width, line, mutedStyle)
	}
}

// state returns the state of a step: glyph, word and style.
func (w *Wizard) state(step int, g *themes.Glyphs) (glyph rune, word string, style themes.Style) {
	switch {
	case step == w.at && !w.Applied():
		return g.ArrowRight, "current", accentStyle
	case w.steps[step].Skip != "":
		return '-', "skipped", mutedStyle
	case (step < w.reached || w.tried[w.steps[step].ID]) && len(w.errorsOn(step)) > 0:
		return g.Failed, "error", themes.Style{Role: themes.Bad}
	case step < w.reached || step == w.reached && w.Applied():
		return g.Up, "done", themes.Style{Role: themes.Good}
	default:
		return g.Down, "to do", mutedStyle
	}
}

// stepsWidth returns the width of the list of steps.
func (w *Wizard) stepsWidth() int {
	width := 0
	for i := range w.steps {
		width = max(width, widget.Width(w.steps[i].Title))
	}
	return min(width+len("1  + skipped")+5, widestSteps)
}

// drawSteps draws the list of steps at the side.
func (w *Wizard) drawSteps(area widget.Area) {
	states := area.Width - len("+ skipped") - 2
	for i := range w.steps {
		glyph, word, style := w.state(i, area.Glyphs())
		title := plainStyle
		if i == w.at {
			title = accentStyle
		}
		area.PrintCut(1, i, states-2, fmt.Sprintf("%d %s", i+1, w.steps[i].Title), title)
		area.Set(states, i, glyph, style)
		area.Print(states+2, i, word, style)
		area.Zone(0, i, area.Width, 1, w.ID+".step", i)
	}
}

// drawHead draws the steps as one line: the current step, and the state of each.
func (w *Wizard) drawHead(area widget.Area) {
	x := area.Width
	for i := len(w.steps) - 1; i >= 0; i-- {
		glyph, _, style := w.state(i, area.Glyphs())
		number := fmt.Sprint(i + 1)
		x -= len(number) + 3
		if x < area.Width/2 {
			break
		}
		area.Set(x, 0, glyph, style)
		area.Print(x+1, 0, number, style)
		area.Zone(x-1, 0, len(number)+3, 1, w.ID+".step", i)
	}
	area.PrintCut(0, 0, min(x, area.Width)-1, fmt.Sprintf("%d/%d %s", w.at+1, len(w.steps), w.step().Title),
		accentStyle)
}

// drawPane draws the fields of the step, or the result of the wizard. Help is below if there is room.
func (w *Wizard) drawPane(area, help widget.Area) {
	p := &w.pane
	height := area.Height
	p.begin(area.Width, height, area.Glyphs())
	w.write()
	if len(p.rows) > height && area.Width > 2 { // the last columns are the scroll bar's
		p.begin(area.Width-2, height, area.Glyphs())
		w.write()
	}
	p.fitRows()
	p.draw(area, w.ID)
	if help.Width == 0 || w.Help() == "" || !w.Asking() {
		return
	}
	lines := widget.Wrap(w.Help(), help.Width)
	if len(p.rows)+1+len(lines) > height {
		return
	}
	for i, line := range lines {
		help.PrintCut(0, height-len(lines)+i, help.Width, line, mutedStyle)
	}
}

// write writes the pane.
func (w *Wizard) write() {
	if w.result != nil {
		w.writeResult()
	}
	if w.progress != nil {
		w.writeProgress()
	}
	if !w.Asking() {
		return
	}
	l := layout{pane: &w.pane, form: &w.form, focused: w.edit == nil, messages: w.shownMessages, behind: w.writeEdit}
	l.write()
	if review := w.step().Review; review != nil {
		w.writeReview(review)
	}
}

// shownMessages returns the visible messages of a field: a missing answer is an error only after the field was touched, or
// after Next failed.
func (w *Wizard) shownMessages(field string) []Message {
	var messages []Message
	_, touched := w.said[field]
	touched = touched || w.at < w.reached || w.tried[w.Step()]
	for _, m := range w.messages {
		if m.Field == field && (touched || m.Severity != Error) {
			messages = append(messages, m)
		}
	}
	return messages
}

// writeEdit writes the row that is being edited behind its list.
func (w *Wizard) writeEdit(field *Field) {
	if w.edit == nil || w.edit.field != field.ID {
		return
	}
	p, edit := &w.pane, w.edit
	title := "New " + field.item()
	if edit.row < len(w.values.Rows(field.ID)) {
		title = fmt.Sprintf("%s %d", field.item(), edit.row+1)
	}
	from := len(p.rows)
	p.row(panePiece{1, title, themes.Style{Role: themes.Title, Attr: themes.Bold}},
		panePiece{widget.Width(title) + 3, "Enter accepts it, Esc cancels", mutedStyle})
	l := layout{pane: p, form: &edit.form, indent: 3, focused: true, inRow: true, messages: edit.shownMessages}
	l.write()
	for _, m := range edit.messages {
		if m.Field == "" {
			p.message(3, m)
		}
	}
	if p.first < from || len(p.rows)-from <= p.height {
		p.focusFrom(from)
	}
}

// shownMessages returns the visible messages of a column.
func (e *edit) shownMessages(column string) []Message {
	var messages []Message
	_, touched := e.said[column]
	for _, m := range e.messages {
		if m.Field == column && (touched || e.tried || m.Severity != Error) {
			messages = append(messages, m)
		}
	}
	return messages
}

// The maximum number of lines of a review's question, and the height of the wizard from which on all lines show.
const (
	longestQuestion = 7
	questionHeight  = 12
)

// question returns the wrapped question of the review before it is applied; empty if it asks nothing.
func (w *Wizard) question(width int) (lines []string) {
	review := w.step().Review
	if review == nil || !w.Asking() {
		return nil
	}
	for _, sentence := range review.Question {
		lines = append(lines, widget.Wrap(sentence, width)...)
	}
	return lines
}

// footHeight returns the number of rows of the question, the notice and the buttons.
func (w *Wizard) footHeight(area widget.Area) int {
	if area.Height < 4 {
		return 0
	}
	height := 2
	if lines := len(widget.Wrap(w.notice, area.Width-2)); lines > 1 && area.Height >= 10 {
		height = 3
	}
	if area.Height >= questionHeight {
		height += min(len(w.question(area.Width-2)), longestQuestion)
	}
	return height
}

// drawFooter draws the question, the notice and the buttons.
func (w *Wizard) drawFooter(area widget.Area) {
	if area.Height == 0 {
		return
	}
	text, buttons := area.SplitBottom(1)
	style := themes.Style{Role: themes.Warn}
	if lines := w.question(area.Width - 2); len(lines) > 0 && text.Height > 1 {
		lines = lines[:min(len(lines), longestQuestion, text.Height-1)]
		var asks widget.Area
		asks, text = text.SplitTop(len(lines))
		asks.Set(0, 0, area.Glyphs().Warning, style)
		for y, line := range lines {
			asks.PrintCut(2, y, asks.Width-2, line, style)
		}
	}
	if w.notice != "" {
		text.Set(0, 0, area.Glyphs().Warning, style)
		for y, line := range widget.Wrap(w.notice, text.Width-2) {
			text.PrintCut(2, y, text.Width-2, line, style)
		}
	}
	w.buttons.ID = w.ID + ".button"
	w.buttons.Draw(buttons, w.edit == nil && (!w.Asking() || w.form.focus == ""))
	if w.Waits() {
		buttons.PrintRight(buttons.Width, 0, "being applied", mutedStyle)
	}
}
