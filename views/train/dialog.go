package train

import (
	"context"
	"fmt"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/exercise"
	"cxdeck/driver/wording"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// Trainer is the exercises of a console: the list of exercises, or the course that the console runs.
type Trainer struct {
	// Directory is the directory of the records.
	Directory string
	// Course is the course of the console, nil for a console without one.
	Course *Course
	// Clone returns a copy of the console's host.
	Clone func(ctx context.Context) (*driver.Host, error)
	// Start leaves the screens and starts an exercise; CannotStart is the reason why it can't, empty when it can.
	Start       func(name string) ui.Cmd
	CannotStart string
	// Now returns the time of records.
	Now func() time.Time

	introduced bool
}

// Actions returns the action that opens the list of exercises, or the page of the course.
func (t *Trainer) Actions() []ui.Action {
	a := ui.Action{ID: "shell.exercise", Keys: []string{"Q"}, Name: "exercises", Hidden: true,
		Help: "List the exercises with your records, and start one", Run: t.openList}
	if t.Course != nil {
		a.Name, a.Hidden, a.Help = "exercise", false, "Show what the exercise asks for; check the host, take a hint, or give up"
		a.Run = t.openCourse
	}
	return []ui.Action{a}
}

// Introduce opens the page of a course once, at its start.
func (t *Trainer) Introduce() []ui.Cmd {
	if t.Course == nil || t.introduced {
		return nil
	}
	t.introduced = true
	return []ui.Cmd{t.openCourse()}
}

// AskToLeave asks before a course is left that has not ended; nil when there is nothing to ask.
func (t *Trainer) AskToLeave() ui.Cmd {
	if t.Course == nil || t.Course.Ended != nil {
		return nil
	}
	return ui.Choose("Leave the exercise", "The exercise is not solved. Leave it? It can be begun again from the start.", []ui.Choice{
		{Key: "q", Label: "Leave", Dangerous: true, Then: ui.Quit}, {Key: "n", Label: "Stay"},
	})
}

// The buttons of a course's page, in their order.
const (
	checkButton = iota
	hintButton
	giveUpButton
	backButton
)

// courseDialog is the page of a course.
type courseDialog struct {
	*Trainer
	text    []Paragraph
	lines   []line
	width   int
	list    widget.List
	buttons *widget.Buttons
	// busy reports that the host is being checked; asked that the operator was asked whether to give up.
	busy, asked bool
}

type line struct {
	label, text string
	style       themes.Style
}

// checkedMsg is the answer of a check.
type checkedMsg struct {
	result *Result
	err    error
	gaveUp bool
}

func (t *Trainer) openCourse() ui.Cmd {
	d := &courseDialog{Trainer: t, buttons: &widget.Buttons{ID: "train.button"}}
	d.buttons.Items = []widget.Button{{Label: "Check"}, {Label: "Hint"}, {Label: "Give up", Dangerous: true}, {Label: "Back"}}
	if t.Course.Ended != nil {
		d.end()
	} else {
		d.show(t.Course.Task())
		d.buttons.SetFocus(checkButton)
	}
	return ui.OpenDialog(d)
}

// show shows paragraphs from the first line on.
func (d *courseDialog) show(text []Paragraph) {
	d.text, d.width = text, 0
	d.list.Select(0)
}

// end shows the end page.
func (d *courseDialog) end() {
	d.show(d.Course.EndPage())
	d.buttons.Items = []widget.Button{{Label: "Back"}}
	d.buttons.SetFocus(0)
}

func (d *courseDialog) Title() string {
	return fmt.Sprintf("Exercise: %s", d.Course.Exercise.Title)
}

const (
	widestPage  = 76
	labelColumn = 9
)

func (d *courseDialog) wrap(width int) {
	if d.width == width {
		return
	}
	d.width, d.lines = width, d.lines[:0]
	labelled := false
	for _, p := range d.text {
		x := 0
		if labelled = p.Label != "" || labelled && p.Text != "" && !p.Command; labelled || p.Command {
			x = labelColumn
		}
		style := themes.Style{}
		if p.Command {
			style.Role = themes.Accent
		}
		parts := widget.Wrap(p.Text, max(width-2-x, 10))
		if len(parts) == 0 {
			parts = []string{""}
		}
		for i, part := range parts {
			row := line{text: part, style: style}
			if i == 0 {
				row.label = p.Label
			}
			if x > 0 && row.label == "" {
				row.label = " "
			}
			d.lines = append(d.lines, row)
		}
		labelled = labelled || p.Command
	}
	d.list.SetLength(len(d.lines))
}

func (d *courseDialog) Size(width, height int) (int, int) {
	width = min(width, widestPage)
	d.wrap(width)
	return width, min(height, len(d.lines)+2)
}

func (d *courseDialog) Draw(area widget.Area) {
	d.wrap(area.Width)
	body, foot := area.SplitBottom(1)
	if body.Height > 1 {
		body, _ = body.SplitTop(body.Height - 1)
	}
	d.list.SetLength(max(len(d.lines)-body.Height+1, 1))
	top := max(d.list.Cursor(), 0)
	for y, l := range d.lines[min(top, len(d.lines)):min(top+body.Height, len(d.lines))] {
		x := 0
		if l.label != "" {
			body.Print(0, y, l.label, themes.Style{Role: themes.Muted})
			x = labelColumn
		}
		body.PrintCut(x, y, body.Width-x-1, l.text, l.style)
	}
	if len(d.lines)-top > body.Height && body.Height > 0 {
		body.Set(body.Width-1, body.Height-1, area.Glyphs().ArrowDown, themes.Style{Role: themes.Accent})
	}
	if d.busy {
		foot.Print(0, 0, "The host is being checked ...", themes.Style{Role: themes.Muted})
		return
	}
	d.buttons.Draw(foot, true)
}

func (d *courseDialog) Hints() []ui.Hint {
	return []ui.Hint{{Key: "enter", Name: "press"}, {Key: "right", Name: "next button"}, {Key: "down", Name: "scroll"}, {Key: "esc", Name: "back to the screens"}}
}

func (d *courseDialog) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case checkedMsg:
		return false, d.checked(msg)
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

// press presses a button.
func (d *courseDialog) press(button int) (bool, ui.Cmd) {
	switch {
	case d.busy:
		return false, nil
	case d.Course.Ended != nil || button == backButton:
		return true, nil
	case button == hintButton:
		if d.Course.Hints == len(d.Course.Exercise.Hints) {
			return false, ui.Toast(ui.Note, "There is no further hint.")
		}
		d.Course.Hints++
		d.resetGiveUp()
		d.show(d.Course.Task())
	case button == giveUpButton && !d.asked:
		d.asked = true
		d.buttons.Items[giveUpButton].Label = "Really give up"
		d.buttons.SetFocus(backButton)
		d.show(append([]Paragraph{{Text: "Give up? The solution is shown, and the exercise counts as not solved."}, {}}, d.Course.Task()...))
	default:
		d.busy = true
		return false, d.check(button == giveUpButton)
	}
	return false, nil
}

// resetGiveUp makes the next Give up ask again.
func (d *courseDialog) resetGiveUp() {
	d.asked = false
	d.buttons.Items[giveUpButton].Label = "Give up"
}

// check judges a copy of the host in the background.
func (d *courseDialog) check(gaveUp bool) ui.Cmd {
	t := d.Trainer
	return ui.Background("check the exercise", func(ctx context.Context) ui.Msg {
		host, err := t.Clone(ctx)
		if err != nil {
			return checkedMsg{err: err}
		}
		result, err := t.Course.Check(ctx, host)
		return checkedMsg{result, err, gaveUp}
	})
}

// checked shows the result of a check, and keeps the record of an ended course.
func (d *courseDialog) checked(msg checkedMsg) ui.Cmd {
	d.busy = false
	switch {
	case msg.err != nil:
		return ui.Toast(ui.Failure, msg.err.Error())
	case !msg.result.Solved && !msg.gaveUp:
		d.resetGiveUp()
		d.show(append(append(msg.result.State(), Paragraph{}), d.Course.Task()...))
		return nil
	}
	d.Course.Finish(msg.result, msg.gaveUp)
	d.end()
	if err := AddRecord(d.Directory, d.Course.Record(d.Now())); err != nil {
		return ui.Toast(ui.Failure, err.Error())
	}
	return nil
}

// Finish ends the course with a result.
func (c *Course) Finish(r *Result, gaveUp bool) { c.Ended, c.GaveUp = r, gaveUp && !r.Solved }

// listDialog lists the exercises.
type listDialog struct {
	*Trainer
	records []Record
	table   widget.Table
}

func (t *Trainer) openList() ui.Cmd {
	d := &listDialog{Trainer: t, table: widget.Table{ID: "train.list", Focused: true, SortColumn: -1, Columns: []widget.TableColumn{
		{Title: "Level", Width: 5}, {Title: "Exercise", Width: 18}, {Title: "Title", Width: 30, Grow: 1, Rank: 1}, {Title: "Your best", Width: 16},
	}}}
	var err error
	d.records, _, err = ReadRecords(t.Directory)
	d.table.List.SetLength(len(exercise.All()))
	if err != nil {
		return ui.Batch(ui.OpenDialog(d), ui.Toast(ui.Caution, err.Error()))
	}
	return ui.OpenDialog(d)
}

func (d *listDialog) Title() string { return "Exercises" }

// storyHeight is the number of rows below the list for the story.
const storyHeight = 4

func (d *listDialog) Size(width, height int) (int, int) {
	return min(width, 100), min(height, len(exercise.All())+1+storyHeight)
}

func (d *listDialog) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		if msg.Name == "enter" {
			return d.open(d.table.List.Cursor())
		}
		d.table.List.Key(msg.Name)
	case ui.HitMsg:
		if step := msg.Button.WheelRows(); step != 0 {
			d.table.List.Scroll(step)
		} else if msg.ID == d.table.ID && msg.Button == ui.Press && msg.Index < len(exercise.All()) {
			if d.table.List.Select(msg.Index); msg.Double {
				return d.open(msg.Index)
			}
		}
	}
	return false, nil
}

func (d *listDialog) open(at int) (bool, ui.Cmd) {
	if d.CannotStart != "" {
		return false, ui.Toast(ui.Caution, d.CannotStart)
	}
	e := exercise.All()[at]
	return true, ui.Ask("Start the exercise", fmt.Sprintf("Start %q? It runs on a lab of its own; this host waits and goes on when you quit the exercise.", e.Title),
		"Start", func() ui.Cmd { return d.Start(e.Name) })
}

func (d *listDialog) Draw(area widget.Area) {
	list := area
	if area.Height > 2*storyHeight {
		var below widget.Area
		list, below = area.SplitTop(area.Height - storyHeight)
		for y, text := range widget.Wrap(exercise.All()[d.table.List.Cursor()].At(1).Story, below.Width-1) {
			below.Print(0, y+1, text, themes.Style{})
		}
	}
	d.table.Draw(list, func(at int, cells []widget.TableCell) {
		e := exercise.All()[at]
		cells[0] = widget.TableCell{Text: fmt.Sprint(e.Level)}
		cells[1] = widget.TableCell{Text: e.Name}
		cells[2] = widget.TableCell{Text: e.At(1).Title}
		cells[3] = widget.TableCell{Text: BestText(d.records, e.Name), Style: themes.Style{Role: themes.Muted}}
	})
}

func (d *listDialog) Hints() []ui.Hint {
	return []ui.Hint{{Key: "enter", Name: "start"}, {Key: "esc", Name: "close"}}
}

// BestText is the best record of an exercise for a cell; "-" for none.
func BestText(list []Record, name string) string {
	best := Best(list, name)
	if best == nil {
		return "-"
	}
	text := deck.Length(time.Duration(best.Seconds) * time.Second)
	if best.Hints > 0 {
		text += ", " + wording.Count(best.Hints, "hint")
	}
	return text
}
