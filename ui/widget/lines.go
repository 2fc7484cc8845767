package widget

import "cxdeck/themes"

// Line is a straight line between the centres of two cells.
type Line struct {
	X1, Y1, X2, Y2 int
	Role           themes.Role
}

// DrawLines draws lines with dots, under what is printed afterwards. Later lines win where two cross.
func DrawLines(area Area, lines []Line) {
	var r raster
	r.reset(area.Width, area.Height, dotGrid(area.Glyphs()))
	var styles []ChartSeries
	numbers := map[themes.Role]int{}
	for _, l := range lines {
		series, known := numbers[l.Role]
		if !known {
			series = len(styles)
			numbers[l.Role] = series
			styles = append(styles, ChartSeries{Role: l.Role})
		}
		across, down := r.grid.dotColumns(), r.grid.dotRows()
		x1, x2 := l.X1*across+across/2, l.X2*across+across/2
		y1, y2 := r.dotHeight()-1-(l.Y1*down+down/2), r.dotHeight()-1-(l.Y2*down+down/2)
		if x1 > x2 {
			x1, x2, y1, y2 = x2, x1, y2, y1
		}
		for x := x1; x <= x2; x++ {
			from, to := y1, y2
			if x2 > x1 {
				from, to = y1+(y2-y1)*(x-x1)/(x2-x1+1), y1+(y2-y1)*(x-x1+1)/(x2-x1+1)
			}
			r.fill(x, min(from, to), max(from, to), series)
		}
	}
	r.show(area, styles)
}
