package widget

import (
	"math"
	"strings"
	"testing"

	"cxdeck/themes"
)

func TestCurvesCarryLettersWithoutColours(t *testing.T) {
	t.Parallel()
	const width, height = 60, 12
	chart := &Chart{High: 100}
	for i, level := range []float64{20, 80} {
		bands := make([]Band, 2*(width-valueAxisWidth))
		for n := range bands {
			bands[n] = Band{level, level, level}
		}
		bands[0].Average = math.NaN()
		chart.Series = append(chart.Series, ChartSeries{Role: themes.SeriesRole(i), Letter: rune('a' + i), Bands: bands})
	}
	glyphs := themes.UnicodeGlyphs()
	if text := strings.Join(picture(chart, width, height, glyphs), "\n"); strings.ContainsAny(text, "ab") {
		t.Errorf("curves with colours carry letters:\n%s", text)
	}
	for _, stacked := range []bool{false, true} {
		chart.Stacked = stacked
		lines := picture(chart, width, height, glyphs.WithLetters())
		row := map[rune]int{}
		for y, line := range lines {
			for x, r := range []rune(line) {
				if r != 'a' && r != 'b' {
					continue
				}
				row[r] = y
				if x >= width-letterClear {
					t.Errorf("letter %c covers the newest samples:\n%s", r, strings.Join(lines, "\n"))
				}
			}
		}
		if row['b'] >= row['a'] || len(row) != 2 {
			t.Errorf("the letters are not on their curves (stacked %v):\n%s", stacked, strings.Join(lines, "\n"))
		}
	}
}
