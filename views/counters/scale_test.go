package counters

import (
	"math"
	"testing"

	"cxdeck/perf"
	"cxdeck/views/counters/dimension"
)

// chosenCurves returns curves of these series, none of them missing.
func chosenCurves(series ...perf.Series) curves {
	var cs curves
	for i, s := range series {
		c := curve{path: s.Path(), series: i, info: s, slot: i, peak: math.NaN()}
		c.Dimension, c.toBase = dimension.Of(s)
		cs = append(cs, c)
	}
	return cs
}

func TestAxis(t *testing.T) {
	t.Parallel()
	sent := perf.Series{Counter: "Sent", Kind: perf.Rate, Unit: perf.Bytes, Line: 100e9}
	kilo := perf.Series{Counter: "KBytes", Kind: perf.Rate, Unit: perf.Kilobytes, Line: 25e9}
	drops := perf.Series{Counter: "Drops", Kind: perf.Rate, Unit: perf.Packets}
	const giga = 1e9
	extents := []extent{{1 * giga, 5.3 * giga}, {0.5 * giga, 1 * giga}, {0, 312}}
	for _, test := range []struct {
		name      string
		s         scaling
		low, high float64
		factors   [3]float64
	}{
		{"automatic is round in bits", scaling{lead: -1}, 0, 50e9 / 8, [3]float64{1, 1, 1e8 / 8}},
		{"automatic is round in bytes", scaling{lead: -1, inBytes: true}, 0, 10e9, [3]float64{1, 1, 1e7}},
		{"line rate", scaling{mode: scaleLine, lead: -1}, 0, 100, [3]float64{800 / 100e9, 800 / 25e9, 0.1}},
		{"manual", scaling{mode: scaleManual, manual: 7e9, lead: -1}, 0, 7e9, [3]float64{1, 1, 1e8 / 8}},
		{"the highlighted curve gives the unit", scaling{lead: 2}, 0, 500, [3]float64{8e-8, 8e-8, 1}},
		{"without a line rate the scale is automatic", scaling{mode: scaleLine, lead: 2}, 0, 500, [3]float64{8e-8, 8e-8, 1}},
		{"stacked leaves other units out", scaling{lead: -1, stacked: true}, 0, 50e9 / 8, [3]float64{1, 1, 0}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var a axis
			findAxis(chosenCurves(sent, kilo, drops), extents, test.s, func(func(int) bool) float64 { return 6.1 * giga }, &a)
			if !near(a.low, test.low) || !near(a.high, test.high) {
				t.Errorf("the axis goes from %g to %g, want %g to %g", a.low, a.high, test.low, test.high)
			}
			for i, want := range test.factors {
				if !near(a.factors[i], want) {
					t.Errorf("curve %d has the factor %g (%s), want %g", i, a.factors[i], a.notes[i], want)
				}
			}
		})
	}
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

func TestFitAndPeakAndLog(t *testing.T) {
	t.Parallel()
	cs := chosenCurves(perf.Series{Counter: "Sent", Kind: perf.Rate, Unit: perf.Packets})
	noStack := func(func(int) bool) float64 { return 0 }
	var a axis
	findAxis(cs, []extent{{912, 1040}}, scaling{mode: scaleFit, lead: -1}, noStack, &a)
	if a.low <= 0 || a.low > 912 || a.high < 1040 || a.high > 1250 {
		t.Errorf("fitted, the axis goes from %g to %g", a.low, a.high)
	}
	cs[0].peak = 3900
	findAxis(cs, []extent{{912, 1040}}, scaling{mode: scalePeak, lead: -1}, noStack, &a)
	if a.low != 0 || a.high < 3900 || a.high > 5000 {
		t.Errorf("by the peak, the axis goes from %g to %g", a.low, a.high)
	}
	findAxis(cs, []extent{{0, 1040}}, scaling{log: true, lead: -1}, noStack, &a)
	if !(a.low > 0) || a.high < 1040 {
		t.Errorf("logarithmic, the axis goes from %g to %g", a.low, a.high)
	}
	findAxis(cs, []extent{{math.NaN(), math.NaN()}}, scaling{lead: -1}, noStack, &a)
	if !(a.high > a.low) {
		t.Errorf("without values, the axis goes from %g to %g", a.low, a.high)
	}
	findAxis(nil, nil, scaling{lead: -1, stacked: true, log: true}, noStack, &a)
	if !(a.high > a.low) {
		t.Errorf("without curves, the axis goes from %g to %g", a.low, a.high)
	}
}
