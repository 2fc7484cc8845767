package ui

import (
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// confirm asks a question that is answered with yes or no. The focus stands on no.
type confirm struct {
	question, yes string
	then          func() Cmd
	buttons       widget.Buttons
}

// widestQuestion is the width at which a question is wrapped, in cells.
const widestQuestion = 60

func newConfirm(question, yes string, then func() Cmd) *confirm {
	c := &confirm{question: question, yes: yes, then: then, buttons: widget.Buttons{ID: "confirm.button",
		Items: []widget.Button{{Label: yes, Dangerous: true}, {Label: "Cancel"}}}}
	c.buttons.SetFocus(1)
	return c
}

func (c *confirm) Title() string { return "Please confirm" }

func (c *confirm) Size(width, height int) (int, int) {
	width = min(width, max(widestQuestion, c.buttons.Width()))
	return width, min(height, len(widget.Wrap(c.question, width))+2)
}

func (c *confirm) Update(msg Msg) (bool, Cmd) {
	switch msg := msg.(type) {
	case KeyMsg:
		switch msg.Name {
		case "y", "Y":
			return c.answer(0)
		case "n", "N":
			return c.answer(1)
		case "enter", " ":
			return c.answer(c.buttons.Focus())
		case "tab", "shift+tab":
			c.buttons.SetFocus(1 - c.buttons.Focus())
		default:
			c.buttons.Key(msg.Name)
		}
	case HitMsg:
		if msg.Button == Press && msg.ID == c.buttons.ID {
			return c.answer(msg.Index)
		}
	}
	return false, nil
}

// answer closes the dialog with a button, of which the first means yes.
func (c *confirm) answer(button int) (bool, Cmd) {
	if button == 0 && c.then != nil {
		return true, c.then()
	}
	return true, nil
}

func (c *confirm) Draw(area widget.Area) {
	text, buttons := area.SplitBottom(1)
	for y, line := range widget.Wrap(c.question, area.Width) {
		text.Print(0, y, line, themes.Style{})
	}
	c.buttons.Draw(buttons, true)
}

func (c *confirm) Hints() []Hint {
	return []Hint{{"y", "yes: " + c.yes}, {"n", "no"}, {"tab", "other button"}, {"enter", "press it"}, {"esc", "cancel"}}
}
