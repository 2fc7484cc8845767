package settings

import (
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/request"
	"cxdeck/themes"
)

// enumSetting is a setting with a fixed set of values. go-toml does not validate string types, so check does.
type enumSetting struct {
	key, value string
	allowed    []string
}

// enumSettings returns the settings with a fixed set of values.
func (s Settings) enumSettings(screens []string) []enumSetting {
	return []enumSetting{
		{"theme", s.Theme, themes.Names()},
		{"glyphs", s.Glyphs, append([]string{"auto"}, themes.GlyphNames()...)},
		{"units", s.Units, []string{"bits", "bytes"}},
		{"screen", s.Screen, screens},
	}
}

// check returns the error text for a value that is not allowed; empty for an allowed one, and for a key that is not set.
func (e enumSetting) check() string {
	if e.value == "" || slices.Contains(e.allowed, e.value) {
		return ""
	}
	if near := request.Nearest(e.value, e.allowed); near != "" {
		return fmt.Sprintf("invalid %s %q: did you mean %s?", e.key, e.value, near)
	}
	return fmt.Sprintf("invalid %s %q: it must be one of %s", e.key, e.value, strings.Join(e.allowed, ", "))
}
