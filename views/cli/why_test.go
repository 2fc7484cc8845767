package cli

import (
	"strings"
	"testing"
)

// TestWhyOnEveryScreen holds that w asks the Diagnose screen about the selected row of each screen, or says why it can't.
func TestWhyOnEveryScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	s := newShowing(t)
	for _, keys := range [][]string{{"1", "home", "down"}, {"2", "down"}, {"3", "home"}, {"4"}, {"5"}, {"6"}, {"7", "home"}, {"9"}, {"0"}} {
		s.Press(keys...)
		s.Press("w")
		if text := s.Text(); !strings.Contains(text, "Why: ") {
			t.Errorf("w after %q shows\n%s", keys, text)
		}
	}
	s.Press("8", "w")
	if strings.Contains(s.Text(), "Why: ") {
		t.Error("a session that is not open is diagnosed")
	}
}
