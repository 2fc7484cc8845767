package ui

import (
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// confirm asks a question that is answered with yes or no.
type confirm struct {
	title, question, yes string
	then                 func() Cmd
	answers              YesNo
}

// widestQuestion is the width at which a question is wrapped, in cells.
const widestQuestion = 60

func newConfirm(question, yes string, then func() Cmd) *confirm {
	c := newAsk("Please confirm", question, yes, then)
	c.answers.Buttons.Items[0].Dangerous = true
	c.answers.Buttons.SetFocus(1)
	return c
}

// newAsk asks with the focus on yes.
func newAsk(title, question, yes string, then func() Cmd) *confirm {
	return &confirm{title: title, question: question, yes: yes, then: then,
		answers: NewYesNo("confirm.button", widget.Button{Label: yes}, widget.Button{Label: "Cancel"})}
}

func (c *confirm) Title() string { return c.title }

func (c *confirm) Size(width, height int) (int, int) {
	width = min(width, max(widestQuestion, c.answers.Buttons.Width()))
	return width, min(height, len(widget.Wrap(c.question, width))+2)
}

func (c *confirm) Update(msg Msg) (bool, Cmd) {
	yes, answered := c.answers.Update(msg)
	if yes && c.then != nil {
		return true, c.then()
	}
	return answered, nil
}

func (c *confirm) Draw(area widget.Area) {
	text, buttons := area.SplitBottom(1)
	for y, line := range widget.Wrap(c.question, area.Width) {
		text.Print(0, y, line, themes.Style{})
	}
	c.answers.Buttons.Draw(buttons, true)
}

func (c *confirm) Hints() []Hint {
	return []Hint{{"y", "yes: " + c.yes}, {"n", "no"}, {"tab", "other button"}, {"enter", "press it"}, {"esc", "cancel"}}
}
