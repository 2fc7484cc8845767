package widget

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/themes"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestGolden(t *testing.T) {
	t.Parallel()
	sizes := map[string][][2]int{
		"chart": {{100, 16}, {60, 10}, {18, 4}}, "stacked": {{100, 16}, {18, 4}}, "log": {{80, 14}},
		"table": {{104, 8}, {60, 8}, {30, 14}}, "box": {{30, 6}},
	}
	for part, draw := range parts() {
		shapes := sizes[part]
		if shapes == nil {
			shapes = [][2]int{{60, 4}, {16, 2}}
		}
		var b strings.Builder
		for _, name := range themes.GlyphNames() {
			glyphs, err := themes.GlyphsByName(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range shapes {
				canvas := NewCanvas(size[0], size[1])
				canvas.SetGlyphs(glyphs)
				draw(canvas.All())
				fmt.Fprintf(&b, "%s %dx%d\n%s", name, size[0], size[1], canvas.Text())
			}
		}
		compare(t, filepath.Join("testdata", part+".golden"), b.String())
	}
}

// compare checks a text against a golden file, or writes the file with -update.
func compare(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
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
