package widget

import "cxdeck/themes"

// TableColumn is one column of a table.
type TableColumn struct {
	Title string
	// Width in cells; with Grow it is the least, and the room that is left is shared among growing columns by Grow.
	Width, Grow int
	Right       bool
	// Rank decides what goes when there is too little room: the highest rank first. Rank 0 never goes.
	Rank int
}

// TableCell is the text of one cell.
type TableCell struct {
	Text  string
	Style themes.Style
}

// Table draws rows under a title line, with a cursor, a sort mark and a scroll bar. The rows stay the caller's: Draw
// asks for those that show.
type Table struct {
	// ID is the zone of its rows for the mouse: Hit.Index is the row; ID+".head" with the column's index for titles.
	ID      string
	Columns []TableColumn
	List    List
	Focused bool
	// SortColumn is the column with the sort mark, -1 for none.
	SortColumn int
	Descending bool
	// Marked says which rows are multi-selected; may be nil.
	Marked func(row int) bool
	// Empty is shown in place of rows: why there are none, and which key gets some.
	Empty string
}

// Draw draws the table; row fills cells (len(Columns) of them) for a row.
func (t *Table) Draw(area Area, row func(row int, cells []TableCell)) {}
