package completion

import (
	"strings"
	"testing"

	"cxdeck/views/exec"
)

// hostileNames returns names with characters that are special in a shell.
func hostileNames() []string {
	return []string{"my vm", "x$(touch pwned)", "it's", "a;b", `q"q`, "bang!x", "*", "~root", "#x", "a=b", "a:b", "ü ber", "`id`", `back\slash`, "-dash",
		"{a,b}", "$HOME", "<in>", "&", "|", "?"}
}

// TestBashInsertionIsReadBack: bash reads the inserted text as the name, with any open quote.
func TestBashInsertionIsReadBack(t *testing.T) {
	t.Parallel()
	for _, name := range hostileNames() {
		for _, typed := range []string{"", "'", `"`} {
			line := ReadBashLine("cxdeck exec vm start " + typed)
			text, ok := line.Insertion(name)
			if !ok {
				if typed != `"` || !strings.Contains(name, "!") {
					t.Errorf("%q is not offered after %q", name, typed)
				}
				continue
			}
			again := ReadBashLine("cxdeck exec vm start " + typed + text + typed + " ")
			if len(again.Words) != 4 || again.Words[3] != name || again.quote != 0 {
				t.Errorf("%q after %q became %q, which is %q", name, typed, text, again.Words)
			}
		}
	}
}

func FuzzReadBashLine(f *testing.F) {
	for _, name := range hostileNames() {
		f.Add("cxdeck exec vm start "+name, name)
	}
	f.Fuzz(func(t *testing.T, typed, name string) {
		line := ReadBashLine(typed)
		if name == "" || exec.Clean(name) != name || line.quote != 0 || line.Part != "" {
			return
		}
		text, ok := line.Insertion(name)
		if !ok {
			return
		}
		if again := ReadBashLine(typed + " " + text); again.Part != name {
			t.Errorf("%q became %q, which is %q", name, text, again.Part)
		}
	})
}
