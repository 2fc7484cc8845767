package themes

import (
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// screen is the state of a terminal's pen after SGR sequences.
type screen struct {
	attributes      string
	ink, background string
	unknown         bool
}

// apply applies one SGR sequence.
func (s *screen) apply(sequence string) {
	if sequence == "" {
		return
	}
	codes := strings.Split(strings.TrimSuffix(strings.TrimPrefix(sequence, "\x1b["), "m"), ";")
	for i := 0; i < len(codes); i++ {
		switch code := codes[i]; {
		case code == "0":
			*s = screen{unknown: s.unknown}
		case slices.Contains([]string{"1", "2", "4", "7"}, code):
			s.attributes += code
		case code == "38" || code == "48":
			n := 3
			if codes[i+1] == "2" {
				n = 5
			}
			color := strings.Join(codes[i:i+n], ";")
			if code == "38" {
				s.ink = color
			} else {
				s.background = color
			}
			i += n - 1
		case len(code) == 2 && (code[0] == '3' || code[0] == '9'):
			s.ink = code
		case len(code) == 2 && code[0] == '4' || len(code) == 3 && code[:2] == "10":
			s.background = code
		default:
			s.unknown = true
		}
	}
}

// styles are some styles of every kind, valid and not.
func styles() []Style {
	var all []Style
	for role := range roleCount + 2 {
		for ground := range groundCount + 1 {
			for _, attr := range []Attribute{0, Bold, Underline | Reverse, Dim, 255} {
				all = append(all, Style{role, ground, attr})
			}
		}
	}
	return all
}

func TestAppendChangeMatchesSGR(t *testing.T) {
	t.Parallel()
	all := styles()
	for _, theme := range All() {
		for profile := NoColor; profile <= TrueColor; profile++ {
			p := NewPainter(theme, profile)
			for i, from := range all {
				for j := i % 41; j < len(all); j += 41 { // some of the pairs, of every kind
					to := all[j]
					var pen, want screen
					want.apply(p.SGR(to))
					pen.apply(p.SGR(from))
					change := string(p.AppendChange(nil, from, to))
					pen.apply(change)
					if pen != want || pen.unknown {
						t.Fatalf("%s, %s: from %v to %v: %q gives %v, want %v", theme.Name, profile, from, to, change, pen, want)
					}
					if len(change) > len(p.SGR(to)) {
						t.Fatalf("%s, %s: from %v to %v: %q is longer than %q", theme.Name, profile, from, to, change, p.SGR(to))
					}
				}
			}
		}
	}
}

func TestStylesDifferWithoutColours(t *testing.T) {
	t.Parallel()
	for _, theme := range All() {
		p := NewPainter(theme, NoColor)
		for _, style := range styles() {
			for _, code := range strings.Split(strings.Trim(p.SGR(style), "\x1b[m"), ";") {
				if !slices.Contains([]string{"0", "1", "4", "7"}, code) {
					t.Fatalf("%s: %v has code %q on a terminal without colours", theme.Name, style, code)
				}
			}
		}
		plain := p.SGR(Style{})
		for _, style := range []Style{{Ground: Selected}, {Ground: Marked}, {Role: Title}, {Role: Bad}, {Role: Warn}, {Role: Accent}, {Role: Pending}} {
			if p.SGR(style) == plain {
				t.Errorf("%s: %v looks like plain text", theme.Name, style)
			}
		}
		if field, row := p.SGR(Style{Ground: Selected, Attr: Reverse}), p.SGR(Style{Ground: Selected}); field == row {
			t.Errorf("%s: a reversed field does not show on the selected row", theme.Name)
		}
	}
}

func TestSGR(t *testing.T) {
	t.Parallel()
	theme, _ := ByName("dark")
	for _, c := range []struct {
		profile Profile
		style   Style
		want    string
	}{
		{TrueColor, Style{Role: Text}, "\x1b[0;38;2;223;227;232;48;2;20;23;28m"},
		{TrueColor, Style{Role: Title, Ground: Raised}, "\x1b[0;1;38;2;255;255;255;48;2;29;34;42m"},
		{ANSI256, Style{Role: Bad, Ground: Selected}, "\x1b[0;38;5;210;48;5;17m"},
		{ANSI16, Style{Role: Bad}, "\x1b[0;91;40m"},
		{ANSI16, Style{Role: Bad, Ground: Selected}, "\x1b[0;7;91;40m"},
		{ANSI16, Style{Role: Series1, Attr: Bold}, "\x1b[0;1;33;40m"},
		{NoColor, Style{Role: Bad, Ground: Selected, Attr: Dim}, "\x1b[0;1;4;7m"},
		{NoColor, Style{}, "\x1b[0m"},
	} {
		if got := NewPainter(theme, c.profile).SGR(c.style); got != c.want {
			t.Errorf("%s, %v: %q, want %q", c.profile, c.style, got, c.want)
		}
	}
}

func BenchmarkSGR(b *testing.B) {
	p := NewPainter(dark(), TrueColor)
	b.ReportAllocs()
	for b.Loop() {
		p.SGR(Style{Role: Good, Ground: Selected, Attr: Bold})
	}
}

// TestPainterSize limits the memory of the painters: every theme has one, and the console uses only one, so none may hold a table of all styles.
func TestPainterSize(t *testing.T) {
	t.Parallel()
	if size := unsafe.Sizeof(Painter{}); size > 8<<10 {
		t.Errorf("a painter takes %d bytes, want at most 8 KiB", size)
	}
}
