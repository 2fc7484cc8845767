package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"

	"cxdeck/store/fault"
	"cxdeck/store/parts"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// recover ends the sessions of consoles that were killed: the frames of their last window become chunks, as they
// would have at the end.
func (db *DB) recover(ctx context.Context) error {
	open, err := sqlite.Integers(ctx, db.writer, "SELECT id FROM session WHERE state = ?", sessions.Recording)
	if err != nil || len(open) == 0 {
		return err
	}
	if err := db.checkPages(ctx, db.writer, crashThroughBytes); err != nil {
		return err
	}
	for _, session := range open {
		if err := db.write(ctx, func(tx *sql.Tx) error { return parts.End(ctx, tx, session) }); err != nil {
			return err
		}
	}
	return nil
}

// The largest files whose pages are all checked: at each start, which must be quick; when they are opened for reading;
// and when they were not closed properly, because the disk may have failed. A megabyte takes about a millisecond.
const (
	startThroughBytes = 2 << 20
	readThroughBytes  = 128 << 20
	crashThroughBytes = 512 << 20
)

// checkPages checks every page of a file that is not larger than limit.
func (db *DB) checkPages(ctx context.Context, pool *sql.DB, limit int64) error {
	file, err := os.Stat(db.Path())
	if err != nil || file.Size() > limit {
		return err
	}
	var verdict string
	if err := pool.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", fault.ErrPages, verdict)
	}
	return nil
}
