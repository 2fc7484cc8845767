package store

import (
	"context"
	"errors"

	"cxdeck/store/fault"
	"cxdeck/store/sqlite"
)

// Errors of operations on a session.
var (
	// ErrRunning reports an attempt to delete the session that is being recorded.
	ErrRunning = errors.New("the session is being recorded; it can be deleted when it has ended")
	// ErrPinned reports an attempt to delete a pinned session.
	ErrPinned = errors.New("the session is pinned; unpin it first: cxdeck sessions unpin")
	// ErrRecording reports a second Begin.
	ErrRecording = errors.New("a session is being recorded already; close it first")
)

// Locked returns an ErrLocked if another program has locked the history against writing, without waiting for it; nil if that is not
// so, or can't be found out.
func (db *DB) Locked(ctx context.Context) error {
	if db.writer == nil {
		return nil
	}
	probe := db.target.Connect(sqlite.Writing)
	defer probe.Close() //nolint:errcheck // nothing was written
	conn, err := probe.Conn(ctx)
	if err != nil {
		return nil
	}
	defer conn.Close() //nolint:errcheck // nothing was written
	if _, err := conn.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil {
		return nil
	}
	if _, err = conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err == nil {
		_, _ = conn.ExecContext(ctx, "ROLLBACK") // closing rolls back, too
		return nil
	}
	if err = fault.Explain(db.Path(), err); errors.Is(err, fault.ErrLocked) {
		return err
	}
	return nil
}

// explain is fault.Explain with the current path of the file.
func (db *DB) explain(err error) error {
	if fault.ReportsDamage(err) {
		db.damaged.Store(true) // the watch handles it
	}
	return fault.Explain(db.Path(), err)
}
