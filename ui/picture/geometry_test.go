package picture

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// one returns the picture of some text in a style, on one row of its length.
func one(text string, style themes.Style, theme themes.Theme) string {
	canvas := widget.NewCanvas(len([]rune(text)), 1)
	canvas.All().Print(0, 0, text, style)
	return string(SVG(canvas, theme))
}

// field is a filled rectangle, from the upper left corner of the first cell.
type field struct{ x, y, width, height float64 }

var drawn = regexp.MustCompile(`M([-\d.]+) ([-\d.]+)h([-\d.]+)v([-\d.]+)h([-\d.]+)z`)

// fields are the rectangles of the paths of a picture.
func fields(t *testing.T, svg string) (list []field) {
	t.Helper()
	for _, m := range drawn.FindAllStringSubmatch(svg, -1) {
		var n [5]float64
		for i := range n {
			n[i], _ = strconv.ParseFloat(m[i+1], 64)
		}
		if n[4] != -n[2] {
			t.Errorf("%s is not closed", m[0])
		}
		list = append(list, field{n[0] - margin, n[1] - margin, n[2], n[3]})
	}
	return list
}

// covered reports whether a rectangle contains a point.
func covered(list []field, x, y float64) bool {
	for _, f := range list {
		if x > f.x && x < f.x+f.width && y > f.y && y < f.y+f.height {
			return true
		}
	}
	return false
}

// TestBlocksFillTheirEighths: each block element covers the part of the cell that Unicode gives it, and no more.
func TestBlocksFillTheirEighths(t *testing.T) {
	t.Parallel()
	want := map[rune]field{'▀': {0, 0, cellWidth, cellHeight / 2}}
	for eighths := 1; eighths <= 8; eighths++ {
		height := cellHeight * float64(eighths) / 8
		want['▀'+rune(eighths)] = field{0, cellHeight - height, cellWidth, height}
	}
	for eighths := 1; eighths < 8; eighths++ { // the widest stands first
		want['█'+rune(8-eighths)] = field{0, 0, cellWidth * float64(eighths) / 8, cellHeight}
	}
	for r, w := range want {
		if got := fields(t, one(string(r), themes.Style{}, themes.All()[0])); len(got) != 1 || got[0] != w {
			t.Errorf("%c is drawn as %v, want %v", r, got, w)
		}
	}
}

// TestBrailleDotsSitInTheMiddle of their eighth of the cell, in each of the 256 patterns.
func TestBrailleDotsSitInTheMiddle(t *testing.T) {
	t.Parallel()
	order := [8][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}}
	for bits := range 256 {
		list := fields(t, one(string(rune(0x2800+bits)), themes.Style{}, themes.All()[0]))
		for bit, at := range order {
			x, y := (float64(at[0])+0.5)*cellWidth/2, (float64(at[1])+0.5)*cellHeight/4
			on := bits>>bit&1 == 1
			for _, near := range [][2]float64{{0, 0}, {1.3, 1.3}, {-1.3, -1.3}} {
				if covered(list, x+near[0], y+near[1]) != on {
					t.Fatalf("pattern %08b: dot %d is drawn: %t, in %v", bits, bit+1, !on, list)
				}
			}
			for _, far := range [][2]float64{{1.5, 0}, {-1.5, 0}, {0, 1.5}, {0, -1.5}} {
				if covered(list, x+far[0], y+far[1]) {
					t.Fatalf("pattern %08b: dot %d is too wide, in %v", bits, bit+1, list)
				}
			}
		}
	}
}

// TestLinesMeetInTheMiddle: each arm of a box line runs from the middle of the cell to its edge in its own thickness.
func TestLinesMeetInTheMiddle(t *testing.T) {
	t.Parallel()
	for text, arms := range map[string]string{
		"─": "lr", "│": "ud", "┌": "rd", "┐": "ld", "└": "ur", "┘": "ul", "├": "udr", "┤": "udl", "┬": "lrd", "┴": "lru", "┼": "udlr",
		"╭": "rd", "╮": "ld", "╰": "ur", "╯": "ul", "━": "lr", "┃": "ud",
	} {
		list := fields(t, one(text, themes.Style{}, themes.All()[0]))
		half := 0.5
		if text == "━" || text == "┃" {
			half = 1.5
		}
		const x, y, near = cellWidth / 2, cellHeight / 2, 0.1
		if !covered(list, x+0.01, y+0.01) || !covered(list, x+half-near, y+half-near) && len(arms) > 1 && !strings.ContainsAny(arms, "ud") {
			t.Errorf("%s does not reach the middle: %v", text, list)
		}
		for name, at := range map[string][4]float64{ // a point of the arm near the edge, and the way across it
			"l": {near, y, 0, 1}, "r": {cellWidth - near, y, 0, 1}, "u": {x, near, 1, 0}, "d": {x, cellHeight - near, 1, 0},
		} {
			inside := half - near
			outside := half + near
			for _, sign := range []float64{1, -1} {
				if covered(list, at[0]+sign*inside*at[2], at[1]+sign*inside*at[3]) != strings.Contains(arms, name) {
					t.Errorf("%s: the arm %s is drawn: %t, in %v", text, name, !strings.Contains(arms, name), list)
				}
				if covered(list, at[0]+sign*outside*at[2], at[1]+sign*outside*at[3]) {
					t.Errorf("%s: the arm %s is too thick, in %v", text, name, list)
				}
			}
		}
		for _, f := range list {
			if f.x < 0 || f.y < 0 || f.x+f.width > cellWidth || f.y+f.height > cellHeight {
				t.Errorf("%s leaves its cell: %v", text, f)
			}
		}
	}
}

// TestShapeRangesEndWithUnicodeBlocks: the ranges of block elements and braille end where Unicode's do.
func TestShapeRangesEndWithUnicodeBlocks(t *testing.T) {
	t.Parallel()
	for _, r := range []rune{0x257F, 0x2590, 0x27FF, 0x2900, 'x', '═'} {
		svg := one(string(r), themes.Style{}, themes.All()[0])
		if strings.Contains(svg, "<path") || !strings.Contains(svg, ">"+string(r)+"</text>") {
			t.Errorf("%c (%#x) is not written as a letter: %s", r, r, svg)
		}
	}
	for _, r := range []rune{0x2580, 0x258F, 0x2800, 0x28FF} {
		if svg := one(string(r), themes.Style{}, themes.All()[0]); strings.Contains(svg, "<text") || !strings.Contains(svg, "<path") {
			t.Errorf("%c (%#x) is not drawn: %s", r, r, svg)
		}
	}
}

// TestPictureCellByCell checks the positions of words, backgrounds and shapes.
func TestPictureCellByCell(t *testing.T) {
	t.Parallel()
	theme := themes.All()[0]
	canvas := widget.NewCanvas(7, 3)
	all := canvas.All()
	all.Print(1, 0, "ab cd", themes.Style{})
	all.Print(2, 1, "x", themes.Style{Ground: themes.Selected})
	all.Print(3, 1, " y", themes.Style{Ground: themes.Selected, Attr: themes.Underline})
	all.Print(5, 2, "z█", themes.Style{Role: themes.Good})
	text, good := theme.Ink(themes.Text).Color.TrueColor, theme.Ink(themes.Good).Color.TrueColor
	plain, selected := theme.Backing(themes.Plain).Color.TrueColor, theme.Backing(themes.Selected).Color.TrueColor
	want := `<svg xmlns="http://www.w3.org/2000/svg" width="81" height="72" viewBox="0 0 81 72" ` +
		`font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="15">
<rect width="100%" height="100%" rx="6" fill="` + plain + `"/>
<rect x="27" y="27" width="27" height="18" fill="` + selected + `"/>
<text x="18" y="22.5" fill="` + text + `">ab</text>
<text x="45" y="22.5" fill="` + text + `">cd</text>
<text x="27" y="40.5" fill="` + text + `">x</text>
<text x="36" y="40.5" fill="` + text + `" text-decoration="underline" xml:space="preserve"> y</text>
<text x="54" y="58.5" fill="` + good + `">z</text>
<path fill="` + good + `" d="M63 45h9v18h-9z"/>
</svg>
`
	if got := string(SVG(canvas, theme)); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// pen is the state of the terminal's pen after an SGR sequence.
type pen struct {
	bold, underline, dim bool
	ink, ground          string
}

var colors = regexp.MustCompile(`[34]8;2;(\d+);(\d+);(\d+)`)

func penOf(sgr string) pen {
	p := pen{ink: defaultInk, ground: defaultGround}
	rest := colors.ReplaceAllStringFunc(sgr, func(code string) string {
		var r, g, b int
		fmt.Sscanf(code[3:], "2;%d;%d;%d", &r, &g, &b)
		if color := fmt.Sprintf("#%02x%02x%02x", r, g, b); code[0] == '3' {
			p.ink = color
		} else {
			p.ground = color
		}
		return ""
	})
	for code := range strings.SplitSeq(strings.TrimSuffix(strings.TrimPrefix(rest, "\x1b["), "m"), ";") {
		switch code {
		case "1":
			p.bold = true
		case "2":
			p.dim = true
		case "4":
			p.underline = true
		case "7":
			p.ink, p.ground = p.ground, p.ink
		}
	}
	return p
}

var (
	letter = regexp.MustCompile(`<text[^>]* fill="(#\w+)"([^>]*)>`)
	behind = regexp.MustCompile(`height="18" fill="(#\w+)"`)
)

// TestPictureMatchesTheTerminal, in each theme, role, ground and attribute.
func TestPictureMatchesTheTerminal(t *testing.T) {
	t.Parallel()
	for _, theme := range themes.All() {
		painter := themes.NewPainter(theme, themes.TrueColor)
		for role := range themes.Series8 + 1 {
			for ground := range themes.Heat3 + 1 {
				for _, attr := range []themes.Attribute{0, themes.Bold, themes.Underline, themes.Reverse, themes.Dim, themes.Bold | themes.Reverse} {
					style := themes.Style{Role: role, Ground: ground, Attr: attr}
					want := penOf(painter.SGR(style))
					svg := one("x", style, theme)
					m := letter.FindStringSubmatch(svg)
					got := pen{
						ink: strings.ToLower(m[1]), ground: strings.ToLower(regexp.MustCompile(`rx="6" fill="(#\w+)"`).FindStringSubmatch(svg)[1]),
						bold: strings.Contains(m[2], "bold"), underline: strings.Contains(m[2], "underline"), dim: strings.Contains(m[2], "opacity"),
					}
					if b := behind.FindStringSubmatch(svg); b != nil {
						got.ground = strings.ToLower(b[1])
					}
					if got != want {
						t.Fatalf("%s, %+v: %+v, the terminal has %+v", theme.Name, style, got, want)
					}
				}
			}
		}
	}
}
