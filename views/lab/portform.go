package lab

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/wording"
	"cxdeck/perf/labstate"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
)

// portForm is the dialog for the settings of a switch port, and of the near end: the card's slot and the processors.
type portForm struct {
	view    *View
	port    labstate.Port
	fields  []formField
	values  []formValue
	field   widget.List
	problem string
}

// formValue is the value of a field: a text, or the index of a choice.
type formValue struct {
	input  *widget.Input
	choice int
}

const zoneForm = "lab.form"

func newPortForm(v *View, port *labstate.Port) *portForm {
	f := &portForm{view: v, port: *port, fields: fieldsOf(port)}
	for _, field := range f.fields {
		text := field.show(&f.port)
		value := formValue{}
		if field.choices != nil {
			value.choice = max(slices.Index(field.choices, text), 0)
		} else {
			value.input = widget.NewInput(text, field.hint, 24)
		}
		f.values = append(f.values, value)
	}
	f.field.SetLength(len(f.fields))
	f.field.SetHeight(len(f.fields))
	return f
}

// text returns the value of a field as text.
func (f *portForm) text(i int) string {
	if in := f.values[i].input; in != nil {
		return strings.TrimSpace(in.Value())
	}
	return f.fields[i].choices[f.values[i].choice]
}

func (f *portForm) Title() string {
	return "Switch port " + f.port.Description.Switch.Name + ", cabled to " + f.port.Description.Connection
}

func (f *portForm) Size(width, height int) (int, int) {
	width = min(width, 68)
	return width, min(height, len(f.fields)+1+len(f.footText(width)))
}

// footText returns the text below the fields: an invalid field, or the effect of Enter.
func (f *portForm) footText(width int) []string {
	if f.problem != "" {
		return widget.Wrap(f.problem+".", max(width-2, 1))
	}
	return widget.Wrap("Enter applies your changes, u undoes them; Esc discards them.", max(width, 1))
}

// Typing reports that plain keys are text in a text field.
func (f *portForm) Typing() bool { return f.values[f.field.Cursor()].input != nil }

func (f *portForm) Update(msg ui.Msg) (bool, ui.Cmd) {
	switch msg := msg.(type) {
	case ui.KeyMsg:
		return f.key(msg)
	case ui.PasteMsg:
		if in := f.values[f.field.Cursor()].input; in != nil {
			in.Paste(msg.Text)
		}
	case ui.HitMsg:
		if msg.ID == zoneForm && msg.Button == ui.Press {
			again := msg.Index == f.field.Cursor()
			f.field.Select(msg.Index)
			if again {
				f.selectChoice(1)
			}
		}
	}
	return false, nil
}

func (f *portForm) key(key ui.KeyMsg) (bool, ui.Cmd) {
	f.problem = ""
	switch key.Name {
	case "tab", "down":
		f.field.Move(1)
		return false, nil
	case "shift+tab", "up":
		f.field.Move(-1)
		return false, nil
	case "enter":
		return f.accept()
	}
	if in := f.values[f.field.Cursor()].input; in != nil {
		in.Key(key.Name, key.Runes)
		return false, nil
	}
	switch key.Name {
	case "left", "h":
		f.selectChoice(-1)
	case "right", "l", " ", "space":
		f.selectChoice(1)
	}
	return false, nil
}

// selectChoice selects another choice of the focused field, by choices forward.
func (f *portForm) selectChoice(by int) {
	i := f.field.Cursor()
	if n := len(f.fields[i].choices); n > 0 {
		f.values[i].choice = (f.values[i].choice + by + n) % n
	}
}

// accept applies the changes, or reports an invalid field. It asks before changes that lose traffic.
func (f *portForm) accept() (bool, ui.Cmd) {
	operations, err := f.operations()
	if err != nil {
		f.problem = wording.UpperFirst(strings.TrimSpace(err.Error()))
		if in := f.values[f.field.Cursor()].input; in != nil {
			in.Key("end", nil) // the next keys correct the text instead of replacing it
		}
		return false, nil
	}
	if len(operations) == 0 {
		return true, ui.Toast(ui.Note, "Nothing was changed.")
	}
	name := f.port.Description.Connection
	plan := driver.Plan{Title: "Set up the switch port of " + name, Operations: operations}
	return true, change.DoBuilt(f.view.deck, "Set up", plan.Title, f.loss(), func(*driver.Host) (driver.Plan, error) { return plan, nil })
}

// operations returns the steps from the previous settings to the form's.
func (f *portForm) operations() ([]driver.Operation, error) {
	after := f.port
	for i, field := range f.fields {
		text := f.text(i)
		if text == field.show(&f.port) {
			continue
		}
		if err := field.read(text, &after); err != nil {
			f.field.Select(i)
			return nil, fmt.Errorf("%s: %w", field.label, err)
		}
	}
	if after.Switch.Marking.Max < after.Switch.Marking.Min {
		return nil, errors.New("ECN Kmin: must not be above Kmax")
	}
	var list []driver.Operation
	name := f.port.Description.Connection
	if set, differs := fabric.Difference(name, f.port.Switch, after.Switch); differs {
		list = append(list, set)
	}
	if after.Slot != f.port.Slot {
		list = append(list, hardware.SetSlot{Adapter: after.Adapter.Name, Generation: after.Slot.Generation, Lanes: after.Slot.Lanes})
	}
	if after.ProcessorSpeed != f.port.ProcessorSpeed {
		list = append(list, hardware.SetProcessorSpeed{Connection: name, Speed: after.ProcessorSpeed})
	}
	return list, nil
}

// loss describes the current traffic that the settings of the form interrupt; empty for none.
func (f *portForm) loss() string {
	after := f.port
	for i := range f.fields {
		_ = f.fields[i].read(f.text(i), &after) // operations has reported an error
	}
	_, rate := f.view.traffic(&f.port)
	if rate == 0 {
		return ""
	}
	traffic := " " + f.view.deck.BitRate(rate) + " passes through it now."
	switch {
	case after.Switch.MaxFrame < f.port.Switch.MaxFrame && after.Switch.MaxFrame < f.port.Description.MaxFrame:
		return fmt.Sprintf("Frames longer than %d bytes are lost from then on.%s", after.Switch.MaxFrame, traffic)
	case f.port.Up && after.Switch.SubnetManager == description.SubnetAbsent:
		return "Without a subnet manager no port of the subnet is active." + traffic
	case after.Switch.SpeedGbps < f.port.Switch.SpeedGbps:
		return fmt.Sprintf("The link carries %d Gb/s from then on.%s", after.Switch.SpeedGbps, traffic)
	case after.Switch.PauseShare > f.port.Switch.PauseShare:
		return fmt.Sprintf("The switch holds the port back for %.0f%% of the time.%s", 100*after.Switch.PauseShare, traffic)
	case after.Slot != f.port.Slot:
		return fmt.Sprintf("%s continues in a slot %s.%s", f.port.Adapter.Name, slotText(after.Slot), traffic)
	case after.ProcessorSpeed < f.port.ProcessorSpeed:
		return "The receiver gets slower." + traffic
	}
	return ""
}

// formLabel is the width of the labels, in cells.
const formLabel = 24

func (f *portForm) Draw(area widget.Area) {
	fields, foot := area.SplitBottom(min(1+len(f.footText(area.Width)), area.Height-1))
	f.field.SetHeight(fields.Height)
	from, to := f.field.Visible()
	g := area.Glyphs()
	for i := from; i < to; i++ {
		y, focused := i-from, i == f.field.Cursor()
		style := muted
		if focused {
			style = accent
		}
		fields.PrintCut(0, y, formLabel-1, f.fields[i].label, style)
		fields.Zone(0, y, fields.Width, 1, zoneForm, i)
		if in := f.values[i].input; in != nil {
			width := min(fields.Width-formLabel, 16)
			in.Draw(fields.Sub(formLabel, y, width, 1), focused, themes.Style{})
			fields.PrintCut(formLabel+width+1, y, fields.Width-formLabel-width-1, f.fields[i].hint, muted)
			continue
		}
		fields.Print(formLabel, y, string(g.ArrowLeft)+" "+f.text(i)+" "+string(g.ArrowRight), style)
	}
	x, style := 0, muted
	if f.problem != "" {
		x, style = 2, themes.Style{Role: themes.Bad}
		foot.Set(0, 1, g.Failed, style)
	}
	for y, line := range f.footText(area.Width) {
		foot.PrintCut(x, y+1, foot.Width-x, line, style)
	}
}

func (f *portForm) Hints() []ui.Hint {
	return []ui.Hint{{Key: "enter", Name: "apply"}, {Key: "tab", Name: "next field"}, {Key: "esc", Name: "cancel"}}
}
