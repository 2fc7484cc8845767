package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"cxdeck/store/fault"
	"cxdeck/store/lock"
	"cxdeck/store/sessions"
)

// Session is one run of the console.
type Session = sessions.Session

// Sessions returns all sessions, newest first.
func (db *DB) Sessions(ctx context.Context) ([]Session, error) {
	list, err := sessions.List(ctx, db.reader, db.recording)
	return list, db.explain(err)
}

// Session returns one session; ErrNoSession when there is none.
func (db *DB) Session(ctx context.Context, id int64) (Session, error) {
	session, err := sessions.Find(ctx, db.reader, id, db.recording)
	return session, db.explain(err)
}

// recording reports whether a console records the session now: this one, or the one that owns the file.
func (db *DB) recording(id int64) bool {
	if db.writer == nil {
		return lock.Held(db.Path())
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.recorder != nil && db.recorder.log.session == id
}

// SetNote replaces the operator's note on a session.
func (db *DB) SetNote(ctx context.Context, id int64, note string) error {
	if len(note) > sessions.MaxNote {
		return fmt.Errorf("the note has %d bytes; it can have at most %d", len(note), sessions.MaxNote)
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, "UPDATE session SET note = ? WHERE id = ? AND state <> ?", note, id, sessions.Deleting)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, fmt.Errorf("session %d: %w", id, fault.ErrNoSession))
		}
		return nil
	})
}
