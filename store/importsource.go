package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"cxdeck/perf"
	"cxdeck/store/transfer"
)

// ImportSource records all of a source that ends, such as a log, as a session of the history: all of it or nothing. The
// history has it already when it has a session of a source with the same name, host, first and last time and number of samples.
func (db *DB) ImportSource(ctx context.Context, source perf.Source, progress func(done, all int)) (result transfer.Imported, err error) {
	if _, err := db.writable(); err != nil {
		return result, err
	}
	into := db.transfer()
	directory, remove, err := into.MakeStage()
	if err != nil {
		return result, err
	}
	defer remove()
	staged, err := Open(ctx, filepath.Join(directory, "stage.db"), Options{Version: db.options.Version})
	if err != nil {
		return result, into.ExplainStage(err)
	}
	defer func() { err = errors.Join(err, into.ExplainStage(staged.Close())) }()
	if err := staged.recordWhole(ctx, source, progress); err != nil {
		return result, into.ExplainStage(err)
	}
	all, err := staged.Sessions(ctx)
	if err != nil {
		return result, into.ExplainStage(err)
	}
	list, err := into.CopySessions(ctx, staged.reader, all, nil)
	if err != nil {
		return result, err
	}
	return list[0], nil
}

var errNothingRecorded = errors.New("it has no samples")

// waitBytes and waitColumns limit the queue when the source is faster than the disk: a part of the queue's capacity.
const (
	waitBytes   = queueBytes / 4
	waitColumns = queueColumns / 4
)

// recordWhole records a source to its end.
func (db *DB) recordWhole(ctx context.Context, source perf.Source, progress func(done, all int)) (err error) {
	interval, err := sampleInterval(ctx, source)
	if err != nil {
		return err
	}
	recorder, err := db.Begin(ctx, source.Info(), interval)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, recorder.Close(context.WithoutCancel(ctx))) }()
	recorder.Schema(source.Schema(), source.Inventory())
	eventer, hasEvents := source.(perf.Eventer)
	from, to := source.(perf.Seeker).Span()
	length := max(1, int(to.Sub(from)/time.Second))
	if progress != nil {
		defer progress(length, length)
	}
	var column perf.Column
	queued, count := 0, 0
	for {
		if err := source.Next(ctx, 0, &column); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return err
		}
		recorder.Column(&column)
		if hasEvents {
			recorder.Events(eventer.Events())
		}
		queued, count = queued+8*len(column.Cells), count+1
		if queued >= waitBytes || count >= waitColumns {
			queued, count = 0, 0
			if err := recorder.waitUntilWritten(ctx); err != nil {
				return err
			}
		}
		if progress != nil {
			progress(min(int(column.Time.Sub(from)/time.Second), length-1), length)
		}
	}
	if err := recorder.waitUntilWritten(ctx); err != nil {
		return err
	}
	if status := recorder.Status(); status.Lost+status.LostEvents > 0 {
		return fmt.Errorf("%d samples and %d events could not be recorded", status.Lost, status.LostEvents)
	}
	return nil
}

// waitUntilWritten returns when the queue is empty, or when recording has stopped.
func (r *Recorder) waitUntilWritten(ctx context.Context) error {
	for {
		status := r.Status()
		if status.Err != nil || status.Waiting == 0 {
			return status.Err
		}
		if err := waitBetweenSteps(ctx); err != nil {
			return err
		}
	}
}

// sampleInterval returns the time between the first two samples of a source and seeks back to its start; a second for a source
// with one sample.
func sampleInterval(ctx context.Context, source perf.Source) (time.Duration, error) {
	seeker, ok := source.(perf.Seeker)
	if !ok {
		return 0, fmt.Errorf("%s is not a recording", source.Info().Name)
	}
	var first, second perf.Column
	if err := source.Next(ctx, 0, &first); errors.Is(err, io.EOF) {
		return 0, errNothingRecorded
	} else if err != nil {
		return 0, err
	}
	interval := time.Second
	if err := source.Next(ctx, 0, &second); err == nil {
		interval = max(time.Millisecond, second.Time.Sub(first.Time))
	} else if !errors.Is(err, io.EOF) {
		return 0, err
	}
	from, _ := seeker.Span()
	return interval, seeker.Seek(from)
}
