package themes

import (
	"reflect"
	"testing"

	"github.com/mattn/go-runewidth"
)

// env is an environment of a test.
type env map[string]string

func (e env) get(name string) string { return e[name] }

func TestDetectProfile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  env
		want Profile
	}{
		{env{}, NoColor},
		{env{"TERM": "dumb"}, NoColor},
		{env{"TERM": "dumb", "COLORTERM": "truecolor"}, NoColor},
		{env{"TERM": "vt100"}, NoColor},
		{env{"TERM": "vt100", "CLICOLOR_FORCE": "1"}, ANSI16},
		{env{"TERM": "linux"}, ANSI16},
		{env{"TERM": "xterm"}, ANSI16},
		{env{"TERM": "screen"}, ANSI16},
		{env{"TERM": "xterm-256color"}, ANSI256},
		{env{"TERM": "xterm-256color", "COLORTERM": "truecolor"}, TrueColor},
		{env{"TERM": "xterm-256color", "COLORTERM": "24bit"}, TrueColor},
		{env{"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1"}, NoColor},
		{env{"TERM": "xterm-256color", "NO_COLOR": "1", "CLICOLOR_FORCE": "1"}, NoColor},
		{env{"TERM": "xterm-256color", "CLICOLOR": "0"}, NoColor},
		{env{"TERM": "xterm-256color", "CLICOLOR": "0", "CLICOLOR_FORCE": "1"}, ANSI256},
		{env{"TERM": "screen-256color", "COLORTERM": "truecolor"}, ANSI256},
		{env{"TERM": "screen-256color", "COLORTERM": "truecolor", "TERM_PROGRAM": "tmux"}, TrueColor},
		{env{"TERM": "xterm-kitty"}, TrueColor},
		{env{"TERM": "xterm-direct"}, TrueColor},
		{env{"WT_SESSION": "x"}, TrueColor},
	} {
		if got := DetectProfile(c.env.get); got != c.want {
			t.Errorf("%v: %s, want %s", c.env, got, c.want)
		}
	}
}

func TestDetectGlyphs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  env
		want string
	}{
		{env{"TERM": "xterm-256color", "LANG": "en_GB.UTF-8"}, "unicode"},
		{env{"TERM": "xterm-256color", "LANG": "C.utf8"}, "unicode"},
		{env{"TERM": "xterm-256color", "LANG": "en_GB.UTF-8", "LC_ALL": "C"}, "ascii"},
		{env{"TERM": "xterm-256color", "LANG": "C", "LC_CTYPE": "en_GB.UTF-8"}, "unicode"},
		{env{"TERM": "xterm-256color"}, "ascii"},
		{env{"TERM": "linux", "LANG": "en_GB.UTF-8"}, "blocks"},
		{env{"TERM": "linux"}, "ascii"},
		{env{"TERM": "dumb", "LANG": "en_GB.UTF-8"}, "ascii"},
		{env{"WT_SESSION": "x"}, "unicode"},
	} {
		if got := DetectGlyphs(c.env.get).Name; got != c.want {
			t.Errorf("%v: %s, want %s", c.env, got, c.want)
		}
	}
}

// TestGlyphsAreCompleteAndOneCellWide checks every rune of every set, later additions included.
func TestGlyphsAreCompleteAndOneCellWide(t *testing.T) {
	t.Parallel()
	narrow := runewidth.Condition{}
	for _, name := range GlyphNames() {
		g, err := GlyphsByName(name)
		if err != nil || g.Name != name {
			t.Fatalf("%s: %v", name, err)
		}
		check := func(field string, r rune) {
			if r < ' ' || narrow.RuneWidth(r) != 1 {
				t.Errorf("%s: %s is %q, which is not one cell wide", name, field, r)
			}
			if g.ASCII && r > '~' {
				t.Errorf("%s: %s is %q, which is not ASCII", name, field, r)
			}
			if g.Name == "blocks" && r >= 0x2800 && r < 0x2900 {
				t.Errorf("%s: %s is braille", name, field)
			}
		}
		v := reflect.ValueOf(*g)
		for i := range v.NumField() {
			field := v.Type().Field(i).Name
			switch f := v.Field(i); f.Kind() {
			case reflect.Int32:
				check(field, rune(f.Int()))
			case reflect.Array:
				for j := range f.Len() {
					check(field, rune(f.Index(j).Int()))
				}
			default: // names and switches
			}
		}
	}
	if _, err := GlyphsByName("emoji"); err == nil {
		t.Error("there is a glyph set emoji")
	}
}
