package settings

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/request"
	"cxdeck/themes"
)

// word is a key whose value is one of a few words. The TOML library stores a text in a field without a check by the field's
// type, so the words are checked after it.
type word struct {
	key, value string
	known      []string
}

// words returns the keys whose values are words.
func (s Settings) words(screens []string) []word {
	return []word{
		{"theme", s.Theme, themes.Names()},
		{"glyphs", s.Glyphs, append([]string{"auto"}, themes.GlyphNames()...)},
		{"units", s.Units, []string{"bits", "bytes"}},
		{"screen", s.Screen, screens},
	}
}

// check returns the error text for an unknown word; empty for a known one, and for a key that is not set.
func (w word) check() string {
	if w.value == "" || slices.Contains(w.known, w.value) {
		return ""
	}
	if near := request.Nearest(w.value, w.known); near != "" {
		return fmt.Sprintf("%s can't be %q; did you mean %s?", w.key, w.value, near)
	}
	return fmt.Sprintf("%s can't be %q; choose from %s", w.key, w.value, strings.Join(w.known, ", "))
}
