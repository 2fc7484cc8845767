package exec

import (
	"strings"
	"testing"
)

// TestTextsMatchCommands: texts without a command or flag are refused, and so are commands and flags without texts.
func TestTextsMatchCommands(t *testing.T) {
	t.Parallel()
	for wrong, texts := range map[string]string{
		"has no texts": "",
		"there are texts for b, but no such command": "[commands.a]\nhelp = 'x'\nflags = 'f: x'\n[commands.b]\nhelp = 'x'",
		"do not match its flags: --f":                "[commands.a]\nhelp = 'x'",
		"has no flag --g":                            "[commands.a]\nhelp = 'x'\nflags = \"\"\"\nf: x\ng: y\n\"\"\"",
		"the phrase {unknown} is not defined":        "[commands.a]\nhelp = 'x {unknown}'\nflags = 'f: x'",
		"no set of fields @unknown":                  "[commands.a]\nhelp = 'x'\nflags = 'f: x'\nfields = '@unknown x'",
		"strict mode: fields in the doc":             "[commands.a]\nhelp = 'x'\nflags = 'f: x'\nunknown = 'x'",
	} {
		_, err := describe(&Family{Texts: texts, Commands: []Command{{Name: "a", Flags: Flags("f")}}})
		if err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%q is read with %v, want %q", texts, err, wrong)
		}
	}
}
