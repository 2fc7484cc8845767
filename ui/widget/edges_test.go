package widget

import (
	"math"
	"strings"
	"testing"

	"cxdeck/themes"
)

// window is an area of 3 by 2 cells in a canvas of 8 by 4 that is full of the letter x.
func window() (*Canvas, Area) {
	canvas := NewCanvas(8, 4)
	for y := range 4 {
		canvas.All().Print(0, y, "xxxxxxxx", themes.Style{})
	}
	return canvas, canvas.All().Sub(2, 1, 3, 2)
}

// untouched reports whether all cells outside the window are unchanged.
func untouched(t *testing.T, canvas *Canvas, what string) {
	t.Helper()
	for y := range 4 {
		for x := range 8 {
			inside := x >= 2 && x < 5 && y >= 1 && y < 3
			if cell := canvas.All().At(x, y); !inside && cell != (Cell{Rune: 'x'}) {
				t.Errorf("%s changed the cell at %d, %d outside: %+v", what, x, y, cell)
			}
		}
	}
}

// TestAreaClipsDrawing: drawing at its edges stays inside, and cells outside read as blank.
func TestAreaClipsDrawing(t *testing.T) {
	t.Parallel()
	for _, at := range [][2]int{{3, 0}, {0, 2}, {-1, 0}, {0, -1}} {
		canvas, area := window()
		if cell := area.At(at[0], at[1]); cell != (Cell{Rune: ' '}) {
			t.Errorf("outside at %v there is %+v", at, cell)
		}
		area.Set(at[0], at[1], 'y', themes.Style{})
		untouched(t, canvas, "Set")
		area.ShowCursor(at[0], at[1])
		if _, _, on := canvas.Cursor(); on {
			t.Errorf("the cursor shows outside at %v", at)
		}
	}
	canvas, area := window()
	for y := -1; y <= 2; y++ {
		area.Ground(-1, y, 9, themes.Selected)
		area.Print(-1, y, "日本", themes.Style{})
		area.Print(2, y, "日", themes.Style{})
	}
	untouched(t, canvas, "Print")
	area.ShowCursor(2, 1)
	if x, y, on := canvas.Cursor(); x != 4 || y != 2 || !on {
		t.Errorf("the cursor is at %d, %d: %t", x, y, on)
	}
}

// TestHalfAWideCharacterIsBlank where its other half is outside.
func TestHalfAWideCharacterIsBlank(t *testing.T) {
	t.Parallel()
	_, area := window()
	if end := area.Print(-1, 0, "日", themes.Style{}); end != 1 || area.At(0, 0).Rune != ' ' || area.At(1, 0).Rune != 'x' {
		t.Errorf("it ends at %d with %q%q", end, area.At(0, 0).Rune, area.At(1, 0).Rune)
	}
}

// TestPrintEndsAtTheEdge, in ASCII, too, where a character may become several.
func TestPrintEndsAtTheEdge(t *testing.T) {
	t.Parallel()
	for _, glyphs := range []*themes.Glyphs{themes.UnicodeGlyphs(), themes.ASCIIGlyphs()} {
		canvas, area := window()
		canvas.SetGlyphs(glyphs)
		for text, want := range map[string]int{"ééé": 3, "éééé": 3, "日éé": 3, "é": 1, "": 0} {
			if end := area.Print(0, 0, text, themes.Style{}); end != want {
				t.Errorf("%q ends at %d, want %d", text, end, want)
			}
		}
		if end := area.PrintCut(0, 1, 0, "abc", themes.Style{}); end != 0 || area.At(0, 1).Rune != 'x' {
			t.Errorf("a field without room ends at %d and holds %q", end, area.At(0, 1).Rune)
		}
	}
}

func TestZonesEndWithTheirRectangle(t *testing.T) {
	t.Parallel()
	canvas, area := window()
	area.Zone(0, 0, 2, 1, "zone", 7)
	for _, c := range []struct {
		x, y int
		hit  bool
	}{{2, 1, true}, {3, 1, true}, {4, 1, false}, {1, 1, false}, {2, 0, false}, {2, 2, false}} {
		if _, ok := canvas.HitAt(c.x, c.y); ok != c.hit {
			t.Errorf("a hit at %d, %d: %t", c.x, c.y, ok)
		}
	}
}

func TestTextOfACanvasWithoutColumns(t *testing.T) {
	t.Parallel()
	if got := NewCanvas(0, 3).Text(); got != "\n\n\n" {
		t.Errorf("%q", got)
	}
}

// TestCellsOfCharactersAtTheEndsOfTheirRanges.
func TestCellsOfCharactersAtTheEndsOfTheirRanges(t *testing.T) {
	t.Parallel()
	for cells, list := range map[int][]rune{
		0: {0, 0x1f, 0x7f, 0x80, 0x9f, 0xad, 0x200b, 0x200f, 0x2028, 0x202e, 0x2060, 0x206f, 0xfe00, 0xfe0f, 0xfeff, 0xfffd, 0xe0000, 0x10ffff, 0x300},
		1: {' ', '~', 0xa0, 0xac, 0xae, 'é', 0x370, 0x482, 0x200a, 0x2010, 0x2027, 0x202f, 0x2030, 0x205e, 0x20a0, 0x20cf, 0x2100, 0x2319, 0x2500, 0x25ff, 0x28ff, '…'},
		2: {'日', '한', 0xff01, 0x1f600},
	} {
		for _, r := range list {
			if got := RuneWidth(r); got != cells {
				t.Errorf("%#x takes %d cells, want %d", r, got, cells)
			}
		}
	}
}

// TestBoxKeepsItsCorners, whatever its title and size.
func TestBoxKeepsItsCorners(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{2, 2}, {3, 2}, {4, 3}, {5, 3}, {6, 3}, {12, 4}} {
		for _, title := range []string{"", "t", "a title that is too long for it"} {
			canvas := NewCanvas(size[0], size[1])
			inside := Box(canvas.All(), title, true)
			g, right, bottom := canvas.All().Glyphs(), size[0]-1, size[1]-1
			for at, want := range map[[2]int]rune{
				{0, 0}: g.TopLeft, {right, 0}: g.TopRight, {0, bottom}: g.BottomLeft, {right, bottom}: g.BottomRight,
			} {
				if got := canvas.All().At(at[0], at[1]).Rune; got != want {
					t.Errorf("%v with the title %q: %q in the corner %v, want %q", size, title, got, at, want)
				}
			}
			if size[0] <= 4 && strings.Contains(canvas.Text(), " ") && bottom == 1 {
				t.Errorf("%v with the title %q has a gap:\n%s", size, title, canvas.Text())
			}
			if inside.Width != max(0, size[0]-4) || inside.Height != size[1]-2 {
				t.Errorf("%v: the inside is %d by %d", size, inside.Width, inside.Height)
			}
		}
	}
	if inside := Box(NewCanvas(1, 5).All(), "t", false); inside.Width != 0 {
		t.Error("one column has an inside")
	}
}

func TestSparklinesOfOddLengthAndOfInfinity(t *testing.T) {
	t.Parallel()
	full := Band{Max: 1, Average: 1}
	if got := []rune(Sparkline([]Band{full, full, full}, 1, themes.UnicodeGlyphs())); len(got) != 1 || got[0] != '⣿' {
		t.Errorf("three bands are %q", string(got))
	}
	endless := Band{Max: math.Inf(1), Average: 1}
	if got := Sparkline([]Band{endless, endless}, 0, themes.UnicodeGlyphs()); got != "⣀" {
		t.Errorf("bands without a highest value are %q", got)
	}
}

// TestBarsAreInProportion to the highest value, or to the value of a full bar.
func TestBarsAreInProportion(t *testing.T) {
	t.Parallel()
	bars := []Bar{{Label: "a", Value: 8, Text: "8"}, {Label: "b", Value: 4, Text: "4"}, {Label: "c", Value: 0, Text: "0"}}
	for high, want := range map[float64][3]int{0: {16, 8, 0}, 16: {8, 4, 0}, 4: {16, 16, 0}} {
		canvas := NewCanvas(20, 3)
		DrawBars(canvas.All(), bars, high)
		full := canvas.All().Glyphs().Wide[7]
		for y, line := range strings.Split(strings.TrimSuffix(canvas.Text(), "\n"), "\n") {
			if got := strings.Count(line, string(full)); got != want[y] {
				t.Errorf("up to %v, row %d has %d full cells, want %d: %q", high, y, got, want[y], line)
			}
		}
	}
	narrow := NewCanvas(6, 1)
	DrawBars(narrow.All(), []Bar{{Label: "label", Value: 1, Text: "123456789"}}, 0)
	if got := narrow.Text(); !strings.HasPrefix(got, "l…") {
		t.Errorf("a narrow row is %q", got)
	}
}

func TestHiddenListKeepsItsCursor(t *testing.T) {
	t.Parallel()
	var l List
	l.SetLength(10)
	l.Select(3)
	l.ScrollTo(7)
	if l.Cursor() != 3 {
		t.Errorf("the cursor is on row %d", l.Cursor())
	}
}

// TestTheFocusedButtonStandsOut, and no other; each responds to the mouse over its full width.
func TestTheFocusedButtonStandsOut(t *testing.T) {
	t.Parallel()
	for focus := range 3 {
		for _, focused := range []bool{true, false} {
			b := Buttons{ID: "buttons", Items: []Button{{Label: "One"}, {Label: "Two"}, {Label: "Three"}}}
			b.SetFocus(focus)
			canvas := NewCanvas(40, 1)
			b.Draw(canvas.All(), focused)
			row := []rune(strings.TrimSuffix(canvas.Text(), "\n"))
			start := 40 - b.Width()
			for i, item := range b.Items {
				cell := canvas.All().At(start+2, 0)
				if selected := cell.Style.Ground == themes.Selected; selected != (focused && i == focus) {
					t.Errorf("with the focus on %d (%t), %s is selected: %t", focus, focused, item.Label, selected)
				}
				end := start + len(item.Label) + 4
				for x, want := range map[int]bool{start: true, end - 1: true, end: false, start - 1: false} {
					if hit, ok := canvas.HitAt(x, 0); (ok && hit.Index == i) != want {
						t.Errorf("%s answers at %d of %q: %t", item.Label, x, string(row), !want)
					}
				}
				start = end + buttonGap
			}
		}
	}
}
