package counters

import (
	"errors"
	"fmt"
	"strings"

	"cxdeck/driver/wording"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// The fields of the threshold dialog before the program's arguments.
const (
	fieldSide = iota
	fieldLevel
	fieldClear
	fieldHold
	fieldProgram // the first field of the program and its arguments; the last one is empty
)

// maxArguments is the maximum number of arguments, including the program itself.
const maxArguments = 16

// thresholdDialog sets the threshold of one counter.
type thresholdDialog struct {
	screen *Screen
	form   thresholdForm
	name   string
	exists bool // the counter had a threshold when the dialog opened
	// inputs are level, clear level, hold time, then program and arguments.
	inputs  []*widget.Input
	field   widget.List
	problem string
}

const zoneThreshold = "counters.threshold"

// openThreshold opens the threshold of the selected counter.
func (s *Screen) openThreshold() ui.Cmd {
	i := s.selected()
	if i < 0 || s.curves[i].missing() {
		return nil
	}
	return ui.OpenDialog(newThresholdDialog(s, &s.curves[i]))
}

func newThresholdDialog(s *Screen, c *curve) *thresholdDialog {
	d := &thresholdDialog{screen: s, form: newForm(c, s.deck.InBytes), name: strings.TrimSpace(c.counter + " " + c.instance)}
	list := s.thresholds()
	if n := thresholdOf(list, c.path); n >= 0 {
		d.form, d.exists = formOf(c, list[n], s.deck.InBytes), true
	}
	d.inputs = append(d.inputs,
		widget.NewInput(d.form.level, d.form.levelHint(), 40),
		widget.NewInput(d.form.clear, "10% off the level", 40),
		widget.NewInput(d.form.hold, "at once", 20))
	for _, argument := range d.form.program {
		d.inputs = append(d.inputs, widget.NewInput(argument, "", 0))
	}
	d.keepEmptyArgument()
	d.field.SetHeight(fieldProgram + maxArguments)
	d.field.Select(fieldLevel)
	return d
}

// keepEmptyArgument keeps one empty field after the last argument.
func (d *thresholdDialog) keepEmptyArgument() {
	arguments := d.inputs[fieldProgram-1:]
	if n := len(arguments); n < maxArguments && (n == 0 || arguments[n-1].Value() != "") {
		placeholder := "argument; {path}, {value}, {level} are replaced"
		if n == 0 {
			placeholder = "none; a program and its arguments, no shell"
		}
		d.inputs = append(d.inputs, widget.NewInput("", placeholder, 0))
	}
	d.field.SetLength(1 + len(d.inputs))
}

// input returns the focused text field, nil for the choice between above and below.
func (d *thresholdDialog) input() *widget.Input {
	if i := d.field.Cursor(); i > fieldSide {
		return d.inputs[i-1]
	}
	return nil
}

func (d *thresholdDialog) Title() string { return "Threshold: " + d.name }

func (d *thresholdDialog) Size(width, height int) (int, int) {
	width = min(width, 76)
	return width, min(height, len(d.inputs)+2+len(d.messages(width)))
}

// fieldError is an error with the index of the invalid field.
type fieldError struct {
	field int
	error
}

// messages returns the lines below the fields: the error, or how to write a level.
func (d *thresholdDialog) messages(width int) []string {
	if d.problem != "" {
		return widget.Wrap(wording.UpperFirst(d.problem)+".", max(width-2, 1))
	}
	return widget.Wrap("Write a level as 1500, 9.5G or 80%. Esc cancels.", max(width, 1))
}

// Typing reports that plain keys are text in a text field.
func (d *thresholdDialog) Typing() bool { return d.input() != nil }

func (d *thresholdDialog) Update(msg ui.Msg) (bool, ui.Cmd) {
	defer d.keepEmptyArgument()
	switch msg := msg.(type) {
	case ui.KeyMsg:
		return d.key(msg)
	case ui.PasteMsg:
		if in := d.input(); in != nil {
			in.Paste(msg.Text)
		}
	case ui.HitMsg:
		if msg.ID == zoneThreshold && msg.Button == ui.Press {
			d.field.Select(msg.Index)
			if msg.Index == fieldSide {
				d.form.below = !d.form.below
			}
		}
	}
	return false, nil
}

func (d *thresholdDialog) key(key ui.KeyMsg) (bool, ui.Cmd) {
	d.problem = ""
	switch key.Name {
	case "tab", "down":
		d.field.Move(1)
		return false, nil
	case "shift+tab", "up":
		d.field.Move(-1)
		return false, nil
	case "enter":
		return d.accept()
	case "ctrl+x":
		if d.exists {
			return true, ui.Batch(d.screen.setThreshold(d.form.path, nil), ui.Toast(ui.Note, "The threshold of "+d.name+" is removed."))
		}
		return false, nil
	}
	if in := d.input(); in != nil {
		in.Key(key.Name, key.Runes)
		return false, nil
	}
	switch key.Name {
	case " ", "space", "left", "right", "h", "l":
		d.form.below = !d.form.below
	}
	return false, nil
}

// accept sets the threshold, or shows the error at its field.
func (d *thresholdDialog) accept() (bool, ui.Cmd) {
	d.form.level, d.form.clear, d.form.hold = d.inputs[0].Value(), d.inputs[1].Value(), d.inputs[2].Value()
	d.form.program = d.form.program[:0]
	for _, in := range d.inputs[fieldProgram-1:] {
		d.form.program = append(d.form.program, in.Value())
	}
	t, err := d.form.threshold()
	if err != nil {
		d.problem = err.Error()
		var at *fieldError
		if errors.As(err, &at) {
			d.field.Select(at.field)
			d.input().Key("end", nil) // the next keys correct the text instead of replacing it
		}
		return false, nil
	}
	if len(t.Run) > 0 && d.screen.deck.ReadOnly {
		d.problem = "read-only mode runs no programs"
		return false, nil
	}
	keep := d.screen.setThreshold(d.form.path, &t)
	side := "above"
	if t.Below {
		side = "below"
	}
	text := fmt.Sprintf("An alarm is raised when %s is %s %s.", d.name, side, d.form.text(t.Level, t.Percent))
	if len(t.Run) > 0 {
		text += " Its program is not saved: only the configuration file keeps programs."
	}
	return true, ui.Batch(keep, ui.Toast(ui.Success, text))
}

func (d *thresholdDialog) Draw(area widget.Area) {
	const label = 15
	g := area.Glyphs()
	side := "above the level"
	if d.form.below {
		side = "below the level"
	}
	for i := range 1 + len(d.inputs) {
		focused := i == d.field.Cursor()
		style := muted
		if focused {
			style = attention
		}
		var name string
		switch i {
		case fieldSide:
			name = "Alarm when"
		case fieldLevel:
			name = "Level"
		case fieldClear:
			name = "Clear level"
		case fieldHold:
			name = "For at least"
		case fieldProgram:
			name = "Run program"
		default:
			name = fmt.Sprintf("  argument %d", i-fieldProgram)
		}
		area.PrintCut(0, i, label-1, name, style)
		area.Zone(0, i, area.Width, 1, zoneThreshold, i)
		if i == fieldSide {
			area.Print(label, i, string(g.ArrowLeft)+" "+side+" "+string(g.ArrowRight), style)
			continue
		}
		d.inputs[i-1].Draw(area.Sub(label, i, area.Width-label, 1), focused, plain)
	}
	y := 2 + len(d.inputs)
	x, style := 0, muted
	if d.problem != "" {
		x, style = 2, themes.Style{Role: themes.Bad}
		area.Set(0, y, g.Failed, style)
	}
	for n, line := range d.messages(area.Width) {
		area.PrintCut(x, y+n, area.Width-x, line, style)
	}
}

func (d *thresholdDialog) Hints() []ui.Hint {
	hints := []ui.Hint{{Key: "enter", Name: "set"}, {Key: "tab", Name: "next field"}}
	if d.exists {
		hints = append(hints, ui.Hint{Key: "ctrl+x", Name: "remove"})
	}
	return append(hints, ui.Hint{Key: "esc", Name: "cancel"})
}
