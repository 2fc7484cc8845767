package wizard

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/ui/widget/widgettest"
)

// broken returns the fault in the cells of a canvas, "" for nothing.
func broken(c *widget.Canvas) string {
	_, height := c.Size()
	return widgettest.BrokenCell(height, func(y int) []rune {
		var row []rune
		for _, cell := range c.Row(y) {
			row = append(row, cell.Rune)
		}
		return row
	}, widget.RuneWidth)
}

// insideOf returns the inner size of a dialog that fills the body, for a terminal's size.
func insideOf(width, height int) (int, int) { return width - 4, height - 7 }

func TestGolden(t *testing.T) {
	t.Parallel()
	scenes := scenes()
	for _, size := range []struct {
		glyphs        string
		width, height int
	}{{"unicode", 80, 24}, {"unicode", 120, 40}, {"ascii", 60, 16}} {
		glyphs, err := themes.GlyphsByName(size.glyphs)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, name := range slices.Sorted(maps.Keys(scenes)) {
			canvas := widget.NewCanvas(insideOf(size.width, size.height))
			canvas.SetGlyphs(glyphs)
			scenes[name]().Draw(canvas.All())
			fmt.Fprintf(&b, "== %s\n%s", name, canvas.Text())
		}
		widgettest.Golden(t, filepath.Join("testdata", fmt.Sprintf("%dx%d.golden", size.width, size.height)), b.String())
	}
}

// TestGoldenSmallAreas draws four scenes in areas that are almost too small.
func TestGoldenSmallAreas(t *testing.T) {
	t.Parallel()
	for golden, scene := range smallScenes {
		var b strings.Builder
		for _, name := range themes.GlyphNames() {
			glyphs, err := themes.GlyphsByName(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range [][2]int{{60, 4}, {16, 2}} {
				canvas := widget.NewCanvas(size[0], size[1])
				canvas.SetGlyphs(glyphs)
				scenes()[scene]().Draw(canvas.All())
				fmt.Fprintf(&b, "%s %dx%d\n%s", name, size[0], size[1], canvas.Text())
			}
		}
		widgettest.Golden(t, filepath.Join("testdata", golden+".golden"), b.String())
	}
}

// smallScenes are the scenes of the tests at small sizes, by the names of their golden files.
var smallScenes = map[string]string{"about": "2-about", "meal": "4-new-meal", "review": "6-review", "result": "9-result"}

// TestWizardStaysInItsAreaAtEverySize draws into an area inside a larger canvas, and checks that its surroundings are unchanged.
func TestWizardStaysInItsAreaAtEverySize(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	around := widget.Cell{Rune: '~', Style: themes.Style{Role: themes.Series8, Ground: themes.Heat3}}
	for _, name := range themes.GlyphNames() {
		glyphs, err := themes.GlyphsByName(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, scene := range smallScenes {
			for width := range 48 {
				for height := range 12 {
					canvas := widget.NewCanvas(width+4, height+4)
					canvas.SetGlyphs(glyphs)
					for y := range height + 4 {
						canvas.All().Print(0, y, strings.Repeat(string(around.Rune), width+4), around.Style)
					}
					area := canvas.All().Sub(2, 2, width, height)
					area.Fill(themes.Style{})
					scenes()[scene]().Draw(area)
					checkAround(t, canvas, around, glyphs.ASCII)
					if t.Failed() {
						t.Fatalf("%s, %s, %dx%d", scene, name, width, height)
					}
				}
			}
			scenes()[scene]().Draw(widget.Area{})
		}
	}
}

// checkAround checks that the border of two cells has its former text and clickable zones, and that the cells inside
// are valid.
func checkAround(t *testing.T, canvas *widget.Canvas, around widget.Cell, ascii bool) {
	t.Helper()
	width, height := canvas.Size()
	for y := range height {
		for x, cell := range canvas.Row(y) {
			inside := x >= 2 && x < width-2 && y >= 2 && y < height-2
			if _, hit := canvas.HitAt(x, y); !inside && (cell != around || hit) {
				t.Errorf("cell %d,%d outside has changed to %q, zone %t", x-2, y-2, cell.Rune, hit)
			}
			if ascii && cell.Rune > '~' {
				t.Errorf("%q is not ASCII", cell.Rune)
			}
		}
	}
	if wrong := broken(canvas); wrong != "" {
		t.Error(wrong)
	}
}
