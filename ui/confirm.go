package ui

import (
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// confirm asks a question that is answered with yes or no. No is where the cursor stands.
type confirm struct {
	question, yes string
	then          func() Cmd
	onYes         bool
}

func newConfirm(question, yes string, then func() Cmd) *confirm {
	return &confirm{question: question, yes: yes, then: then}
}

func (c *confirm) Title() string { return "Please confirm" }

func (c *confirm) Size(width, height int) (int, int) {
	width = min(width, 60)
	return width, min(height, len(widget.Wrap(c.question, width))+2)
}

func (c *confirm) Update(msg Msg) (bool, Cmd) {
	switch msg := msg.(type) {
	case KeyMsg:
		switch msg.Name {
		case "left", "right", "tab", "shift+tab", "h", "l":
			c.onYes = !c.onYes
		case "y", "Y":
			return true, c.accept()
		case "n", "N":
			return true, nil
		case "enter", " ":
			if c.onYes {
				return true, c.accept()
			}
			return true, nil
		}
	case HitMsg:
		if msg.Button == Press && msg.ID == "confirm.button" {
			if msg.Index == 0 {
				return true, c.accept()
			}
			return true, nil
		}
	}
	return false, nil
}

func (c *confirm) accept() Cmd {
	if c.then == nil {
		return nil
	}
	return c.then()
}

func (c *confirm) Draw(area widget.Area) {
	text, buttons := area.SplitBottom(1)
	for y, line := range widget.Wrap(c.question, area.Width) {
		text.Print(0, y, line, themes.Style{})
	}
	labels := []string{"[ " + c.yes + " ]", "[ Cancel ]"}
	x := max(0, area.Width-widget.Width(labels[0])-widget.Width(labels[1])-2)
	for i, label := range labels {
		style := themes.Style{}
		if (i == 0) == c.onYes {
			style = themes.Style{Role: themes.Accent, Ground: themes.Selected, Attr: themes.Bold}
		}
		end := buttons.Print(x, 0, label, style)
		buttons.Zone(x, 0, end-x, 1, "confirm.button", i)
		x = end + 2
	}
}

func (c *confirm) Hints() []Hint {
	return []Hint{{"y", "yes: " + c.yes}, {"n", "no"}, {"tab", "other button"}, {"enter", "press it"}, {"esc", "cancel"}}
}
