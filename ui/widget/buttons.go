package widget

import "cxdeck/themes"

// Button is one button of a row.
type Button struct {
	Label string
	// Dangerous shows it in the colour of a warning.
	Dangerous bool
}

// Buttons is a row of buttons of which one has the focus.
type Buttons struct {
	// ID is the zone of the buttons for the mouse: Hit.Index is the button.
	ID    string
	Items []Button

	focus int
}

// buttonGap is the room between two buttons.
const buttonGap = 2

// Focus returns the button that enter presses, -1 when there is none.
func (b *Buttons) Focus() int { return min(b.focus, len(b.Items)-1) }

// SetFocus moves the focus to a button, or to the nearest one.
func (b *Buttons) SetFocus(n int) { b.focus = clamp(n, 0, len(b.Items)-1) }

// Key handles left, right, h and l, which stop at the ends of the row, and tab and shift+tab, which wrap around; it reports
// whether the key was one of them.
func (b *Buttons) Key(name string) bool {
	switch name {
	case "left", "h":
		b.SetFocus(b.Focus() - 1)
	case "right", "l":
		b.SetFocus(b.Focus() + 1)
	case "tab":
		b.SetFocus((b.Focus() + 1) % max(len(b.Items), 1))
	case "shift+tab":
		b.SetFocus((b.Focus() + len(b.Items) - 1) % max(len(b.Items), 1))
	default:
		return false
	}
	return true
}

// Width returns the width of the row in cells.
func (b *Buttons) Width() int {
	width := 0
	for i, item := range b.Items {
		if i > 0 {
			width += buttonGap
		}
		width += Width(item.Label) + 4
	}
	return width
}

// Draw draws the row at the right of the area's first line.
func (b *Buttons) Draw(area Area, focused bool) {
	line := area.Sub(0, 0, area.Width, 1)
	x := max(0, line.Width-b.Width())
	for i, item := range b.Items {
		style := themes.Style{Role: themes.Text}
		if item.Dangerous {
			style.Role = themes.Warn
		}
		if i == b.Focus() && focused {
			style.Ground, style.Attr = themes.Selected, themes.Bold
		}
		end := line.Print(x, 0, "[ "+item.Label+" ]", style)
		line.Zone(x, 0, end-x, 1, b.ID, i)
		x = end + buttonGap
	}
}
