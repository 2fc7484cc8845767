package compare

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"cxdeck/perf"
)

// Range is a stretch of time, both ends included.
type Range struct{ From, To time.Time }

// Length is the time from one end to the other.
func (r Range) Length() time.Duration { return r.To.Sub(r.From) }

// Before returns the stretch before the range with which it is compared by default: four times as long.
func (r Range) Before() Range { return Range{r.From.Add(-stretchBefore * r.Length()), r.From} }

const (
	stretchBefore = 4
	// maxSteps limits how many columns of a range are read. Rates over longer steps have the same mean. Beyond sequential,
	// the step up to which reading on is quicker than seeking each column, soughtSteps limits it.
	maxSteps    = 60
	soughtSteps = 20
	sequential  = 10 * time.Second
)

// Step returns the time between two columns for comparing ranges, of which the shortest has this length: a multiple of the
// interval, at most 60 steps of it, or 20 longer ones. Deviations can be compared only between ranges with one step.
func Step(interval, length time.Duration) time.Duration {
	interval = max(interval, time.Millisecond)
	steps := func(count int64) time.Duration {
		parts := (int64(length)/count + int64(interval) - 1) / int64(interval)
		return max(interval, time.Duration(parts)*interval)
	}
	if step := steps(maxSteps); step <= sequential {
		return step
	}
	return steps(soughtSteps)
}

// Read sums up a range of a source that can be sought. It reads a column each step, and one before the range for the
// first rates. A range without a column has no schema and no error.
func Read(ctx context.Context, source perf.Source, in Range, step time.Duration) (*perf.Schema, []Summary, error) {
	seeker, ok := source.(perf.Seeker)
	if !ok {
		return nil, nil, fmt.Errorf("%s has no past to compare", source.Info().Name)
	}
	if err := seeker.Seek(in.From.Add(-step)); err != nil {
		return nil, nil, err
	}
	var collector Collector
	var column perf.Column
	within := false
	for began := false; ; began = true {
		if began && step > sequential {
			if err := seeker.Seek(column.Time.Add(step)); err != nil {
				return nil, nil, err
			}
		}
		err := source.Next(ctx, step, &column)
		if errors.Is(err, io.EOF) || err == nil && column.Time.After(in.To) {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		before := column.Time.Before(in.From)
		within = within || !before
		collector.Column(source.Schema(), &column, before)
	}
	if !within {
		return nil, nil, nil
	}
	schema, summaries := collector.Summaries()
	return schema, summaries, nil
}
