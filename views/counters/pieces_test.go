package counters

import (
	"math"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/window"
)

func minuteBand(n int64, low, mean, high float64) perf.Band {
	return perf.Band{From: n * 60e9, To: n*60e9 + 59e9, Min: low, Average: mean, Max: high, Last: high, Count: 60, Samples: 60, Step: time.Minute}
}

// TestMinutesInAChart checks that a minute fills all pieces that it contains, that a longer piece merges minutes, and that a
// gap stays empty.
func TestMinutesInAChart(t *testing.T) {
	t.Parallel()
	bands := []perf.Band{minuteBand(0, 1, 2, 3), minuteBand(1, 4, 5, 9), minuteBand(4, 0, 1, 2)}
	bands[2].Gap = true
	list := rateCurve{}.valuesIn(bands)
	none := window.Bucket{Min: math.NaN(), Max: math.NaN(), Average: math.NaN()}
	for _, c := range []struct {
		pieceLength time.Duration
		want        []window.Bucket
	}{
		{30 * time.Second, []window.Bucket{{Min: 1, Max: 3, Average: 2}, {Min: 1, Max: 3, Average: 2}, {Min: 4, Max: 9, Average: 5}, {Min: 4, Max: 9, Average: 5},
			none, none, none, none, {Min: 0, Max: 2, Average: 1}, {Min: 0, Max: 2, Average: 1}}},
		{150 * time.Second, []window.Bucket{{Min: 1, Max: 9, Average: 3.5}, {Min: 0, Max: 2, Average: 1}}},
	} {
		got := list.Buckets(time.Unix(0, 0), time.Unix(300, 0), c.pieceLength)
		for i := range c.want {
			if len(got) != len(c.want) || got[i] != c.want[i] && !(math.IsNaN(got[i].Max) && math.IsNaN(c.want[i].Max)) {
				t.Errorf("%s: %v, want %v", c.pieceLength, got, c.want)
				break
			}
		}
	}
	if s := list.Statistics(); s.Minimum != 0 || s.Maximum != 9 || s.Count != 180 || math.Abs(s.Average-8.0/3) > 1e-9 || s.Last != 2 ||
		s.MaximumAt.Unix() != 60 || s.Duration != 299*time.Second {
		t.Errorf("statistics %+v", s)
	}
}

// TestMinutesOfACounter checks a cumulative counter as a total and as a rate.
func TestMinutesOfACounter(t *testing.T) {
	t.Parallel()
	bands := []perf.Band{minuteBand(0, 1, 2, 3), {From: 60e9, To: 60e9, Min: 7, Max: 7, Average: 7, Last: 50, Count: 1, Samples: 1}}
	if total := (rateCurve{total: true}).valuesIn(bands); total[0].Average != 3 || total[1].Average != 50 || total[1].End != 50 {
		t.Errorf("as a total: %+v", total)
	}
	if rate := (rateCurve{total: true, rated: true}).valuesIn(bands); rate[0].Low != 1 || rate[0].Average != 2 || rate[1].Average != 7 || rate[1].End != 7 {
		t.Errorf("as a rate: %+v", rate)
	}
}
