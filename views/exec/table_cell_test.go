package exec

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestLongCellsLoseTheirMiddle checks that a name from outside can't fill the screen from a table.
func TestLongCellsLoseTheirMiddle(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	table := NewTextTable(&b, "NAME", "STATE")
	table.Row("first"+strings.Repeat("é", 100_000)+"last", "failed")
	if err := table.Flush(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(b.String()), "\n")
	if n := utf8.RuneCountInString(lines[1]); n > 2100 || !strings.Contains(lines[1], "last  failed") || !strings.HasPrefix(lines[1], "firsté") {
		t.Errorf("%d characters: %.40s", n, lines[1])
	}
}
