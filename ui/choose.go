package ui

import (
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// Choice is one answer to a question.
type Choice struct {
	// Key is a letter that gives the answer at once.
	Key   string
	Label string
	// Dangerous colours it as a warning.
	Dangerous bool
	// Then runs after the answer; nil for nothing.
	Then func() Cmd
}

// Choose asks a question that has several answers. The focus stands on the last one, which should be the one that
// changes nothing.
func Choose(title, question string, choices []Choice) Cmd {
	return OpenDialog(newChooser(title, question, choices))
}

// chooser is the dialog of Choose.
type chooser struct {
	title, question string
	choices         []Choice
	buttons         widget.Buttons
}

const chooserButtons = "choose.button"

func newChooser(title, question string, choices []Choice) *chooser {
	c := &chooser{title: title, question: question, choices: choices, buttons: widget.Buttons{ID: chooserButtons}}
	for _, one := range choices {
		c.buttons.Items = append(c.buttons.Items, widget.Button{Label: one.Label, Dangerous: one.Dangerous})
	}
	c.buttons.SetFocus(len(choices) - 1)
	return c
}

func (c *chooser) Title() string { return c.title }

func (c *chooser) Size(width, height int) (int, int) {
	width = min(width, max(widestQuestion, c.buttons.Width()))
	return width, min(height, len(widget.Wrap(c.question, width))+2)
}

func (c *chooser) Update(msg Msg) (bool, Cmd) {
	switch msg := msg.(type) {
	case KeyMsg:
		switch msg.Name {
		case "enter", " ":
			return c.answer(c.buttons.Focus())
		default:
			for i, one := range c.choices {
				if one.Key == msg.Name {
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

func (c *chooser) Draw(area widget.Area) {
	text, buttons := area.SplitBottom(1)
	for y, line := range widget.Wrap(c.question, area.Width) {
		text.Print(0, y, line, themes.Style{})
	}
	c.buttons.Draw(buttons, true)
}

func (c *chooser) Hints() []Hint {
	hints := make([]Hint, 0, len(c.choices)+2)
	for _, one := range c.choices {
		hints = append(hints, Hint{one.Key, one.Label})
	}
	return append(hints, Hint{"tab", "next button"}, Hint{"enter", "press it"})
}
