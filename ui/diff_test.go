package ui

import (
	"fmt"
	"image/color"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/x/vt"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// letters are the narrow and wide characters of the frames.
var letters = []rune("aZ0 .│─⣿▲●日本語한—é")

// scribble changes a canvas at random: some cells, a row of blanks, or a whole line of text.
func scribble(random *rand.Rand, canvas *widget.Canvas) {
	area := canvas.All()
	style := func() themes.Style {
		if random.IntN(3) == 0 {
			return themes.Style{}
		}
		return themes.Style{Role: themes.Role(random.IntN(int(themes.Series8) + 1)), Ground: themes.Ground(random.IntN(int(themes.Heat3) + 1)),
			Attr: themes.Attribute(random.IntN(4))}
	}
	for range 1 + random.IntN(12) {
		x, y := random.IntN(area.Width+1), random.IntN(area.Height+1)
		switch random.IntN(7) {
		case 0:
			area.Sub(x, y, area.Width, 1).Fill(themes.Style{})
		case 1:
			area.Sub(x, y, 1+random.IntN(9), 1+random.IntN(3)).Fill(style())
		case 2:
			var text strings.Builder
			for range random.IntN(30) {
				text.WriteRune(letters[random.IntN(len(letters))])
			}
			area.Print(x, y, text.String(), style())
		case 3:
			area.Ground(x, y, 1+random.IntN(2), style().Ground)
		case 4: // replaced by wide characters
			for i := 0; i < area.Width; i += 2 + 2*random.IntN(6) {
				area.Print(i, y, string(letters[10+random.IntN(3)]), themes.Style{})
			}
		default:
			area.Print(x, y, string(letters[random.IntN(len(letters))]), style())
		}
	}
	if canvas.All().HideCursor(); random.IntN(4) == 0 {
		area.ShowCursor(random.IntN(area.Width), random.IntN(area.Height))
	}
}

// expected returns the required look of an emulator cell in a style. It is parsed from the style's SGR sequence, so the order
// in which the differ sets attributes is irrelevant.
type expected struct {
	ink, ground     string
	bold, underline bool
	reverse, dim    bool
}

func expectedOf(painter *themes.Painter, style themes.Style) expected {
	var e expected
	codes := strings.Split(strings.TrimSuffix(strings.TrimPrefix(painter.SGR(style), "\x1b["), "m"), ";")
	for i := 0; i < len(codes); i++ {
		switch codes[i] {
		case "1":
			e.bold = true
		case "2":
			e.dim = true
		case "4":
			e.underline = true
		case "7":
			e.reverse = true
		case "38", "48":
			channel := func(n int) int { v, _ := strconv.Atoi(codes[i+2+n]); return v }
			name := fmt.Sprintf("#%02x%02x%02x", channel(0), channel(1), channel(2))
			if codes[i] == "38" {
				e.ink = name
			} else {
				e.ground = name
			}
			i += 4
		}
	}
	return e
}

func colorName(c color.Color) string {
	if c == nil {
		return ""
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

// compare returns the first difference between the emulator and the canvas as an error.
func compare(emulator *vt.Emulator, canvas *widget.Canvas, painter *themes.Painter) error {
	width, height := canvas.Size()
	for y := range height {
		row := canvas.Row(y)
		for x := range width {
			if row[x].Rune == 0 {
				continue
			}
			cell := emulator.CellAt(x, y)
			if cell == nil {
				return fmt.Errorf("the emulator has no cell %d,%d", x, y)
			}
			content := cell.Content
			if content == "" {
				content = " "
			}
			if content != string(row[x].Rune) {
				return fmt.Errorf("cell %d,%d is %q, want %q", x, y, content, row[x].Rune)
			}
			want := expectedOf(painter, row[x].Style)
			const boldBit, faintBit, reverseBit = 1 << 0, 1 << 1, 1 << 5
			attrs := int(cell.Style.Attrs)
			got := expected{ink: colorName(cell.Style.Fg), ground: colorName(cell.Style.Bg), bold: attrs&boldBit != 0,
				dim: attrs&faintBit != 0, reverse: attrs&reverseBit != 0, underline: cell.Style.Underline != 0}
			if got != want {
				return fmt.Errorf("cell %d,%d (%q) looks like %+v, want %+v", x, y, content, got, want)
			}
		}
	}
	return nil
}

// TestDiffReproducesTheFrame draws random frames one after another and compares the screen of a terminal emulator with each.
func TestDiffReproducesTheFrame(t *testing.T) {
	t.Parallel()
	for _, theme := range themes.All() {
		t.Run(theme.Name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(7, 11))
			painter := themes.NewPainter(theme, themes.TrueColor)
			for range 12 {
				width, height := 1+random.IntN(70), 1+random.IntN(20)
				emulator := vt.NewEmulator(width, height)
				write(t, emulator, enterScreen)
				shown, next := widget.NewCanvas(0, 0), widget.NewCanvas(width, height)
				d := &differ{}
				d.setPainter(painter)
				for frame := range 30 {
					scribble(random, next)
					write(t, emulator, string(d.frame(shown, next, frame == 0 || random.IntN(20) == 0)))
					if err := compare(emulator, next, painter); err != nil {
						t.Fatalf("%dx%d, frame %d: %v", width, height, frame, err)
					}
					if x, y, on := next.Cursor(); on {
						if at := emulator.CursorPosition(); at.X != x || at.Y != y {
							t.Fatalf("the cursor is at %v, want %d,%d", at, x, y)
						}
					}
					shown.CopyFrom(next)
					if again := d.frame(shown, next, false); len(again) != 0 {
						t.Fatalf("an unchanged frame gives %q", again)
					}
				}
			}
		})
	}
}

func write(t *testing.T, emulator *vt.Emulator, text string) {
	t.Helper()
	if _, err := emulator.WriteString(text); err != nil {
		t.Fatal(err)
	}
}
