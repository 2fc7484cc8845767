package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"cxdeck/views/exec"
	"cxdeck/views/exec/catalog"
)

// TestExecPage compares docs/exec.md with the help and the JSON fields of each command. With -update it writes them.
func TestExecPage(t *testing.T) {
	t.Parallel()
	begin, end := "<!-- commands -->\n", "<!-- end -->"
	text := readPage(t, "exec.md")
	before, rest, ok := strings.Cut(text, begin)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		t.Fatalf("the page has no lines %q and %q", begin, end)
	}
	var b strings.Builder
	for _, c := range catalog.Commands().Commands() {
		fmt.Fprintf(&b, "### %s\n\n```text\n%s```\n\n| Field of the result | Meaning |\n| --- | --- |\n", c.Name, c.Page())
		for _, field := range c.Describe().Result {
			fmt.Fprintf(&b, "| `%s` | %s |\n", strings.ReplaceAll(field.Name, ", ", "`, `"), cell(field.Meaning))
		}
		b.WriteByte('\n')
	}
	sameDocument(t, filepath.Join(documents, "exec.md"), []byte(before+begin+b.String()+end+after))
}

// TestCommandTexts: each command of exec has help, JSON fields, lines of at most 80 columns, and examples that run it.
func TestCommandTexts(t *testing.T) {
	t.Parallel()
	for _, c := range catalog.Commands().Commands() {
		if c.Describe().Help == "" || len(c.Describe().Result) == 0 {
			t.Errorf("%s lacks a help text or the fields of its result", c.Name)
		}
		for _, line := range strings.Split(c.Page(), "\n") {
			if len([]rune(line)) > 80 {
				t.Errorf("%s: a line of its page is too wide: %q", c.Name, line)
			}
		}
		for _, e := range c.Describe().Examples {
			line := strings.TrimPrefix(e.Line, "cxdeck exec ")
			line, _, _ = strings.Cut(line, " > ")
			words, err := catalog.Commands().Split(line)
			if found, ok := catalog.Commands().Find(words); err != nil || !ok || found.Name != c.Name {
				t.Errorf("%s: the example %q runs another command", c.Name, e.Line)
			}
			if n := countArguments(c, words); n > len(strings.Fields(c.Describe().Arguments)) && !strings.Contains(c.Describe().Arguments, "...") {
				t.Errorf("%s: the example %q has more arguments than %q: its purpose belongs on the next line, indented", c.Name, e.Line, c.Describe().Arguments)
			}
		}
	}
}

// countArguments returns how many of the words of a line are arguments: not the name of the command, its --flags or their values.
// The flags of Windows cmdlets and tools are not known here, so lines that have one have no arguments.
func countArguments(c *exec.Command, words []string) (n int) {
	words = words[len(strings.Fields(c.Name)):]
	for i := 0; i < len(words); i++ {
		name, ok := strings.CutPrefix(words[i], "--")
		switch {
		case ok:
			if f := slices.IndexFunc(c.Flags, func(f exec.Flag) bool { return f.Name == name && f.Value != "" }); f >= 0 {
				i++
			}
		case strings.HasPrefix(words[i], "-"), words[i] == "|":
			return 0
		default:
			n++
		}
	}
	return n
}
