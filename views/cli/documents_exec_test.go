package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

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
		for _, one := range c.Describe().Examples {
			line := strings.TrimPrefix(one.Line, "cxdeck exec ")
			line, _, _ = strings.Cut(line, " > ")
			words, err := catalog.Commands().Split(line)
			if found, ok := catalog.Commands().Find(words); err != nil || !ok || found.Name != c.Name {
				t.Errorf("%s: the example %q runs another command", c.Name, one.Line)
			}
		}
	}
}
