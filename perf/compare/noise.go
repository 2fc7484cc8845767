package compare

import (
	"math"

	"cxdeck/perf"
)

// Noise is the normal variation of series: the largest difference between the means of periods of one length.
type Noise struct {
	schema *perf.Schema // of the newest period
	// Periods is the number of periods that were added.
	Periods int
	series  []spread
}

// spread holds the lowest and the highest mean of a series.
type spread struct {
	lowest, highest float64
	count           int
}

// Add adds a period. All periods are of one source, and the schema of a later one begins with the series of an earlier one.
func (n *Noise) Add(side Side) {
	if side.Schema == nil {
		return
	}
	if n.schema == nil || len(side.Summaries) >= len(n.series) {
		n.schema = side.Schema
	}
	n.Periods++
	for len(n.series) < len(side.Summaries) {
		n.series = append(n.series, spread{})
	}
	for i := range side.Summaries {
		mean, s := side.Summaries[i].Mean, &n.series[i]
		switch {
		case math.IsNaN(mean):
			continue
		case s.count == 0:
			s.lowest, s.highest = mean, mean
		default:
			s.lowest, s.highest = min(s.lowest, mean), max(s.highest, mean)
		}
		s.count++
	}
}

// spreadOf finds the spread of a series by its index in the schema of the period before, or by its path.
func (n *Noise) spreadOf(d *Difference, before *perf.Schema) (spread, bool) {
	if n == nil || n.schema == nil {
		return spread{}, false
	}
	at := d.First
	if n.schema != before && (at >= len(n.schema.Series) || n.schema.Series[at].Path() != d.Series.Path()) {
		var ok bool
		if at, ok = n.schema.Find(d.Series.Path()); !ok {
			return spread{}, false
		}
	}
	if at >= len(n.series) || n.series[at].count < 2 {
		return spread{}, false
	}
	return n.series[at], true
}
