package themes

import (
	"math"
	"strconv"
	"strings"
	"testing"
)

// light3 is a colour in linear light: red, green and blue from 0 to 1.
type light3 [3]float64

// linear converts "#rrggbb" to linear light (IEC 61966-2-1).
func linear(t *testing.T, text string) light3 {
	t.Helper()
	r, g, b, ok := rgb(text)
	if !ok {
		t.Fatalf("%q is not a colour", text)
	}
	var l light3
	for i, v := range [3]uint8{r, g, b} {
		c := float64(v) / 255
		if c <= 0.04045 {
			l[i] = c / 12.92
		} else {
			l[i] = math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return l
}

// xterm is the colour of a number from 16 to 255 of the xterm palette. The first sixteen are every terminal's own.
func xterm(t *testing.T, text string) light3 {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil || n < 16 || n > 255 {
		t.Fatalf("%q is no fixed colour of the xterm palette", text)
	}
	hex := func(r, g, b int) light3 {
		digits := func(v int) string { return string("0123456789abcdef"[v>>4]) + string("0123456789abcdef"[v&15]) }
		return linear(t, "#"+digits(r)+digits(g)+digits(b))
	}
	if n >= 232 {
		v := 8 + 10*(n-232)
		return hex(v, v, v)
	}
	level := [6]int{0, 95, 135, 175, 215, 255}
	n -= 16
	return hex(level[n/36], level[n/6%6], level[n%6])
}

// contrast is the contrast ratio of WCAG 2, from 1 to 21.
func contrast(a, b light3) float64 {
	luminance := func(l light3) float64 { return 0.2126*l[0] + 0.7152*l[1] + 0.0722*l[2] }
	high, low := luminance(a), luminance(b)
	if high < low {
		high, low = low, high
	}
	return (high + 0.05) / (low + 0.05)
}

// deuteranopic is how a colour looks to an eye without green cones (Machado, Oliveira and Fernandes 2009, severity 1).
func deuteranopic(l light3) light3 {
	matrix := [3]light3{
		{0.367322, 0.860646, -0.227968},
		{0.280085, 0.672501, 0.047413},
		{-0.011820, 0.042940, 0.968881},
	}
	var seen light3
	for i, row := range matrix {
		seen[i] = max(0, min(row[0]*l[0]+row[1]*l[1]+row[2]*l[2], 1))
	}
	return seen
}

// lab is a colour in CIE L*a*b* with the white of D65.
func lab(l light3) light3 {
	f := func(t float64) float64 {
		if t > 216.0/24389 {
			return math.Cbrt(t)
		}
		return (24389.0/27*t + 16) / 116
	}
	x := f((0.4124564*l[0] + 0.3575761*l[1] + 0.1804375*l[2]) / 0.95047)
	y := f(0.2126729*l[0] + 0.7151522*l[1] + 0.0721750*l[2])
	z := f((0.0193339*l[0] + 0.1191920*l[1] + 0.9503041*l[2]) / 1.08883)
	return light3{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

// distance is the colour difference of CIE 1976; about 2.3 is just visible.
func distance(a, b light3) float64 {
	a, b = lab(a), lab(b)
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}

func colorful() []Theme {
	var themes []Theme
	for _, theme := range All() {
		if theme.Ink(Text).Color.TrueColor != "" {
			themes = append(themes, theme)
		}
	}
	return themes
}

func TestContrast(t *testing.T) {
	t.Parallel()
	textRoles := []Role{Text, Muted, Title, Accent, Good, Warn, Bad, Info, Pending, KeyCap}
	for _, theme := range colorful() {
		text, series := 4.5, 3.0 // WCAG 1.4.3 for text, 1.4.11 for graphics
		if theme.Name == "high-contrast" {
			text, series = 7, 4.5
		}
		check := func(role Role, ground Ground, least float64) {
			ink, backing := theme.Ink(role).Color, theme.Backing(ground).Color
			if ratio := contrast(linear(t, ink.TrueColor), linear(t, backing.TrueColor)); ratio < least {
				t.Errorf("%s: role %d on ground %d has %.2f:1, less than %.1f:1", theme.Name, role, ground, ratio, least)
			}
			if ratio := contrast(xterm(t, ink.ANSI256), xterm(t, backing.ANSI256)); ratio < least {
				t.Errorf("%s, 256 colours: role %d on ground %d has %.2f:1, less than %.1f:1", theme.Name, role, ground, ratio, least)
			}
		}
		for ground := range groundCount {
			for _, role := range textRoles {
				check(role, ground, text)
			}
		}
		for n := range SeriesCount {
			for _, ground := range []Ground{Plain, Selected, Marked, Raised} {
				check(SeriesRole(n), ground, series)
			}
		}
	}
}

func TestSeriesDifferForAnEyeWithoutGreenCones(t *testing.T) {
	t.Parallel()
	for _, theme := range colorful() {
		// The xterm palette is too coarse for more than about six times the smallest visible difference.
		for profile, least := range map[Profile]float64{TrueColor: 18, ANSI256: 14} {
			for a := range SeriesCount {
				for b := range a {
					first, second := theme.Ink(SeriesRole(a)).Color, theme.Ink(SeriesRole(b)).Color
					x, y := linear(t, first.TrueColor), linear(t, second.TrueColor)
					if profile == ANSI256 {
						x, y = xterm(t, first.ANSI256), xterm(t, second.ANSI256)
					}
					if d := distance(deuteranopic(x), deuteranopic(y)); d < least {
						t.Errorf("%s, %s: series %d and %d are %.1f apart for a deuteranope, less than %.0f", theme.Name, profile, b+1, a+1, d, least)
					}
					if d := distance(x, y); d < least {
						t.Errorf("%s, %s: series %d and %d are %.1f apart, less than %.0f", theme.Name, profile, b+1, a+1, d, least)
					}
				}
			}
		}
	}
}

func TestStatesOfTheColourBlindThemeDiffer(t *testing.T) {
	t.Parallel()
	theme, err := ByName("colour-blind")
	if err != nil {
		t.Fatal(err)
	}
	states := []Role{Good, Warn, Bad, Pending}
	for i, a := range states {
		for _, b := range states[:i] {
			x, y := linear(t, theme.Ink(a).Color.TrueColor), linear(t, theme.Ink(b).Color.TrueColor)
			if d := distance(deuteranopic(x), deuteranopic(y)); d < 20 {
				t.Errorf("roles %d and %d are %.1f apart for a deuteranope, less than 20", a, b, d)
			}
		}
	}
}

func TestThemesAreComplete(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, theme := range All() {
		if theme.Name == "" || theme.Description == "" || seen[theme.Name] {
			t.Errorf("a theme lacks a name of its own or a description: %q", theme.Name)
		}
		seen[theme.Name] = true
	}
	for _, want := range []string{"dark", "light", "high-contrast", "colour-blind", "mono"} {
		if !seen[want] {
			t.Errorf("there is no theme %q", want)
		}
	}
	for _, theme := range colorful() {
		for role := range roleCount {
			if c := theme.Ink(role).Color; c.TrueColor == "" || c.ANSI256 == "" || c.ANSI == "" {
				t.Errorf("%s: role %d lacks a colour", theme.Name, role)
			}
		}
		for ground := range groundCount {
			if c := theme.Backing(ground).Color; c.TrueColor == "" || c.ANSI256 == "" {
				t.Errorf("%s: ground %d lacks a colour", theme.Name, ground)
			}
		}
	}
	if len(colorful()) != 4 {
		t.Errorf("%d themes have colours, want 4", len(colorful()))
	}
}

func TestByName(t *testing.T) {
	t.Parallel()
	for _, name := range Names() {
		if theme, err := ByName(" " + strings.ToUpper(name)); err != nil || theme.Name != name {
			t.Errorf("%q: %q, %v", name, theme.Name, err)
		}
	}
	if _, err := ByName("drak"); err == nil || !strings.Contains(err.Error(), "dark, light") {
		t.Errorf("%v; want the names of the themes", err)
	}
}
