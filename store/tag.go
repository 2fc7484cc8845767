package store

import (
	"context"
	"database/sql"
	"fmt"

	"cxdeck/store/sessions"
)

// Tag adds tags to a session and removes others. Both ignore case, and neither fails for a tag that is set or missing already. It
// fails with ErrNoSession for an unknown session, and with a TagError.
func (db *DB) Tag(ctx context.Context, session int64, add, remove []string) error {
	for _, tag := range add {
		if err := sessions.CheckTag(tag); err != nil {
			return err
		}
	}
	if _, err := db.Session(ctx, session); err != nil {
		return err
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		for _, tag := range remove {
			if _, err := tx.ExecContext(ctx, "DELETE FROM tag WHERE session = ? AND name = ?", session, tag); err != nil {
				return err
			}
		}
		for _, tag := range add {
			if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO tag (session, name) VALUES (?, ?)", session, tag); err != nil {
				return err
			}
		}
		var count int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM tag WHERE session = ?", session).Scan(&count); err != nil {
			return err
		}
		if count > sessions.MaxTags {
			return fmt.Errorf("a session can have at most %d tags", sessions.MaxTags)
		}
		return nil
	})
}
