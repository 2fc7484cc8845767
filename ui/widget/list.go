package widget

import "cxdeck/themes"

// List is a cursor over rows of which some are visible. All cursor arithmetic is here; the cursor is never outside the rows,
// and is -1 without rows. The zero List has no rows.
type List struct {
	cursor, offset, length, height int
}

// SetLength sets the number of rows and keeps the cursor within.
func (l *List) SetLength(n int) {
	l.length = max(n, 0)
	l.keepCursorVisible()
}

// SetHeight sets the number of visible rows and keeps the cursor visible.
func (l *List) SetHeight(n int) {
	l.height = max(n, 0)
	l.keepCursorVisible()
}

// Length returns the number of rows.
func (l *List) Length() int { return l.length }

// Height returns the maximum number of visible rows.
func (l *List) Height() int { return l.height }

// Cursor returns the row under the cursor, -1 when there is none.
func (l *List) Cursor() int {
	if l.length == 0 {
		return -1
	}
	return l.cursor
}

// Visible returns the visible rows [from, to).
func (l *List) Visible() (from, to int) { return l.offset, min(l.offset+l.height, l.length) }

// Move moves the cursor by rows.
func (l *List) Move(rows int) { l.Select(addClamped(l.cursor, rows)) }

// Select moves the cursor to a row, or to the nearest one.
func (l *List) Select(row int) {
	l.cursor = row
	l.keepCursorVisible()
}

// Scroll scrolls by rows; the cursor stays visible.
func (l *List) Scroll(rows int) { l.ScrollTo(addClamped(l.offset, rows)) }

// ScrollTo makes a row the first visible one if possible; the cursor stays visible.
func (l *List) ScrollTo(row int) {
	l.offset = clamp(row, 0, l.length-l.height)
	if l.height > 0 {
		l.cursor = clamp(l.cursor, l.offset, l.offset+l.height-1)
	}
	l.keepCursorVisible()
}

// At returns the row under the cursor of a list, nil when there is none.
func At[R any](l *List, rows []R) *R {
	if at := l.Cursor(); at >= 0 && at < len(rows) {
		return &rows[at]
	}
	return nil
}

// Key handles up, down, k, j, pgup, pgdown, home, end, g, G; it reports whether the key was one of them.
func (l *List) Key(name string) bool { return l.handleKey(name, l.Move, l.Select) }

// ScrollKey is Key for a text without a cursor: it scrolls.
func (l *List) ScrollKey(name string) bool { return l.handleKey(name, l.Scroll, l.ScrollTo) }

// handleKey calls by or to for a key.
func (l *List) handleKey(key string, by, to func(int)) bool {
	switch key {
	case "up", "k":
		by(-1)
	case "down", "j":
		by(1)
	case "pgup":
		by(-max(l.height-1, 1))
	case "pgdown":
		by(max(l.height-1, 1))
	case "home", "g":
		to(0)
	case "end", "G":
		to(l.length - 1)
	default:
		return false
	}
	return true
}

// keepCursorVisible limits the cursor to the rows, and scrolls to it.
func (l *List) keepCursorVisible() {
	l.cursor = clamp(l.cursor, 0, l.length-1)
	l.offset = clamp(l.offset, 0, l.length-l.height)
	if l.height == 0 {
		return // nothing is visible yet
	}
	l.offset = clamp(l.offset, l.cursor-l.height+1, l.cursor)
}

// clamp returns the value nearest to v from low to high; low when high is below it.
func clamp(v, low, high int) int { return max(low, min(v, high)) }

// addClamped returns a + b without overflow, for callers that move "as far as possible".
func addClamped(a, b int) int {
	const far = 1 << 40
	return a + clamp(b, -far, far)
}

// cursorGround returns the background of the line under the cursor.
func cursorGround(focused bool) themes.Ground {
	if focused {
		return themes.Selected
	}
	return themes.Marked
}
