package condition

import (
	"context"
	"math"
	"time"

	"cxdeck/perf"
)

// Read appends what is known of the series of a condition in a time to dst, in bands that are not longer than step where there are
// such.
type Read func(ctx context.Context, from, to time.Time, step time.Duration, dst []perf.Band) ([]perf.Band, error)

// Gaps returns the times between two others of samples before which samples were missed, in ascending order.
type Gaps func(ctx context.Context, from, to time.Time) ([]int64, error)

const (
	// minutesPiece is of how much time minutes are read at once, which bounds the memory.
	minutesPiece = 10 * 24 * time.Hour
	// samplesPiece is the same of samples.
	samplesPiece = 4 * time.Hour
	// near is how many bands lie between two unclear ones at most when all of them are looked at closer at once: to begin to read costs
	// as much as to read some.
	near = 4
)

// Finder finds when a condition held in one series, the newest periods first. What is decided by hours is not read by the minute, and what
// is decided by minutes not as samples. Where nothing finer is left than minutes or hours, the condition held in one whose average was
// beyond the level, or, without a time that it must hold for, any value.
type Finder struct {
	judge
	room []perf.Band
	// list are the spans that were not looked at yet.
	list []span
}

// Start reads what hours and minutes say between two times. gaps may be nil where no samples are missed.
func (w *Watch) Start(ctx context.Context, series *perf.Series, from, to time.Time, read Read, gaps Gaps) (*Finder, error) {
	f := &Finder{judge: judge{watch: w, series: series, level: w.level(series), last: math.NaN()}}
	if gaps != nil {
		f.gaps = func() ([]int64, error) { return gaps(ctx, from, to) }
	}
	defer func() { f.gaps = nil }() // samples show theirs
	hours, err := f.spans(ctx, from, to, time.Hour, read, nil)
	if err != nil {
		return nil, err
	}
	minutes, err := f.refine(ctx, w.exclude(hours), read)
	if err != nil {
		return nil, err
	}
	f.list = w.exclude(minutes)
	return f, nil
}

// Done reports whether all parts of the time were returned.
func (f *Finder) Done() bool { return len(f.list) == 0 }

// Part is a part of the time, before and behind which the condition did not hold.
type Part struct {
	judge judge
	list  []span
}

// Parts returns the parts that were not returned yet and may hold a period that began at or after a time, the newest first. They may be
// looked at in any order, from any goroutine.
func (f *Finder) Parts(since time.Time) (list []Part) {
	for len(f.list) > 0 {
		last := len(f.list) - 1
		if f.list[last].found == noneHeld {
			f.list = f.list[:last]
			continue
		}
		if f.list[last].to < since.UnixNano() {
			break
		}
		first := lastPart(f.list)
		list = append(list, Part{f.judge, f.list[first:]})
		f.list = f.list[:first]
	}
	return list
}

// Find finds the periods of a part, in ascending order.
func (p *Part) Find(ctx context.Context, read Read) (periods []Period, err error) {
	h := holding{watch: p.judge.watch}
	f := Finder{judge: p.judge}
	var samples []span
	for i := 0; i < len(p.list); i++ {
		if p.list[i].found != unclear {
			h.take(&p.list[i])
			continue
		}
		last := together(p.list, i, near*time.Minute, samplesPiece)
		if samples, err = f.spans(ctx, instant(p.list[i].from), instant(p.list[last].to), 0, read, samples[:0]); err != nil {
			return nil, err
		}
		for i := range samples {
			h.take(&samples[i])
		}
		i = last
	}
	h.end()
	return h.list, nil
}

// level returns the level in the unit of the series.
func (w *Watch) level(series *perf.Series) float64 {
	if !w.Rule.Percent {
		return w.Rule.Level
	}
	percent, _ := series.LinePercent()
	return w.Rule.Level * percent
}

// span is a time with what is known of it: a band, or several that follow each other and say the same.
type span struct {
	from, to int64
	// found is unclear only where it can be looked at closer.
	found verdict
	// gap reports that samples were missed before it.
	gap bool
	// extreme is the value in it that is the farthest beyond the level.
	extreme float64
	// atMost is how long values can have been beyond the level in it.
	atMost time.Duration
}

// spans appends the spans of a time, as its bands of a length say.
func (f *Finder) spans(ctx context.Context, from, to time.Time, step time.Duration, read Read, dst []span) ([]span, error) {
	bands, err := read(ctx, from, to, step, f.room[:0])
	if err != nil {
		return nil, err
	}
	f.room = bands
	f.last = math.NaN()
	for i := range bands {
		one, err := f.span(&bands[i], step > 0)
		if err != nil {
			return nil, err
		}
		dst = f.watch.join(dst, one)
	}
	return dst, ctx.Err()
}

// join appends a span, or makes the last one longer by it where both say the same.
func (w *Watch) join(list []span, one span) []span {
	if last := len(list) - 1; last >= 0 && !one.gap && one.found != unclear && list[last].found == one.found {
		list[last].to, list[last].extreme = one.to, w.farther(list[last].extreme, one.extreme)
		return list
	}
	return append(list, one)
}

// exclude finds out which unclear spans hold no period that is long enough: a period that goes beyond a span either fills the next
// one, or ends in it.
func (w *Watch) exclude(list []span) []span {
	neighbour := func(i int) time.Duration {
		switch {
		case i < 0 || i >= len(list) || list[i].found == noneHeld:
			return 0
		case list[i].found == allHeld:
			return unbounded
		}
		return list[i].atMost
	}
	kept := make([]span, 0, len(list))
	for i, one := range list {
		if one.found == unclear && one.atMost+max(neighbour(i-1), neighbour(i+1)) < w.Rule.For {
			one.found, one.gap = noneHeld, false
		}
		kept = w.join(kept, one)
	}
	return kept
}

// refine reads minutes of what hours leave unclear.
func (f *Finder) refine(ctx context.Context, hours []span, read Read) (list []span, err error) {
	for i := 0; i < len(hours); i++ {
		if hours[i].found != unclear {
			list = f.watch.join(list, hours[i])
			continue
		}
		last := together(hours, i, near*time.Hour, minutesPiece)
		if list, err = f.spans(ctx, instant(hours[i].from), instant(hours[last].to), time.Minute, read, list); err != nil {
			return nil, err
		}
		i = last
	}
	return list, nil
}

// together returns up to which span all are looked at closer at once, beginning with one that is unclear.
func together(list []span, first int, between, longest time.Duration) (last int) {
	last = first
	for i := first + 1; i < len(list) && list[i].from-list[last].to <= int64(between) && list[i].to-list[first].from < int64(longest); i++ {
		if list[i].found == unclear {
			last = i
		}
	}
	return last
}

// lastPart returns where the last spans begin that are looked at together: behind a time in which the condition did not hold, unless that
// is short. What comes before such a time has nothing to do with what is behind.
func lastPart(list []span) (first int) {
	end := list[len(list)-1].to
	for first = len(list) - 1; first > 0; first-- {
		before := &list[first-1]
		if before.found == noneHeld && (list[first].from-before.from > int64(near*time.Minute) || end-before.from > int64(samplesPiece)) {
			break
		}
	}
	return first
}

// holding puts spans together to periods.
type holding struct {
	watch *Watch
	open  *Period
	list  []Period
}

// take continues with a span.
func (h *holding) take(one *span) {
	if one.gap || one.found != allHeld {
		h.end()
	}
	if one.found != allHeld {
		return
	}
	if h.open == nil {
		h.open = &Period{From: instant(one.from), Extreme: one.extreme}
	}
	h.open.To = instant(one.to)
	h.open.Extreme = h.watch.farther(h.open.Extreme, one.extreme)
}

// end ends an open period; it counts when it was long enough.
func (h *holding) end() {
	if h.open != nil && h.open.To.Sub(h.open.From) >= h.watch.Rule.For {
		h.list = append(h.list, *h.open)
	}
	h.open = nil
}

// farther returns which of two values is farther beyond the level.
func (w *Watch) farther(a, b float64) float64 {
	if w.Rule.Below {
		return min(a, b)
	}
	return max(a, b)
}

func instant(at int64) time.Time { return time.Unix(0, at).UTC() }
