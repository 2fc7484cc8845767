package widget

// HideCursor hides the terminal's cursor, because later drawing covers it.
func (a Area) HideCursor() { a.canvas.cursorOn = false }
