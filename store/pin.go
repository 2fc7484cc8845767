package store

import (
	"context"
	"database/sql"

	"cxdeck/store/sessions"
)

// SetPinned pins a session, so that no bound on age or size removes it, or unpins it. It fails with ErrNoSession when
// there is none.
func (db *DB) SetPinned(ctx context.Context, id int64, pinned bool) error {
	if _, err := db.Session(ctx, id); err != nil {
		return err
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		statement := "DELETE FROM setting WHERE key = ?"
		if pinned {
			statement = "INSERT OR REPLACE INTO setting (key, value) VALUES (?, '1')"
		}
		_, err := tx.ExecContext(ctx, statement, sessions.PinnedKey(id))
		return err
	})
}
