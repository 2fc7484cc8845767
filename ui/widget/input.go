package widget

import "cxdeck/themes"

// Input is a line of text that is being typed. It is Bubbles' text input drawn on a canvas.
type Input struct{}

// NewInput makes an input with the given text in it; limit bounds its length in characters, 0 for 256.
func NewInput(value, placeholder string, limit int) *Input { return &Input{} }

// Value is the text.
func (i *Input) Value() string { return "" }

// SetValue replaces the text and puts the cursor behind it.
func (i *Input) SetValue(value string) {}

// Key takes an editing key or typed runes; it says whether it took it (not enter, esc, tab, up, down).
func (i *Input) Key(name string, runes []rune) bool { return false }

// Draw draws it in the first row of the area, with the terminal's cursor when focused.
func (i *Input) Draw(area Area, focused bool, style themes.Style) {}
