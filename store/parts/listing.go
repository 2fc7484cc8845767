package parts

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"cxdeck/store/codec"
	"cxdeck/store/fault"
	"cxdeck/store/sqlite"
)

// Unfolded is the id of the window that is not full yet and lies in the frame table.
const Unfolded = 0

// Part is a part of a session: rows of a window (a row of the clock table), or a block of a level.
type Part struct {
	ID int64
	// Step is the length of the rows of a block, 0 for a window; Finer reports that the block's samples or minutes still exist.
	Step           int64
	Finer          bool
	Started, Ended int64
	// Samples is the number of samples in it, or aggregated in it.
	Samples int64
	Cells   int
	// Stored is the number of rows of the window; the part has the rows [From, Until).
	Stored, From, Until int
	// Frames are the samples of the window that is not full yet. They come with the list, because a moment later they
	// may be in the other table.
	Frames [][]byte
}

// All lists the parts of a session in the order in which they were recorded, each in the finest form that still exists; the
// window in the frame table comes last.
func All(ctx context.Context, pool *sql.DB, session int64) ([]Part, error) {
	tx, err := pool.BeginTx(ctx, nil) // in one transaction, a window is in exactly one of the two tables
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	blocks, err := Blocks(ctx, tx, session, math.MinInt64, math.MaxInt64)
	if err != nil {
		return nil, err
	}
	list, err := Windows(ctx, tx, session, "", "")
	if err != nil {
		return nil, err
	}
	frames, err := Frames(ctx, tx, session)
	if err != nil {
		return nil, err
	}
	if open, ok := openWindow(frames[:codec.CountReadable(frames)]); ok {
		list = append(list, open)
	}
	return Merge(list, Choose(blocks, 0)), nil
}

// Windows lists the windows of a session that meet an SQL condition, in order; limit is a LIMIT clause or empty.
func Windows(ctx context.Context, from sqlite.RowReader, session int64, condition, limit string, arguments ...any) ([]Part, error) {
	rows, err := from.QueryContext(ctx, "SELECT id, started, ended, samples, cells FROM clock WHERE session = ? "+condition+" ORDER BY id "+limit,
		append([]any{session}, arguments...)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Part
	for rows.Next() {
		var w Part
		if err := rows.Scan(&w.ID, &w.Started, &w.Ended, &w.Stored, &w.Cells); err != nil {
			return nil, err
		}
		if w.ID <= Unfolded || w.Stored < 1 || w.Stored > codec.WindowSamples || w.Cells < 0 || w.Cells > codec.MaximumCells {
			return nil, fmt.Errorf("session %d has an invalid window: %w", session, fault.ErrDamaged)
		}
		w.Samples, w.Until = int64(w.Stored), w.Stored
		list = append(list, w)
	}
	return list, rows.Err()
}

// openWindow describes the window of some frames; ok is false without frames.
func openWindow(frames [][]byte) (w Part, ok bool) {
	var f codec.Folder
	if len(frames) == 0 {
		return w, false
	}
	about, err := f.Start(frames)
	return Part{
		ID: Unfolded, Started: about.Started, Ended: about.Ended, Samples: int64(about.Samples), Stored: about.Samples, Until: about.Samples,
		Cells: about.Cells, Frames: frames,
	}, err == nil
}

// MaxBlock is an upper bound for a block of a window with its prefix in a group.
const MaxBlock = codec.WindowSamples*binary.MaxVarintLen64 + 32

// Clock reads the times of a window's samples, and the number of samples missed before each.
func Clock(ctx context.Context, from sqlite.RowQuerier, w Part) (times, missed []int64, err error) {
	var packedTimes, packedMissed []byte
	err = from.QueryRowContext(ctx, "SELECT times, missed FROM clock WHERE id = ?", w.ID).Scan(&packedTimes, &packedMissed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil, fault.ErrTrimmed
	}
	if err != nil {
		return nil, nil, err
	}
	if times, err = codec.Unpack(nil, packedTimes, w.Stored); err != nil {
		return nil, nil, err
	}
	missed, err = codec.Unpack(nil, packedMissed, w.Stored)
	return times, missed, err
}
