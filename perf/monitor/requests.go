package monitor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/threshold"
	"cxdeck/perf/window"
)

// errEnded is the answer to a request after Run returned.
var errEnded = errors.New("the source is closed")

// runInOwner runs work in the owner's goroutine between two samples, and waits for it. The context of work ends with that of the
// request and with Run's.
func (m *Monitor) runInOwner(ctx context.Context, work func(ctx context.Context) error) error {
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

// seek implements Seek in the owner's goroutine.
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
	o.seekTarget = to
	o.pushed = make(chan error, 1)
	o.pushed <- nil
	defer o.endSeek()
	o.mutex.Lock()
	o.events.Forget()
	o.status.Ended, o.status.Err = false, nil
	o.mutex.Unlock()
	if past, can := o.source.(perf.PastEventer); can { // the samples are valid without them
		events, _ := past.EventsBefore(ctx, eventlog.Kept)
		o.note(events...)
	}
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
	o.pace.restart(time.Now(), o.spacing())
	return nil
}

// endSeek ends a seek: its newest column is in the window, and the position is the time of that column.
func (o *owner) endSeek() {
	if err := <-o.pushed; err != nil {
		o.stop(err)
	}
	o.pushed = nil
	o.seekTarget = time.Time{}
	if o.count == 0 {
		return
	}
	o.mutex.Lock()
	o.status.Now = o.newest()
	o.mutex.Unlock()
	signal(o.past.moved)
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
