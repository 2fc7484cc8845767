package store

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"cxdeck/store/fault"
	"cxdeck/store/lock"
	"cxdeck/store/sqlite"
)

// Options say how a history is opened and kept.
type Options struct {
	// ReadOnly opens it for reading; nothing is created, migrated or moved.
	ReadOnly bool
	// LeaveDamaged fails with ErrDamaged where opening would put a new file in place of a damaged one.
	LeaveDamaged bool
	// Version is the program's version, stored with sessions.
	Version string
	// Progress is called with the number of finished pages while Open salvages a damaged file; it may be nil.
	Progress func(done, all int)
	// MaximumAge and MaximumBytes limit the history; 0 means no limit. The oldest sessions are removed first, then the oldest
	// samples of the running one. Its newest hour and pinned sessions are never removed.
	MaximumAge   time.Duration
	MaximumBytes int64
	// With Levels, the keeper aggregates samples by minute and hour. Then samples are kept for KeepSamples and minutes for
	// KeepMinutes, in recorded time; 0 means forever. Samples of pinned sessions and around marks stay.
	Levels                   bool
	KeepSamples, KeepMinutes time.Duration
	// KeepAfter is the time until the keeper begins to enforce these limits; its first round delays whatever else starts.
	KeepAfter time.Duration
}

// DB is the history file. Its methods may be called from any goroutine.
type DB struct {
	// path is the name with which the file was opened; Path returns its current name.
	path    string
	target  *sqlite.Target
	options Options
	notice  string
	// writer has one connection, so that writers queue; nil when the file is open for reading only.
	writer *sql.DB
	reader *sql.DB
	owner  *lock.Lock
	// now is the machine's clock.
	now func() time.Time
	// steady is the machine's clock when the file was opened, and the time that has passed since: it does not jump when the clock is
	// set, and so a clock that is set forward by mistake removes no sessions.
	steady func() time.Time
	// commitEvery is the minimum time between two commits of a recorder.
	commitEvery time.Duration

	// stop ends the keeper, which enforces the limits of age and size; keeperDone is done when it has ended.
	stop       context.CancelFunc
	keeperDone sync.WaitGroup
	// trimmed has a token when the recorder has removed samples of the running session.
	trimmed chan struct{}
	// stopWatch ends the watch, which checks that the file is still at its path; watchDone is done when it has ended.
	stopWatch context.CancelFunc
	watchDone sync.WaitGroup

	// scratch is a directory with a copy that is read in place of the file; empty without one.
	scratch string
	// repair lets one goroutine at a time put another file in place of the open one; damaged is set when a reader meets a
	// damaged page.
	repair  sync.Mutex
	damaged atomic.Bool
	// sides are the files beside the database that SQLite has open; the watch owns them.
	sides map[string]os.FileInfo
	// rescued is the watch's state for a file that was removed, replaced or damaged.
	rescued rescueState

	// beginning lets one session at a time begin.
	beginning sync.Mutex

	mu       sync.Mutex
	recorder *Recorder // of the running session; nil without one
	// retention is the reason why the keeper could not enforce the limits of age and size; nil when it could.
	retention error
	// levels is the reason why the keeper could not aggregate samples; nil when it could.
	levels  error
	removed removals
	closed  bool
}

// Path returns the file's name. It changes when the file is removed while it is open, and another console has created a file at
// its path.
func (db *DB) Path() string {
	path, _ := db.target.Current()
	return path
}

// Notice returns a sentence on what Open did that the operator should know ("the damaged file was moved to ..."); it is empty
// for nothing.
func (db *DB) Notice() string { return db.notice }

// closeWait is the time that Close gives an open recorder to write its last samples.
const closeWait = 5 * time.Second

// Close waits for readers and the writer.
func (db *DB) Close() error {
	db.mu.Lock()
	if db.closed {
		db.mu.Unlock()
		return nil
	}
	db.closed = true
	recorder := db.recorder
	db.mu.Unlock()

	var problems []error
	if recorder != nil {
		ctx, cancel := context.WithTimeout(context.Background(), closeWait)
		problems = append(problems, recorder.Close(ctx))
		cancel()
	}
	if db.stop != nil {
		db.stop()
		db.keeperDone.Wait()
	}
	if db.stopWatch != nil {
		db.stopWatch()
		db.watchDone.Wait()
		problems = append(problems, db.checkFileOnce())
	}
	// Readers go first: the last connection to close folds the log into the file, and it has to be one that may write.
	problems = append(problems, db.reader.Close())
	if db.writer != nil {
		problems = append(problems, db.writer.Close())
	}
	if db.owner != nil {
		problems = append(problems, db.owner.Release())
	}
	problems = append(problems, db.removeScratch())
	return db.explain(errors.Join(problems...))
}

// writable returns the writing connection, or the reason why there is none.
func (db *DB) writable() (*sql.DB, error) {
	if db.writer == nil {
		return nil, &fault.FileError{Path: db.Path(), Reason: fault.ErrReadOnly}
	}
	return db.writer, nil
}

// write runs one change in a transaction of its own.
func (db *DB) write(ctx context.Context, change func(tx *sql.Tx) error) error {
	writer, err := db.writable()
	if err != nil {
		return err
	}
	return db.repairing(func() error { return db.writeOnce(ctx, writer, change) })
}

func (db *DB) writeOnce(ctx context.Context, writer *sql.DB, change func(tx *sql.Tx) error) error {
	tx, err := writer.BeginTx(ctx, nil)
	if err != nil {
		return db.explain(err)
	}
	defer tx.Rollback()
	if err := change(tx); err != nil {
		return db.explain(err)
	}
	return db.explain(tx.Commit())
}
