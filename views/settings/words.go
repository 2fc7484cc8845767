package settings

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/request"
	"cxdeck/themes"
)

// word is a key whose value is one of a few words. The TOML library gives a text to a text field without asking the
// field's type, so these are checked after it.
type word struct {
	key, value string
	known      []string
}

// words returns the keys of the file whose values are words.
func (s Settings) words(screens []string) []word {
	return []word{
		{"theme", s.Theme, themes.Names()},
		{"glyphs", s.Glyphs, append([]string{"auto"}, themes.GlyphNames()...)},
		{"units", s.Units, []string{"bits", "bytes"}},
		{"screen", s.Screen, screens},
	}
}

// check returns the sentence for a value that is none of the words; a key that the file is silent on is right.
func (w word) check() string {
	if w.value == "" || slices.Contains(w.known, w.value) {
		return ""
	}
	if near := request.Nearest(w.value, w.known); near != "" {
		return fmt.Sprintf("%s can't be %q; did you mean %s?", w.key, w.value, near)
	}
	return fmt.Sprintf("%s can't be %q; choose from %s", w.key, w.value, strings.Join(w.known, ", "))
}
