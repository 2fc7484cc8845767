package condition

import (
	"context"
	"math"
	"slices"
	"time"

	"cxdeck/perf"
)

// Read appends what is known of the series of a condition in a time to dst, in bands that are not longer than step where there are
// such.
type Read func(ctx context.Context, from, to time.Time, step time.Duration, dst []perf.Band) ([]perf.Band, error)

// Gaps returns the times between two others of samples before which samples were missed, in ascending order.
type Gaps func(ctx context.Context, from, to time.Time) ([]int64, error)

// steps are the lengths of the bands that are looked at: what is decided by an hour is not read by the minute. pieces are how much
// is read of each at once, which bounds the memory.
var (
	steps  = [...]time.Duration{time.Hour, time.Minute, 0}
	pieces = [...]time.Duration{1: 10 * 24 * time.Hour, 2: 4 * time.Hour}
)

// Find finds when a condition held between two times, as Held does in points. Where nothing finer is left than minutes or hours,
// the condition held in one whose average was beyond the level, or, without a time that it must hold for, any value. gaps may be nil
// where no samples are missed.
func (w *Watch) Find(ctx context.Context, series *perf.Series, from, to time.Time, read Read, gaps Gaps) ([]Period, error) {
	f := finder{watch: w, series: series, level: w.level(series), read: read, last: math.NaN()}
	if gaps != nil {
		f.gaps = func() ([]int64, error) { return gaps(ctx, from, to) }
	}
	if err := f.searchBands(ctx, from, to, 0); err != nil {
		return nil, err
	}
	f.end()
	return f.list, nil
}

// level returns the level in the unit of the series.
func (w *Watch) level(series *perf.Series) float64 {
	if !w.Rule.Percent {
		return w.Rule.Level
	}
	percent, _ := series.LinePercent()
	return w.Rule.Level * percent
}

// near is how many bands lie between two unclear ones at most when all of them are looked at closer at once: to begin to read costs
// as much as to read some.
const near = 16

// finder finds when a condition held in one series.
type finder struct {
	watch  *Watch
	series *perf.Series
	level  float64
	read   Read
	// gaps returns missed, the times of samples before which others were missed, once known.
	gaps   func() ([]int64, error)
	missed []int64
	known  bool
	// last is the newest reading of a cumulative series, and lastAt its time.
	last   float64
	lastAt int64
	open   *Period
	list   []Period
	rooms  [len(steps)][]perf.Band
}

// verdict says how much of a band is beyond the level.
type verdict int

const (
	noneHeld verdict = iota
	allHeld
	unclear
)

// searchBands goes through a time in bands of one length, and through what they leave unclear in shorter ones.
func (f *finder) searchBands(ctx context.Context, from, to time.Time, step int) error {
	bands, err := f.read(ctx, from, to, steps[step], f.rooms[step][:0])
	if err != nil {
		return err
	}
	f.rooms[step] = bands
	for i := 0; i < len(bands); i++ {
		band := &bands[i]
		low, high := f.bounds(band)
		found, err := f.judge(low, high, band)
		if err != nil {
			return err
		}
		if found == unclear && band.Finer && step+1 < len(steps) {
			first := i
			for ahead := i + 1; ahead < len(bands) && ahead <= i+near && bands[ahead].Finer && bands[ahead].To-bands[first].From < int64(pieces[step+1]); ahead++ {
				found, err := f.next(&bands[ahead-1], &bands[ahead])
				if err != nil {
					return err
				}
				if found == unclear {
					i = ahead
				}
			}
			f.last = math.NaN()
			if err := f.searchBands(ctx, toTime(bands[first].From), toTime(bands[i].To), step+1); err != nil {
				return err
			}
			f.last, f.lastAt = bands[i].Last, bands[i].To
			continue
		}
		if band.Gap {
			f.end()
		}
		if found == unclear {
			found = f.decideCoarse(low, high, band)
		}
		f.take(found == allHeld, band, low, high)
		f.last, f.lastAt = band.Last, band.To
	}
	return ctx.Err()
}

// next judges the band behind another.
func (f *finder) next(before, band *perf.Band) (verdict, error) {
	f.last, f.lastAt = before.Last, before.To
	low, high := f.bounds(band)
	return f.judge(low, high, band)
}

// bounds returns the smallest and largest value of a band. A counter rises from the reading before it to its last.
func (f *finder) bounds(band *perf.Band) (low, high float64) {
	if f.series.Kind != perf.Cumulative {
		return band.Min, band.Max
	}
	if band.Step == 0 || math.IsNaN(f.last) {
		return band.Last, band.Last
	}
	return min(f.last, band.Last), max(f.last, band.Last)
}

// judge says what the bounds of a band say of its values.
func (f *finder) judge(low, high float64, band *perf.Band) (verdict, error) {
	switch {
	case math.IsNaN(low):
		return noneHeld, nil
	case f.series.Kind == perf.Cumulative && band.Step > 0 && !f.rises(band):
		return unclear, nil
	case !f.meetsLevel(low) && !f.meetsLevel(high):
		return noneHeld, nil
	case f.meetsLevel(low) && f.meetsLevel(high) && band.Count == band.Samples:
		broken, err := f.broken(band)
		if broken || err != nil {
			return unclear, err
		}
		return allHeld, nil
	}
	return unclear, nil
}

// rises reports whether the readings of a summed up counter surely rise from the reading before them to their last one: all changes are
// known, which none is after missed samples and at a reset, and the counter is not wide enough to have wrapped.
func (f *finder) rises(band *perf.Band) bool {
	if math.IsNaN(f.last) || band.Last < f.last {
		return false
	}
	if !band.Finer {
		return true // as far as it is known
	}
	width := f.series.Width
	if width == 0 {
		width = 64
	}
	rise := band.Max * time.Duration(band.To-f.lastAt).Seconds()
	return band.Count == band.Samples && f.last+rise < f.series.Scaled(math.Ldexp(1, int(width)))
}

// broken reports whether samples were missed before or within a band of which more is known, which its values don't show unless they are
// changes, and its gap only when it is as long as a band.
func (f *finder) broken(band *perf.Band) (bool, error) {
	if band.Step == 0 || !band.Finer || f.gaps == nil || f.series.Kind == perf.Rate || f.series.Kind == perf.Cumulative {
		return false, nil
	}
	if !f.known {
		var err error
		if f.missed, err = f.gaps(); err != nil {
			return false, err
		}
		f.known = true
	}
	at, _ := slices.BinarySearch(f.missed, band.From)
	return at < len(f.missed) && f.missed[at] <= band.To, nil
}

// decideCoarse decides for a band of which nothing finer is left.
func (f *finder) decideCoarse(low, high float64, band *perf.Band) verdict {
	value := band.Average
	switch {
	case f.series.Kind == perf.Cumulative:
		value = band.Last
	case f.watch.Rule.For == 0 && f.watch.Rule.Below:
		value = low
	case f.watch.Rule.For == 0:
		value = high
	}
	if f.meetsLevel(value) {
		return allHeld
	}
	return noneHeld
}

func (f *finder) meetsLevel(value float64) bool {
	if f.watch.Rule.Below {
		return value < f.level
	}
	return value > f.level
}

// take continues with a band that held, or not.
func (f *finder) take(held bool, band *perf.Band, low, high float64) {
	if !held {
		f.end()
		return
	}
	extreme := high
	if f.watch.Rule.Below {
		extreme = low
	}
	if f.open == nil {
		f.open = &Period{toTime(band.From), toTime(band.To), extreme}
	}
	f.open.To = toTime(band.To)
	if f.watch.Rule.Below {
		f.open.Extreme = min(f.open.Extreme, extreme)
	} else {
		f.open.Extreme = max(f.open.Extreme, extreme)
	}
}

// end ends an open period; it counts when it was long enough.
func (f *finder) end() {
	if f.open != nil && f.open.To.Sub(f.open.From) >= f.watch.Rule.For {
		f.list = append(f.list, *f.open)
	}
	f.open = nil
}

func toTime(at int64) time.Time { return time.Unix(0, at).UTC() }
