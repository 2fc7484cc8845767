package condition

import (
	"math"
	"slices"
	"time"

	"cxdeck/perf"
)

// verdict reports whether the condition held in none of a band, in all of it, or in an unknown part.
type verdict int

const (
	noneHeld verdict = iota
	allHeld
	unclear
)

// unbounded is longer than any period, and can be added to itself.
const unbounded = time.Duration(math.MaxInt64 / 4)

// evaluator decides for each band whether the condition held in it.
type evaluator struct {
	watch  *Watch
	series *perf.Series
	level  float64
	// gaps reads missed, the times of the samples before which samples were missed; known is set once it has.
	gaps   func() ([]int64, error)
	missed []int64
	known  bool
	// last is the newest reading of a cumulative series, and lastAt its time.
	last   float64
	lastAt int64
}

// span returns the span of a band, and keeps its last reading for the next one. summed is set if finer bands may be kept.
func (j *evaluator) span(band *perf.Band, summed bool) (span, error) {
	low, high := j.bounds(band)
	found, err := j.verdict(low, high, band)
	if err != nil {
		return span{}, err
	}
	s := span{from: band.From, to: band.To, found: found, gap: band.Gap, extreme: high}
	if j.watch.Rule.Below {
		s.extreme = low
	}
	switch {
	case found == unclear && band.Finer && summed:
		s.maxHeld = j.maxHeld(band)
	case found == unclear:
		s.found = j.judgeCoarse(low, high, band)
	}
	j.last, j.lastAt = band.Last, band.To
	return s, nil
}

// bounds returns the smallest and largest value of a band. A counter rises from the reading before it to its last.
func (j *evaluator) bounds(band *perf.Band) (low, high float64) {
	if j.series.Kind != perf.Cumulative {
		return band.Min, band.Max
	}
	if band.Step == 0 || math.IsNaN(j.last) {
		return band.Last, band.Last
	}
	return min(j.last, band.Last), max(j.last, band.Last)
}

// verdict returns the verdict that follows from the bounds of a band.
func (j *evaluator) verdict(low, high float64, band *perf.Band) (verdict, error) {
	switch {
	case math.IsNaN(low):
		return noneHeld, nil
	case j.series.Kind == perf.Cumulative && band.Step > 0 && !j.rises(band):
		return unclear, nil
	case !j.beyond(low) && !j.beyond(high):
		return noneHeld, nil
	case j.beyond(low) && j.beyond(high) && (band.Count == band.Samples || band.Step == 0):
		broken, err := j.broken(band)
		if broken || err != nil {
			return unclear, err
		}
		return allHeld, nil
	}
	return unclear, nil
}

// rises reports whether the readings of a cumulative counter in a band are certain to rise: no change is unknown, as it is after
// missed samples and at a reset, and the counter can't have wrapped.
func (j *evaluator) rises(band *perf.Band) bool {
	if math.IsNaN(j.last) || band.Last < j.last {
		return false
	}
	if !band.Finer {
		return true // nothing finer is kept
	}
	width := j.series.Width
	if width == 0 {
		width = 64
	}
	rise := band.Max * time.Duration(band.To-j.lastAt).Seconds()
	return band.Count == band.Samples && j.last+rise < j.series.Scaled(math.Ldexp(1, int(width)))
}

// broken reports whether samples were missed before or within a band. The values of a gauge don't show that, and the band's gap
// only if it is as long as a band.
func (j *evaluator) broken(band *perf.Band) (bool, error) {
	if band.Step == 0 || !band.Finer || j.gaps == nil || j.series.Kind == perf.Rate || j.series.Kind == perf.Cumulative {
		return false, nil
	}
	if !j.known {
		var err error
		if j.missed, err = j.gaps(); err != nil {
			return false, err
		}
		j.known = true
	}
	at, _ := slices.BinarySearch(j.missed, band.From)
	return at < len(j.missed) && j.missed[at] <= band.To, nil
}

// maxHeld returns the longest time for which the values of an unclear band can have been beyond the level: a rate above 1000 for
// 10 s adds 10,000 to the counter. It is unbounded if the condition may have held in the whole band.
func (j *evaluator) maxHeld(band *perf.Band) time.Duration {
	if j.series.Kind != perf.Rate || math.IsNaN(band.Change) || band.Elapsed <= 0 {
		return unbounded
	}
	elapsed := band.Elapsed.Seconds()
	// The time is longest if all values are either at the level or at the opposite bound of the band.
	seconds := (band.Change - band.Min*elapsed) / (j.level - band.Min)
	if j.watch.Rule.Below {
		seconds = (band.Max*elapsed - band.Change) / (band.Max - j.level)
	}
	if seconds = seconds*(1+1e-9) + 1e-6; !(seconds < elapsed) {
		return unbounded
	}
	return time.Duration(max(0, seconds) * 1e9)
}

// judgeCoarse decides for a band without finer data.
func (j *evaluator) judgeCoarse(low, high float64, band *perf.Band) verdict {
	value := band.Average
	switch {
	case j.series.Kind == perf.Cumulative:
		value = band.Last
	case j.watch.Rule.For == 0 && j.watch.Rule.Below:
		value = low
	case j.watch.Rule.For == 0:
		value = high
	}
	if j.beyond(value) {
		return allHeld
	}
	return noneHeld
}

func (j *evaluator) beyond(value float64) bool {
	if j.watch.Rule.Below {
		return value < j.level
	}
	return value > j.level
}
