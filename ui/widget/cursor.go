package widget

// HideCursor cancels what ShowCursor asked for: what is drawn from now on covers it.
func (a Area) HideCursor() { a.canvas.cursorOn = false }
