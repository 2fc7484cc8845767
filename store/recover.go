package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	"cxdeck/store/codec"
)

// recover ends the sessions of consoles that were killed: the frames of their last window become chunks, as they
// would have at the end.
func (db *DB) recover(ctx context.Context) error {
	open, err := integers(ctx, db.writer, "SELECT id FROM session WHERE state = ?", stateRecording)
	if err != nil || len(open) == 0 {
		return err
	}
	if err := db.lookThrough(ctx, db.writer, crashThroughBytes); err != nil {
		return err
	}
	for _, session := range open {
		if err := db.write(ctx, func(tx *sql.Tx) error { return endSession(ctx, tx, session) }); err != nil {
			return err
		}
	}
	return nil
}

// The largest files whose pages are all checked: at each start, which must be quick; when they are opened for reading;
// and when they were not closed properly, because the disk may have failed. A megabyte takes about half a millisecond.
const (
	startThroughBytes = 8 << 20
	readThroughBytes  = 128 << 20
	crashThroughBytes = 512 << 20
)

// lookThrough checks every page of a file that is not larger than limit.
func (db *DB) lookThrough(ctx context.Context, pool *sql.DB, limit int64) error {
	file, err := os.Stat(db.Path())
	if err != nil || file.Size() > limit {
		return err
	}
	var verdict string
	if err := pool.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&verdict); err != nil {
		return err
	}
	if verdict != "ok" {
		return fmt.Errorf("%w: %s", ErrDamaged, verdict)
	}
	return nil
}

// endSession folds a session's rows of the frame table. Unreadable frames are dropped: the samples before them are
// kept.
func endSession(ctx context.Context, tx *sql.Tx, session int64) error {
	frames, err := readFrames(ctx, tx, session)
	if err != nil {
		return err
	}
	readable := codec.CountSound(frames)
	bytes := int64(0)
	if readable > 0 {
		clock, err := tx.PrepareContext(ctx, insertClock)
		if err != nil {
			return err
		}
		defer clock.Close()
		chunk, err := tx.PrepareContext(ctx, insertChunk)
		if err != nil {
			return err
		}
		defer chunk.Close()
		if bytes, err = foldInto(ctx, tx, &codec.Folder{}, frames[:readable], session, clock, chunk); err != nil {
			return err
		}
	}
	for _, statement := range []string{
		"DELETE FROM frame WHERE session = ?1",
		"UPDATE session SET state = 0, bytes = bytes + ?2, samples = samples - ?3 WHERE id = ?1",
	} {
		if _, err := tx.ExecContext(ctx, statement, session, bytes, len(frames)-readable); err != nil {
			return err
		}
	}
	return nil
}

// rowReader is a connection pool or a transaction.
type rowReader interface {
	QueryContext(ctx context.Context, query string, arguments ...any) (*sql.Rows, error)
}

// readFrames gives the frames of a session's window that is not full yet.
func readFrames(ctx context.Context, from rowReader, session int64) ([][]byte, error) {
	rows, err := from.QueryContext(ctx, "SELECT data FROM frame WHERE session = ? ORDER BY id LIMIT ?", session, codec.WindowSamples)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var frames [][]byte
	for rows.Next() {
		var frame []byte
		if err := rows.Scan(&frame); err != nil {
			return nil, err
		}
		frames = append(frames, frame)
	}
	return frames, rows.Err()
}

// integers gives the first column of a query.
func integers(ctx context.Context, from rowReader, query string, arguments ...any) (list []int64, err error) {
	rows, err := from.QueryContext(ctx, query, arguments...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var one int64
		if err := rows.Scan(&one); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, rows.Err()
}
