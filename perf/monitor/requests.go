package monitor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/threshold"
)

// errEnded is the answer to a request after Run returned.
var errEnded = errors.New("the source is closed")

// runInOwner runs work in the owner's goroutine between two samples, and waits for it. The context of work ends with the
// request's and with Run's.
func (m *Monitor) runInOwner(ctx context.Context, work func(ctx context.Context) error) error {
	done := make(chan error, 1)
	request := func(run context.Context) {
		joined, cancel := context.WithCancel(run)
		defer context.AfterFunc(ctx, cancel)()
		defer cancel()
		done <- guard(func() error { return work(joined) })
	}
	select {
	case m.requests <- request:
		return <-done
	case <-ctx.Done():
		return ctx.Err()
	case <-m.ended:
		return errEnded
	}
}

// Seekable reports whether Seek works, and its range.
func (m *Monitor) Seekable() (from, to time.Time, ok bool) { return m.from, m.to, m.seekable }

// Seek moves a recording to a time and fills the window with the ten minutes before it.
func (m *Monitor) Seek(ctx context.Context, to time.Time) error {
	if !m.seekable {
		return fmt.Errorf("%w: %s runs at its own speed; only a recording can be played from another time", ErrNotPossible, m.Status().Info.Name)
	}
	if to.Before(m.from) {
		to = m.from
	}
	if to.After(m.to) {
		to = m.to
	}
	m.leaveRepeated(to)
	return m.runInOwner(ctx, func(ctx context.Context) error { return m.owner.seek(ctx, to) })
}

// ReadRange reads any period of a series from a perf.RangeReader (a session); ok is false for other sources.
func (m *Monitor) ReadRange(ctx context.Context, series int, from, to time.Time, dst []perf.Point) (points []perf.Point, ok bool, err error) {
	reader, can := m.owner.source.(perf.RangeReader)
	if !can {
		return dst, false, nil
	}
	points = dst
	err = m.runInOwner(ctx, func(ctx context.Context) (err error) {
		points, err = reader.ReadRange(ctx, series, from, to, dst)
		return err
	})
	return points, true, err
}

// ReadBands reads the bands of a series from a perf.BandReader; ok is false for other sources.
func (m *Monitor) ReadBands(ctx context.Context, series int, from, to time.Time, step time.Duration, dst []perf.Band) (bands []perf.Band, ok bool, err error) {
	reader, can := m.owner.source.(perf.BandReader)
	if !can {
		return dst, false, nil
	}
	bands = dst
	err = m.runInOwner(ctx, func(ctx context.Context) (err error) {
		bands, err = reader.ReadBands(ctx, series, from, to, step, dst)
		return err
	})
	return bands, true, err
}

// Operable reports whether Apply works: the source has a host that can be changed.
func (m *Monitor) Operable() bool { return m.operable }

// Started returns the programs that thresholds have started since the last call, oldest first.
func (m *Monitor) Started() []threshold.ProgramStart { return m.owner.runner.Started() }
