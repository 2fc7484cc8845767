package widget

import (
	"testing"

	"cxdeck/themes"
)

func BenchmarkChart(b *testing.B) {
	canvas := NewCanvas(120, 30)
	area := canvas.All()
	c := sampleChart(area, nil)
	c.Series = nil
	for s := range 8 {
		c.Series = append(c.Series, ChartSeries{Role: themes.SeriesRole(s), Bands: waves(c.Dots(area), s)})
	}
	b.ReportAllocs()
	for b.Loop() {
		canvas.Clear()
		c.Draw(area)
	}
}

func BenchmarkTable(b *testing.B) {
	canvas := NewCanvas(120, 40)
	table := sampleTable()
	table.List.SetLength(100000)
	b.ReportAllocs()
	for b.Loop() {
		canvas.Clear()
		table.Draw(canvas.All(), func(row int, cells []TableCell) {
			cells[0].Text, cells[1].Text, cells[2].Text, cells[3].Text, cells[4].Text = "Ethernet 7", "41.9 Gb/s", "● up", "312", "team A"
		})
	}
}

func BenchmarkSparkline(b *testing.B) {
	bands := waves(40, 0)
	glyphs := themes.UnicodeGlyphs()
	b.ReportAllocs()
	for b.Loop() {
		Sparkline(bands, 0, glyphs)
	}
}

func BenchmarkCanvasText(b *testing.B) {
	canvas := NewCanvas(120, 40)
	canvas.SetGlyphs(themes.UnicodeGlyphs())
	sampleTable().Draw(canvas.All(), sampleRow)
	b.ReportAllocs()
	for b.Loop() {
		_ = canvas.Text()
	}
}
