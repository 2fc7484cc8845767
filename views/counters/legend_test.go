package counters

import (
	"strings"
	"testing"
)

// TestAllFiguresFitBesideLongNames checks that at 120 columns long names are cut in the middle, so that all figures fit.
func TestAllFiguresFitBesideLongNames(t *testing.T) {
	t.Parallel()
	p := newPlay(t, 3, 60)
	p.screen.curves = p.screen.curves[:0]
	for _, counter := range []string{"Packets Received Discarded/sec", "Bytes Sent/sec"} {
		p.screen.addPaths([]string{`\Network Interface(Port 2)\` + counter, `\Network Interface(A port with a name of thirty-six cells)\` + counter})
	}
	for width, titles := range map[int]string{
		80:  "Counter Instance Last Average Minimum Maximum",
		120: "Counter Instance Last Average Minimum Maximum 95th 99th Max at",
		200: "Counter Instance Scale Last Average Minimum Maximum 95th 99th Max at",
	} {
		p.Resize(width, 40)
		head := strings.Join(strings.Fields(p.Line("Counter ")), " ")
		for title := range strings.FieldsSeq(titles) {
			if !strings.Contains(head, title) {
				t.Errorf("%d columns: the titles %q lack %q", width, head, title)
			}
		}
		if row := p.Line("a "); !strings.Contains(row, "ed/sec") {
			t.Errorf("%d columns: the row %q has lost the end of its counter's name", width, row)
		}
	}
}
