package guide

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the list of guides")

// TestGuidesPage holds that docs/guides.md lists the guides; -update writes the list.
func TestGuidesPage(t *testing.T) {
	t.Parallel()
	const path, begin, end = "../../docs/guides.md", "<!-- guides -->\n", "<!-- /guides -->"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("\n| Topic | Guide | What it does | For | Steps | Undo | Manual |\n| --- | --- | --- | --- | --- | --- | --- |\n")
	for _, g := range All() {
		undo := "yes"
		if g.NoUndo != "" {
			undo = "no"
		}
		families := strings.NewReplacer("winof2", "WinOF-2", "winof", "WinOF").Replace(strings.Join(g.Families, ", "))
		fmt.Fprintf(&b, "| %s | `%s` | %s | %s | %d | %s | %s |\n", g.Group, g.Name, g.Title, families, len(g.Steps), undo, g.Source)
	}
	b.WriteString("\n")
	before, rest, _ := strings.Cut(string(data), begin)
	old, after, found := strings.Cut(rest, end)
	switch {
	case !found:
		t.Fatalf("%s has no place for the guides", path)
	case old == b.String():
		return
	case !*update:
		t.Fatal("docs/guides.md differs from the guides; run go test ./driver/guide -run GuidesPage -update")
	}
	if err := os.WriteFile(path, []byte(before+begin+b.String()+end+after), 0o600); err != nil {
		t.Fatal(err)
	}
}
