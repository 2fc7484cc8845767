package counters

// rect is a rectangle of the screen's body, in cells.
type rect struct{ x, y, width, height int }

// needs lists the parts that the screen has to find room for.
type needs struct {
	curves int
	// report leaves out the legend: the report holds its numbers.
	report bool
}

// arrangement holds the rectangles of the parts; a part without room has height 0.
type arrangement struct{ title, chart, legend, description, marks rect }

const (
	minChart    = 5 // rows that a chart with its time axis needs
	maxLegend   = 18
	twoLineFrom = 19 // minimum height of a body with two lines of description
)

// arrange lays out the body. The title gets its room first, then chart, legend, marks and description. It is a pure
// function.
func arrange(width, height int, n needs) arrangement {
	var a arrangement
	left := max(height, 0)
	take := func(want, keep int) int {
		got := max(0, min(want, left-keep))
		left -= got
		return got
	}
	title := take(1, 0)
	description, legend := 0, 0
	if !n.report {
		legend = take(min(3, 1+max(n.curves, 1)), minChart)
	}
	marks := take(1, minChart+1)
	wanted := 1
	if height >= twoLineFrom {
		wanted = 2
	}
	if !n.report {
		description = take(wanted, minChart+1)
		// The chart gets at least three fifths of the shared height.
		rows := min(1+max(n.curves, 1), maxLegend) - legend
		legend += max(0, min(rows, (left+legend)*2/5-legend, left-minChart))
		left = height - title - description - marks - legend
	}
	y := 0
	place := func(rows int) rect {
		r := rect{0, y, width, rows}
		y += rows
		return r
	}
	a.title = place(title)
	a.chart = place(max(left, 0))
	a.legend = place(legend)
	a.description = place(description)
	a.marks = place(marks)
	return a
}

// smallWidth and smallHeight are the minimum size of a small chart in cells.
const smallWidth, smallHeight = 34, 6

// tileRect divides a rectangle into equal rectangles for n small charts; fewer than n, if they would get too small.
func tileRect(r rect, n int) []rect {
	if n <= 0 || r.width <= 0 || r.height <= 0 {
		return nil
	}
	maxColumns := max(1, r.width/smallWidth)
	maxRows := max(1, r.height/smallHeight)
	columns := 1
	for columns < maxColumns && columns*maxRows < n {
		columns++
	}
	// Wide and low rather than narrow and high: a curve needs width.
	for columns < maxColumns && n > columns && r.height/((n+columns-1)/columns) < smallHeight+2 {
		columns++
	}
	rows := min(maxRows, (n+columns-1)/columns)
	shown := min(n, rows*columns)
	width, height := r.width/columns, r.height/rows
	places := make([]rect, shown)
	for i := range places {
		places[i] = rect{r.x + i%columns*width, r.y + i/columns*height, width, height}
	}
	return places
}
