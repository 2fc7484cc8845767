package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
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
		return nil, db.explain(err)
	}
	defer tx.Rollback()
	rows, err := tx.QueryContext(ctx, `SELECT id, started, ended, samples, cells FROM clock
		WHERE session = ? ORDER BY id`, session)
	if err != nil {
		return nil, db.explain(err)
	}
	defer rows.Close()
	var list []windowRow
	for rows.Next() {
		var w windowRow
		if err := rows.Scan(&w.id, &w.started, &w.ended, &w.samples, &w.cells); err != nil {
			return nil, db.explain(err)
		}
		if w.id <= unfolded || w.samples < 1 || w.samples > windowSamples || w.cells < 0 || w.cells > MaximumCells {
			return nil, fmt.Errorf("session %d has an impossible window: %w", session, &FileError{Path: db.Path(), Reason: ErrDamaged})
		}
		list = append(list, w)
	}
	if err := rows.Err(); err != nil {
		return nil, db.explain(err)
	}
	frames, err := readFrames(ctx, tx, session)
	if err != nil {
		return nil, db.explain(err)
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

// slabValues is how many plain numbers of a window are in memory at a time, unless a single sample has more: 8 MB. A
// window of the default lab is much smaller; one of 100,000 cells is unpacked twelve times, a twelfth each time.
const slabValues = 1 << 20

// rows are the samples of one window. They are packed in memory, and a slab of some rows is unpacked. The memory is
// reused for the next window.
type rows struct {
	samples, cells int
	times, missed  []int64
	// Of a window in the chunk table, packed holds its groups one after the other, and groups where each is; of the
	// window that is not full yet, frames are the samples.
	packed []byte
	groups []packedGroup
	frames [][]byte
	// values are wide rows from slab on, cell by cell. wide is 0 when none is unpacked.
	slab, wide int
	values     []int64
	// firsts is each cell's value in the window's first row, from which twins are made; whole is the room for one cell
	// of the window.
	firsts []int64
	whole  [windowSamples]int64
}

// packedGroup is the number of a group and where it ends in packed.
type packedGroup struct{ number, end int }

func (r *rows) time(row int) time.Time { return time.Unix(0, r.times[row]).UTC() }

func (r *rows) missedBefore(row int) int { return int(min(max(r.missed[row], 0), maxMissed)) }

// copyTo fills a column; cells that the window does not have are Missing.
func (r *rows) copyTo(cells []int64, row int) error {
	if row < r.slab || row >= r.slab+r.wide {
		if err := r.unpack(row); err != nil {
			return err
		}
	}
	for i := range cells {
		if i < r.cells {
			cells[i] = r.values[i*r.wide+row-r.slab]
		} else {
			cells[i] = perf.Missing
		}
	}
	return nil
}

// read takes a window, with at most limit cells.
func (r *rows) read(ctx context.Context, db *DB, w windowRow, limit int) error {
	r.samples, r.wide, r.frames = 0, 0, nil
	r.packed, r.groups = r.packed[:0], r.groups[:0]
	r.cells = min(w.cells, limit)
	if w.id == unfolded {
		return r.open(w)
	}
	var err error
	if r.times, r.missed, err = db.readClock(ctx, w); err != nil {
		return err
	}
	found, err := db.reader.QueryContext(ctx, "SELECT place, data FROM chunk WHERE place >= ? AND place < ? ORDER BY place",
		place(w.id, 0), place(w.id, (r.cells+groupCells-1)/groupCells))
	if err != nil {
		return db.explain(err)
	}
	defer found.Close()
	for found.Next() {
		var at int64
		var data sql.RawBytes
		if err := found.Scan(&at, &data); err != nil {
			return db.explain(err)
		}
		if len(data) > groupCells*maxBlock {
			return fmt.Errorf("%w: a group of %d bytes", chunk.ErrCorrupt, len(data))
		}
		r.packed = append(r.packed, data...)
		r.groups = append(r.groups, packedGroup{int(at - place(w.id, 0)), len(r.packed)})
	}
	if err := found.Err(); err != nil {
		return db.explain(err)
	}
	r.samples = w.samples
	return nil
}

// maxBlock is an upper bound for a block of a window with its prefix in a group.
const maxBlock = windowSamples*binary.MaxVarintLen64 + 32

// unpack makes numbers of the slab that a row is in; all of it is Missing where nothing was stored.
func (r *rows) unpack(row int) error {
	r.wide = 0
	wide := min(max(slabValues/max(r.cells, 1), 1), r.samples)
	r.slab = row - row%wide
	wide = min(wide, r.samples-r.slab)
	n := r.cells * wide
	r.values = slices.Grow(r.values[:0], n)[:n]
	for i := range r.values {
		r.values[i] = perf.Missing
	}
	fill := r.unpackGroups
	if r.frames != nil {
		fill = r.unpackFrames
	}
	if err := fill(wide); err != nil {
		return err
	}
	r.wide = wide
	return nil
}

func (r *rows) unpackGroups(wide int) error {
	r.firsts = slices.Grow(r.firsts[:0], r.cells)[:r.cells]
	for i := range r.firsts {
		r.firsts[i] = perf.Missing
	}
	begin := 0
	for _, group := range r.groups {
		data := r.packed[begin:group.end]
		begin = group.end
		first := group.number * groupCells
		for cell := first; cell < min(first+groupCells, r.cells); cell++ {
			var err error
			if data, err = r.unpackNext(data, cell, wide); err != nil {
				return err
			}
		}
	}
	return nil
}

// unpackNext takes the next member of a group for a cell.
func (r *rows) unpackNext(group []byte, cell, wide int) (rest []byte, err error) {
	m, rest, err := nextMember(group)
	if err != nil {
		return nil, err
	}
	into := r.values[cell*wide : (cell+1)*wide]
	if m.block != nil {
		values, err := unpack(r.whole[:0], m.block, r.samples)
		if err != nil {
			return nil, err
		}
		r.firsts[cell] = values[0]
		copy(into, values[r.slab:])
		return rest, nil
	}
	if m.like >= cell {
		return nil, fmt.Errorf("%w: a cell like a later one", chunk.ErrCorrupt)
	}
	copy(into, r.values[m.like*wide:(m.like+1)*wide])
	offset := m.first - r.firsts[m.like]
	for i := range into {
		into[i] += offset
	}
	r.firsts[cell] = m.first
	return rest, nil
}

// open takes the window that is not full yet.
func (r *rows) open(w windowRow) error {
	r.times, r.missed = r.times[:0], r.missed[:0]
	at := int64(0)
	for _, frame := range w.frames {
		var c cursor
		if err := c.open(frame); err != nil {
			return err
		}
		at += c.time
		r.times = append(r.times, at)
		r.missed = append(r.missed, int64(c.missed))
	}
	r.frames, r.samples = w.frames, w.samples
	return nil
}

func (r *rows) unpackFrames(wide int) error {
	var d decoder
	var column perf.Column
	for i, frame := range r.frames[:r.slab+wide] {
		if err := d.next(frame, &column); err != nil {
			return err
		}
		for cell := range min(r.cells, len(column.Cells)) {
			if i >= r.slab {
				r.values[cell*wide+i-r.slab] = column.Cells[cell]
			}
		}
	}
	return nil
}

// readClock reads when a window's samples were taken and how many were missed before each.
func (db *DB) readClock(ctx context.Context, w windowRow) (times, missed []int64, err error) {
	var packedTimes, packedMissed []byte
	err = db.reader.QueryRowContext(ctx, "SELECT times, missed FROM clock WHERE id = ?", w.id).Scan(&packedTimes, &packedMissed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil, ErrTrimmed
	}
	if err != nil {
		return nil, nil, db.explain(err)
	}
	if times, err = unpack(nil, packedTimes, w.samples); err != nil {
		return nil, nil, err
	}
	missed, err = unpack(nil, packedMissed, w.samples)
	return times, missed, err
}
