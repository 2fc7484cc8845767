package widget

import (
	"math"
	"time"

	"cxdeck/themes"
)

// Band holds the range and the average of the values in one dot column of a chart. NaN is a gap.
type Band struct{ Min, Max, Average float64 }

// ChartSeries is one curve.
type ChartSeries struct {
	Role themes.Role
	// Letter names it in the legend; it is also drawn on the curve if colours don't distinguish curves.
	Letter rune
	// Bands are from left to right, Chart.Dots of them. Missing bands are gaps.
	Bands []Band
	// Bold draws it over the others and emphasised.
	Bold bool
	// Dashed draws it with gaps, so that two curves can be distinguished without colour.
	Dashed bool
}

// ChartMark marks an event on the time axis.
type ChartMark struct {
	Time time.Time
	Role themes.Role
}

// ChartLimit is a horizontal line.
type ChartLimit struct {
	Value float64
	Role  themes.Role
}

// Chart draws curves over time with axes, marks and a cursor. In a small area it draws only the curves, for small multiples.
// Reusing a Chart for several frames avoids almost all allocations.
type Chart struct {
	// ID is the zone of the plot for the mouse; Hit.X and Hit.Width give the time by TimeAt.
	ID       string
	From, To time.Time
	Series   []ChartSeries
	// Low and High are the ends of the value axis; High must be above Low.
	Low, High float64
	// Log draws the value axis logarithmically from Low (above 0) on.
	Log bool
	// Stacked draws the series as stacked areas.
	Stacked bool
	// Format writes a value of the axis.
	Format func(value float64) string
	// Location is the time zone of the axis.
	Location *time.Location
	// Offsets labels the time axis with the time since From, for curves of different times that are aligned.
	Offsets bool
	Marks   []ChartMark
	// Cursor is a time to mark with a vertical line; zero for none.
	Cursor time.Time
	// RangeFrom and RangeTo are the ends of a range that is marked, which may lie outside; zero for none.
	RangeFrom, RangeTo time.Time
	// Limits are horizontal lines: thresholds.
	Limits []ChartLimit

	raster   raster
	dotScale scale
	top      float64   // the highest dot row
	sums     []float64 // the height of the stack in each dot column
}

// The size of the axes, and the minimum size of an area with axes.
const (
	valueLabelWidth = 9                   // "12.5 Gb/s"
	valueAxisWidth  = valueLabelWidth + 2 // a blank and the axis
	timeAxisHeight  = 2
	minAxisWidth    = valueAxisWidth + 20
	minAxisHeight   = 6
)

// Dots returns the number of bands of a curve in an area: two per cell with braille, one otherwise.
func (c *Chart) Dots(area Area) int {
	return plotArea(area).Width * dotGrid(area.Glyphs()).dotColumns()
}

// plotArea returns the part of a chart's area that the curves are drawn in.
func plotArea(area Area) Area {
	if !hasAxes(area) {
		return area
	}
	return area.Sub(valueAxisWidth, 0, area.Width-valueAxisWidth, area.Height-timeAxisHeight)
}

func hasAxes(area Area) bool { return area.Width >= minAxisWidth && area.Height >= minAxisHeight }

// Draw draws the chart.
func (c *Chart) Draw(area Area) {
	plot := plotArea(area)
	if plot.Width == 0 || plot.Height == 0 {
		return
	}
	if hasAxes(area) {
		c.drawValueAxis(area, plot)
		c.drawTimeAxis(area, plot)
	}
	c.drawLimits(plot)
	c.drawRange(plot)
	c.drawCursor(plot)
	c.drawCurves(plot)
	plot.Zone(0, 0, plot.Width, plot.Height, c.ID, 0)
}

// TimeAt returns the time at a cell of the plot, x from 0 to width-1.
func (c *Chart) TimeAt(x, width int) time.Time {
	if width <= 0 {
		return c.From
	}
	span := float64(c.To.Sub(c.From))
	return c.From.Add(time.Duration(span * (float64(x) + 0.5) / float64(width)))
}

// column returns the cell of a time in a plot of this width; ok is false when the time is outside.
func (c *Chart) column(at time.Time, width int) (x int, ok bool) {
	span := c.To.Sub(c.From)
	if span <= 0 || at.Before(c.From) || at.After(c.To) {
		return 0, false
	}
	return min(width-1, int(float64(at.Sub(c.From))/float64(span)*float64(width))), true
}

// scale converts a value to a position on the value axis.
type scale struct {
	low, factor float64
	log         bool
}

// smallestLog is the lowest start of a logarithmic axis, which has no zero.
const smallestLog = 1e-12

// scale returns the chart's scale for an axis from 0 to length.
func (c *Chart) scale(length float64) scale {
	low, high := c.Low, c.High
	if c.Log {
		low = max(low, smallestLog)
		low, high = math.Log(low), math.Log(max(high, low))
	}
	s := scale{low: low, log: c.Log}
	if high > low {
		s.factor = length / (high - low)
	}
	return s
}

// at returns the position of a value. Values below the axis are at its start; values above it are beyond its end.
func (s scale) at(value float64) float64 {
	if s.log {
		value = math.Log(max(value, smallestLog))
	}
	return max(0, (value-s.low)*s.factor)
}

// drawCurves draws all series, the emphasised ones last, so that they cover the others.
func (c *Chart) drawCurves(plot Area) {
	c.raster.reset(plot.Width, plot.Height, dotGrid(plot.Glyphs()))
	c.top = float64(c.raster.dotHeight() - 1)
	c.dotScale = c.scale(c.top)
	c.raster.areas = c.Stacked
	if c.Stacked {
		c.drawStack()
	} else {
		for _, bold := range []bool{false, true} {
			for i := range c.Series {
				if c.Series[i].Bold == bold {
					c.drawLine(i)
				}
			}
		}
	}
	c.raster.show(plot, c.Series)
	if plot.Glyphs().Letters {
		c.drawLetters(plot)
	}
}

// level returns the dot row of a value, counted from the bottom. Values beyond an end of the axis are drawn at that end.
func (c *Chart) level(value float64) int {
	return int(min(c.dotScale.at(value), c.top) + 0.5)
}

// drawLine draws one curve: in each dot column the range of its values, joined with the previous column.
func (c *Chart) drawLine(series int) {
	r := &c.raster
	bands := c.Series[series].Bands
	joined, low, high := false, 0, 0
	for x := range min(len(bands), r.dotWidth()) {
		b := bands[x]
		if math.IsNaN(b.Average) {
			joined = false
			continue
		}
		// The comparisons are false for NaN: without a range only the average is drawn.
		from := c.level(b.Average)
		to := from
		if b.Min < b.Average {
			from = c.level(b.Min)
		}
		if b.Max > b.Average {
			to = c.level(b.Max)
		}
		a, z := from, to
		if c.Series[series].Dashed && x%dashLength >= dashLength/2 {
			joined = false
			continue
		}
		if joined { // meet the previous column half-way
			if from > high+1 {
				middle := (high + from) / 2
				r.fill(x-1, high, middle, series)
				a = middle + 1
			} else if to < low-1 {
				middle := (low + to + 1) / 2
				r.fill(x-1, middle, low, series)
				z = middle - 1
			}
		}
		r.fill(x, a, z, series)
		joined, low, high = true, from, to
	}
}

// dashLength is the length of a dash and the gap after it, in dot columns.
const dashLength = 8

// drawStack draws the series stacked, the first at the bottom. The top dot of a high enough area is not drawn, so that
// neighbours can be distinguished without colour.
func (c *Chart) drawStack() {
	r := &c.raster
	width := r.dotWidth()
	if cap(c.sums) < width {
		c.sums = make([]float64, width)
	}
	c.sums = c.sums[:width]
	clear(c.sums)
	for i := range c.Series {
		for x, b := range c.Series[i].Bands[:min(width, len(c.Series[i].Bands))] {
			if !(b.Average > 0) {
				continue
			}
			from := c.level(c.sums[x])
			if c.sums[x] > 0 {
				from++
			}
			c.sums[x] += b.Average
			to := c.level(c.sums[x])
			if r.grid.dotRows() > 2 && to-from > 2 && i < len(c.Series)-1 {
				to--
			}
			r.fill(x, from, to, i)
		}
	}
}

// drawLimits draws the thresholds as dashed lines behind the curves.
func (c *Chart) drawLimits(plot Area) {
	g := plot.Glyphs()
	heights := c.scale(float64(plot.Height - 1))
	for _, limit := range c.Limits {
		if limit.Value < c.Low || limit.Value > c.High {
			continue
		}
		y := plot.Height - 1 - int(heights.at(limit.Value)+0.5)
		for x := 0; x < plot.Width; x += 2 {
			plot.Set(x, y, g.Limit, themes.Style{Role: limit.Role})
		}
	}
}

// rangeColumns returns the first and the last cell of the marked range in a plot of this width; ok is false when none of it is
// in the plot. An end outside is beyond the plot.
func (c *Chart) rangeColumns(width int) (from, to int, ok bool) {
	if c.RangeFrom.IsZero() || width <= 0 || !c.RangeTo.After(c.From) || !c.RangeFrom.Before(c.To) {
		return 0, 0, false
	}
	from, to = -1, width
	if x, inside := c.column(c.RangeFrom, width); inside {
		from = x
	}
	if x, inside := c.column(c.RangeTo, width); inside {
		to = x
	}
	return from, to, true
}

// drawRange draws the ends of the marked range as dotted lines behind the curves.
func (c *Chart) drawRange(plot Area) {
	from, to, ok := c.rangeColumns(plot.Width)
	if !ok {
		return
	}
	for y := 0; y < plot.Height; y += 2 {
		plot.Set(from, y, plot.Glyphs().Cursor, rangeStyle)
		plot.Set(to, y, plot.Glyphs().Cursor, rangeStyle)
	}
}

// rangeStyle is the look of a marked range.
var rangeStyle = themes.Style{Role: themes.Accent}

// drawCursor draws the vertical line behind the curves.
func (c *Chart) drawCursor(plot Area) {
	if c.Cursor.IsZero() {
		return
	}
	if x, ok := c.column(c.Cursor, plot.Width); ok {
		plot.Vertical(x, plot.Glyphs().Cursor, themes.Style{Role: themes.Accent})
	}
}
