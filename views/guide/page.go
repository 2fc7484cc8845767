package guide

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/guide"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/exec"
	"cxdeck/views/exec/guides"
)

// The buttons of a guide's page, in their order.
const (
	stepButton = iota
	restButton
	answersButton
	checkButton
	undoButton
	exportButton
)

// pageDialog is the page of a guide.
type pageDialog struct {
	*Guides
	guide *guide.Guide
	// course is the guide on the host, nil until it was read; why is the reason why it could not be read.
	course *guides.Course
	why    string
	// verdicts are the checks that the page shows: the preconditions, or the checks after the last step.
	verdicts []guides.Verdict
	after    bool
	busy     bool
	offers   offers

	lines   []pageLine
	width   int
	list    widget.List
	buttons *widget.Buttons
}

type pageLine struct {
	text  string
	style themes.Style
}

// readMsg is a guide that was read on the host.
type readMsg struct {
	course   *guides.Course
	verdicts []guides.Verdict
	after    bool
	offers   offers
	err      error
}

func (g *Guides) openPage(chosen *guide.Guide) ui.Cmd {
	g.last = chosen.Name
	d := &pageDialog{Guides: g, guide: chosen, buttons: &widget.Buttons{ID: "guide.button"}}
	d.buttons.Items = []widget.Button{{Label: "Next step"}, {Label: "All steps"}, {Label: "Answers"}, {Label: "Check"}, {Label: "Undo"}, {Label: "Export"}}
	return ui.Batch(ui.OpenDialog(d), d.read(false))
}

// read reads the guide and its checks on the host, in the background.
func (d *pageDialog) read(after bool) ui.Cmd {
	d.busy = true
	chosen, typed := d.guide, d.typed()
	return ui.Background("read the guide", func(ctx context.Context) ui.Msg {
		course, err := d.Open(ctx, chosen.Name, typed)
		if err != nil {
			return readMsg{err: err}
		}
		checks := chosen.Needs
		if after {
			checks = chosen.After
		}
		offers, err := readOffers(ctx, course)
		return readMsg{course, course.Check(ctx, checks), after, offers, err}
	})
}

// typed returns the answers that were given to the guide, as words.
func (d *pageDialog) typed() []string { return d.typedFor[d.guide.Name] }

func (d *pageDialog) Title() string { return "Guide: " + d.guide.Title }

const widestPage = 100

func (d *pageDialog) wrap(width int) {
	if d.width == width {
		return
	}
	d.width, d.lines = width, nil
	add := func(role themes.Role, text string) {
		for _, line := range widget.Wrap(text, max(width-2, 10)) {
			d.lines = append(d.lines, pageLine{line, themes.Style{Role: role}})
		}
	}
	if d.why != "" {
		add(themes.Bad, d.why)
	}
	if d.course == nil {
		return
	}
	if d.after {
		add(themes.Muted, "The checks after the last step:")
	}
	for _, v := range d.verdicts {
		role := map[guides.State]themes.Role{guides.Met: themes.Good, guides.Unmet: themes.Warn, guides.Unseen: themes.Muted}[v.State]
		text := fmt.Sprintf("%s: %s", v.State, v.Text)
		if v.State == guides.Unmet && v.Why != "" {
			text += " (" + v.Why + ")"
		}
		add(role, exec.Clean(text))
		if v.State == guides.Unmet && v.Check.Guide != "" {
			add(themes.Muted, "  the guide "+v.Check.Guide+" does it")
		}
		for _, line := range v.Check.Meet {
			if v.State == guides.Unmet {
				add(themes.Accent, "  : "+exec.Clean(d.course.Progress.Answers.Fill(line)))
			}
		}
	}
	if len(d.verdicts) > 0 {
		add(themes.Text, "")
	}
	for line := range strings.Lines(d.course.Page(width - 2)) {
		line = strings.TrimRight(line, "\n")
		style := themes.Style{}
		switch trimmed := strings.TrimSpace(line); {
		case strings.HasPrefix(trimmed, "> "):
			style.Role = themes.Accent
		case strings.HasPrefix(trimmed, "[x]"), strings.HasPrefix(trimmed, "[-]"):
			style.Role = themes.Muted
		}
		d.lines = append(d.lines, pageLine{line, style})
	}
}

func (d *pageDialog) Size(width, height int) (int, int) {
	width = min(width, widestPage)
	d.wrap(width)
	return width, min(height, max(len(d.lines), 12)+2)
}

func (d *pageDialog) Draw(area widget.Area) {
	d.wrap(area.Width)
	body, foot := area.SplitBottom(1)
	if body.Height > 1 {
		body, _ = body.SplitTop(body.Height - 1)
	}
	d.list.SetLength(max(len(d.lines)-body.Height+1, 1))
	top := max(d.list.Cursor(), 0)
	for y, l := range d.lines[min(top, len(d.lines)):min(top+body.Height, len(d.lines))] {
		body.PrintCut(0, y, body.Width-1, l.text, l.style)
	}
	if len(d.lines)-top > body.Height && body.Height > 0 {
		body.Set(body.Width-1, body.Height-1, area.Glyphs().ArrowDown, themes.Style{Role: themes.Accent})
	}
	if d.busy {
		foot.Print(0, 0, "The host is being read ...", themes.Style{Role: themes.Muted})
		return
	}
	d.buttons.Draw(foot, true)
}

func (d *pageDialog) Hints() []ui.Hint {
	return []ui.Hint{{Key: "enter", Name: "press"}, {Key: "right", Name: "next button"}, {Key: "down", Name: "scroll"}, {Key: "esc", Name: "back to the screens"}}
}

func (d *pageDialog) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case readMsg:
		d.busy, d.width, d.why = false, 0, ""
		if d.course, d.verdicts, d.after, d.offers = msg.course, msg.verdicts, msg.after, msg.offers; msg.err != nil {
			d.why = msg.err.Error()
		}
		d.buttons.Items[stepButton].Label = "Next step"
		if d.guide.Form() != "" {
			d.buttons.Items[stepButton].Label = "Form"
		}
		if d.canMeet() { // no step can be taken before
			d.buttons.Items[stepButton].Label = "Meet needs"
		}
	case ui.KeyMsg:
		switch msg.Name {
		case "enter", " ":
			return d.press(d.buttons.Focus())
		case "up", "k", "down", "j", "pgup", "pgdown", "home", "end":
			d.list.Key(msg.Name)
		default:
			d.buttons.Key(msg.Name)
		}
	case ui.HitMsg:
		if step := msg.Button.WheelRows(); step != 0 {
			d.list.Scroll(step)
		} else if msg.Button == ui.Press && msg.ID == d.buttons.ID {
			d.buttons.SetFocus(msg.Index)
			return d.press(msg.Index)
		}
	}
	return false, nil
}

// press presses a button. The buttons that change the host close the page: its line shows what it does, asks, and shows the answer.
func (d *pageDialog) press(button int) (bool, ui.Cmd) {
	if d.busy {
		return false, nil
	}
	changes := button == stepButton || button == restButton || button == undoButton
	if why := d.CannotChange(); changes && why != "" {
		return false, ui.Toast(ui.Caution, "The guide can't be carried out: "+why+".")
	}
	run := append([]string{"guide", "run", d.guide.Name}, d.typed()...)
	switch button {
	case stepButton:
		if d.canMeet() {
			return true, d.Run(append([]string{"guide", "meet", d.guide.Name}, d.typed()...))
		}
		if d.guide.Form() != "" {
			return true, d.OpenForm(d.guide.Form(), d.begun())
		}
		return true, d.Run(append(run, "--step"))
	case restButton:
		if d.guide.Form() != "" { // its answers come first
			return true, d.OpenForm(d.guide.Form(), d.begun())
		}
		return true, d.Run(run)
	case undoButton:
		return true, d.Run([]string{"guide", "undo", d.guide.Name})
	case answersButton:
		return d.askAnswers()
	case exportButton:
		return false, d.export()
	case checkButton:
		return false, d.read(!d.after)
	}
	return true, nil
}

// begun returns the answers with which the guide was begun; nil before its first step and after its last one.
func (d *pageDialog) begun() guide.Answers {
	if d.course == nil || len(d.course.Progress.Done) == 0 || d.course.Finished() {
		return nil
	}
	return d.course.Progress.Answers
}

// canMeet reports whether lines can meet a precondition that is not met, before the first step.
func (d *pageDialog) canMeet() bool {
	return !d.after && d.course != nil && len(d.course.Progress.Done) == 0 && slices.ContainsFunc(d.verdicts, func(v guides.Verdict) bool {
		return v.State == guides.Unmet && len(v.Check.Meet) > 0
	})
}

// askAnswers opens the form for the answers.
func (d *pageDialog) askAnswers() (bool, ui.Cmd) {
	switch {
	case d.guide.Form() != "":
		return true, d.OpenForm(d.guide.Form(), d.begun())
	case d.course == nil || len(d.guide.Fields) == 0:
		return false, ui.Toast(ui.Note, "This guide asks nothing.")
	}
	return true, d.openAnswers(d.course, &d.offers)
}

// export asks for a file, and writes the runbook of the guide into it, the protocol once a step is done, or a script for a name that ends in .ps1.
func (d *pageDialog) export() ui.Cmd {
	return ui.Prompt("Export the guide", "File, .md or .ps1", d.guide.Name+".md", func(text string) string {
		if strings.TrimSpace(text) == "" {
			return "A name is required."
		}
		return ""
	}, func(text string) ui.Cmd {
		return d.Run(append([]string{"guide", "export", d.guide.Name, text}, d.typed()...))
	})
}
