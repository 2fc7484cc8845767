package viewtest

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Updating reports whether the flag -update is set: tests then write their golden files instead of comparing with them.
func Updating() bool { return *update }

// chrome is the number of terminal rows outside the screen's body.
const chrome = 5

// Body draws a screen's body for a terminal of this size.
func Body(view ui.View, width, height int) *widget.Canvas {
	canvas := widget.NewCanvas(width, height-chrome)
	canvas.SetGlyphs(themes.UnicodeGlyphs())
	view.Draw(canvas.All())
	return canvas
}

// sizes are the terminal sizes of the golden files.
var sizes = [][2]int{{80, 24}, {120, 40}}

// Golden compares a screen's body on terminals of 80x24 and 120x40 with testdata/NAME-WIDTHxHEIGHT.golden.
func Golden(t *testing.T, view ui.View, name string) {
	t.Helper()
	for _, size := range sizes {
		compare(t, name, size, Body(view, size[0], size[1]).Text())
	}
}

// GoldenWide does the same as Golden, and also compares at 200x60.
func GoldenWide(t *testing.T, view ui.View, name string) {
	t.Helper()
	Golden(t, view, name)
	compare(t, name, [2]int{200, 60}, Body(view, 200, 60).Text())
}

// Golden compares the whole terminal, including dialogs, with a golden file for each size. It leaves the stage at the
// larger size.
func (s *Stage) Golden(name string) {
	s.t.Helper()
	for _, size := range sizes {
		s.Resize(size[0], size[1])
		s.Text() // drawing tells dialogs their size
		compare(s.t, name, size, s.Text())
	}
}

// compare compares a picture with its golden file, or writes the file with -update.
func compare(t testing.TB, name string, size [2]int, got string) {
	t.Helper()
	path := filepath.Join("testdata", fmt.Sprintf("%s-%dx%d.golden", name, size[0], size[1]))
	if *update {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v: run the test with -update", err)
	}
	if got != string(want) {
		t.Errorf("%s differs from its golden file; got\n%s\nwant\n%s", path, got, strings.ReplaceAll(string(want), "\r\n", "\n"))
	}
}

// EverySize draws a screen at every size from the minimum to 240x70 and fails the test if it panics. In short mode it
// does nothing.
func EverySize(t *testing.T, view ui.View) {
	t.Helper()
	if testing.Short() {
		return
	}
	canvas := widget.NewCanvas(0, 0)
	for width := ui.MinWidth; width <= 240; width += 7 {
		for height := ui.MinHeight; height <= 70; height += 3 {
			canvas.Resize(width, height-chrome)
			canvas.SetGlyphs(themes.UnicodeGlyphs())
			view.Draw(canvas.All())
		}
	}
}
