package ui

import (
	"cxdeck/ui/widget"
)

// Choice is one answer to a question.
type Choice struct {
	// Key is a letter that gives the answer at once.
	Key   string
	Label string
	// Dangerous shows it in the colour of a warning.
	Dangerous bool
	// Then runs after the answer; nil for nothing.
	Then func() Cmd
}

// Choose asks a question that has several answers. The focus is on the last one, which should be the one that
// changes nothing.
func Choose(title, question string, choices []Choice) Cmd {
	return OpenDialog(newChooser(title, question, choices))
}

// chooser is the dialog of Choose.
type chooser struct {
	question
	choices []Choice
}

const chooserButtons = "choose.button"

func newChooser(title, text string, choices []Choice) *chooser {
	c := &chooser{question: question{title, text, &widget.Buttons{ID: chooserButtons}}, choices: choices}
	for _, choice := range choices {
		c.buttons.Items = append(c.buttons.Items, widget.Button{Label: choice.Label, Dangerous: choice.Dangerous})
	}
	c.buttons.SetFocus(len(choices) - 1)
	return c
}

func (c *chooser) Update(msg Msg) (bool, Cmd) {
	switch msg := msg.(type) {
	case KeyMsg:
		switch msg.Name {
		case "enter", " ":
			return c.answer(c.buttons.Focus())
		default:
			for i, choice := range c.choices {
				if choice.Key == msg.Name {
					return c.answer(i)
				}
			}
			c.buttons.Key(msg.Name)
		}
	case HitMsg:
		if msg.Button == Press && msg.ID == chooserButtons {
			return c.answer(msg.Index)
		}
	}
	return false, nil
}

func (c *chooser) answer(index int) (bool, Cmd) {
	if index < 0 || index >= len(c.choices) || c.choices[index].Then == nil {
		return true, nil
	}
	return true, c.choices[index].Then()
}

func (c *chooser) Hints() []Hint {
	hints := make([]Hint, 0, len(c.choices)+2)
	for _, choice := range c.choices {
		hints = append(hints, Hint{choice.Key, choice.Label})
	}
	return append(hints, Hint{"tab", "next button"}, Hint{"enter", "press it"})
}
