package compare

import (
	"math"
	"testing"
	"time"

	"cxdeck/perf"
)

// TestNoiseIsTheVariationOfPeriods: a counter that varies between periods has changed only if it changes by more than that.
func TestNoiseIsTheVariationOfPeriods(t *testing.T) {
	t.Parallel()
	r := moving(t)
	period := func(from, to int) Side { return sideOf(t, r, Range{second(from), second(to)}, time.Second) }
	noise := &Noise{}
	for n := range 12 {
		noise.Add(period(1+40*n, 40+40*n))
	}
	found := Rank(period(460, 499), period(501, 540), noise)
	if found[0].Series.Counter != "drops" || found[0].Noise != 0 || found[0].Periods != 12 || !found[0].BeyondNoise() || !math.IsInf(found[0].NoiseRatio(), 1) {
		t.Errorf("drops: %+v", found[0])
	}
	kbytes := found[1]
	if kbytes.Series.Counter != "kbytes/sec" || kbytes.Noise <= 0 || kbytes.Noise > 0.001 || !kbytes.BeyondNoise() {
		t.Errorf("kbytes: %+v", kbytes)
	}
	// The same change is within the noise when periods of the hour before differ by more.
	noise.Add(period(501, 540))
	found = Rank(period(460, 499), period(501, 540), noise)
	for i := range found {
		if found[i].Series.Counter == "kbytes/sec" && found[i].BeyondNoise() {
			t.Errorf("kbytes varied as much before: %+v", found[i])
		}
	}
	if Margin(2) <= Margin(4) || Margin(60) > 1.2 || Margin(0) < Margin(1) {
		t.Error("the margin does not fall with the number of periods")
	}
}

// TestSumCells: summaries by cell and by column are equal.
func TestSumCells(t *testing.T) {
	t.Parallel()
	r := moving(t)
	want := sideOf(t, r, Range{second(400), second(560)}, time.Second).Summaries
	var times []int64
	for n := 399; n <= 560; n++ {
		times = append(times, second(n).UnixNano())
	}
	got := SumCells(r.schema, times, 1, func(cell int) (cells []int64) {
		for n := 399; n <= 560; n++ {
			cells = append(cells, r.rows[n][cell])
		}
		return cells
	})
	for i := range want {
		if got[i] != want[i] && want[i].Count > 0 || got[i].Count != want[i].Count {
			t.Errorf("%s: %+v, want %+v", r.schema.Series[i].Counter, got[i], want[i])
		}
	}
}

// TestNoisePeriods: one period has no noise, two have, and a later period without the newest series keeps their schema.
func TestNoisePeriods(t *testing.T) {
	t.Parallel()
	r := moving(t)
	period := func(from, to int) Side { return sideOf(t, r, Range{second(from), second(to)}, time.Second) }
	noise := &Noise{}
	noise.Add(Side{})
	before, after := period(460, 499), period(501, 540)
	for n := range 3 {
		if found := Rank(before, after, noise)[0]; noise.Periods != n || found.Periods != n && (n != 1 || found.Periods != 0) {
			t.Errorf("%d periods are counted as %d, and a series has %d", n, noise.Periods, found.Periods)
		}
		noise.Add(period(1+40*n, 40+40*n))
	}
	if noise.schema != before.Schema {
		t.Error("the schema of the periods is lost")
	}
	shorter := Side{Schema: &perf.Schema{}, Summaries: before.Summaries[:1]}
	if noise.Add(shorter); noise.schema != before.Schema || noise.Periods != 4 {
		t.Errorf("after a shorter period there are %d periods, of another schema", noise.Periods)
	}
}

// TestBeyondNoiseBounds: a change at a bound is still noise, and the periods decide alone from the tenth on.
func TestBeyondNoiseBounds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		d      Difference
		beyond bool
	}{
		{Difference{Percent: 1, Change: 9, Deviations: 9}, false},
		{Difference{Percent: -1.01, Change: -9, Deviations: -9}, true},
		{Difference{Percent: 5, Change: 9, Deviations: 3}, false},
		{Difference{Percent: 5, Change: -9, Deviations: -3.01}, true},
		{Difference{Percent: 5, Change: 7, Deviations: 9, Periods: 1, Noise: 1}, false}, // Margin(1) is 7
		{Difference{Percent: 5, Change: 7.01, Deviations: 9, Periods: 1, Noise: 1}, true},
		{Difference{Percent: 5, Change: 9, Deviations: 2, Periods: 9, Noise: 1}, false},
		{Difference{Percent: 5, Change: 9, Deviations: 2, Periods: 10, Noise: 1}, true},
		{Difference{Percent: 5, Change: 0, Deviations: 9}, true}, // without periods their noise decides nothing
	} {
		if got := c.d.BeyondNoise(); got != c.beyond {
			t.Errorf("%+v: beyond noise %v", c.d, got)
		}
	}
}
