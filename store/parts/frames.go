package parts

import (
	"context"
	"database/sql"

	"cxdeck/store/codec"
	"cxdeck/store/sqlite"
)

// End folds a session's rows of the frame table. Unreadable frames are dropped: the samples before them are
// kept.
func End(ctx context.Context, tx *sql.Tx, session int64) error {
	frames, err := Frames(ctx, tx, session)
	if err != nil {
		return err
	}
	readable := codec.CountReadable(frames)
	bytes := int64(0)
	if readable > 0 {
		clock, err := tx.PrepareContext(ctx, InsertClock)
		if err != nil {
			return err
		}
		defer clock.Close()
		chunk, err := tx.PrepareContext(ctx, InsertChunk)
		if err != nil {
			return err
		}
		defer chunk.Close()
		if bytes, err = Fold(ctx, tx, &codec.Folder{}, frames[:readable], session, clock, chunk); err != nil {
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

// Frames returns the frames of a session's window that is not full yet.
func Frames(ctx context.Context, from sqlite.RowReader, session int64) ([][]byte, error) {
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
