package host

import (
	"fmt"
	"strings"
	"testing"

	"cxdeck/views/exec"
)

// TestReadBackIsLimited writes more values than MaxLines, of which the last was read back wrongly: it is listed first, and
// the values beyond the limit are only counted. The commands of a change have the same limit.
func TestReadBackIsLimited(t *testing.T) {
	t.Parallel()
	var rows []readBackRow
	for i := range 3 * exec.MaxLines {
		rows = append(rows, readBackRow{Target: "Ethernet 7", Key: fmt.Sprint("key", i), Wanted: "1", Actual: "1"})
	}
	rows = append(rows, readBackRow{Target: "Ethernet 7", Wanted: "1", Actual: nil})
	var b strings.Builder
	if err := writeReadBack(&b, rows); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if len(lines) != exec.MaxLines+2 || !strings.Contains(lines[1], "(default)") ||
		!strings.Contains(lines[len(lines)-1], "and 201 more values") {
		t.Errorf("%d lines, %q ... %q", len(lines), lines[1], lines[len(lines)-1])
	}
	answer := exec.ChangeAnswer(exec.EntryRow{Title: "Import", Commands: make([]string, exec.MaxLines+5)})
	b.Reset()
	if err := answer.Text(&b); err != nil || !strings.HasSuffix(b.String(), "and 5 more commands; --json has them\n") {
		t.Errorf("%v, %q", err, b.String())
	}
}
