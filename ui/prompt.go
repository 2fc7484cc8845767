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
	// refusal is the reason why the text refused, which passed check, could not be used.
	refused, refusal string
	// pressed reports that Enter was pressed on an invalid text, so that the error shows.
	pressed bool
}

func newPrompt(title, label, initial string, check func(string) string, then func(string) Cmd) *prompt {
	return &prompt{title: title, label: label, input: widget.NewInput(initial, "", 0), check: check, then: then}
}

// refuse makes the prompt ask again: the text stays, to be corrected or tried again.
func (p *prompt) refuse(why string) *prompt {
	p.refused, p.refusal = p.input.Value(), why
	p.input.Key("end", nil) // deselects it: the text is corrected, not replaced
	return p
}

func (p *prompt) Title() string { return p.title }

// promptWidth is the width of a prompt, in cells.
const promptWidth = 64

func (p *prompt) Size(width, height int) (int, int) {
	width = min(width, promptWidth)
	return width, min(height, len(p.labels(width))+1+max(1, len(p.reasons(width))))
}

// labels returns the label, wrapped.
func (p *prompt) labels(width int) []string { return widget.Wrap(p.label, max(1, width)) }

// reasons returns the error in the text, wrapped; empty for no error.
func (p *prompt) reasons(width int) []string {
	wrong := p.problem()
	if wrong == "" && p.input.Value() == p.refused {
		wrong = p.refusal
	}
	if wrong == "" {
		return nil
	}
	return widget.Wrap(sentence(wrong), max(1, width-2))
}

// Typing reports that plain keys are text.
func (p *prompt) Typing() bool { return true }

// problem returns the error in the text, empty for none.
func (p *prompt) problem() string {
	if p.check == nil {
		return ""
	}
	return p.check(p.input.Value())
}

func (p *prompt) Update(msg Msg) (bool, Cmd) {
	switch msg := msg.(type) {
	case KeyMsg:
		if msg.Name != "enter" {
			p.pressed = false
			p.input.Key(msg.Name, msg.Runes)
			return false, nil
		}
		if p.problem() != "" {
			p.pressed = true
			p.input.Key("end", nil) // deselects it: the text is corrected, not replaced
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
	labels := p.labels(area.Width)
	for y, line := range labels {
		area.PrintCut(0, y, area.Width, line, themes.Style{Role: themes.Muted})
	}
	y := len(labels)
	p.input.Draw(area.Sub(0, y, area.Width, 1), true, themes.Style{})
	style := themes.Style{Role: themes.Bad}
	if p.pressed {
		style.Attr = themes.Bold
	}
	for n, line := range p.reasons(area.Width) {
		if n == 0 {
			area.Set(0, y+1, area.Glyphs().Failed, style)
		}
		area.PrintCut(2, y+1+n, area.Width-2, line, style)
	}
}

func (p *prompt) Hints() []Hint { return []Hint{{"enter", "accept"}, {"esc", "cancel"}} }
