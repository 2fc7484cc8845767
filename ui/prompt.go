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
	// refusal is why refused, a text that was accepted before, could not be used.
	refused, refusal string
}

func newPrompt(title, label, initial string, check func(string) string, then func(string) Cmd) *prompt {
	return &prompt{title: title, label: label, input: widget.NewInput(initial, "", 0), check: check, then: then}
}

// refuse has the prompt ask again: the text that could not be used stays, to be corrected or tried once more.
func (p *prompt) refuse(why string) *prompt {
	p.refused, p.refusal = p.input.Value(), why
	p.input.Key("end", nil) // it is corrected, not replaced
	return p
}

func (p *prompt) Title() string { return p.title }

// promptWidth is the width of a prompt, in cells.
const promptWidth = 64

func (p *prompt) Size(width, height int) (int, int) {
	width = min(width, promptWidth)
	return width, min(height, 2+max(1, len(widget.Wrap(p.refusal, max(1, width)))))
}

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
	wrong := p.wrong()
	if wrong == "" && p.input.Value() == p.refused {
		wrong = p.refusal
	}
	for y, line := range widget.Wrap(wrong, max(1, area.Width)) {
		area.PrintCut(0, 2+y, area.Width, line, themes.Style{Role: themes.Bad})
	}
}

func (p *prompt) Hints() []Hint { return []Hint{{"enter", "accept"}, {"esc", "cancel"}} }
