package wizard

import (
	"slices"

	"cxdeck/ui/widget"
)

// form is a list of fields of which one has the focus: the fields of a step, or of a row that is being edited. It changes
// answers only through the function change.
type form struct {
	fields []Field
	values Values
	change func(id string, value Value)
	// focus is the ID of the field with the focus, empty when none has it.
	focus  string
	inputs map[string]*widget.Input
	lists  map[string]*widget.List
}

func newForm(change func(string, Value)) form {
	return form{change: change, inputs: map[string]*widget.Input{}, lists: map[string]*widget.List{}}
}

// isText reports whether a field is a line of text.
func (f *Field) isText() bool {
	return f.Kind == Text || f.Kind == Number || f.Kind == MAC
}

// takesFocus reports whether a field can have the focus.
func (f *Field) takesFocus() bool { return f.isQuestion() && f.Disabled == "" }

// isQuestion reports whether a field is a question.
func (f *Field) isQuestion() bool { return f.Kind != Facts && f.Kind != Curves }

// index returns the index of the choice with an ID, -1 for none.
func index(choices []Choice, id string) int {
	return slices.IndexFunc(choices, func(c Choice) bool { return c.ID == id })
}

// offeredChoices returns the choices of a field, followed by chosen ones that are no longer offered: they can be deselected, and
// stay visible.
func (f *Field) offeredChoices(value Value) []Choice {
	choices := f.Choices
	if f.Kind != ManyOf {
		return choices
	}
	for _, id := range value.IDs {
		if index(f.Choices, id) < 0 {
			choices = append(slices.Clip(choices), Choice{ID: id, Label: id, Disabled: notOffered})
		}
	}
	return choices
}

// notOffered is the reason why a chosen ID can't be chosen again.
const notOffered = "no longer exists"

// show sets the fields and answers, and keeps the focus and the cursors.
func (f *form) show(fields []Field, values Values) {
	f.fields, f.values = fields, values
	for i := range fields {
		field := &fields[i]
		value := values[field.ID]
		switch {
		case field.isText():
			input := f.inputs[field.ID]
			if input == nil {
				input = widget.NewInput("", "", field.Limit)
				f.inputs[field.ID] = input
			}
			if input.Value() != value.Text {
				input.SetValue(value.Text)
			}
		case field.Kind == OneOf:
			list := f.list(field.ID, len(field.Choices))
			if at := index(field.Choices, value.Text); at >= 0 && f.focus != field.ID {
				list.Select(at)
			}
		case field.Kind == ManyOf:
			f.list(field.ID, len(field.offeredChoices(value)))
		case field.Kind == Rows:
			f.list(field.ID, len(value.Rows))
		case field.Kind == Shares:
			f.list(field.ID, len(field.Choices))
		}
	}
	if field := f.field(); f.focus != "" && (field == nil || !field.takesFocus()) {
		f.focus = ""
		f.move(1)
	}
}

// list returns the cursor of a field with length rows, which are all visible: the pane scrolls as a whole.
func (f *form) list(id string, length int) *widget.List {
	list := f.lists[id]
	if list == nil {
		list = &widget.List{}
		f.lists[id] = list
	}
	list.SetLength(length)
	list.SetHeight(length)
	return list
}

// field returns the field with the focus, nil for none.
func (f *form) field() *Field { return f.byID(f.focus) }

func (f *form) byID(id string) *Field {
	for i := range f.fields {
		if f.fields[i].ID == id {
			return &f.fields[i]
		}
	}
	return nil
}

// typing reports that plain keys are text.
func (f *form) typing() bool {
	field := f.field()
	return field != nil && field.isText()
}

// move moves the focus to the next or the previous field; from none to the first or the last. It is false at an end, where no
// field has the focus.
func (f *form) move(by int) bool {
	at := slices.IndexFunc(f.fields, func(field Field) bool { return field.ID == f.focus })
	if at < 0 && by < 0 {
		at = len(f.fields)
	}
	for at += by; at >= 0 && at < len(f.fields); at += by {
		if f.fields[at].takesFocus() {
			f.focus = f.fields[at].ID
			return true
		}
	}
	f.focus = ""
	return false
}

// typeKey passes a key to the input with the focus, and reports whether the input handled it.
func (f *form) typeKey(name string, runes []rune) bool {
	if !f.typing() {
		return false
	}
	input := f.inputs[f.focus]
	if !input.Key(name, runes) {
		return false
	}
	f.noteTyped()
	return true
}

// paste inserts text into the input with the focus.
func (f *form) paste(text string) {
	if f.typing() {
		f.inputs[f.focus].Paste(text)
		f.noteTyped()
	}
}

// noteTyped updates the answer after a change of the input with the focus.
func (f *form) noteTyped() {
	if text := f.inputs[f.focus].Value(); text != f.values[f.focus].Text {
		f.change(f.focus, Value{Text: text})
	}
}

// key moves the cursor of a list. It reports whether the cursor moved: at an end the focus goes to the next field, except in a
// OneOf, where passing through would change the choice.
func (f *form) key(name string) bool {
	field := f.field()
	if field == nil {
		return false
	}
	list := f.lists[field.ID]
	if field.isText() || field.Kind == Toggle || list == nil {
		return false
	}
	if field.Kind == Shares {
		if by := dragged(name); by != 0 {
			f.drag(by)
			return true
		}
	}
	before := list.Cursor()
	if !list.Key(name) {
		return false
	}
	if field.Kind != OneOf {
		return list.Cursor() != before
	}
	f.choose()
	return true
}

// choose chooses the item under the cursor of a OneOf, if possible.
func (f *form) choose() {
	field := f.field()
	at := f.lists[field.ID].Cursor()
	if at < 0 {
		return
	}
	if c := &field.Choices[at]; c.Disabled == "" && c.ID != f.values[field.ID].Text {
		f.change(field.ID, Value{Text: c.ID})
	}
}

// toggle toggles the item under the cursor, or returns the reason why that is not possible.
func (f *form) toggle() (refusal string) {
	field := f.field()
	if field == nil {
		return ""
	}
	value := f.values[field.ID]
	switch field.Kind {
	case Toggle:
		f.change(field.ID, Value{On: !value.On})
	case OneOf:
		f.choose()
		return f.refusal()
	case ManyOf:
		choices := field.offeredChoices(value)
		at := f.lists[field.ID].Cursor()
		if at < 0 {
			return ""
		}
		id := choices[at].ID
		chosen := slices.Contains(value.IDs, id)
		if !chosen && choices[at].Disabled != "" {
			return f.refusal()
		}
		var ids []string // in the order of the choices
		for i := range choices {
			if slices.Contains(value.IDs, choices[i].ID) != (choices[i].ID == id) {
				ids = append(ids, choices[i].ID)
			}
		}
		f.change(field.ID, Value{IDs: ids})
	default: // nothing to toggle
	}
	return ""
}

// refusal returns the reason why the item under the cursor can't be chosen; empty when it can.
func (f *form) refusal() string {
	field := f.field()
	if field == nil || field.Kind != OneOf && field.Kind != ManyOf {
		return ""
	}
	choices := field.offeredChoices(f.values[field.ID])
	at := f.lists[field.ID].Cursor()
	if at < 0 || at >= len(choices) || choices[at].Disabled == "" {
		return ""
	}
	return choices[at].Label + ": " + choices[at].Disabled
}
