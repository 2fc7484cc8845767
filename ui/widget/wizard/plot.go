package wizard

import (
	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// plotHeight is the number of rows of the curves: too few for a chart to draw axes of its own.
const plotHeight = 5

// curves adds the rows of a plot: the labels of the curves, the curves, the axis.
func (p *pane) curves(x int, plot *Plot) {
	var legend []panePiece
	at := x
	for i := range plot.Curves {
		c := &plot.Curves[i]
		style := themes.Style{Role: themes.SeriesRole(i)}
		mark := string([]rune{p.glyphs.Horizontal, p.glyphs.Horizontal})
		if c.Dashed {
			mark = string([]rune{p.glyphs.Horizontal, ' '})
		}
		legend = append(legend, panePiece{at, mark + " " + c.Label, style})
		at += widget.Width(c.Label) + 5
	}
	p.row(legend...)
	labels := widget.Width(plot.Top) + 1
	p.row(panePiece{x + labels, "", plainStyle}).plot = plot
	top := &p.rows[len(p.rows)-1]
	top.pieces = append(top.pieces, panePiece{x, plot.Top, mutedStyle})
	for range plotHeight - 2 {
		p.row()
	}
	p.row(panePiece{x, "0", mutedStyle})
	right := max(p.width-widget.Width(plot.Right), x+labels)
	p.row(panePiece{x + labels, plot.Left, mutedStyle}, panePiece{right, plot.Right, mutedStyle})
}

// draw draws the curves without axes.
func (plot *Plot) draw(area widget.Area) {
	if area.Height < plotHeight || area.Width < 1 {
		return // its lower part is below the pane
	}
	c := widget.Chart{High: plot.High}
	dots := c.Dots(area)
	for i := range plot.Curves {
		values := plot.Curves[i].Values
		if len(values) == 0 {
			continue
		}
		bands := make([]widget.Band, dots)
		for x := range bands {
			v := values[x*len(values)/dots]
			bands[x] = widget.Band{Min: v, Max: v, Average: v}
		}
		c.Series = append(c.Series, widget.ChartSeries{Role: themes.SeriesRole(i), Letter: rune('A' + i), Bands: bands, Dashed: plot.Curves[i].Dashed, Bold: i == 0})
	}
	c.Draw(area)
}
