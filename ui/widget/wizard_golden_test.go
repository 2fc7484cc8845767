package widget

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cxdeck/themes"
)

// insideOf is the room of a dialog that takes the whole body, on a terminal of a size.
func insideOf(width, height int) (int, int) { return width - 4, height - 7 }

func TestGoldenWizard(t *testing.T) {
	t.Parallel()
	scenes := wizardScenes()
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
			canvas := NewCanvas(insideOf(size.width, size.height))
			canvas.SetGlyphs(glyphs)
			scenes[name]().Draw(canvas.All())
			fmt.Fprintf(&b, "== %s\n%s", name, canvas.Text())
		}
		compare(t, filepath.Join("testdata", fmt.Sprintf("wizard-%dx%d.golden", size.width, size.height)), b.String())
	}
}
