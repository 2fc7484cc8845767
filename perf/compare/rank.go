package compare

import (
	"cmp"
	"math"
	"slices"
	"time"

	"cxdeck/perf"
)

// Side is one of the two periods that are compared: its schema and summaries.
type Side struct {
	Schema    *perf.Schema
	Summaries []Summary
	// Length is how long the stretch is, for telling a handful of counts from a rate; 0 where that does not matter.
	Length time.Duration
}

// Difference is a series that both sides have, with its change.
type Difference struct {
	// Series is the series as the second side has it.
	Series perf.Series
	// First and Second are the series' places in the sides' schemas.
	First, Second int
	Before, After Summary
	// Alike counts the further series with the same values, such as totals of one port.
	Alike int
	// Change is the difference of the means, in the unit of the series.
	Change float64
	// Percent is Change in percent of the mean before, infinite from 0.
	Percent float64
	// Deviations is Change in standard deviations of the values before, infinite where these were all equal.
	Deviations float64
	// Noise is the largest difference between the means of the noise periods, and Stretches the number of these periods; 0
	// stretches for a difference that is judged by the deviation of the values before.
	Noise     float64
	Stretches int
	// score is what ranks the difference: Change over the noise before.
	score float64
}

const (
	// floor is the part of the larger mean that counts as noise however steady a counter was: a change of a few percent
	// is none to an operator.
	floor = 0.02
	// noiseDeviations and noisePercent bound what counts as noise.
	noiseDeviations, noisePercent = 3, 1
	// enoughStretches is how many stretches say by themselves what the noise is.
	enoughStretches = 10
)

// Margin is how many times the noise of so many stretches a change must be: the fewer there are, the less of the noise
// they show.
func Margin(stretches int) float64 { return 1 + 6/float64(max(stretches, 1)) }

// BeyondNoise says whether the change is larger than what the series did before by itself: more than a percent, and more
// than the means of any two stretches of the noise lay apart, times Margin. Without noise, or with too few stretches of
// it, it must also be more than three standard deviations of the values before.
func (d *Difference) BeyondNoise() bool {
	switch {
	case math.Abs(d.Percent) <= noisePercent, d.Stretches > 0 && math.Abs(d.Change) <= Margin(d.Stretches)*d.Noise:
		return false
	case d.Stretches >= enoughStretches:
		return true
	}
	return math.Abs(d.Deviations) > noiseDeviations
}

// Rank returns the series that differ, the largest difference in proportion to its noise first. Series are found on
// the other side by their paths. Of the series that read one cell, the first rate stands for all; of series with the same
// values, the first does. The noise may be nil: then it is the deviation of the values before.
func Rank(before, after Side, noise *Noise) []Difference {
	if before.Schema == nil || after.Schema == nil {
		return nil
	}
	shown := representatives(after.Schema)
	var found []Difference
	known := map[[2]Summary]int{}
	for second := range after.Summaries {
		series := after.Schema.Series[second]
		if shown[series.Cell] != second {
			continue
		}
		first := second
		if before.Schema != after.Schema && (first >= len(before.Schema.Series) || before.Schema.Series[first].Path() != series.Path()) {
			var ok bool
			if first, ok = before.Schema.Find(series.Path()); !ok {
				continue
			}
		}
		if first >= len(before.Summaries) {
			continue
		}
		d := Difference{Series: series, First: first, Second: second, Before: before.Summaries[first], After: after.Summaries[second]}
		if d.Before.Count == 0 || d.After.Count == 0 || d.Before.Mean == d.After.Mean {
			continue
		}
		values := [2]Summary{d.Before, d.After}
		if same, ok := known[values]; ok {
			found[same].Alike++
			continue
		}
		known[values] = len(found)
		d.measure(noise, before.Schema, after.Length)
		found = append(found, d)
	}
	slices.SortStableFunc(found, func(a, b Difference) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(math.Abs(b.Change), math.Abs(a.Change)))
	})
	return found
}

// counting is the deviation that a rate has because it counts single things: the square root of how many there were. One
// packet in a minute says little.
func (d *Difference) counting(length time.Duration) float64 {
	if length <= 0 || d.Series.Kind != perf.Rate && d.Series.Kind != perf.Cumulative {
		return 0
	}
	return math.Sqrt(max(math.Abs(d.Before.Mean), math.Abs(d.After.Mean)) / length.Seconds())
}

func (d *Difference) measure(noise *Noise, before *perf.Schema, length time.Duration) {
	d.Change = d.After.Mean - d.Before.Mean
	d.Percent = 100 * d.Change / math.Abs(d.Before.Mean)
	d.Deviations = d.Change / d.Before.Deviation
	wide := d.Before.Deviation
	if s, ok := noise.of(d, before); ok {
		d.Noise, d.Stretches = s.highest-s.lowest, s.count
		wide = d.Noise
	}
	d.score = math.Abs(d.Change) / (wide + d.counting(length) + floor*max(math.Abs(d.Before.Mean), math.Abs(d.After.Mean)))
}

// representatives finds the series that stands for each cell: a rate before others, an earlier one before a later.
func representatives(schema *perf.Schema) map[int]int {
	shown := make(map[int]int, len(schema.Series))
	for i := range schema.Series {
		one := &schema.Series[i]
		known, ok := shown[one.Cell]
		if !ok || one.Kind == perf.Rate && schema.Series[known].Kind != perf.Rate {
			shown[one.Cell] = i
		}
	}
	return shown
}

// Common counts the series that both sides have.
func Common(before, after *perf.Schema) (count int) {
	if before == nil || after == nil {
		return 0
	}
	for i := range after.Series {
		if _, ok := before.Find(after.Series[i].Path()); ok {
			count++
		}
	}
	return count
}
