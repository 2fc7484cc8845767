// Package widgettest has the shared parts of the widget packages' tests: golden files, and the invariants of every drawn
// canvas. It imports no widget, so that their own tests can use it.
package widgettest

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
	"unicode"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Golden compares a text with a golden file, or writes the file with -update.
func Golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; look at it and run the test with -update if it is right. Got:\n%s", path, got)
	}
}

// BrokenCell returns an error in the cells of a canvas, "" for none: a wide character must have both halves, and no cell may
// have a control character or a character of no width. runes returns the characters of a row, 0 for the right half of a wide
// one; cells returns the width of a character.
func BrokenCell(height int, runes func(y int) []rune, cells func(rune) int) string {
	for y := range height {
		row := runes(y)
		for x := 0; x < len(row); x++ {
			r := row[x]
			switch {
			case r == 0:
				return "a right half stands alone"
			case unicode.IsControl(r) || cells(r) == 0:
				return "a character of no width is in a cell"
			case cells(r) == 2:
				if x+1 >= len(row) || row[x+1] != 0 {
					return "a wide character has lost its right half"
				}
				x++
			}
		}
	}
	return ""
}
