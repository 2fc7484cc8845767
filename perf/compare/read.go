package compare

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"cxdeck/perf"
)

// Range is a period of time, both ends included.
type Range struct{ From, To time.Time }

// Length returns the time from one end to the other.
func (r Range) Length() time.Duration { return r.To.Sub(r.From) }

// Before returns the period with which the range is compared by default: the time before it, four times as long.
func (r Range) Before() Range { return Range{r.From.Add(-periodBefore * r.Length()), r.From} }

const (
	periodBefore = 4
	// maxSteps limits the columns that are read of a range. Rates over longer steps have the same mean. For steps above
	// sequential, seeking each column is faster than reading on, and soughtSteps is the limit.
	maxSteps    = 60
	soughtSteps = 20
	sequential  = 10 * time.Second
)

// Step returns the time between two columns that are read, a multiple of the interval; length is the length of the shorter range.
// It makes at most 60 steps of up to 10 s, or 20 longer ones. Both ranges must use one step for their deviations to be comparable.
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

// ReadFrom returns the time from which the columns of a range are read, when a source has one each interval, early or late by half
// of it: the last column before the range is read for the first rates, which then reach no further back than a sample of the range does.
func (r Range) ReadFrom(interval time.Duration) time.Time { return r.From.Add(-interval - interval/2) }

// Read summarises a range of a source that can seek and has a column each interval. It reads the last column before the range for
// the first rates, and then one each step. A range without a column returns no schema and no error.
func Read(ctx context.Context, source perf.Source, in Range, interval, step time.Duration) (*perf.Schema, []Summary, error) {
	seeker, ok := source.(perf.Seeker)
	if !ok {
		return nil, nil, fmt.Errorf("%s has no recorded samples to compare", source.Info().Name)
	}
	if err := seeker.Seek(in.ReadFrom(interval)); err != nil {
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
