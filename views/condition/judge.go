package condition

import (
	"math"
	"slices"
	"time"

	"cxdeck/perf"
)

// verdict is the part of a period that is beyond the level.
type verdict int

const (
	noneHeld verdict = iota
	allHeld
	unclear
)

// unbounded is longer than any period, and can be added to itself.
const unbounded = time.Duration(math.MaxInt64 / 4)

// judge says of bands whether the condition held in them.
type judge struct {
	watch  *Watch
	series *perf.Series
	level  float64
	// gaps returns missed, the times of samples before which others were missed, once known.
	gaps   func() ([]int64, error)
	missed []int64
	known  bool
	// last is the newest reading of a cumulative series, and lastAt its time.
	last   float64
	lastAt int64
}

// span judges a band, and remembers it as the one before the next. summed says that finer bands may be read than this one.
func (j *judge) span(band *perf.Band, summed bool) (span, error) {
	low, high := j.bounds(band)
	found, err := j.verdict(low, high, band)
	if err != nil {
		return span{}, err
	}
	one := span{from: band.From, to: band.To, found: found, gap: band.Gap, extreme: high}
	if j.watch.Rule.Below {
		one.extreme = low
	}
	switch {
	case found == unclear && band.Finer && summed:
		one.atMost = j.atMost(band)
	case found == unclear:
		one.found = j.guess(low, high, band)
	}
	j.last, j.lastAt = band.Last, band.To
	return one, nil
}

// bounds returns the smallest and largest value of a band. A counter rises from the reading before it to its last.
func (j *judge) bounds(band *perf.Band) (low, high float64) {
	if j.series.Kind != perf.Cumulative {
		return band.Min, band.Max
	}
	if band.Step == 0 || math.IsNaN(j.last) {
		return band.Last, band.Last
	}
	return min(j.last, band.Last), max(j.last, band.Last)
}

// verdict returns what the bounds of a band say of its values.
func (j *judge) verdict(low, high float64, band *perf.Band) (verdict, error) {
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

// rises reports whether the readings of a summed up counter surely rise from the reading before them to their last one: all changes are
// known, which none is after missed samples and at a reset, and the counter is not wide enough to have wrapped.
func (j *judge) rises(band *perf.Band) bool {
	if math.IsNaN(j.last) || band.Last < j.last {
		return false
	}
	if !band.Finer {
		return true // as far as it is known
	}
	width := j.series.Width
	if width == 0 {
		width = 64
	}
	rise := band.Max * time.Duration(band.To-j.lastAt).Seconds()
	return band.Count == band.Samples && j.last+rise < j.series.Scaled(math.Ldexp(1, int(width)))
}

// broken reports whether samples were missed before or within a band of which more is known, which its values don't show unless they are
// changes, and its gap only when it is as long as a band.
func (j *judge) broken(band *perf.Band) (bool, error) {
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

// atMost returns how long the values of an unclear band can have been beyond the level: a rate above 1000 for 10 s counts 10,000. It is
// unbounded where that may be all of the band.
func (j *judge) atMost(band *perf.Band) time.Duration {
	if j.series.Kind != perf.Rate || math.IsNaN(band.Change) || band.Elapsed <= 0 {
		return unbounded
	}
	elapsed := band.Elapsed.Seconds()
	// What is not at the end of the range that it is beyond the level by is at the other end of it.
	seconds := (band.Change - band.Min*elapsed) / (j.level - band.Min)
	if j.watch.Rule.Below {
		seconds = (band.Max*elapsed - band.Change) / (band.Max - j.level)
	}
	if seconds = seconds*(1+1e-9) + 1e-6; !(seconds < elapsed) {
		return unbounded
	}
	return time.Duration(max(0, seconds) * 1e9)
}

// guess decides for a band of which nothing finer is left.
func (j *judge) guess(low, high float64, band *perf.Band) verdict {
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

func (j *judge) beyond(value float64) bool {
	if j.watch.Rule.Below {
		return value < j.level
	}
	return value > j.level
}
