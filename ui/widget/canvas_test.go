package widget

import (
	"strings"
	"testing"

	"cxdeck/themes"
	"cxdeck/ui/widget/widgettest"
)

// broken returns the fault in the cells of a canvas, "" for nothing.
func broken(c *Canvas) string {
	_, height := c.Size()
	return widgettest.BrokenCell(height, func(y int) []rune {
		var row []rune
		for _, cell := range c.Row(y) {
			row = append(row, cell.Rune)
		}
		return row
	}, RuneWidth)
}

func TestPrintWideCharacters(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, before, text string
		x                  int
		want               string
		end                int
	}{
		{"whole", "", "a日b", 0, "a日b", 4},
		{"right half would be outside", "", "abcde日", 0, "abcde", 5},
		{"left half outside", "", "日b", -1, " b", 2},
		{"both halves outside", "", "日b", -2, "b", 1},
		{"far left", "", "日b", -9, "", -6},
		{"narrow over left half", "日本", "x", 0, "x 本", 1},
		{"narrow over right half", "日本", "x", 1, " x本", 2},
		{"wide over two halves", "日本語", "界", 1, " 界 語", 3},
		{"wide over the same", "日本", "界", 0, "界本", 2},
		{"beyond the right", "", "x", 9, "", 9},
	} {
		canvas := NewCanvas(6, 1)
		canvas.All().Print(0, 0, c.before, themes.Style{})
		end := canvas.All().Print(c.x, 0, c.text, themes.Style{})
		if got := strings.TrimSuffix(canvas.Text(), "\n"); got != c.want || end != c.end {
			t.Errorf("%s: %q, end %d; want %q, %d", c.name, got, end, c.want, c.end)
		}
		if wrong := broken(canvas); wrong != "" {
			t.Errorf("%s: %s", c.name, wrong)
		}
	}
}

func TestPrintOmitsControlCharacters(t *testing.T) {
	t.Parallel()
	canvas := NewCanvas(40, 1)
	hostile := "\x1b[31mred\x00\x07\r\n\t\u202edab\u200b\u2066x\u0301\xff\u009b2J\u00ad\ufeff\U000e0041\u2065"
	canvas.All().Print(0, 0, hostile, themes.Style{})
	if got, want := canvas.Text(), "[31mreddabx2J\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPrintInASCII(t *testing.T) {
	t.Parallel()
	canvas := NewCanvas(20, 1)
	canvas.SetGlyphs(themes.ASCIIGlyphs())
	canvas.All().PrintCut(0, 0, 14, "Zürich – 日本 × and more", themes.Style{})
	if got, want := canvas.Text(), "Z?rich - ????>\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestSubAreasClip(t *testing.T) {
	t.Parallel()
	canvas := NewCanvas(8, 4)
	area := canvas.All().Sub(2, 1, 4, 2)
	for _, cut := range []Area{area.Sub(-2, -2, 20, 20), area.Sub(0, 0, 4, 2)} {
		if cut.Width != 4 || cut.Height != 2 {
			t.Errorf("size %dx%d, want 4x2", cut.Width, cut.Height)
		}
	}
	if cut := area.Sub(9, 9, 3, 3); cut.Width != 0 || cut.Height != 0 {
		t.Errorf("outside: size %dx%d, want 0x0", cut.Width, cut.Height)
	}
	area.Fill(themes.Style{Ground: themes.Raised})
	area.Print(-3, 0, "abcdefghijklmn", themes.Style{})
	area.Set(4, 0, 'X', themes.Style{})
	area.Set(0, 2, 'X', themes.Style{})
	area.Ground(-5, 1, 50, themes.Heat1)
	if got, want := canvas.Text(), "\n  defg\n\n\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for y := range 4 {
		for x, cell := range canvas.Row(y) {
			inside := x >= 2 && x < 6 && y >= 1 && y < 3
			if (cell.Style.Ground != themes.Plain) != inside {
				t.Errorf("cell %d,%d has ground %d", x, y, cell.Style.Ground)
			}
		}
	}
}

func TestSplits(t *testing.T) {
	t.Parallel()
	all := NewCanvas(10, 6).All()
	left, right := all.SplitLeft(3)
	top, below := all.SplitTop(99)
	above, bottom := all.SplitBottom(2)
	for i, c := range []struct{ area, want Area }{
		{left, all.Sub(0, 0, 3, 6)}, {right, all.Sub(3, 0, 7, 6)},
		{top, all}, {below, all.Sub(0, 6, 10, 0)},
		{above, all.Sub(0, 0, 10, 4)}, {bottom, all.Sub(0, 4, 10, 2)},
	} {
		if c.area != c.want {
			t.Errorf("%d: %+v, want %+v", i, c.area, c.want)
		}
	}
}

func TestPlainKeepsTheBackground(t *testing.T) {
	t.Parallel()
	canvas := NewCanvas(4, 1)
	all := canvas.All()
	all.Fill(themes.Style{Ground: themes.Raised})
	all.Print(0, 0, "ab", themes.Style{Role: themes.Bad})
	all.Print(1, 0, "c", themes.Style{Ground: themes.Heat3})
	if a, b := all.At(0, 0).Style.Ground, all.At(1, 0).Style.Ground; a != themes.Raised || b != themes.Heat3 {
		t.Errorf("grounds %d and %d, want %d and %d", a, b, themes.Raised, themes.Heat3)
	}
	all.Fill(themes.Style{})
	if g := all.At(0, 0).Style.Ground; g != themes.Plain {
		t.Errorf("after Fill the ground is %d, want plain", g)
	}
}

func TestZonesTopmostFirst(t *testing.T) {
	t.Parallel()
	canvas := NewCanvas(10, 10)
	canvas.All().Zone(0, 0, 10, 10, "below", 1)
	canvas.All().Sub(2, 2, 4, 4).Zone(1, 1, 99, 1, "above", 7)
	canvas.All().Zone(0, 0, 10, 10, "", 0)
	canvas.All().Zone(20, 0, 1, 1, "outside", 0)
	hit, ok := canvas.HitAt(4, 3)
	if want := (Hit{ID: "above", Index: 7, X: 1, Y: 0, Width: 3, Height: 1}); !ok || hit != want {
		t.Errorf("got %+v, %v; want %+v", hit, ok, want)
	}
	if hit, _ := canvas.HitAt(6, 3); hit.ID != "below" {
		t.Errorf("a zone leaves its area: %+v", hit)
	}
	if _, ok := canvas.HitAt(-1, 3); ok {
		t.Error("a hit outside the canvas")
	}
	canvas.Clear()
	if _, ok := canvas.HitAt(4, 3); ok {
		t.Error("Clear keeps zones")
	}
}

func TestCopyFromIsIndependent(t *testing.T) {
	t.Parallel()
	from, to := NewCanvas(3, 2), NewCanvas(9, 9)
	from.All().Print(0, 0, "abc", themes.Style{})
	from.All().ShowCursor(1, 1)
	to.CopyFrom(from)
	from.All().Print(0, 0, "xyz", themes.Style{})
	if got := to.Text(); got != "abc\n\n" {
		t.Errorf("got %q", got)
	}
	if x, y, on := to.Cursor(); x != 1 || y != 1 || !on {
		t.Errorf("cursor %d,%d %v", x, y, on)
	}
}

func TestCutPadWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"日本語", 4, "日…"}, {"日本語", 5, "日本…"}, {"abc", 1, "…"}, {"abc", 0, ""}, {"abc", -1, ""}} {
		if got := Cut(c.text, c.width); got != c.want {
			t.Errorf("Cut(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
	if got := Pad("日", 4); got != "日  " {
		t.Errorf("Pad: %q", got)
	}
	got := strings.Join(Wrap("one two three\n\nfourteenletters 日本", 6), "|")
	if want := "one|two|three||fourte|enlett|ers|日本"; got != want {
		t.Errorf("Wrap: %q, want %q", got, want)
	}
}

func FuzzPrint(f *testing.F) {
	for _, seed := range []string{"plain", "日本語", "\x1b]0;x\x07", "e\u0301\u200d👩‍👩‍👧", "\u202e\xff\xfe", "⚠️"} {
		f.Add(seed, 3, 5)
	}
	f.Fuzz(func(t *testing.T, text string, x, width int) {
		x, width = x%50, max(0, width%50)
		canvas := NewCanvas(24, 3)
		canvas.All().Print(0, 1, strings.Repeat("日", 12), themes.Style{})
		area := canvas.All().Sub(5, 1, 13, 1)
		area.PrintCut(x, 0, width, text, themes.Style{})
		area.PrintRight(x, 0, text, themes.Style{})
		if wrong := broken(canvas); wrong != "" {
			t.Errorf("%q at %d: %s", text, x, wrong)
		}
		for _, line := range Wrap(text, width) {
			if Width(line) > width {
				t.Errorf("wrapped to %d: %q is wider", width, line)
			}
		}
		if Width(Cut(text, width)) > width {
			t.Errorf("cut to %d: %q", width, Cut(text, width))
		}
	})
}
