package parts

import (
	"context"
	"database/sql"

	"cxdeck/store/codec"
)

// The statements that store a window.
const (
	InsertClock = "INSERT INTO clock (session, started, ended, samples, cells, times, missed) VALUES (?, ?, ?, ?, ?, ?, ?)"
	InsertChunk = "INSERT INTO chunk (place, data) VALUES (?, ?)"
)

// GroupBits is the number of bits for the group in chunk.place.
const GroupBits = 16

// Key returns the key of a row of the chunk table.
func Key(window int64, group int) int64 { return window<<GroupBits | int64(group) }

// Fold stores the frames of one window as chunks, and returns the number of stored bytes.
func Fold(ctx context.Context, tx *sql.Tx, fold *codec.Folder, frames [][]byte, session int64, clock, chunk *sql.Stmt) (bytes int64, err error) {
	// The clock row comes first, because its id is part of the chunks' keys. Its values are in the frames' headers.
	w, err := fold.Start(frames)
	if err != nil {
		return 0, err
	}
	head := tx.StmtContext(ctx, clock) //nolint:sqlclosecheck // it ends with the transaction
	result, err := head.ExecContext(ctx, session, w.Started, w.Ended, w.Samples, w.Cells, w.Times, w.Missed)
	if err != nil {
		return 0, err
	}
	id, err := result.LastInsertId()
	if err != nil {
		return 0, err
	}
	insert := tx.StmtContext(ctx, chunk)
	bytes = int64(len(w.Times) + len(w.Missed))
	err = fold.Groups(w, func(group int, data []byte) error {
		bytes += int64(len(data))
		_, err := insert.ExecContext(ctx, Key(id, group), data)
		return err
	})
	return bytes, err
}
