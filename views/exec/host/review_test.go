package host

import (
	"fmt"
	"strings"
	"testing"

	"cxdeck/views/exec"
)

// TestManyValuesAreSummarized reads back a whole file, and one value of it wrongly: that one is listed, the others only
// as far as anybody reads.
func TestManyValuesAreSummarized(t *testing.T) {
	t.Parallel()
	var rows []writtenRow
	for i := range 3 * exec.MaxLines {
		rows = append(rows, writtenRow{Target: "Ethernet 7", Key: fmt.Sprint("key", i), Wanted: "1", Actual: "1"})
	}
	rows = append(rows, writtenRow{Target: "Ethernet 7", Wanted: "1", Actual: nil})
	var b strings.Builder
	if err := writeWritten(&b, rows); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != exec.MaxLines+2 || !strings.Contains(lines[1], "(default)") ||
		!strings.Contains(lines[len(lines)-1], "and 201 more values") {
		t.Errorf("%d lines, %q ... %q", len(lines), lines[1], lines[len(lines)-1])
	}
	said := exec.ChangeAnswer(exec.EntryRow{Title: "Import", Commands: make([]string, exec.MaxLines+5)})
	b.Reset()
	if err := said.Text(&b); err != nil || !strings.HasSuffix(b.String(), "and 5 more commands; --json has them\n") {
		t.Errorf("%v, %q", err, b.String())
	}
}
