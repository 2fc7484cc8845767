package twin

import (
	"context"
	"io"
	"time"

	"cxdeck/driver/twin"
	"cxdeck/perf"
	"cxdeck/perf/fit"
)

// Sampling is how many samples of its counters collect takes of a machine, and the time between two of them. With fewer than three it takes
// none, as no workload can follow them.
type Sampling struct {
	Count    int
	Interval time.Duration
	// Wait waits for the next sample; nil for the machine's clock.
	Wait func(ctx context.Context, d time.Duration) error
}

// pause waits for a time, or until the context ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// leastSamples is the number of samples that a course requires: two rows, and the counts before them.
const leastSamples = 3

// take takes samples of the counters that workloads can follow. It returns nil without such counters.
func (s *Sampling) take(ctx context.Context, source perf.Source) (*twin.Samples, error) {
	if s.Count < leastSamples {
		return nil, nil
	}
	wait := s.Wait
	if wait == nil {
		wait = pause
	}
	taken := &twin.Samples{}
	var series []perf.Series
	var before []int64
	var column perf.Column
	for n := range min(s.Count, twin.MaxSamples) {
		if n > 0 {
			if err := wait(ctx, s.Interval); err != nil {
				return nil, err
			}
		}
		if err := source.Next(ctx, s.Interval, &column); err != nil {
			return nil, err
		}
		for _, found := range source.Schema().Series[len(before):] { // the first sample finds the statistics of the drivers
			before = append(before, perf.Missing)
			series = append(series, found)
			if isSampled(&found) {
				taken.Counters = append(taken.Counters, twin.Counts{Path: found.Path(), Increases: unknown(n)})
			}
		}
		taken.Times = append(taken.Times, column.Time.UTC())
		at := 0
		for i := range series {
			if !isSampled(&series[i]) {
				continue
			}
			c := &taken.Counters[at]
			c.Increases = append(c.Increases, increase(&series[i], &before[i], series[i].CellOf(&column)))
			at++
		}
	}
	if len(taken.Counters) == 0 {
		return nil, nil
	}
	return taken, nil
}

// isSampled reports whether a series counts, and workloads can follow it.
func isSampled(s *perf.Series) bool { return s.Kind != perf.Gauge && fit.IsMain(s.Set, s.Counter) }

// unknown returns the increases of a counter that appears after some samples.
func unknown(samples int) []int64 {
	list := make([]int64, samples)
	for i := range list {
		list[i] = -1
	}
	return list
}

// increase returns the increase of a count since the last known one, -1 if it is missing or was reset.
func increase(s *perf.Series, before *int64, now int64) int64 {
	if now == perf.Missing {
		return -1
	}
	change, ok := uint64(0), true
	if *before != perf.Missing {
		change, ok = perf.Change(*before, now, s.Width)
	}
	*before = now
	if !ok || change > 1<<62 {
		return -1
	}
	return int64(change)
}

// sampled is the source of the samples of a bundle.
type sampled struct {
	samples *twin.Samples
	schema  *perf.Schema
	sums    []int64
	row     int
}

// openSamples opens the samples of a bundle. Counters with unknown paths are left out.
func openSamples(samples *twin.Samples) perf.Source {
	s := &sampled{samples: samples, schema: &perf.Schema{Cells: len(samples.Counters)}, sums: make([]int64, len(samples.Counters))}
	for i := range samples.Counters {
		set, instance, counter, valid := perf.SplitPath(samples.Counters[i].Path)
		if !valid || !fit.IsMain(set, counter) {
			continue
		}
		known, ok := perf.Catalogue().Counter(set, counter)
		if !ok {
			continue
		}
		series := perf.Series{Set: set, Instance: instance, Counter: counter, Kind: known.Kind, Unit: known.Unit, Cell: i}
		if known.Unit == perf.Kilobytes {
			series.Scale = 1e-3
		}
		s.schema.Series = append(s.schema.Series, series)
	}
	return s
}

func (s *sampled) Info() perf.SourceInfo      { return perf.SourceInfo{Kind: perf.LogSource} }
func (s *sampled) Schema() *perf.Schema       { return s.schema }
func (s *sampled) Inventory() *perf.Inventory { return &perf.Inventory{} }
func (s *sampled) Close() error               { return nil }

// Next returns the next sample.
func (s *sampled) Next(ctx context.Context, _ time.Duration, column *perf.Column) error {
	if s.row == len(s.samples.Times) {
		return io.EOF
	}
	column.Grow(s.schema.Cells)
	column.Time, column.Missed = s.samples.Times[s.row], 0
	for i := range s.samples.Counters {
		rise := s.samples.Counters[i].Increases[s.row]
		if rise < 0 || rise > 1<<62-s.sums[i] {
			column.Cells[i] = perf.Missing
			continue
		}
		s.sums[i] += rise
		column.Cells[i] = s.sums[i]
	}
	s.row++
	return ctx.Err()
}
