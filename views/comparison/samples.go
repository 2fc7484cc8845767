package comparison

import (
	"context"
	"fmt"
	"math"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/compare"
	"cxdeck/perf/window"
)

// Samples gives access to the columns of a source at any time in it. Only one goroutine may use it at a time.
type Samples interface {
	// Span is the time of the first and the last column, Interval the usual time between two.
	Span() (from, to time.Time)
	Interval() time.Duration
	Schema() *perf.Schema
	// Align extends a period to whole rows, where only minutes or hours are kept. row is the length of the longest of these
	// rows, 0 if the period begins and ends with samples.
	Align(ctx context.Context, in compare.Range) (aligned compare.Range, row time.Duration, err error)
	// Sum summarises a period, reading one column each step. A period without a column has no schema and no error.
	Sum(ctx context.Context, in compare.Range, step time.Duration) (compare.Side, error)
	// Curve returns the points of the series with a path, as rates for a cumulative counter; none if there is no such series.
	Curve(ctx context.Context, path string, in compare.Range) ([]perf.Point, error)
	Close() error
}

// Recording returns access to a source that can seek: a session or a log. Closing it closes the source.
func Recording(source perf.Source, interval time.Duration) (Samples, error) {
	seeker, ok := source.(perf.Seeker)
	if !ok {
		return nil, fmt.Errorf("%s has no recorded samples to compare", source.Info().Name)
	}
	return &recording{source, seeker, interval}, nil
}

type recording struct {
	source   perf.Source
	seeker   perf.Seeker
	interval time.Duration
}

func (r *recording) Span() (from, to time.Time) { return r.seeker.Span() }
func (r *recording) Interval() time.Duration    { return r.interval }
func (r *recording) Schema() *perf.Schema       { return r.source.Schema() }
func (r *recording) Close() error               { return r.source.Close() }

func (r *recording) Sum(ctx context.Context, in compare.Range, step time.Duration) (compare.Side, error) {
	schema, summaries, err := compare.Read(ctx, r.source, in, r.interval, step)
	return compare.Side{Schema: schema, Summaries: summaries}, err
}

func (r *recording) Align(ctx context.Context, in compare.Range) (aligned compare.Range, row time.Duration, err error) {
	reader, ok := r.source.(perf.BandReader)
	if !ok || len(r.source.Schema().Series) == 0 {
		return in, 0, nil
	}
	for _, end := range []*time.Time{&in.From, &in.To} {
		bands, err := reader.ReadBands(ctx, 0, *end, *end, 0, nil)
		if err != nil {
			return in, 0, err
		}
		for _, band := range bands {
			if band.Step == 0 {
				continue
			}
			row = max(row, band.Step)
			if end == &in.From {
				*end = time.Unix(0, band.From)
			} else {
				*end = time.Unix(0, band.To)
			}
		}
	}
	return in, row, nil
}

func (r *recording) Curve(ctx context.Context, path string, in compare.Range) ([]perf.Point, error) {
	schema := r.source.Schema()
	at, ok := schema.Find(path)
	reader, can := r.source.(perf.RangeReader)
	if !ok || !can {
		return nil, nil
	}
	points, err := reader.ReadRange(ctx, at, in.From.Add(-r.interval), in.To, nil)
	return pointsIn(&schema.Series[at], points, in), err
}

// Live returns access to a live source: to its window, and to its recording for the time before; the recording may be nil.
func Live(w *window.Recent, interval time.Duration, recording Samples) Samples {
	return &live{w, interval, recording}
}

type live struct {
	window    *window.Recent
	interval  time.Duration
	recording Samples
}

func (r *live) Span() (from, to time.Time) {
	from, to, _ = r.window.FullSpan()
	if r.recording != nil {
		if first, _ := r.recording.Span(); first.Before(from) {
			from = first
		}
	}
	return from, to
}

func (r *live) Interval() time.Duration { return r.interval }

func (r *live) Close() error {
	if r.recording != nil {
		return r.recording.Close()
	}
	return nil
}

func (r *live) Schema() *perf.Schema {
	none := r.window.Select(time.Time{}, time.Time{}, 0)
	return none.Schema
}

// isOld reports whether a period begins before the window, so that only the recording has all of it.
func (r *live) isOld(in compare.Range) bool {
	oldest, _, ok := r.window.FullSpan()
	return r.recording != nil && (!ok || in.From.Before(oldest))
}

func (r *live) Align(ctx context.Context, in compare.Range) (compare.Range, time.Duration, error) {
	if r.isOld(in) {
		return r.recording.Align(ctx, in)
	}
	return in, 0, nil
}

func (r *live) Sum(ctx context.Context, in compare.Range, step time.Duration) (compare.Side, error) {
	if r.isOld(in) {
		return r.recording.Sum(ctx, in, step)
	}
	chosen := r.window.Select(in.ReadFrom(r.interval), in.To, step)
	lead := 0
	for lead < len(chosen.Times) && chosen.Times[lead] < in.From.UnixNano() {
		lead++
	}
	if lead == len(chosen.Times) || chosen.Schema == nil {
		return compare.Side{}, ctx.Err()
	}
	var cells []int64
	summaries := compare.SumCells(chosen.Schema, chosen.Times, lead, func(cell int) []int64 {
		if ctx.Err() != nil {
			return nil
		}
		cells = r.window.Cells(&chosen, cell, cells[:0])
		return cells
	})
	return compare.Side{Schema: chosen.Schema, Summaries: summaries}, ctx.Err()
}

func (r *live) Curve(ctx context.Context, path string, in compare.Range) ([]perf.Point, error) {
	if r.isOld(in) {
		return r.recording.Curve(ctx, path, in)
	}
	schema := r.Schema()
	if schema == nil {
		return nil, nil
	}
	at, ok := schema.Find(path)
	if !ok {
		return nil, nil
	}
	return pointsIn(&schema.Series[at], r.window.Points(at, in.From.Add(-r.interval), in.To, nil), in), nil
}

// pointsIn returns the points of a series within a range; points of a cumulative counter become rates.
func pointsIn(series *perf.Series, points []perf.Point, in compare.Range) []perf.Point {
	from := in.From.UnixNano()
	list := make([]perf.Point, 0, len(points))
	for i, p := range points {
		if series.Kind == perf.Cumulative {
			value := math.NaN()
			if i > 0 && p.Time > points[i-1].Time && p.Value >= points[i-1].Value {
				value = (p.Value - points[i-1].Value) / time.Duration(p.Time-points[i-1].Time).Seconds()
			}
			p.Value = value
		}
		if p.Time >= from {
			list = append(list, p)
		}
	}
	return list
}
