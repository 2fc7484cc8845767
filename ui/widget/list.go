package widget

// List is a cursor over rows of which some show. It is the only place where cursor arithmetic happens; it never
// points outside the rows, and is -1 when there are none.
type List struct {
	cursor, offset, length, height int
}

// SetLength sets the number of rows and keeps the cursor within.
func (l *List) SetLength(n int) {}

// SetHeight sets how many rows show and keeps the cursor among them.
func (l *List) SetHeight(n int) {}

// Cursor is the row under the cursor, -1 when there is none.
func (l *List) Cursor() int { return l.cursor }

// Visible is the first row that shows and the one after the last.
func (l *List) Visible() (from, to int) { return 0, 0 }

// Move moves the cursor by rows.
func (l *List) Move(rows int) {}

// Select puts the cursor on a row, as near as there is one.
func (l *List) Select(row int) {}

// Scroll moves what shows by rows; the cursor stays among them.
func (l *List) Scroll(rows int) {}

// Key takes up, down, k, j, pgup, pgdown, home, end, g, G; it says whether the key was one of them.
func (l *List) Key(name string) bool { return false }
