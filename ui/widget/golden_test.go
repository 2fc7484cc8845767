package widget

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/themes"
	"cxdeck/ui/widget/widgettest"
)

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
		widgettest.Golden(t, filepath.Join("testdata", part+".golden"), b.String())
	}
}
