package compare

import (
	"cmp"
	"math"
	"slices"
	"time"

	"cxdeck/perf"
)

// Side holds the schema and the summaries of one of the two compared periods.
type Side struct {
	Schema    *perf.Schema
	Summaries []Summary
	// Length is the length of the period, from which the counting error of rates is computed; 0 for no counting error.
	Length time.Duration
}

// Difference is the change of a series that both sides have.
type Difference struct {
	// Series is taken from the schema of the second side.
	Series perf.Series
	// First and Second are the indices of the series in the sides' schemas.
	First, Second int
	Before, After Summary
	// Alike is the number of other series with the same values, such as totals of one port.
	Alike int
	// Change is the difference of the means, in the unit of the series.
	Change float64
	// Percent is Change in percent of the mean before, infinite from 0.
	Percent float64
	// Deviations is Change in standard deviations of the values before, infinite where these were all equal.
	Deviations float64
	// Noise is the largest difference between the means of the noise periods, and Periods their number. Without periods, only
	// the standard deviation of the values before is used.
	Noise   float64
	Periods int
	// score orders the differences: Change divided by the noise before.
	score float64
}

const (
	// floor is the part of the larger mean that is always treated as noise, even for a steady counter: a change of a few
	// percent does not matter to an operator.
	floor = 0.02
	// noiseDeviations and noisePercent are the largest changes that are treated as noise.
	noiseDeviations, noisePercent = 3, 1
	// enoughPeriods is the number of noise periods from which on only their noise decides.
	enoughPeriods = 10
)

// Margin returns the factor by which a change must exceed noise measured in this many periods: the fewer the periods, the
// larger, as they show less of the noise.
func Margin(periods int) float64 { return 1 + 6/float64(max(periods, 1)) }

// BeyondNoise reports whether the change is larger than the normal variation of the series: more than a percent, and more than
// the noise times Margin. With no noise period, or fewer than ten, it must also exceed three standard deviations of the values
// before.
func (d *Difference) BeyondNoise() bool {
	switch {
	case math.Abs(d.Percent) <= noisePercent, d.Periods > 0 && math.Abs(d.Change) <= Margin(d.Periods)*d.Noise:
		return false
	case d.Periods >= enoughPeriods:
		return true
	}
	return math.Abs(d.Deviations) > noiseDeviations
}

// Rank returns the series that differ, the largest difference in proportion to its noise first. It matches the series of the
// sides by their paths. Of several series that read one cell it lists the first rate, and of several series with equal values
// the first. If noise is nil, it takes the standard deviation of the values before.
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

// countingError returns the deviation of a rate that comes from counting whole packets: the square root of their number. One
// packet in a minute says little.
func (d *Difference) countingError(length time.Duration) float64 {
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
	if s, ok := noise.spreadOf(d, before); ok {
		d.Noise, d.Periods = s.highest-s.lowest, s.count
		wide = d.Noise
	}
	d.score = math.Abs(d.Change) / (wide + d.countingError(length) + floor*max(math.Abs(d.Before.Mean), math.Abs(d.After.Mean)))
}

// representatives chooses one series for each cell: a rate before other kinds, then the one that comes first.
func representatives(schema *perf.Schema) map[int]int {
	shown := make(map[int]int, len(schema.Series))
	for i := range schema.Series {
		series := &schema.Series[i]
		known, ok := shown[series.Cell]
		if !ok || series.Kind == perf.Rate && schema.Series[known].Kind != perf.Rate {
			shown[series.Cell] = i
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
