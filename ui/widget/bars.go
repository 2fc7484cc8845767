package widget

import (
	"math"
	"strings"

	"cxdeck/themes"
)

// Sparkline returns a one-row chart of the width len(bands)/2 with braille, len(bands) otherwise. It shows the maximum of each
// band, so that a burst never disappears; a gap is a blank. high is the value of a full cell; 0 means the largest value.
func Sparkline(bands []Band, high float64, glyphs *themes.Glyphs) string {
	if high <= 0 {
		for _, b := range bands {
			if b.Max > high && !math.IsInf(b.Max, 0) {
				high = b.Max
			}
		}
	}
	var b strings.Builder
	b.Grow(3 * len(bands))
	if !glyphs.Braille {
		for _, band := range bands {
			if n := sparkLevel(band, high, len(glyphs.Spark)); n > 0 {
				b.WriteRune(glyphs.Spark[n-1])
			} else {
				b.WriteByte(' ')
			}
		}
		return b.String()
	}
	for i := 0; i+1 < len(bands); i += 2 {
		left, right := sparkLevel(bands[i], high, 4), sparkLevel(bands[i+1], high, 4)
		if left+right == 0 {
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(brailleOf(uint8(1<<left-1) | uint8(1<<right-1)<<4))
	}
	return b.String()
}

// sparkLevel returns the number of filled steps, out of n, for a band: at least one, and none for a gap.
func sparkLevel(band Band, high float64, n int) int {
	value := band.Max
	if math.IsNaN(value) {
		value = band.Average
	}
	switch {
	case math.IsNaN(value):
		return 0
	case value <= 0 || high <= 0:
		return 1
	}
	return 1 + int(min(value/high, 1)*float64(n-1)+0.5)
}

// Bar is one bar of a histogram.
type Bar struct {
	Label string
	Value float64
	Text  string // the value in words
	Role  themes.Role
}

// DrawBars draws horizontal bars with labels at the left and values at the right; high is the value of a full bar, 0 means the
// largest value. Bars that don't fit are omitted.
func DrawBars(area Area, bars []Bar, high float64) {
	labels, texts := 0, 0
	for _, bar := range bars {
		labels, texts = max(labels, Width(bar.Label)), max(texts, Width(bar.Text))
	}
	if high <= 0 {
		for _, bar := range bars {
			if bar.Value > high && !math.IsInf(bar.Value, 0) {
				high = bar.Value
			}
		}
	}
	// A truncated value would be wrong, so labels and bars are shortened instead.
	labels = min(labels, area.Width/3)
	texts = min(texts, max(0, area.Width-labels-1))
	for y, bar := range bars[:min(len(bars), area.Height)] {
		row := area.Sub(0, y, area.Width, 1)
		row.PrintCut(0, 0, labels, bar.Label, themes.Style{Role: themes.Text})
		drawBar(row.Sub(labels+1, 0, area.Width-labels-texts-2, 1), bar.Value, high, themes.Style{Role: bar.Role})
		printCell(row, span{area.Width - texts, texts}, bar.Text, true, themes.Style{Role: themes.Text})
	}
}

// drawBar fills a row from the left in proportion to value, to an eighth of a cell.
func drawBar(row Area, value, high float64, style themes.Style) {
	if !(value > 0) || !(high > 0) {
		return
	}
	g := row.Glyphs()
	eighths := int(min(value/high, 1)*float64(row.Width*8) + 0.5)
	for x := range (eighths + 7) / 8 {
		if r := g.Wide[min(eighths-8*x, 8)-1]; r != ' ' {
			row.Set(x, 0, r, style)
		}
	}
}
