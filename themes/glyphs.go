package themes

// Glyphs are the symbols of the screen. Every glyph is one cell wide.
type Glyphs struct {
	Name string
	// State glyphs, always followed by a word.
	Up, Down, Restarting, Warning, Failed, Pending, Recording, Frozen, Replay rune
	// Lines and boxes.
	Horizontal, Vertical, TopLeft, TopRight, BottomLeft, BottomRight, TeeRight, TeeLeft, AxisLeft, AxisCorner, AxisTick rune
	// Tree, lists and tables.
	Open, Closed, SortUp, SortDown, Checked, Unchecked, Bullet, ScrollThumb rune
	// Marker on a time axis; Line and Cursor of a chart's legend and cursor.
	Marker, Line, Cursor rune
	// Arrows for hints.
	ArrowUp, ArrowDown, ArrowLeft, ArrowRight rune
	// Spark are the eight heights of a one-row chart, lowest first.
	Spark [8]rune
	// Full and Shade fill bars; Full[i] is i+1 eighths from the bottom.
	Full  [8]rune
	Shade rune
	// Braille says that charts draw with 2x4 dots a cell; otherwise they use Full, and ASCII sets one row a cell.
	Braille bool
	ASCII   bool
}
