package widget

import (
	"time"

	"cxdeck/themes"
)

// Band is what a chart draws in one of its dot columns: the range of values there and their average. NaN is a gap.
type Band struct{ Min, Max, Average float64 }

// ChartSeries is one curve.
type ChartSeries struct {
	Role themes.Role
	// Bands are from left to right; there must be Chart.Dots of them.
	Bands []Band
	// Bold draws it over the others and emphasised.
	Bold bool
}

// ChartMark is something that happened: a mark on the time axis.
type ChartMark struct {
	Time time.Time
	Role themes.Role
}

// Chart draws curves over time with axes, marks and a cursor.
type Chart struct {
	// ID is the zone of the plot for the mouse; Hit.X and Hit.Width give the time by TimeAt.
	ID       string
	From, To time.Time
	Series   []ChartSeries
	// Low and High are the ends of the value axis; High must be above Low.
	Low, High float64
	// Log draws the value axis logarithmically from Low (above 0) on.
	Log bool
	// Stacked piles the series up as areas.
	Stacked bool
	// Format writes a value of the axis.
	Format func(value float64) string
	// Location is the time zone of the axis.
	Location *time.Location
	Marks    []ChartMark
	// Cursor is a time to mark with a vertical line; zero for none.
	Cursor time.Time
	// Limits are horizontal lines: thresholds.
	Limits []ChartLimit
}

// ChartLimit is a horizontal line.
type ChartLimit struct {
	Value float64
	Role  themes.Role
}

// Dots is how many bands a curve needs in an area of this width: two a cell with braille, one otherwise.
func (c *Chart) Dots(area Area) int { return 0 }

// Draw draws the chart.
func (c *Chart) Draw(area Area) {}

// TimeAt is the time at a cell of the plot, x from 0 to width-1.
func (c *Chart) TimeAt(x, width int) time.Time { return c.From }

// NiceScale gives the round number at or above value that a value axis should end with, in steps of 1, 2, 2.5, 5 times a
// power of ten; 1 for 0 or less.
func NiceScale(value float64) float64 { return 1 }

// Sparkline is a one-row chart of the width len(bands)/2 with braille, len(bands) otherwise. high is the value of a full
// cell; 0 takes the largest there is.
func Sparkline(bands []Band, high float64, glyphs *themes.Glyphs) string { return "" }

// Bar is one bar of a histogram.
type Bar struct {
	Label string
	Value float64
	Text  string // the value in words
	Role  themes.Role
}

// DrawBars draws horizontal bars with labels at the left and values at the right; high is the value of a full bar.
func DrawBars(area Area, bars []Bar, high float64) {}
