package ui

import (
	"errors"
	"io"
	"os"

	tea "github.com/charmbracelet/bubbletea"
)

// keys converts a key message of Bubble Tea to messages of the shell. Characters that are typed faster than they are read
// arrive in one message, and are split.
func keys(msg tea.KeyMsg) []Msg {
	switch {
	case msg.Paste:
		return []Msg{PasteMsg{Text: string(msg.Runes)}}
	case msg.Type == tea.KeyRunes && len(msg.Runes) > 1:
		var all []Msg
		for _, r := range msg.Runes {
			all = append(all, KeyMsg{Name: string(r), Runes: []rune{r}})
		}
		return all
	case msg.Alt:
		return []Msg{KeyMsg{Name: msg.String()}}
	case msg.Type == tea.KeySpace:
		return []Msg{KeyMsg{Name: " ", Runes: []rune{' '}}}
	default:
		return []Msg{KeyMsg{Name: msg.String(), Runes: msg.Runes}}
	}
}

// mouse converts a mouse message of Bubble Tea; ok is false for unused events.
func mouse(msg tea.MouseMsg) (MouseMsg, bool) {
	m := MouseMsg{X: msg.X, Y: msg.Y}
	switch {
	case msg.Action == tea.MouseActionRelease:
		m.Button = Release
	case msg.Action == tea.MouseActionMotion:
		m.Button = Drag
	case msg.Button == tea.MouseButtonLeft:
		m.Button = Press
	case msg.Button == tea.MouseButtonRight:
		m.Button = RightPress
	case msg.Button == tea.MouseButtonWheelUp:
		m.Button = WheelUp
	case msg.Button == tea.MouseButtonWheelDown:
		m.Button = WheelDown
	default:
		return m, false
	}
	return m, true
}

// endingInput is an input that reports its end: Bubble Tea would continue without keys.
type endingInput struct {
	*os.File
	ended func()
}

func (i *endingInput) Read(p []byte) (int, error) {
	n, err := i.File.Read(p)
	if errors.Is(err, io.EOF) {
		i.ended()
	}
	return n, err
}
