package browse

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/perf"
	"cxdeck/themes"
)

// TestSheetIsATableOrFields: a sheet is a table where it fits, and else each row is a group of fields that loses nothing.
func TestSheetIsATableOrFields(t *testing.T) {
	t.Parallel()
	sheet := perf.Sheet{Title: "Ports", Columns: []string{"PORT", "FUNCTIONS", "EMBEDDED SWITCH"}, Rows: [][]string{{"ens1f0np0", "4 of 8", "switchdev"}, {"ens1f1np1", "0 of 8"}}}
	write := func(width int) (lines []string) {
		var s Sheets
		s.Fit(width, themes.UnicodeGlyphs())
		s.write(&sheet)
		for _, l := range s.Lines {
			lines = append(lines, strings.TrimRight(l.Label+" "+l.Text, " "))
		}
		return lines
	}
	if got, want := write(80), []string{" Ports", " PORT       FUNCTIONS  EMBEDDED SWITCH", " ens1f0np0  4 of 8     switchdev", " ens1f1np1  0 of 8"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	narrow := strings.Join(write(30), "\n")
	for _, word := range []string{"ens1f0np0", "4 of 8", "switchdev", "ens1f1np1"} {
		if !strings.Contains(narrow, word) {
			t.Errorf("%q has no %s", narrow, word)
		}
	}
}
