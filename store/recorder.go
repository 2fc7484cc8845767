package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/store/fault"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// commitEvery is the minimum time between two commits, however fast the source runs. It limits what a kill can lose,
// and how often the disk is written.
const commitEvery = time.Second

// pendingBytes is the size of uncommitted items from which on the writer stops taking from the queue or, when the database is
// free, commits early.
const pendingBytes = 16 << 20

// Recorder is the one writer. It is a perf.Sink: it queues its input and never blocks; it counts what it can't queue or
// write.
type Recorder struct {
	db    *DB
	queue *queue
	log   *sessionWriter
	began time.Time

	closing     chan struct{} // closed by the first Close: write the queue and end
	abandoned   chan struct{} // closed when a Close no longer waits: end as soon as possible
	excess      chan int64    // bytes by which the history is beyond its limit
	done        chan struct{} // closed when the writer has ended
	closeOnce   sync.Once
	abandonOnce sync.Once

	mu     sync.Mutex
	status RecorderStatus
}

// RecorderStatus is the state of the writer, for the header.
type RecorderStatus struct {
	Session int64
	Began   time.Time
	// SavedThrough is the source's time of the newest sample that is on disk permanently.
	SavedThrough time.Time
	// Waiting is the number of queued columns; Lost is the number of columns that could not be queued.
	Waiting, Lost int
	// LostEvents is the number of events and changes that could not be queued.
	LostEvents int
	// Err is the reason why recording has stopped, one sentence; nil while it runs.
	Err error
	// Retention is the reason why sessions beyond the limits of age and size could not be removed, one sentence; nil when they
	// could. Recording continues.
	Retention error
	// Removed says in one sentence what the limits of age and size have removed in this run; it is empty for nothing.
	Removed string
	// Locked is the reason why commits wait, one sentence: another program has a lock on the file. The writer tries again until the
	// lock is released; nil when the last commit was written.
	Locked error
	// Saved is the machine's time of the last commit.
	Saved time.Time
}

// Begin starts a session and its writer goroutine. Only one session runs at a time.
func (db *DB) Begin(ctx context.Context, info perf.SourceInfo, interval time.Duration) (*Recorder, error) {
	// The keeper takes mu in a transaction, with the only connection for writing: nobody waits for that connection with mu held.
	db.beginning.Lock()
	defer db.beginning.Unlock()
	if err := db.cannotBegin(); err != nil {
		return nil, err
	}
	began := db.now()
	var session int64
	err := db.write(ctx, func(tx *sql.Tx) (err error) {
		session, err = sessions.Insert(ctx, tx, info, interval, db.options.Version, began)
		return err
	})
	if err != nil {
		return nil, err
	}
	log, err := newSessionWriter(ctx, db.writer, session)
	if err != nil {
		return nil, db.explain(err)
	}
	r := &Recorder{
		db: db, queue: newQueue(), log: log, began: began,
		closing: make(chan struct{}), abandoned: make(chan struct{}), done: make(chan struct{}),
		excess: make(chan int64, 1),
		status: RecorderStatus{Session: session, Began: began, Saved: began},
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	if db.closed {
		log.close()
		return nil, errClosed
	}
	db.recorder = r
	go r.run()
	return r, nil
}

var errClosed = fmt.Errorf("start a session: %w", sql.ErrConnDone)

// cannotBegin returns why no session can begin now.
func (db *DB) cannotBegin() error {
	db.mu.Lock()
	defer db.mu.Unlock()
	switch {
	case db.closed:
		return errClosed
	case db.recorder != nil:
		return ErrRecording
	}
	return nil
}

// Schema queues a new schema and inventory.
func (r *Recorder) Schema(schema *perf.Schema, inventory *perf.Inventory) {
	if schema == nil {
		return
	}
	r.queue.putRequired(item{schema: schema, inventory: inventory})
}

// Column queues a sample.
func (r *Recorder) Column(column *perf.Column) { r.queue.putColumn(column) }

// Events queues events.
func (r *Recorder) Events(events []eventlog.Event) {
	for _, event := range events {
		r.queue.putRequired(item{event: &event})
	}
}

// Journal queues a journal entry.
func (r *Recorder) Journal(entry driver.Entry) { r.queue.putRequired(item{entry: &entry}) }

// Status returns the current state of the writer.
func (r *Recorder) Status() RecorderStatus {
	waiting, lost, lostEvents := r.queue.count()
	r.db.mu.Lock()
	retention, removed := r.db.retention, r.db.removed.String()
	if retention == nil {
		retention = r.db.levels
	}
	r.db.mu.Unlock()
	r.mu.Lock()
	defer r.mu.Unlock()
	status := r.status
	status.Waiting, status.Lost, status.LostEvents, status.Retention, status.Removed = waiting, lost, lostEvents, retention, removed
	return status
}

// Close writes the queue, ends the session and stops the writer; ctx bounds the wait. Samples that are not written when ctx
// ends are lost; Status showed the ones that are saved.
func (r *Recorder) Close(ctx context.Context) error {
	r.queue.close(false)
	r.closeOnce.Do(func() { close(r.closing) })
	select {
	case <-r.done:
	case <-ctx.Done():
		r.abandonOnce.Do(func() { close(r.abandoned) })
		return fmt.Errorf("write the last samples: %w", ctx.Err())
	}
	return r.Status().Err
}

// run is the writer: it takes items from the queue as they come, and commits at most once in commitEvery.
func (r *Recorder) run() {
	defer r.end()
	var (
		items []item
		pause = r.db.commitEvery
		timer = time.NewTimer(pause)
		next  = time.Now() // the earliest next commit
	)
	defer timer.Stop()
	for {
		closing := false
		select {
		case <-r.queue.ready:
		case <-timer.C:
		case excess := <-r.excess:
			r.trim(excess)
		case <-r.closing:
			closing = true
		case <-r.abandoned:
			return
		}
		if r.log.size() < pendingBytes || closing {
			items = r.queue.take(items)
			r.log.add(items)
		}
		if closing {
			r.finish()
			return
		}
		if !r.log.hasPending() {
			continue
		}
		if now := time.Now(); now.Before(next) && r.log.size() < pendingBytes {
			timer.Reset(next.Sub(now))
			continue
		}
		if !r.commit() {
			return
		}
		next = time.Now().Add(pause)
		timer.Reset(pause)
	}
}

// commit saves all pending items. It is false when recording has to stop. While another program has a lock on the database, items
// stay pending, and the next commit is a second later.
func (r *Recorder) commit() bool {
	err := r.db.repairing(func() error { return r.log.commit(r.db.writer, r.db.now()) })
	if errors.Is(fault.ReasonOf(err), fault.ErrLocked) {
		r.mu.Lock()
		r.status.Locked = r.db.explain(err)
		r.mu.Unlock()
		return true
	}
	if err != nil {
		r.stop(err)
		return false
	}
	r.mu.Lock()
	r.status.SavedThrough, r.status.Saved, r.status.Locked = sqlite.Instant(r.log.saved), r.db.now(), nil
	r.mu.Unlock()
	return true
}

// finish folds the last window and ends the session.
func (r *Recorder) finish() {
	if err := r.db.repairing(func() error { return r.log.finish(r.db.writer, r.db.now()) }); err != nil {
		r.stop(err)
		return
	}
	r.mu.Lock()
	r.status.SavedThrough = sqlite.Instant(r.log.saved)
	r.mu.Unlock()
}

// stop stores the reason why recording has stopped.
func (r *Recorder) stop(err error) {
	err = r.db.explain(err)
	var known *fault.FileError
	if !errors.As(err, &known) {
		err = fmt.Errorf("recording has stopped: %w", err)
	}
	r.mu.Lock()
	r.status.Err = err
	r.mu.Unlock()
}

// end runs when the writer stops, on success and on errors.
func (r *Recorder) end() {
	r.queue.close(true)
	r.log.close()
	r.db.mu.Lock()
	if r.db.recorder == r {
		r.db.recorder = nil
	}
	r.db.mu.Unlock()
	close(r.done)
}
