package monitor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/threshold"
	"cxdeck/perf/window"
)

// errEnded is the answer to a request after Run returned.
var errEnded = errors.New("the source is closed")

// do has the owner do some work between two samples and waits for it. The context of work ends with that of the
// request and with Run's.
func (m *Monitor) do(ctx context.Context, work func(ctx context.Context) error) error {
	done := make(chan error, 1)
	request := func(run context.Context) {
		both, cancel := context.WithCancel(run)
		defer context.AfterFunc(ctx, cancel)()
		defer cancel()
		done <- guard(func() error { return work(both) })
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

// Seekable says whether Seek works, and over which span.
func (m *Monitor) Seekable() (from, to time.Time, ok bool) { return m.from, m.to, m.seekable }

// Seek moves a recording to a time and fills the window with the ten minutes before it.
func (m *Monitor) Seek(ctx context.Context, to time.Time) error {
	if !m.seekable {
		return fmt.Errorf("%w: %s goes on in its own time; a recording can be sought", ErrNotPossible, m.Status().Info.Name)
	}
	if to.Before(m.from) {
		to = m.from
	}
	if to.After(m.to) {
		to = m.to
	}
	return m.do(ctx, func(ctx context.Context) error { return m.owner.seek(ctx, to) })
}

// seek is Seek, done by the owner.
func (o *owner) seek(ctx context.Context, to time.Time) error {
	start := to.Add(-window.FullRate)
	if start.Before(o.from) {
		start = o.from
	}
	if err := o.source.(perf.Seeker).Seek(start); err != nil {
		return fmt.Errorf("going to %s: %w", to.Format(time.DateTime), err)
	}
	o.window.Clear()
	o.watch.Forget()
	o.count, o.early, o.over = 0, 0, false
	o.mutex.Lock()
	o.events.Forget()
	o.status.Ended, o.status.Err = false, nil
	o.mutex.Unlock()
	for {
		column, _, err := o.read(ctx, o.pace.interval, o.pace.interval)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			o.stop(err)
			return o.Status().Err
		}
		if !column.Time.Before(to) {
			break
		}
	}
	o.pace.restart(time.Now())
	return nil
}

// ReadRange gives any stretch of a series of a source that can (a session), see RangeReader; ok is false when it can't.
func (m *Monitor) ReadRange(ctx context.Context, series int, from, to time.Time, dst []perf.Point) (points []perf.Point, ok bool, err error) {
	reader, can := m.owner.source.(perf.RangeReader)
	if !can {
		return dst, false, nil
	}
	points = dst
	err = m.do(ctx, func(ctx context.Context) (err error) {
		points, err = reader.ReadRange(ctx, series, from, to, dst)
		return err
	})
	return points, true, err
}

// Operable says whether Apply works: the source has a host that takes changes.
func (m *Monitor) Operable() bool { return m.operable }

// Started gives the programs that thresholds have started since it was asked last, oldest first.
func (m *Monitor) Started() []threshold.ProgramStart { return m.owner.runner.Started() }
