package parts

import (
	"context"
	"database/sql"
)

// RemoveWindow removes a window, and returns its size in bytes.
func RemoveWindow(ctx context.Context, tx *sql.Tx, window int64) (bytes int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT length(times) + length(missed) + coalesce((SELECT sum(length(data)) FROM chunk
		WHERE place >= ?2 AND place < ?3), 0) FROM clock WHERE id = ?1`, window, Key(window, 0), Key(window+1, 0)).Scan(&bytes)
	if err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM chunk WHERE place >= ? AND place < ?", Key(window, 0), Key(window+1, 0)); err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM clock WHERE id = ?", window)
	return bytes, err
}

// RemoveBlock removes a block, and returns its size in bytes.
func RemoveBlock(ctx context.Context, tx *sql.Tx, block int64) (bytes int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT length(rows) + coalesce((SELECT sum(length(data)) FROM summary
		WHERE place >= ?2 AND place < ?3), 0) FROM level WHERE id = ?1`, block, Key(block, 0), Key(block+1, 0)).Scan(&bytes)
	if err != nil {
		return 0, err
	}
	if _, err := tx.ExecContext(ctx, "DELETE FROM summary WHERE place >= ? AND place < ?", Key(block, 0), Key(block+1, 0)); err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM level WHERE id = ?", block)
	return bytes, err
}
