package condition

import (
	"context"
	"math"
	"time"

	"cxdeck/perf"
)

// Read reads the bands of a condition's series between two times: bands of at most step, if such bands are kept. The result is used
// until the next call only.
type Read func(ctx context.Context, from, to time.Time, step time.Duration) ([]perf.Band, error)

// Gaps returns the times of the samples before which samples were missed, between two times, in ascending order.
type Gaps func(ctx context.Context, from, to time.Time) ([]int64, error)

const (
	// minutesPiece is the longest time whose minutes are read at once, to bound the memory.
	minutesPiece = 10 * 24 * time.Hour
	// samplesPiece is the same for samples.
	samplesPiece = 4 * time.Hour
	// near is the maximum number of bands between two unclear ones that are read in one piece with them: a second read
	// would cost more than these bands.
	near = 4
)

// Finder finds the periods in which a condition held in one series, the newest first. It reads minutes only where hours leave
// the result unclear, and samples only where minutes do. Where only hours or minutes are kept, the condition held in a band
// whose average is beyond the level; a condition without a time held in a band with any value beyond it.
type Finder struct {
	evaluator
	// list holds the spans that Parts has not returned yet.
	list []span
}

// Start reads the hours, and where needed the minutes, between two times. gaps may be nil if no samples were missed.
func (w *Watch) Start(ctx context.Context, series *perf.Series, from, to time.Time, read Read, gaps Gaps) (*Finder, error) {
	f := &Finder{evaluator: evaluator{watch: w, series: series, level: w.level(series), last: math.NaN()}}
	if gaps != nil {
		f.gaps = func() ([]int64, error) { return gaps(ctx, from, to) }
	}
	defer func() { f.gaps = nil }() // samples contain their gaps
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

// Part is a part of the time: right before and right after it the condition did not hold.
type Part struct {
	judge evaluator
	list  []span
}

// Parts returns the parts that it has not returned yet and that may contain a period that began at or after a time, the newest
// first. Find may be called on them in any order, from any goroutine.
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
		list = append(list, Part{f.evaluator, f.list[first:]})
		f.list = f.list[:first]
	}
	return list
}

// Find finds the periods of a part, in ascending order.
func (p *Part) Find(ctx context.Context, read Read) (periods []Period, err error) {
	h := periodBuilder{watch: p.judge.watch}
	f := Finder{evaluator: p.judge}
	var samples []span
	for i := 0; i < len(p.list); i++ {
		if p.list[i].found != unclear {
			h.add(&p.list[i])
			continue
		}
		last := lastInBatch(p.list, i, near*time.Minute, samplesPiece)
		if samples, err = f.spans(ctx, instant(p.list[i].from), instant(p.list[last].to), 0, read, samples[:0]); err != nil {
			return nil, err
		}
		for i := range samples {
			h.add(&samples[i])
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

// span is one band, or several consecutive bands with the same verdict.
type span struct {
	from, to int64
	// found is unclear only if finer bands or samples can be read.
	found verdict
	// gap reports that samples were missed before it.
	gap bool
	// extreme is the value in it that is farthest beyond the level.
	extreme float64
	// maxHeld is the longest time for which values in it can have been beyond the level.
	maxHeld time.Duration
}

// spans appends the spans between two times, made from bands of at most step.
func (f *Finder) spans(ctx context.Context, from, to time.Time, step time.Duration, read Read, dst []span) ([]span, error) {
	bands, err := read(ctx, from, to, step)
	if err != nil {
		return nil, err
	}
	f.last = math.NaN()
	for i := range bands {
		s, err := f.span(&bands[i], step > 0)
		if err != nil {
			return nil, err
		}
		dst = f.watch.join(dst, s)
	}
	return dst, ctx.Err()
}

// join appends a span, or extends the last one if both have the same verdict.
func (w *Watch) join(list []span, s span) []span {
	if last := len(list) - 1; last >= 0 && !s.gap && s.found != unclear && list[last].found == s.found {
		list[last].to, list[last].extreme = s.to, w.moreExtreme(list[last].extreme, s.extreme)
		return list
	}
	return append(list, s)
}

// exclude sets the verdict of unclear spans that contain no period of the required length to noneHeld: a period that continues
// after a span either fills the next one, or ends in it.
func (w *Watch) exclude(list []span) []span {
	neighbour := func(i int) time.Duration {
		switch {
		case i < 0 || i >= len(list) || list[i].found == noneHeld:
			return 0
		case list[i].found == allHeld:
			return unbounded
		}
		return list[i].maxHeld
	}
	kept := make([]span, 0, len(list))
	for i, s := range list {
		if s.found == unclear && s.maxHeld+max(neighbour(i-1), neighbour(i+1)) < w.Rule.For {
			s.found, s.gap = noneHeld, false
		}
		kept = w.join(kept, s)
	}
	return kept
}

// refine replaces unclear hours by their minutes.
func (f *Finder) refine(ctx context.Context, hours []span, read Read) (list []span, err error) {
	for i := 0; i < len(hours); i++ {
		if hours[i].found != unclear {
			list = f.watch.join(list, hours[i])
			continue
		}
		last := lastInBatch(hours, i, near*time.Hour, minutesPiece)
		if list, err = f.spans(ctx, instant(hours[i].from), instant(hours[last].to), time.Minute, read, list); err != nil {
			return nil, err
		}
		i = last
	}
	return list, nil
}

// lastInBatch returns the last span to read in one piece with the first, which is unclear.
func lastInBatch(list []span, first int, between, longest time.Duration) (last int) {
	last = first
	for i := first + 1; i < len(list) && list[i].from-list[last].to <= int64(between) && list[i].to-list[first].from < int64(longest); i++ {
		if list[i].found == unclear {
			last = i
		}
	}
	return last
}

// lastPart returns the first span of the last part. A part begins after a time in which the condition did not hold, unless that
// time is short: no period continues across it.
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

// periodBuilder joins spans to periods.
type periodBuilder struct {
	watch *Watch
	open  *Period
	list  []Period
}

// add continues with a span.
func (h *periodBuilder) add(s *span) {
	if s.gap || s.found != allHeld {
		h.end()
	}
	if s.found != allHeld {
		return
	}
	if h.open == nil {
		h.open = &Period{From: instant(s.from), Extreme: s.extreme}
	}
	h.open.To = instant(s.to)
	h.open.Extreme = h.watch.moreExtreme(h.open.Extreme, s.extreme)
}

// end closes an open period, and keeps it if it was long enough.
func (h *periodBuilder) end() {
	if h.open != nil && h.open.To.Sub(h.open.From) >= h.watch.Rule.For {
		h.list = append(h.list, *h.open)
	}
	h.open = nil
}

// moreExtreme returns the value that is farther beyond the level.
func (w *Watch) moreExtreme(a, b float64) float64 {
	if w.Rule.Below {
		return min(a, b)
	}
	return max(a, b)
}

func instant(at int64) time.Time { return time.Unix(0, at).UTC() }
