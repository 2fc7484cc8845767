package widget

import (
	"math"

	"cxdeck/themes"
)

// The letters of a curve are letterStep cells apart, and each curve's letters are letterShift further left than the previous
// curve's; the newest letterClear cells stay free, so that no letter covers the newest samples.
const (
	letterStep  = 24
	letterShift = 3
	letterClear = 4
)

// drawLetters draws the letter of each curve on it at intervals, in columns that are fixed in time.
func (c *Chart) drawLetters(plot Area) {
	across, down := c.raster.grid.dotColumns(), c.raster.grid.dotRows()
	for i := range c.Series {
		series := &c.Series[i]
		if series.Letter == 0 {
			continue
		}
		for x := plot.Width - 1 - letterClear - i*letterShift%letterStep; x >= 0; x -= letterStep {
			if value := c.heightAt(i, x*across); !math.IsNaN(value) {
				y := plot.Height - 1 - c.level(value)/down
				plot.Set(x, y, series.Letter, themes.Style{Role: series.Role, Attr: themes.Bold})
			}
		}
	}
}

// heightAt returns the height of a curve in a dot column, in a stack the middle of its area; NaN in a gap.
func (c *Chart) heightAt(series, dot int) float64 {
	bands := c.Series[series].Bands
	if dot >= len(bands) {
		return math.NaN()
	}
	value := bands[dot].Average
	if !c.Stacked {
		return value
	}
	value /= 2
	for i := range series {
		if below := c.Series[i].Bands; dot < len(below) && below[dot].Average > 0 {
			value += below[dot].Average
		}
	}
	return value
}
