package widget

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"cxdeck/themes"
)

// start is the time at which every picture of the tests begins.
var start = time.Date(2026, 3, 28, 13, 57, 12, 0, time.UTC)

// waves are n bands of a rate that rises and falls, with a gap.
func waves(n, phase int) []Band {
	bands := make([]Band, n)
	for i := range bands {
		v := 30e9*math.Sin(float64(i)/17+float64(phase)) + 40e9
		bands[i] = Band{Min: v - 2e9, Max: v + 3e9, Average: v}
		if i > 3*n/5 && i < 3*n/5+6 {
			bands[i] = Band{math.NaN(), math.NaN(), math.NaN()}
		}
	}
	return bands
}

func gigabits(v float64) string { return fmt.Sprintf("%.3g Gb/s", v/1e9) }

// sampleChart is a chart with everything on it.
func sampleChart(area Area, change func(*Chart)) *Chart {
	c := &Chart{
		ID: "chart", From: start, To: start.Add(5 * time.Minute), High: 100e9, Format: gigabits,
		Limits: []ChartLimit{{Value: 80e9, Role: themes.Warn}, {Value: 1e12, Role: themes.Bad}},
		Marks:  []ChartMark{{Time: start.Add(80 * time.Second), Role: themes.Info}, {Time: start.Add(time.Hour)}},
		Cursor: start.Add(200 * time.Second),
	}
	for s := range 3 {
		c.Series = append(c.Series, ChartSeries{Role: themes.SeriesRole(s), Bands: waves(c.Dots(area), 2*s), Bold: s == 1})
	}
	if change != nil {
		change(c)
	}
	return c
}

func sampleTable() *Table {
	t := &Table{
		ID: "table", SortColumn: 1, Descending: true, Focused: true, Empty: "Nothing yet. Press a to add a counter.",
		Columns: []TableColumn{
			{Title: "Adapter", Width: 12, Grow: 3},
			{Title: "Receive", Width: 10, Right: true},
			{Title: "State", Width: 8, Rank: 1},
			{Title: "Drops/s", Width: 8, Right: true, Rank: 2},
			{Title: "Note", Width: 6, Grow: 1, Rank: 3},
		},
	}
	t.List.SetLength(12)
	t.List.Select(2)
	t.Marked = func(row int) bool { return row == 1 }
	return t
}

func sampleRow(row int, cells []TableCell) {
	cells[0].Text = fmt.Sprintf("Ethernet %d", row)
	if row == 3 {
		cells[0].Text = "\x1b[2Jイーサネット接続"
	}
	cells[1] = TableCell{Text: fmt.Sprintf("%d Gb/s", row*row), Style: themes.Style{Role: themes.Good}}
	cells[2].Text = "● up"
	cells[3] = TableCell{Text: "312", Style: themes.Style{Role: themes.Bad, Ground: themes.Heat2}}
	cells[4].Text = "team A"
}

// parts draws each widget into an area: shared by the size tests and the golden pictures.
func parts() map[string]func(Area) {
	return map[string]func(Area){
		"chart":   func(a Area) { sampleChart(a, nil).Draw(a) },
		"stacked": func(a Area) { sampleChart(a, func(c *Chart) { c.Stacked, c.High = true, 250e9 }).Draw(a) },
		"log":     func(a Area) { sampleChart(a, func(c *Chart) { c.Log, c.Low = true, 1e6 }).Draw(a) },
		"table":   func(a Area) { sampleTable().Draw(a, sampleRow) },
		"empty":   func(a Area) { t := sampleTable(); t.List.SetLength(0); t.Draw(a, sampleRow) },
		"box":     func(a Area) { Box(Box(a, "Ethernet 7: keys", true), "", false).Print(0, 0, "inside", themes.Style{}) },
		"bars": func(a Area) {
			DrawBars(a, []Bar{
				{"Ethernet 5", 9.8e9, "9.8 Gb/s", themes.Series1}, {"Ethernet 6", 0, "0", themes.Series2},
				{"Ethernet 7", 41.9e9, "41.9 Gb/s", themes.Series3}, {"日本", math.NaN(), "-", themes.Series4},
			}, 50e9)
		},
		"spark": func(a Area) {
			n := a.Width
			if a.Glyphs().Braille {
				n *= 2
			}
			a.Print(0, 0, Sparkline(waves(n, 0), 0, a.Glyphs()), themes.Style{})
		},
		"input": func(a Area) {
			i := NewInput("*RSS 日本 ProfileName", "search", 0)
			i.ID = "input"
			i.Key("ctrl+left", nil)
			i.Draw(a, true, themes.Style{})
		},
		"buttons": func(a Area) {
			b := Buttons{ID: "buttons", Items: []Button{{Label: "Apply", Dangerous: true}, {Label: "Back"}}}
			b.SetFocus(1)
			b.Draw(a, true)
		},
	}
}

func TestWidgetsStayInTheirAreaAtEverySize(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	outside := Cell{Rune: '~', Style: themes.Style{Role: themes.Series8, Ground: themes.Heat3}}
	for _, name := range themes.GlyphNames() {
		glyphs, err := themes.GlyphsByName(name)
		if err != nil {
			t.Fatal(err)
		}
		for part, draw := range parts() {
			for width := range 48 {
				for height := range 12 {
					canvas := NewCanvas(width+4, height+4)
					canvas.SetGlyphs(glyphs)
					for i := range canvas.cells {
						canvas.cells[i] = outside
					}
					area := canvas.All().Sub(2, 2, width, height)
					area.Fill(themes.Style{})
					if glyphs.Braille { // an overwritten cell may be wide
						for y := range height {
							area.Print(y%2, y, strings.Repeat("日", 24), themes.Style{})
						}
					}
					draw(area)
					for y := range height + 4 {
						for x, cell := range canvas.Row(y) {
							inside := x >= 2 && x < width+2 && y >= 2 && y < height+2
							if !inside && cell != outside {
								t.Fatalf("%s, %s, %dx%d: cell %d,%d outside has changed to %q", part, name, width, height, x-2, y-2, cell.Rune)
							}
							if glyphs.ASCII && cell.Rune > '~' {
								t.Fatalf("%s, %dx%d: %q is not ASCII", part, width, height, cell.Rune)
							}
						}
					}
					if wrong := broken(canvas); wrong != "" {
						t.Fatalf("%s, %s, %dx%d: %s", part, name, width, height, wrong)
					}
					for _, z := range canvas.zones {
						if z.X < 2 || z.Y < 2 || z.X+z.Width > width+2 || z.Y+z.Height > height+2 {
							t.Fatalf("%s, %s, %dx%d: zone %+v leaves the area", part, name, width, height, z)
						}
					}
				}
			}
			draw(Area{})
		}
	}
}
