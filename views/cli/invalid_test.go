package cli

import (
	"strings"
	"testing"
)

// TestInvalidValuesAreExplained types an invalid value in each kind of prompt and form, and presses Enter: the whole reason is
// shown, and the typed text is kept and can be corrected.
func TestInvalidValuesAreExplained(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	s := newShowing(t)
	s.Resize(80, 24)
	path := "/nowhere/" + strings.Repeat("x", 12) + "/file"
	down4 := []string{"5", "Z", "down", "down", "down", "down", "enter", "tab", "tab"}
	for _, c := range []struct {
		name  string
		keys  []string
		typed string
		want  []string
	}{
		{"scale", []string{"2", "="}, "abc", []string{`nvalid number "abc"; write it like 1500`, "or 80%"}},
		{"scale in percent", []string{"2", "="}, "80%", []string{"Type a value, not a percentage; Y has a scale by line rate"}},
		{"time", []string{"2", "@"}, "yesterday", []string{"Write a time as 14:02", "as +90s or -5m"}},
		{"layout", []string{"2", "ctrl+s"}, strings.Repeat("name ", 20), []string{"A name has at most 40 characters"}},
		{"counters export", []string{"2", "x"}, path, []string{"Nothing was exported", "file or directory"}},
		{"threshold level", []string{"2", "t"}, "much", []string{`Level: invalid number "much"`, "20k or 80%."}},
		{"threshold hold", []string{"2", "t", "8", "0", "%", "tab", "tab"}, "long", []string{`invalid duration "long": write 5s or 2m, up to 1h.`}},
		{"profile", []string{"3", "P", "n"}, " ", []string{"A profile requires a name of 1 to 256 bytes"}},
		{"profile import", []string{"3", "P", "i"}, path, []string{"no such file"}},
		{"registry export", []string{"3", "x"}, path, []string{"Nothing was exported", "file or directory"}},
		{"registry import", []string{"3", "i"}, path, []string{"no such file"}},
		{"registry value", []string{"3", "down", "enter"}, "many", []string{"must be an integer from 256 to 4096", `"many"`}},
		{"wizard", down4, "few", []string{`integer from 1 to 1000000, not "few".`}},
		{"wizard, out of range", down4, "9999999", []string{"9999999 is out of range: it must be an integer from 1 to"}},
		{"fault", []string{"9", "tab", "tab", "B"}, "no-such-thing", []string{`There is no fault "no-such-thing"`, "wrong-sizes"}},
		{"fault share", []string{"9", "B"}, "bad-cable 7", []string{`"7" is an invalid share: it must be 0 to 1`}},
		{"switch port", []string{"9", "e", "down"}, "12", []string{"12 is out of range: it must be an integer", "614 to 65535."}},
		{"note", []string{"8", "e"}, strings.Repeat("note ", 50), []string{"A note has at most 200 characters, this one has 250"}},
	} {
		s.Press(c.keys...)
		s.Press("ctrl+u")
		s.Type(c.typed)
		s.Press("enter")
		screen, typed := s.Text(), strings.TrimSpace(c.typed)
		tail := typed[max(len(typed)-20, 0):]
		for _, want := range append(c.want, tail) {
			if !strings.Contains(screen, want) {
				t.Errorf("%s: the screen lacks %q:\n%s", c.name, want, screen)
			}
		}
		for _, call := range []string{"open /", "stat /", "rename /"} {
			if strings.Contains(screen, call) {
				t.Errorf("%s: the screen names a system call:\n%s", c.name, screen)
			}
		}
		s.Press("Z") // continues the typed text
		if !strings.Contains(s.Text(), tail) || !strings.Contains(s.Text(), "Z") {
			t.Errorf("%s: the typed text is lost:\n%s", c.name, s.Text())
		}
		s.Press("esc", "esc", "esc")
	}
}
