package ui

import (
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// prompt asks for a line of text.
type prompt struct {
	title, label string
	input        *widget.Input
	check        func(string) string
	then         func(string) Cmd
}

func newPrompt(title, label, initial string, check func(string) string, then func(string) Cmd) *prompt {
	return &prompt{title: title, label: label, input: widget.NewInput(initial, "", 0), check: check, then: then}
}

func (p *prompt) Title() string { return p.title }

func (p *prompt) Size(width, height int) (int, int) { return min(width, 64), min(height, 3) }

// Typing says that plain keys are text.
func (p *prompt) Typing() bool { return true }

// wrong is what is wrong with the text, empty for nothing.
func (p *prompt) wrong() string {
	if p.check == nil {
		return ""
	}
	return p.check(p.input.Value())
}

func (p *prompt) Update(msg Msg) (bool, Cmd) {
	switch msg := msg.(type) {
	case KeyMsg:
		if msg.Name != "enter" {
			p.input.Key(msg.Name, msg.Runes)
			return false, nil
		}
		if p.wrong() != "" {
			return false, nil
		}
		if p.then == nil {
			return true, nil
		}
		return true, p.then(p.input.Value())
	case PasteMsg:
		p.input.Paste(msg.Text)
	}
	return false, nil
}

func (p *prompt) Draw(area widget.Area) {
	area.PrintCut(0, 0, area.Width, p.label, themes.Style{Role: themes.Muted})
	p.input.Draw(area.Sub(0, 1, area.Width, 1), true, themes.Style{})
	area.PrintCut(0, 2, area.Width, p.wrong(), themes.Style{Role: themes.Bad})
}

func (p *prompt) Hints() []Hint { return []Hint{{"enter", "accept"}, {"esc", "cancel"}} }
