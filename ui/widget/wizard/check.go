package wizard

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"cxdeck/ui/widget"
)

// check returns the errors in the answer to a field, by its kind.
func (f *Field) check(value Value) []Message {
	if f.Disabled != "" || !f.isQuestion() {
		return nil
	}
	var messages []Message
	wrong := func(row int, text string) {
		messages = append(messages, Message{Field: f.ID, Row: row, Severity: Error, Text: text})
	}
	text := strings.TrimSpace(value.Text)
	switch f.Kind {
	case Text:
		if text == "" && f.Required {
			wrong(0, f.name()+" is required.")
		}
	case Number:
		if text != "" || f.Required {
			if why := f.numberError(text); why != "" {
				wrong(0, why)
			}
		}
	case MAC:
		if _, ok := parseMAC(text); !ok && (text != "" || f.Required) {
			wrong(0, fmt.Sprintf("Must be a MAC address of six bytes, as in 24-8A-07-11-22-33, not %q.", text))
		}
	case OneOf:
		if text := f.checkChosen(text); text != "" {
			wrong(0, text)
		}
	case ManyOf:
		if len(value.IDs) == 0 && f.Required {
			wrong(0, "Choose at least one.")
		}
		for _, choice := range f.offeredChoices(value) {
			if choice.Disabled != "" && slices.Contains(value.IDs, choice.ID) {
				wrong(0, choice.Label+": "+choice.Disabled+". Space removes it.")
			}
		}
	case Shares:
		if text := f.checkShares(value.Text); text != "" {
			wrong(0, text)
		}
	case Rows:
		if len(value.Rows) == 0 && f.Required {
			wrong(0, "Add at least one "+f.item()+".")
		}
		for i, row := range value.Rows {
			for j := range f.Columns {
				for _, m := range f.Columns[j].check(row[f.Columns[j].ID]) {
					wrong(i+1, f.Columns[j].name()+": "+m.Text)
				}
			}
		}
	default: // a toggle is always right
	}
	return messages
}

// checkChosen returns the error in the chosen ID of OneOf, empty for none.
func (f *Field) checkChosen(id string) string {
	at := index(f.Choices, id)
	switch {
	case id == "" && f.Required:
		return "Choose one."
	case id == "":
		return ""
	case at < 0:
		return id + " " + notOffered + "; choose another."
	case f.Choices[at].Disabled != "":
		return f.Choices[at].Label + " can't be chosen: " + f.Choices[at].Disabled
	}
	return ""
}

// bounded reports whether a number has a range.
func (f *Field) bounded() bool { return f.Low < f.High }

// numberError returns the error in the text of a number, empty for none.
func (f *Field) numberError(text string) string {
	low, high := f.Low, f.High
	if !f.bounded() {
		low, high = math.MinInt, math.MaxInt
	}
	_, err := widget.WholeNumber(text, low, high)
	if err == nil {
		return ""
	}
	why := err.Error()
	return strings.ToUpper(why[:1]) + why[1:] + "."
}

// name returns the default name of a field.
func (f *Field) name() string {
	if f.Label == "" {
		return "This"
	}
	return f.Label
}

// item returns the name of a row in a row list.
func (f *Field) item() string {
	if f.Item == "" {
		return "row"
	}
	return f.Item
}

// hint returns the text beside a field: its range, and its own hint.
func (f *Field) hint() string {
	if f.Kind != Number || !f.bounded() {
		return f.Hint
	}
	bounds := fmt.Sprintf("%d to %d", f.Low, f.High)
	if f.Hint == "" {
		return bounds
	}
	return bounds + "; " + f.Hint
}
