package store

import (
	"errors"

	"cxdeck/store/fault"
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

// explain is fault.Explain with the current path of the file.
func (db *DB) explain(err error) error {
	if fault.ReportsDamage(err) {
		db.damaged.Store(true) // the watch handles it
	}
	return fault.Explain(db.Path(), err)
}
