package preset_test

import (
	"testing"

	"cxdeck/perf/window"
	"cxdeck/views/counters/dimension"
	"cxdeck/views/counters/preset"
	"cxdeck/views/counters/search"
	"cxdeck/views/viewtest"
)

// TestPresetsHaveOneUnit checks that each preset finds counters of the lab, and that they share an axis.
func TestPresetsHaveOneUnit(t *testing.T) {
	t.Parallel()
	x := search.NewIndex(viewtest.Watch(t, viewtest.Lab(t), 2).Monitor().Schema())
	for _, p := range preset.All() {
		paths, all := p.Match(x, nil, func(int) window.Bucket { return window.Bucket{Max: 1, Average: 1} })
		if all == 0 {
			t.Errorf("%s finds nothing", p.Title)
		}
		units := map[dimension.Dimension]string{}
		for _, path := range paths {
			at, _ := x.Schema.Find(path)
			d, _ := dimension.Of(x.Schema.Series[at])
			units[d] = path
		}
		if len(units) > 1 {
			t.Errorf("%s has %v", p.Title, units)
		}
	}
}
