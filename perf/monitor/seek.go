package monitor

import (
	"context"
	"fmt"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/window"
)

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
	defer o.endSeek()
	o.mutex.Lock()
	o.events.Forget()
	o.status.Ended, o.status.Err = false, nil
	o.mutex.Unlock()
	if err := o.fill(ctx, to); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		o.stop(err)
		return o.Status().Err
	}
	o.pace.restart(time.Now(), o.spacing())
	return nil
}

// fill reads columns until there is one at or after a time, in batches where the source has them.
func (o *owner) fill(ctx context.Context, to time.Time) error {
	earlier := o.readEarlierEvents(ctx)
	reached, err := o.fillInBatches(ctx, to)
	o.note(<-earlier...)
	o.renew()
	for err == nil && !reached {
		var column *perf.Column
		if column, _, err = o.read(ctx, o.pace.interval, o.pace.interval); err != nil || !column.Time.Before(to) {
			break
		}
		reached, err = o.fillInBatches(ctx, to)
		o.renew()
	}
	return err
}

// readEarlierEvents reads the events before the position of a seek, beside its samples. The samples are valid without them.
func (o *owner) readEarlierEvents(ctx context.Context) <-chan []eventlog.Event {
	result := make(chan []eventlog.Event, 1)
	source, can := o.source.(perf.PastEventer)
	if !can {
		result <- nil
		return result
	}
	go func() {
		var events []eventlog.Event
		_ = guard(func() (err error) {
			events, err = source.EventsBefore(ctx, eventlog.Kept)
			return err
		})
		result <- events
	}()
	return result
}

// fillInBatches takes batches into the window, until a row is at or after a time or there is no batch.
func (o *owner) fillInBatches(ctx context.Context, to time.Time) (reached bool, err error) {
	source, can := o.source.(perf.BatchSource)
	for can && !reached {
		batch, err := source.NextBatch(ctx, o.pace.interval, to)
		if err != nil || len(batch.Times) == 0 {
			return false, err
		}
		if err := o.takeBatch(&batch); err != nil {
			return false, err
		}
		reached = !o.newest().Before(to)
	}
	return reached, nil
}

// takeBatch takes a batch into the window.
func (o *owner) takeBatch(batch *perf.Batch) error {
	if err := o.window.PushBatch(o.source.Schema(), batch); err != nil {
		return err
	}
	rows := len(batch.Times)
	missed := 0
	for i, at := range batch.Times {
		missed += int(batch.Missed[i])
		switch {
		case i > 0:
			o.recordSpacing(time.Duration(at - batch.Times[i-1]))
		case o.count > 0:
			o.recordSpacing(time.Unix(0, at).Sub(o.newest()))
		default:
			o.recordSpacing(0)
		}
	}
	o.count += rows
	for back := range min(2, rows) {
		column := &o.pair[(o.count-1-back)%2]
		o.window.CopyNewest(back, column)
		column.Missed = int(batch.Missed[rows-1-back])
	}
	o.labDue = true
	o.advance(o.newest(), rows, missed)
	return nil
}

// endSeek ends a seek: the position is the time of its newest column.
func (o *owner) endSeek() {
	o.seekTarget = time.Time{}
	if o.count == 0 {
		return
	}
	o.mutex.Lock()
	o.status.Now = o.newest()
	o.mutex.Unlock()
	signal(o.past.moved)
}
