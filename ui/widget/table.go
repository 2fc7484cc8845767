package widget

import "cxdeck/themes"

// TableColumn is one column of a table.
type TableColumn struct {
	Title string
	// Width is in cells; with Grow it is the minimum, and the remaining width is shared among columns in proportion to Grow.
	Width, Grow int
	Right       bool
	// Rank decides which columns are dropped for lack of room: the highest rank first. Rank 0 is never dropped.
	Rank int
}

// TableCell is the text of one cell.
type TableCell struct {
	Text  string
	Style themes.Style
	// Spans has the text run on over the empty cells after it.
	Spans bool
}

// Table draws rows under a title line, with a cursor, a sort mark and a scroll bar. The caller owns the rows: Draw requests the
// visible ones.
type Table struct {
	// ID is the zone of its rows for the mouse: Hit.Index is the row; ID+".head" with the column's index for titles,
	// ID+".scroll" for the scroll bar (see ScrollHit).
	ID      string
	Columns []TableColumn
	List    List
	Focused bool
	// SortColumn is the column with the sort mark, -1 for none. It is always visible.
	SortColumn int
	Descending bool
	// Marked reports whether a row is multi-selected; may be nil.
	Marked func(row int) bool
	// Empty is the text without rows: the reason, and the key that adds some.
	Empty string

	cells  []TableCell
	layout []span
}

// span is the position of a column of a table; width 0 means that it is not shown.
type span struct{ x, width int }

// wideGap is the width of a table from which on columns are two blanks apart instead of one.
const wideGap = 100

// ColumnWidth returns the drawn width of a column, 0 for one that is not shown.
func (t *Table) ColumnWidth(column int) int {
	if column < 0 || column >= len(t.layout) {
		return 0
	}
	return t.layout[column].width
}

// TableGap returns the number of blanks between the columns of a table of this width.
func TableGap(width int) int {
	if width >= wideGap {
		return 2
	}
	return 1
}

// Draw draws the table; row fills cells (len(Columns) of them) for a row.
func (t *Table) Draw(area Area, row func(row int, cells []TableCell)) {
	head, body := area.SplitTop(1)
	if area.Height < 2 { // a single row is more useful than titles
		head, body = area.Sub(0, 0, 0, 0), area
	}
	t.List.SetHeight(body.Height)
	columns := area.Width
	scrolls := t.List.Length() > body.Height && area.Width > 1
	if scrolls {
		columns -= 2
	}
	t.arrange(columns)
	t.drawTitles(head)
	if t.List.Length() == 0 {
		for y, line := range Wrap(t.Empty, body.Width-2) {
			body.Print(1, y+min(1, body.Height-1), line, themes.Style{Role: themes.Muted})
		}
		return
	}
	if cap(t.cells) < len(t.Columns) {
		t.cells = make([]TableCell, len(t.Columns))
	}
	t.cells = t.cells[:len(t.Columns)]
	width := body.Width
	if scrolls {
		width--
	}
	from, to := t.List.Visible()
	for n := from; n < to; n++ {
		clear(t.cells)
		row(n, t.cells)
		t.drawRow(body.Sub(0, n-from, width, 1), n)
		body.Zone(0, n-from, width, 1, t.ID, n)
	}
	if scrolls {
		DrawScrollBar(body.Sub(body.Width-1, 0, 1, body.Height), &t.List, derivedID(t.ID, ".scroll"))
	}
}

// drawTitles draws the title line.
func (t *Table) drawTitles(area Area) {
	for i, column := range t.Columns {
		s := t.layout[i]
		style := themes.Style{Role: themes.Muted, Attr: themes.Bold}
		width, mark := s.width, rune(0)
		if i == t.SortColumn && s.width > 1 {
			style.Role = themes.Accent
			mark = area.Glyphs().SortUp
			if t.Descending {
				mark = area.Glyphs().SortDown
			}
			if Width(column.Title) != s.width || s.x+s.width >= area.Width {
				width-- // otherwise the mark is in the gap, and the title is not cut
			}
		}
		end := printCell(area, span{s.x, width}, column.Title, column.Right, style)
		if mark != 0 {
			area.Set(end, 0, mark, style)
		}
		area.Zone(s.x, 0, s.width, 1, derivedID(t.ID, ".head"), i)
	}
}

// drawRow draws the cells of row n into an area of one line.
func (t *Table) drawRow(area Area, n int) {
	ground := themes.Plain
	switch {
	case n == t.List.Cursor():
		ground = cursorGround(t.Focused)
	case t.Marked != nil && t.Marked(n):
		ground = themes.Marked
	}
	for i := range t.cells {
		printCell(area, t.room(i), t.cells[i].Text, t.Columns[i].Right, t.cells[i].Style)
	}
	if ground != themes.Plain {
		area.Ground(0, 0, area.Width, ground)
	}
}

// room returns the position of a cell of the drawn row, with the empty cells that it spans.
func (t *Table) room(column int) span {
	s := t.layout[column]
	if !t.cells[column].Spans || s.width <= 0 {
		return s
	}
	for next := column + 1; next < len(t.cells) && t.cells[next].Text == ""; next++ {
		if after := t.layout[next]; after.width > 0 {
			s.width = after.x + after.width - s.x
		}
	}
	return s
}

// printCell writes a text into a column and returns the column after the text.
func printCell(area Area, s span, text string, right bool, style themes.Style) int {
	x := s.x
	if s.width <= 0 {
		return x
	}
	if right {
		x += max(0, s.width-Width(text))
	}
	return area.PrintCut(x, 0, s.x+s.width-x, text, style)
}

// arrange selects the columns that fit into width cells and sets their positions.
func (t *Table) arrange(width int) {
	t.layout = t.layout[:0]
	total, grow, gaps := 0, 0, -1
	for _, c := range t.Columns {
		if c.Width <= 0 && c.Grow == 0 { // it does not show, and leaves no gap
			t.layout = append(t.layout, span{x: -1})
			continue
		}
		t.layout = append(t.layout, span{width: max(c.Width, 0)})
		total += max(c.Width, 0)
		grow += c.Grow
		gaps++
	}
	gap := TableGap(0)
	total += gap * gaps
	for total > width {
		out := -1
		for i, c := range t.Columns {
			if t.layout[i].x == 0 && c.Rank > 0 && i != t.SortColumn && (out < 0 || c.Rank >= t.Columns[out].Rank) {
				out = i
			}
		}
		if out < 0 {
			break // required columns are cut at the area's edge
		}
		t.layout[out].x = -1 // marks it as gone
		total -= max(t.Columns[out].Width, 0) + gap
		gaps--
		grow -= t.Columns[out].Grow
	}
	if wide := TableGap(width) - gap; total+wide*gaps <= width { // no column goes for the sake of a wider gap
		gap += wide
		total += wide * gaps
	}
	x, spare := 0, max(0, width-total)
	if i := t.SortColumn; i >= 0 && i == t.last() && Width(t.Columns[i].Title) == t.layout[i].width && spare > 0 {
		t.layout[i].width++ // for the mark: there is no gap behind it
		spare--
	}
	for i, c := range t.Columns {
		s := &t.layout[i]
		if s.x < 0 {
			*s = span{}
			continue
		}
		if c.Grow > 0 { // the last growing column takes what division leaves over
			share := spare * c.Grow / grow
			s.width += share
			spare -= share
			grow -= c.Grow
		}
		s.x = x
		s.width = max(0, min(s.width, width-x))
		x += s.width + gap
	}
}

// last returns the last column that shows, while columns are arranged.
func (t *Table) last() int {
	for i := len(t.layout) - 1; i > 0; i-- {
		if t.layout[i].x >= 0 {
			return i
		}
	}
	return 0
}

// derivedID names a zone of a part of a widget; a widget without a zone has parts without.
func derivedID(id, part string) string {
	if id == "" {
		return ""
	}
	return id + part
}

// ScrollHit scrolls to where the mouse pressed or dragged the scroll bar.
func (t *Table) ScrollHit(hit Hit) { ScrollHit(&t.List, hit) }

// ScrollHit scrolls a list so that its thumb comes to where the mouse is.
func ScrollHit(l *List, hit Hit) {
	if hit.Height > 0 {
		l.ScrollTo(hit.Y*l.Length()/hit.Height - l.Height()/2)
	}
}

// DrawScrollBar draws the bar of a list into a column one cell wide.
func DrawScrollBar(area Area, l *List, id string) {
	length := l.Length()
	if length == 0 || area.Height == 0 {
		return
	}
	from, to := l.Visible()
	thumb := max(1, (to-from)*area.Height/length)
	top := 0
	if hidden := length - (to - from); hidden > 0 {
		top = (from*(area.Height-thumb) + hidden/2) / hidden
	}
	g := area.Glyphs()
	area.Vertical(0, g.Vertical, themes.Style{Role: themes.Border})
	for y := top; y < top+thumb; y++ {
		area.Set(0, y, g.ScrollThumb, themes.Style{Role: themes.Muted})
	}
	area.Zone(0, 0, 1, area.Height, id, 0)
}
