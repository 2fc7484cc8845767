package change

import (
	"fmt"
	"strings"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/registry"
	"cxdeck/driver/wording"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// confirmDialog shows the effects of a change and asks whether to make it. The button "Back" has the focus at first,
// unless the change is harmless.
type confirmDialog struct {
	deck     *deck.Deck
	title    string
	lines    []ReviewLine
	question []string
	// labels are the buttons before the last one, "Back"; then gets the index of the pressed one.
	labels  []widget.Button
	then    func(button int) ui.Cmd
	buttons widget.Buttons
	// plan can be exported; nil without one.
	plan *driver.Plan
	// harmless puts the focus on the first button.
	harmless bool

	list  widget.List
	rows  []askRow
	width int
}

// ReviewLine is a line of a review: a glyph for the kind of change, and a text.
type ReviewLine struct {
	Mark rune
	Text string
	Role themes.Role
}

// ShowReview shows the review of a change that is not made on the host of a lab, and asks. The buttons have these labels, and "Back"
// follows; then gets the index of the pressed one. Without labels it only shows the review.
func ShowReview(d *deck.Deck, title string, lines []ReviewLine, question []string, labels []widget.Button, then func(button int) ui.Cmd) ui.Cmd {
	return (&confirmDialog{deck: d, title: title, lines: lines, question: question, labels: labels, then: then, harmless: len(question) == 0}).ask()
}

// askRow is one row of a wrapped ReviewLine.
type askRow struct {
	mark, text string
	role       themes.Role
}

// maxConfirmWidth keeps the lines of the dialog easy to read; in cells.
const maxConfirmWidth = 96

// ask opens the dialog, unless one is open already: a key pressed twice asks once.
func (d *confirmDialog) ask() ui.Cmd {
	return func() ui.Msg {
		if d.deck.Asking {
			return nil
		}
		d.deck.Asking = true
		d.buttons = widget.Buttons{ID: "change.ask.button", Items: append(d.labels, widget.Button{Label: "Back"})}
		if !d.harmless {
			d.buttons.SetFocus(len(d.labels))
		}
		return ui.OpenDialog(d)()
	}
}

// Closed implements ui.Closer.
func (d *confirmDialog) Closed() ui.Cmd {
	d.deck.Asking = false
	return nil
}

func (d *confirmDialog) Title() string { return d.title }

func (d *confirmDialog) Size(width, height int) (int, int) {
	width = min(width, max(maxConfirmWidth, d.buttons.Width()))
	d.wrap(width)
	return width, min(height, len(d.rows)+len(d.questionLines(width))+3)
}

// questionLines returns the question, wrapped.
func (d *confirmDialog) questionLines(width int) (lines []string) {
	for _, sentence := range d.question {
		lines = append(lines, widget.Wrap(sentence, width-2)...)
	}
	return lines
}

func (d *confirmDialog) wrap(width int) {
	if d.width == width {
		return
	}
	d.width, d.rows = width, nil
	for _, l := range d.lines {
		mark := string(l.Mark)
		for _, text := range widget.Wrap(l.Text, max(width-3, 1)) {
			d.rows = append(d.rows, askRow{mark, text, l.Role})
			mark = " "
		}
	}
	d.list.SetLength(len(d.rows))
}

func (d *confirmDialog) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		switch msg.Name {
		case "enter", " ":
			return d.press(d.buttons.Focus())
		case "y", "Y":
			return d.press(0)
		case "n", "N":
			return d.press(len(d.labels))
		default:
			if cmd, known := ui.Perform(d.Actions(), msg.Name, false); known {
				return false, cmd
			}
			if !d.list.ScrollKey(msg.Name) {
				d.buttons.Key(msg.Name)
			}
		}
	case ui.HitMsg:
		if msg.Button == ui.Press && msg.ID == d.buttons.ID {
			return d.press(msg.Index)
		}
		d.list.Scroll(msg.Button.WheelRows())
	}
	return false, nil
}

func (d *confirmDialog) press(button int) (bool, ui.Cmd) {
	if button >= len(d.labels) {
		return true, nil
	}
	return true, d.then(button)
}

func (d *confirmDialog) Draw(area widget.Area) {
	d.wrap(area.Width)
	asked := d.questionLines(area.Width)
	body, foot := area.SplitBottom(min(len(asked)+2, max(area.Height-1, 1)))
	d.list.SetHeight(body.Height)
	from, to := d.list.Visible()
	for y, row := range d.rows[from:to] {
		body.Print(0, y, row.mark, themes.Style{Role: row.role})
		body.PrintCut(2, y, body.Width-3, row.text, themes.Style{Role: row.role})
	}
	if to < len(d.rows) {
		body.Set(body.Width-1, body.Height-1, area.Glyphs().ArrowDown, themes.Style{Role: themes.Accent})
	}
	area.Zone(0, 0, area.Width, body.Height, "change.ask", 0)
	style := themes.Style{Role: themes.Warn}
	text, buttons := foot.SplitBottom(1)
	switch {
	case d.harmless:
		style.Role = themes.Text
	case len(asked) > 0 && text.Height > 0:
		text.Set(0, 0, area.Glyphs().Warning, style)
	}
	for y, line := range asked[:min(len(asked), text.Height)] {
		text.PrintCut(2, y, text.Width-2, line, style)
	}
	d.buttons.Draw(buttons, true)
}

// Actions are the keys of the dialog besides its buttons.
func (d *confirmDialog) Actions() []ui.Action {
	if d.plan == nil {
		return nil
	}
	return []ui.Action{{ID: "question.export", Keys: []string{"x"}, Name: "export", Help: "Write the plan to a file",
		Run: func() ui.Cmd { return ExportPlan(d.deck, *d.plan) }}}
}

func (d *confirmDialog) Hints() []ui.Hint {
	if len(d.labels) == 0 {
		return []ui.Hint{{Key: "enter", Name: "back"}, {Key: "esc", Name: "back"}}
	}
	hints := []ui.Hint{{Key: "y", Name: strings.ToLower(d.labels[0].Label)}, {Key: "n", Name: "back"}}
	if d.plan != nil {
		hints = append(hints, ui.Hint{Key: "x", Name: "export"})
	}
	return append(hints, ui.Hint{Key: "tab", Name: "next button"}, ui.Hint{Key: "enter", Name: "press it"},
		ui.Hint{Key: "esc", Name: "back"})
}

// storedText returns a stored value as a review shows it.
func storedText(v registry.Value) string {
	if !v.Exists() {
		return "not stored"
	}
	return v.String()
}

// reviewLines returns the lines of a review: the changed values, the other steps, the interruptions and the warnings.
func reviewLines(d *deck.Deck, r *driver.Review) (list []ReviewLine) {
	add := func(mark rune, role themes.Role, format string, args ...any) {
		list = append(list, ReviewLine{mark, fmt.Sprintf(format, args...), role})
	}
	for i := range r.Changes {
		c := &r.Changes[i]
		add('~', themes.Info, "%s of %s: %s -> %s", c.Row.Name, c.Target, storedText(c.From), storedText(c.To))
	}
	for _, step := range r.Steps {
		add('*', themes.Text, "%s", wording.UpperFirst(step))
	}
	for i := range r.Restarts {
		restart := &r.Restarts[i]
		add('*', themes.Text, "%s: %s", wording.UpperFirst(restart.Operation.Describe()), interruption(d, restart))
	}
	for i := range r.Warnings {
		if c := &r.Warnings[i]; c.Severity != eventlog.Information {
			add('!', themes.Warn, "%s", cautionText(c))
		}
	}
	return list
}
