package registry

import (
	"strings"
	"testing"

	"cxdeck/device/description"
)

// TestDetailsSayNothingTwice: the texts about a key are shown one below the other, and no sentence is in two of them.
func TestDetailsSayNothingTwice(t *testing.T) {
	t.Parallel()
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		rows := Keys(family).Rows
		for i := range rows {
			r := &rows[i]
			d := r.Detail()
			said := map[string]bool{}
			for _, text := range []string{r.Summary, d.Effect, d.Constraint, d.Notes} {
				for sentence := range strings.SplitSeq(text, ". ") {
					sentence = strings.TrimSuffix(strings.TrimSpace(sentence), ".")
					if sentence != "" && said[sentence] {
						t.Errorf("%s: %q is said twice", r.Name, sentence)
					}
					said[sentence] = true
				}
			}
		}
	}
}
