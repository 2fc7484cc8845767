package perf

import (
	"slices"
	"strings"
	"testing"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
)

// TestCountersOfKeysExist: the counters that the registry's catalogue names for its keys are in the sets of their family, or in
// the console's own.
func TestCountersOfKeysExist(t *testing.T) {
	t.Parallel()
	named := 0
	for family, word := range map[description.Family]string{description.WinOF: "winof", description.WinOF2: "winof2"} {
		for i := range registry.Keys(family).Rows {
			r := &registry.Keys(family).Rows[i]
			for _, path := range r.Detail().Moves {
				named++
				name, counter, _ := strings.Cut(path, `\`)
				set, ok := Catalogue().Set(name)
				if !ok || set.Name != name || !slices.Contains(set.Families, word) && !strings.HasPrefix(name, "cxdeck ") {
					t.Errorf("%s of %s moves a counter of %q, which is not a set of its family", r.Name, word, name)
					continue
				}
				if c, ok := set.Counter(counter); !ok || c.Name != counter {
					t.Errorf("%s of %s moves %q, which %s does not have", r.Name, word, counter, name)
				}
			}
		}
	}
	if named < 100 {
		t.Errorf("the keys name %d counters in all", named)
	}
}
