package counters

import (
	"testing"

	"cxdeck/perf/window"
	"cxdeck/views/counters/search"
	"cxdeck/views/viewtest"
)

// Each preset finds counters of the lab, and all of them share an axis.
func TestPresetsHaveOneUnit(t *testing.T) {
	t.Parallel()
	if len(presets) > len(presetKeys) {
		t.Fatalf("%d presets have %d keys", len(presets), len(presetKeys))
	}
	x := search.NewIndex(viewtest.Watch(t, viewtest.Lab(t), 2).Monitor().Schema())
	for n := range presets {
		paths, all := presets[n].match(x, nil, func(int) window.Bucket { return window.Bucket{Max: 1, Average: 1} })
		if all == 0 {
			t.Errorf("%s finds nothing", presets[n].title)
		}
		units := map[dimension]string{}
		for _, path := range paths {
			at, _ := x.Schema.Find(path)
			d, _ := dimensionOf(x.Schema.Series[at])
			units[d] = path
		}
		if len(units) > 1 {
			t.Errorf("%s has %v", presets[n].title, units)
		}
	}
}
