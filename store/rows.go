package store

import (
	"context"
	"fmt"
	"slices"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/chunk"
)

// unfolded is the id of the window that is not full yet and lies in the frame table.
const unfolded = 0

// windowRow is a window as the clock table has it.
type windowRow struct {
	id             int64
	started, ended int64
	samples, cells int
	// frames are the samples of the window that is not full yet. They come with the list, because a moment later they
	// may be in the other table.
	frames [][]byte
}

// readWindows lists the windows of a session in the order in which they were recorded; the one in the frame table
// comes last.
func (db *DB) readWindows(ctx context.Context, session int64) ([]windowRow, error) {
	tx, err := db.reader.BeginTx(ctx, nil) // one view of the file: a window must not be in both tables, or in none
	if err != nil {
		return nil, explain(db.path, err)
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, `SELECT id, started, ended, samples, cells FROM clock
		WHERE session = ? ORDER BY id`, session)
	if err != nil {
		return nil, explain(db.path, err)
	}
	defer rows.Close()
	var list []windowRow
	for rows.Next() {
		var w windowRow
		if err := rows.Scan(&w.id, &w.started, &w.ended, &w.samples, &w.cells); err != nil {
			return nil, explain(db.path, err)
		}
		if w.id <= unfolded || w.samples < 1 || w.samples > windowSamples || w.cells < 0 || w.cells > MaximumCells {
			return nil, fmt.Errorf("session %d has an impossible window: %w", session, &FileError{Path: db.path, Reason: ErrDamaged})
		}
		list = append(list, w)
	}
	if err := rows.Err(); err != nil {
		return nil, explain(db.path, err)
	}
	frames, err := readFrames(ctx, tx, session)
	if err != nil {
		return nil, explain(db.path, err)
	}
	if open, ok := openWindow(frames[:soundFrames(frames)]); ok {
		list = append(list, open)
	}
	return list, nil
}

// openWindow describes the window whose frames these are; ok is false when there are none.
func openWindow(frames [][]byte) (w windowRow, ok bool) {
	var f folder
	if len(frames) == 0 {
		return w, false
	}
	about, err := f.start(frames)
	return windowRow{id: unfolded, started: about.started, ended: about.ended, samples: about.samples, cells: about.cells, frames: frames}, err == nil
}

// rows are the samples of one window as numbers. Its memory is used again for the next window.
type rows struct {
	samples, cells int
	times, missed  []int64
	values         []int64 // cell by cell
}

func (r *rows) time(row int) time.Time { return time.Unix(0, r.times[row]).UTC() }

func (r *rows) missedBefore(row int) int { return int(min(max(r.missed[row], 0), maximumMissed)) }

// copyTo fills a column; cells that the window does not have are Missing.
func (r *rows) copyTo(cells []int64, row int) {
	for i := range cells {
		if i < r.cells {
			cells[i] = r.values[i*r.samples+row]
		} else {
			cells[i] = perf.Missing
		}
	}
}

// read fills r from a window, with at most limit cells.
func (r *rows) read(ctx context.Context, db *DB, w windowRow, limit int) error {
	r.samples = 0
	if w.id == unfolded {
		return r.decode(w, limit)
	}
	times, missed, err := db.readClock(ctx, w)
	if err != nil {
		return err
	}
	r.size(w, limit)
	r.times, r.missed = times, missed
	found, err := db.reader.QueryContext(ctx, "SELECT place, data FROM chunk WHERE place >= ? AND place < ? ORDER BY place",
		place(w.id, 0), place(w.id, (r.cells+groupCells-1)/groupCells))
	if err != nil {
		return explain(db.path, err)
	}
	defer found.Close()
	for found.Next() {
		var at int64
		var data []byte
		if err := found.Scan(&at, &data); err != nil {
			return explain(db.path, err)
		}
		first := int(at-place(w.id, 0)) * groupCells
		for cell := first; cell < min(first+groupCells, r.cells); cell++ {
			if data, err = r.unpackNext(data, cell); err != nil {
				return err
			}
		}
	}
	if err := found.Err(); err != nil {
		return explain(db.path, err)
	}
	r.samples = w.samples
	return nil
}

// size makes room for a window, all of it Missing.
func (r *rows) size(w windowRow, limit int) {
	r.cells = min(w.cells, limit)
	n := r.cells * w.samples
	r.values = slices.Grow(r.values[:0], n)[:n]
	for i := range r.values {
		r.values[i] = perf.Missing
	}
}

// unpackNext takes the next member of a group for a cell.
func (r *rows) unpackNext(group []byte, cell int) (rest []byte, err error) {
	samples := len(r.times)
	m, rest, err := nextMember(group)
	if err != nil {
		return nil, err
	}
	// A full slice expression: a block that claims too many values must not run over the next cell's.
	into := r.values[cell*samples : cell*samples : (cell+1)*samples]
	if m.block != nil {
		_, err = unpack(into, m.block, samples)
		return rest, err
	}
	if m.like >= cell {
		return nil, fmt.Errorf("%w: a cell like a later one", chunk.ErrCorrupt)
	}
	into = append(into, r.values[m.like*samples:(m.like+1)*samples]...)
	shift(into, m.first)
	return rest, nil
}

// decode fills r from the frames of the window that is not full yet.
func (r *rows) decode(w windowRow, limit int) error {
	r.size(w, limit)
	r.times, r.missed = r.times[:0], r.missed[:0]
	var d decoder
	var column perf.Column
	for i, frame := range w.frames {
		if err := d.next(frame, &column); err != nil {
			return err
		}
		r.times = append(r.times, column.Time.UnixNano())
		r.missed = append(r.missed, int64(column.Missed))
		for cell := range min(r.cells, len(column.Cells)) {
			r.values[cell*w.samples+i] = column.Cells[cell]
		}
	}
	r.samples = w.samples
	return nil
}

// readClock reads when a window's samples were taken and how many were missed before each.
func (db *DB) readClock(ctx context.Context, w windowRow) (times, missed []int64, err error) {
	var packedTimes, packedMissed []byte
	err = db.reader.QueryRowContext(ctx, "SELECT times, missed FROM clock WHERE id = ?", w.id).Scan(&packedTimes, &packedMissed)
	if err != nil {
		return nil, nil, explain(db.path, err)
	}
	if times, err = unpack(nil, packedTimes, w.samples); err != nil {
		return nil, nil, err
	}
	missed, err = unpack(nil, packedMissed, w.samples)
	return times, missed, err
}
