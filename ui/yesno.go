package ui

import "cxdeck/ui/widget"

// YesNo is a pair of buttons for a question: the first means yes, the second no.
type YesNo struct{ Buttons widget.Buttons }

// NewYesNo returns the buttons; id is their zone for the mouse. The focus is on yes.
func NewYesNo(id string, yes, no widget.Button) YesNo {
	return YesNo{widget.Buttons{ID: id, Items: []widget.Button{yes, no}}}
}

// Update handles keys and presses that move between the buttons or answer: y, n, or pressing a button.
func (b *YesNo) Update(msg Msg) (yes, answered bool) {
	switch msg := msg.(type) {
	case KeyMsg:
		switch msg.Name {
		case "y", "Y":
			return true, true
		case "n", "N":
			return false, true
		case "enter", " ":
			return b.Buttons.Focus() == 0, true
		default:
			b.Buttons.Key(msg.Name)
		}
	case HitMsg:
		if msg.Button == Press && msg.ID == b.Buttons.ID {
			return msg.Index == 0, true
		}
	}
	return false, false
}
