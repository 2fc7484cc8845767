package widget

import (
	"slices"
	"strings"
	"unicode"

	"cxdeck/themes"
)

// defaultLimit bounds the length of an input's text in characters when its maker names no limit.
const defaultLimit = 256

// Input is a line of text that is being typed. It takes the editing keys of a shell prompt, and never touches the
// clipboard by itself: the terminal pastes.
type Input struct {
	// ID is the zone of the field for the mouse; ClickAt puts the cursor where it was pressed. Empty for none.
	ID string

	value       []rune
	placeholder string
	limit       int
	// position is the character that the cursor stands on, from 0 to len(value); offset is the first that shows.
	position, offset int
}

// NewInput makes an input with the given text in it; limit bounds its length in characters, 0 for 256.
func NewInput(value, placeholder string, limit int) *Input {
	if limit <= 0 {
		limit = defaultLimit
	}
	i := &Input{placeholder: placeholder, limit: limit}
	i.SetValue(value)
	return i
}

// Value is the text.
func (i *Input) Value() string { return string(i.value) }

// SetValue replaces the text and puts the cursor behind it.
func (i *Input) SetValue(value string) {
	i.value = i.value[:0]
	i.position, i.offset = 0, 0
	i.Paste(value)
}

// Paste inserts text at the cursor as far as the limit allows. Line breaks become blanks; control, format and combining
// characters are left out.
func (i *Input) Paste(text string) {
	limit := i.limit
	if limit <= 0 {
		limit = defaultLimit
	}
	added := clean(text)
	added = added[:min(len(added), max(0, limit-len(i.value)))]
	i.value = slices.Insert(i.value, i.position, added...)
	i.position += len(added)
}

// Key takes an editing key or typed runes; it says whether it took it (not enter, esc, tab, up, down).
func (i *Input) Key(name string, runes []rune) bool {
	switch name {
	case "left", "ctrl+b":
		i.position = max(0, i.position-1)
	case "right", "ctrl+f":
		i.position = min(len(i.value), i.position+1)
	case "home", "ctrl+a":
		i.position = 0
	case "end", "ctrl+e":
		i.position = len(i.value)
	case "ctrl+left", "alt+left", "alt+b":
		i.position = i.wordLeft()
	case "ctrl+right", "alt+right", "alt+f":
		i.position = i.wordRight()
	case "backspace", "ctrl+h":
		i.remove(max(0, i.position-1), i.position)
	case "delete", "ctrl+d":
		i.remove(i.position, min(len(i.value), i.position+1))
	case "alt+backspace", "ctrl+w":
		i.remove(i.wordLeft(), i.position)
	case "alt+delete", "alt+d":
		i.remove(i.position, i.wordRight())
	case "ctrl+u":
		i.remove(0, i.position)
	case "ctrl+k":
		i.remove(i.position, len(i.value))
	case "enter", "tab", "esc":
		return false
	default:
		if strings.HasPrefix(name, "alt+") || len(clean(string(runes))) == 0 {
			return false
		}
		i.Paste(string(runes))
	}
	return true
}

// ClickAt puts the cursor on the character at column x of the field.
func (i *Input) ClickAt(x int) {
	i.position = min(i.offset, len(i.value))
	for i.position < len(i.value) {
		if x -= RuneWidth(i.value[i.position]); x < 0 {
			return
		}
		i.position++
	}
}

// remove takes the characters from a up to b out and puts the cursor there.
func (i *Input) remove(a, b int) {
	i.value = slices.Delete(i.value, a, b)
	i.position = a
}

// wordLeft is the start of the word before the cursor.
func (i *Input) wordLeft() int {
	at := i.position
	for at > 0 && !isWord(i.value[at-1]) {
		at--
	}
	for at > 0 && isWord(i.value[at-1]) {
		at--
	}
	return at
}

// wordRight is the end of the word at or after the cursor.
func (i *Input) wordRight() int {
	at := i.position
	for at < len(i.value) && !isWord(i.value[at]) {
		at++
	}
	for at < len(i.value) && isWord(i.value[at]) {
		at++
	}
	return at
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

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
	if len(i.value) == 0 {
		muted := style
		muted.Role = themes.Muted
		field.PrintCut(0, 0, field.Width, i.placeholder, muted)
	}
	cursor := i.reveal(field.Width)
	field.Print(0, 0, string(i.value[i.offset:]), style)
	if focused {
		field.ShowCursor(cursor, 0)
	}
}

// reveal moves what shows so that the cursor is in a field of this width, and returns the cursor's column.
func (i *Input) reveal(width int) int {
	i.offset = clamp(i.offset, 0, i.position)
	for i.offset > 0 && runesWidth(i.value[i.offset-1:]) < width {
		i.offset-- // text that was deleted leaves room
	}
	column := runesWidth(i.value[i.offset:i.position])
	for i.offset < i.position && column >= width {
		column -= RuneWidth(i.value[i.offset])
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

// clean is text as an input keeps it: what takes no room on the screen is left out.
func clean(text string) []rune {
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
