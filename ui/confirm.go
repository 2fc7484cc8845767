package ui

import (
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// confirm asks a question that is answered with yes or no.
type confirm struct {
	question
	yes     string
	then    func() Cmd
	answers YesNo
}

// question is the common part of dialogs with a question and buttons.
type question struct {
	title, text string
	buttons     *widget.Buttons
}

func (q *question) Title() string { return q.title }

func (q *question) Size(width, height int) (int, int) {
	width = min(width, max(widestQuestion, q.buttons.Width()))
	return width, min(height, len(widget.Wrap(q.text, width))+2)
}

func (q *question) Draw(area widget.Area) {
	text, buttons := area.SplitBottom(1)
	for y, line := range widget.Wrap(q.text, area.Width) {
		text.Print(0, y, line, themes.Style{})
	}
	q.buttons.Draw(buttons, true)
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
func newAsk(title, text, yes string, then func() Cmd) *confirm {
	c := &confirm{yes: yes, then: then,
		answers: NewYesNo("confirm.button", widget.Button{Label: yes}, widget.Button{Label: "Cancel"})}
	c.question = question{title, text, &c.answers.Buttons}
	return c
}

func (c *confirm) Update(msg Msg) (bool, Cmd) {
	yes, answered := c.answers.Update(msg)
	if yes && c.then != nil {
		return true, c.then()
	}
	return answered, nil
}

func (c *confirm) Hints() []Hint {
	return []Hint{{"y", "yes: " + c.yes}, {"n", "no"}, {"tab", "other button"}, {"enter", "press it"}, {"esc", "cancel"}}
}
