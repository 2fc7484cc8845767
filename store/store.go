package store

import (
	"context"
	"time"

	"cxdeck/driver"
	"cxdeck/perf"
)

// Options are the choices for a database.
type Options struct {
	// ReadOnly opens it for reading; nothing is created, migrated or moved.
	ReadOnly bool
	// Version is the program's version, stored with sessions.
	Version string
	// MaximumAge and MaximumBytes bound what is kept; 0 means no bound. The running session is never touched.
	MaximumAge   time.Duration
	MaximumBytes int64
}

// DB is the history file.
type DB struct{}

// Open opens or creates the file, mode 0600, in a directory of mode 0700. Errors are of the types in errors.go, and
// read as one sentence that says what to do.
func Open(ctx context.Context, path string, options Options) (*DB, error) { return &DB{}, nil }

// Close waits for readers and the writer.
func (db *DB) Close() error { return nil }

// Path is the file's name.
func (db *DB) Path() string { return "" }

// Notice says what happened at opening that the operator should know ("the damaged file was moved to ..."), or is
// empty.
func (db *DB) Notice() string { return "" }

// Session is one run of the console.
type Session struct {
	ID             int64
	Started, Ended time.Time // source's time of the first and last sample that was saved
	Running        bool      // a console is recording it now
	Host           string
	Source         perf.SourceInfo
	Version        string
	Note           string
	Series         int
	Samples        int64 // columns
	Events         int
	Changes        int
	Bytes          int64
}

// Begin starts a session and its writer goroutine.
func (db *DB) Begin(ctx context.Context, info perf.SourceInfo, interval time.Duration) (*Recorder, error) {
	return &Recorder{}, nil
}

// Recorder is the one writer. It is a perf.Sink: it queues what it is given and never blocks; what it can't queue or
// write is counted.
type Recorder struct{}

// Schema, Column, Events and Journal implement perf.Sink.
func (r *Recorder) Schema(schema *perf.Schema, inventory *perf.Inventory) {}

// Column queues a sample.
func (r *Recorder) Column(column *perf.Column) {}

// Events queues events.
func (r *Recorder) Events(events []driver.Event) {}

// Journal queues a journal entry.
func (r *Recorder) Journal(entry driver.Entry) {}

// RecorderStatus is how the writer is, for the header.
type RecorderStatus struct {
	Session int64
	Began   time.Time
	// SavedThrough is the source's time of the newest sample that is on disk for good.
	SavedThrough time.Time
	// Waiting is how many columns are queued; Lost how many could not be queued.
	Waiting, Lost int
	// Err is why recording has stopped, one sentence; nil while it goes on.
	Err error
}

// Status is how the writer is now.
func (r *Recorder) Status() RecorderStatus { return RecorderStatus{} }

// Close writes what is queued, ends the session and stops the writer; ctx bounds the wait.
func (r *Recorder) Close(ctx context.Context) error { return nil }

// Sessions are all sessions, newest first.
func (db *DB) Sessions(ctx context.Context) ([]Session, error) { return nil, nil }

// Session is one session; ErrNoSession when there is none.
func (db *DB) Session(ctx context.Context, id int64) (Session, error) { return Session{}, nil }

// SetNote replaces the operator's note on a session.
func (db *DB) SetNote(ctx context.Context, id int64, note string) error { return nil }

// Delete removes a session and everything in it, in small steps that let the writer through.
func (db *DB) Delete(ctx context.Context, id int64) error { return nil }

// Vacuum gives the space of deleted sessions back; it says how many bytes that were.
func (db *DB) Vacuum(ctx context.Context) (int64, error) { return 0, nil }

// Replay opens a session as a source: it is also a perf.Seeker, perf.RangeReader and perf.Eventer.
func (db *DB) Replay(ctx context.Context, id int64) (perf.Source, error) { return nil, nil }

// SessionEvents are the events of a session, oldest first.
func (db *DB) SessionEvents(ctx context.Context, id int64) ([]driver.Event, error) { return nil, nil }

// SessionJournal are the journal entries of a session, oldest first.
func (db *DB) SessionJournal(ctx context.Context, id int64) ([]driver.Entry, error) { return nil, nil }

// Layout is a saved arrangement of a screen.
type Layout struct {
	Screen, Name string
	Data         []byte // JSON, the screen's own
	Saved        time.Time
}

// SaveLayout stores a layout under its screen and name, replacing an older one.
func (db *DB) SaveLayout(ctx context.Context, layout Layout) error { return nil }

// Layouts are a screen's layouts by name.
func (db *DB) Layouts(ctx context.Context, screen string) ([]Layout, error) { return nil, nil }

// DeleteLayout removes one; it is no error when there is none.
func (db *DB) DeleteLayout(ctx context.Context, screen, name string) error { return nil }
