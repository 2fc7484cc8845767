package widget

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// check says what is wrong with the answer to a field by its kind only.
func (f *WizardField) check(value WizardValue) []WizardMessage {
	if f.Disabled != "" || f.Kind == WizardFacts {
		return nil
	}
	var messages []WizardMessage
	wrong := func(row int, text string) {
		messages = append(messages, WizardMessage{Field: f.ID, Row: row, Severity: WizardError, Text: text})
	}
	text := strings.TrimSpace(value.Text)
	switch f.Kind {
	case WizardText:
		if text == "" && f.Required {
			wrong(0, f.name()+" is required.")
		}
	case WizardNumber:
		if text != "" || f.Required {
			if why := f.wrongNumber(text); why != "" {
				wrong(0, why)
			}
		}
	case WizardMAC:
		if _, ok := parseMAC(text); !ok && (text != "" || f.Required) {
			wrong(0, fmt.Sprintf("Must be a MAC address of six bytes, as in 24-8A-07-11-22-33, not %q.", text))
		}
	case WizardOneOf:
		if text := f.checkChosen(text); text != "" {
			wrong(0, text)
		}
	case WizardManyOf:
		if len(value.IDs) == 0 && f.Required {
			wrong(0, "Choose at least one.")
		}
		for _, choice := range f.offered(value) {
			if choice.Disabled != "" && slices.Contains(value.IDs, choice.ID) {
				wrong(0, choice.Label+": "+choice.Disabled+". Space removes it.")
			}
		}
	case WizardRows:
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

// checkChosen says what is wrong with the one that is chosen.
func (f *WizardField) checkChosen(id string) string {
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
func (f *WizardField) bounded() bool { return f.Low < f.High }

// wrongNumber returns the error in the text of a number, empty for none.
func (f *WizardField) wrongNumber(text string) string {
	low, high := f.Low, f.High
	if !f.bounded() {
		low, high = math.MinInt, math.MaxInt
	}
	_, err := WholeNumber(text, low, high)
	if err == nil {
		return ""
	}
	why := err.Error()
	return strings.ToUpper(why[:1]) + why[1:] + "."
}

// WholeNumber reads a whole number between two bounds; the error says what is wrong with the text. The bounds of int
// stand for none.
func WholeNumber(text string, low, high int) (int, error) {
	wanted := "an integer"
	if low != math.MinInt || high != math.MaxInt {
		wanted = fmt.Sprintf("an integer from %d to %d", low, high)
	}
	text = strings.TrimSpace(text)
	n, err := strconv.Atoi(text)
	switch {
	case text == "":
		return 0, fmt.Errorf("%s is required", wanted)
	case errors.Is(err, strconv.ErrRange), err == nil && (n < low || n > high):
		return 0, fmt.Errorf("%s is out of range: it must be %s", text, wanted)
	case err != nil:
		return 0, fmt.Errorf("must be %s, not %q", wanted, text)
	}
	return n, nil
}

// name returns the default name of a field.
func (f *WizardField) name() string {
	if f.Label == "" {
		return "This"
	}
	return f.Label
}

// item returns the name of a row in a row list.
func (f *WizardField) item() string {
	if f.Item == "" {
		return "row"
	}
	return f.Item
}

// hint returns the text beside a field: its range, and its own hint.
func (f *WizardField) hint() string {
	if f.Kind != WizardNumber || !f.bounded() {
		return f.Hint
	}
	bounds := fmt.Sprintf("%d to %d", f.Low, f.High)
	if f.Hint == "" {
		return bounds
	}
	return bounds + "; " + f.Hint
}
