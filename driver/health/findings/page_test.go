package findings

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of rules into docs/diagnose.md")

// TestRulesPage holds that docs/diagnose.md lists the rules; -update writes the list.
func TestRulesPage(t *testing.T) {
	t.Parallel()
	const path, begin, end = "../../../docs/diagnose.md", "<!-- rules -->\n", "<!-- /rules -->"
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("\n| Rule | About | Severity | What it says | Reads | Manual |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, r := range Rules() {
		severity, reads := r.Word, "counters"
		if r.Worse != "" {
			severity += " or error"
		}
		switch {
		case len(r.Events) > 0 || r.Text != "":
			reads = "events"
		case r.NeedsHost():
			reads = "host"
		}
		title := strings.NewReplacer("{", "*", "}", "*", "|", `\|`).Replace(r.Title)
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", r.ID, r.Of, severity, title, reads, r.Source)
	}
	b.WriteString("\n")
	before, rest, _ := strings.Cut(string(data), begin)
	old, after, found := strings.Cut(rest, end)
	if !found {
		t.Fatal("the page has no place for the rules")
	}
	if old == b.String() {
		return
	}
	if !*update {
		t.Fatal("docs/diagnose.md differs from the rules; run go test ./driver/health/findings -run RulesPage -update")
	}
	if err := os.WriteFile(path, []byte(before+begin+b.String()+end+after), 0o600); err != nil {
		t.Fatal(err)
	}
}
