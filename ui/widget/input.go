package widget

import (
	"strings"

	"github.com/charmbracelet/bubbles/cursor"
	"github.com/charmbracelet/bubbles/key"
	"github.com/charmbracelet/bubbles/textinput"
	tea "github.com/charmbracelet/bubbletea"

	"cxdeck/themes"
)

// defaultLimit is the default limit of an input's text, in characters. It is above the limit of every name, path and command line,
// so that a text which is too long is refused with its reason, and not used without its end.
const defaultLimit = 10_000

// Input is a line of text that is being typed. It supports the editing keys of a shell prompt, with words separated by blanks,
// and never accesses the clipboard: the terminal pastes. NewInput returns one.
//
// A text that was set, not typed, is selected: the first typed or pasted character replaces it, and a deletion clears it; a key
// that moves the cursor keeps it. It is selected again when the field loses the focus.
//
// Bubbles edits the text. Input draws the visible part on the canvas, with the canvas's widths of characters.
type Input struct {
	// ID is the zone of the field for the mouse; ClickAt moves the cursor to the pressed cell. Empty for none.
	ID string

	editor      textinput.Model
	placeholder string
	// offset is the first visible character.
	offset int
	// selected reports that the next character replaces the whole text.
	selected bool
}

// NewInput returns an input with the given text; limit bounds its length in characters, 0 for 10,000.
func NewInput(value, placeholder string, limit int) *Input {
	if limit <= 0 {
		limit = defaultLimit
	}
	i := &Input{editor: textinput.New(), placeholder: placeholder}
	i.editor.CharLimit = limit
	i.editor.KeyMap.Paste.SetEnabled(false)    // it would run a clipboard program
	i.editor.Cursor.SetMode(cursor.CursorHide) // the terminal's own cursor is used, without a timer
	i.editor.Focus()
	i.SetValue(value)
	return i
}

// Value returns the text.
func (i *Input) Value() string { return i.editor.Value() }

// SetValue replaces the text, selects it and puts the cursor behind it.
func (i *Input) SetValue(value string) {
	i.clear()
	i.insert(value)
	i.selected = value != ""
}

// Selected reports that the next character that is typed replaces the text.
func (i *Input) Selected() bool { return i.selected }

func (i *Input) clear() {
	i.editor.Reset()
	i.offset, i.selected = 0, false
}

// Paste inserts text at the cursor, up to the limit. Line breaks become blanks; control, format and combining characters are
// omitted.
func (i *Input) Paste(text string) {
	if i.selected && len(PrintableRunes(text)) > 0 {
		i.clear()
	}
	i.insert(text)
}

func (i *Input) insert(text string) {
	i.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: PrintableRunes(text), Paste: true})
}

// Key handles an editing key or typed runes; it is false for other keys (enter, esc, tab, up, down).
func (i *Input) Key(name string, runes []rune) bool {
	// Bubbles identifies a key by its name, which may be the same as typed text.
	press := tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
	switch {
	case i.selected && i.deletes(press):
		i.clear()
	case key.Matches(press, i.editor.KeyMap.DeleteWordForward) && i.position() == len(i.text())-1:
		// Bubbles v1.0.0 searches for the end of the word beyond the text when the cursor is on the last character.
		i.send(tea.KeyMsg{Type: tea.KeyDelete})
	case i.edits(press):
		i.selected = false
		i.send(press)
	case name == "enter" || name == "tab" || name == "esc" || strings.HasPrefix(name, "alt+") || len(PrintableRunes(string(runes))) == 0:
		return false
	default:
		i.Paste(string(runes))
	}
	return true
}

// edits reports whether a key is one that moves the cursor or deletes; completion and the clipboard are not used.
func (i *Input) edits(press tea.KeyMsg) bool {
	keys := &i.editor.KeyMap
	return i.deletes(press) || key.Matches(press, keys.CharacterBackward, keys.CharacterForward, keys.WordBackward,
		keys.WordForward, keys.LineStart, keys.LineEnd)
}

// deletes reports whether a key is one that deletes.
func (i *Input) deletes(press tea.KeyMsg) bool {
	keys := &i.editor.KeyMap
	return key.Matches(press, keys.DeleteCharacterBackward, keys.DeleteCharacterForward, keys.DeleteWordBackward,
		keys.DeleteWordForward, keys.DeleteBeforeCursor, keys.DeleteAfterCursor)
}

// send passes a key to the editor. Its commands only blink a hidden cursor.
func (i *Input) send(press tea.KeyMsg) { i.editor, _ = i.editor.Update(press) }

func (i *Input) text() []rune { return []rune(i.editor.Value()) }

// position returns the character that the cursor is on, from 0 to the length of the text.
func (i *Input) position() int { return i.editor.Position() }

// ClickAt moves the cursor to the character at column x of the field.
func (i *Input) ClickAt(x int) {
	i.selected = false
	text := i.text()
	at := min(i.offset, len(text))
	for at < len(text) {
		if x -= RuneWidth(text[at]); x < 0 {
			break
		}
		at++
	}
	i.editor.SetCursor(at)
}

// Draw draws it in the first row of the area, with the terminal's cursor when focused. The field is underlined, so that
// its extent shows without colour.
func (i *Input) Draw(area Area, focused bool, style themes.Style) {
	field := area.Sub(0, 0, area.Width, 1)
	if field.Width == 0 || field.Height == 0 {
		return
	}
	field.Zone(0, 0, field.Width, 1, i.ID, 0)
	style.Attr |= themes.Underline
	field.Horizontal(0, ' ', style)
	text := i.text()
	if len(text) == 0 {
		muted := style
		muted.Role = themes.Muted
		field.PrintCut(0, 0, field.Width, i.placeholder, muted)
	}
	column := i.scrollToCursor(text, field.Width)
	if !focused {
		i.selected = len(text) > 0
	} else if i.selected {
		style.Attr |= themes.Reverse
	}
	field.Print(0, 0, string(text[i.offset:]), style)
	if focused {
		field.ShowCursor(column, 0)
	}
}

// scrollToCursor scrolls so that the cursor is in a field of this width, and returns the cursor's column.
func (i *Input) scrollToCursor(text []rune, width int) int {
	position := i.position()
	i.offset = clamp(i.offset, 0, position)
	for i.offset > 0 && runesWidth(text[i.offset-1:]) < width {
		i.offset-- // text that was deleted leaves room
	}
	column := runesWidth(text[i.offset:position])
	for i.offset < position && column >= width {
		column -= RuneWidth(text[i.offset])
		i.offset++
	}
	return column
}

func runesWidth(text []rune) int {
	n := 0
	for _, r := range text {
		n += RuneWidth(r)
	}
	return n
}

// PrintableRunes returns text as an input stores it: one line, without characters of no width.
func PrintableRunes(text string) []rune {
	var kept []rune
	for _, r := range text {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			kept = append(kept, ' ')
		case RuneWidth(r) > 0:
			kept = append(kept, r)
		}
	}
	return kept
}
