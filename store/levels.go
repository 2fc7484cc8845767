package store

import (
	"context"
	"database/sql"

	"cxdeck/store/rollup"
)

// levelKeeper returns what sums up and reduces the sessions of the history.
func (db *DB) levelKeeper() *rollup.Keeper {
	return &rollup.Keeper{Reader: db.reader, Write: db.write, Resize: db.addBytes, Sessions: db.Sessions, Now: db.now,
		KeepSamples: db.options.KeepSamples, KeepMinutes: db.options.KeepMinutes}
}

// addBytes changes what is known of the size of a session.
func (db *DB) addBytes(ctx context.Context, tx *sql.Tx, session, bytes int64) error {
	db.mu.Lock()
	recorder := db.recorder
	db.mu.Unlock()
	if recorder != nil && recorder.log.session == session {
		recorder.log.resized.Add(bytes)
		return nil
	}
	_, err := tx.ExecContext(ctx, "UPDATE session SET bytes = max(0, bytes + ?) WHERE id = ?", bytes, session)
	return err
}
