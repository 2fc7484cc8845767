package replay

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/chunk"
	"cxdeck/store/codec"
	"cxdeck/store/fault"
	"cxdeck/store/level"
	"cxdeck/store/parts"
)

// slabValues limits the unpacked numbers of a window in memory, unless a single sample has more: 12 MB. A window of the default
// lab is much smaller; a window of 100,000 cells is unpacked in eight slabs.
const slabValues = 3 << 19

// rows are the rows of one part of a session. They are packed in memory; only a slab of consecutive rows is unpacked. The
// memory is reused for the next part.
type rows struct {
	// step is the length of a row, 0 for single samples. stored is the number of rows, of which the first until belong to the
	// part; the part is empty while until is 0.
	step                 int64
	stored, until, cells int
	times, missed        []int64
	// cumulative is the number of samples up to the end of each row of a block.
	cumulative []int64
	block      level.Rows
	// For a window in the chunk table, packed holds its groups one after the other, and groups their positions; for the window
	// that is not full yet, frames are the samples.
	packed []byte
	groups []packedGroup
	frames [][]byte
	// members are the window's cells, if they were listed.
	members []codec.Member
	// values are the unpacked rows [slab, slab+wide), cell by cell. wide is 0 when none is unpacked.
	slab, wide int
	values     []int64
	// plain are gathered rows of the slab from its row ahead on, row by row. copied is the newest row that copyTo returned.
	ahead, gathered, copied int
	// entered is set when a row of the window was read.
	entered bool
	plain   []int64
	// firsts is each cell's value in the window's first row, to compute twins; whole is a buffer for one cell of the window.
	firsts []int64
	whole  [codec.WindowSamples]int64
}

// packedGroup is the number of a group and the offset of its end in packed.
type packedGroup struct{ number, end int }

func (r *rows) time(row int) time.Time { return time.Unix(0, r.times[row]).UTC() }

func (r *rows) missedBefore(row int) int { return int(min(max(r.missed[row], 0), codec.MaxMissed)) }

// copyTo fills a column; cells that the window does not have are Missing.
func (r *rows) copyTo(cells []int64, row int) error {
	if row < r.slab || row >= r.slab+r.wide {
		// A row within a window is often the only one that is read of it, by comparisons for instance.
		if row > 0 && !r.entered && r.step == 0 && r.frames == nil {
			r.entered, r.copied = true, row
			return r.unpackRow(cells, row)
		}
		if err := r.unpack(row); err != nil {
			return err
		}
	}
	at, follows := row-r.slab, row == r.copied+1
	r.copied = row
	if follows && (at < r.ahead || at >= r.ahead+r.gathered) {
		r.gather(at)
	}
	count := min(len(cells), r.cells)
	switch {
	case follows:
		copy(cells, r.plain[(at-r.ahead)*r.cells:][:count])
	default:
		for i := range count {
			cells[i] = r.values[i*r.wide+at]
		}
	}
	for i := count; i < len(cells); i++ {
		cells[i] = perf.Missing
	}
	return nil
}

// rowsAhead is the number of rows that are copied together when one row after the other is read: the values of a cell lie beside each
// other, eight in a line of memory.
const rowsAhead = 8

// gather copies the next rows of the slab into plain, row by row.
func (r *rows) gather(at int) {
	r.ahead, r.gathered = at, min(rowsAhead, r.wide-at)
	n := r.cells * r.gathered
	r.plain = slices.Grow(r.plain[:0], n)[:n]
	for cell := range r.cells {
		for i, value := range r.values[cell*r.wide+at:][:r.gathered] {
			r.plain[i*r.cells+cell] = value
		}
	}
}

// read loads a part of a session, with at most limit cells. ended is the time of the last row before it.
func (r *rows) read(ctx context.Context, pool *sql.DB, w parts.Part, limit int, ended int64) error {
	r.step, r.until, r.wide, r.frames, r.entered = w.Step, 0, 0, nil, false
	r.packed, r.groups, r.members = r.packed[:0], r.groups[:0], r.members[:0]
	r.cells = min(w.Cells, limit)
	if w.ID == parts.Unfolded {
		return r.open(w)
	}
	tx, err := pool.BeginTx(ctx, nil) // the part may be aggregated or removed at any time
	if err != nil {
		return err
	}
	defer tx.Rollback()
	table := "chunk"
	if w.Step > 0 {
		table = "summary"
		err = r.readBlock(ctx, tx, &w, ended)
	} else {
		r.stored = w.Stored
		r.times, r.missed, err = parts.Clock(ctx, tx, w)
	}
	if err != nil {
		return err
	}
	found, err := tx.QueryContext(ctx, "SELECT place, data FROM "+table+" WHERE place >= ? AND place < ? ORDER BY place",
		parts.Key(w.ID, 0), parts.Key(w.ID, (r.cells+codec.GroupCells-1)/codec.GroupCells))
	if err != nil {
		return err
	}
	defer found.Close()
	for found.Next() {
		var at int64
		var data sql.RawBytes
		if err := found.Scan(&at, &data); err != nil {
			return err
		}
		if len(data) > codec.GroupCells*parts.MaxBlock {
			return fmt.Errorf("%w: a group of %d bytes", chunk.ErrCorrupt, len(data))
		}
		r.packed = append(r.packed, data...)
		r.groups = append(r.groups, packedGroup{int(at - parts.Key(w.ID, 0)), len(r.packed)})
	}
	if err := found.Err(); err != nil {
		return err
	}
	r.until = w.Until
	return nil
}

// readBlock reads the times of a block's rows. Each row is treated as a sample at its end.
func (r *rows) readBlock(ctx context.Context, tx *sql.Tx, w *parts.Part, ended int64) error {
	err := parts.Rows(ctx, tx, w.ID, &r.block)
	if errors.Is(err, sql.ErrNoRows) {
		return fault.ErrTrimmed
	}
	if err != nil {
		return err
	}
	r.times = append(r.times[:0], r.block.Ended...)
	r.missed = parts.MissedSteps(&r.block, w.Step, ended, r.missed[:0])
	r.cumulative = r.cumulative[:0]
	cumulative := int64(0)
	for _, samples := range r.block.Samples {
		cumulative += samples
		r.cumulative = append(r.cumulative, cumulative)
	}
	r.stored, w.Until = r.block.Len(), r.block.Len()
	return nil
}

// samplesBefore returns the number of samples from row from of the part up to a row; for a block, up to the last sample of the
// row.
func (r *rows) samplesBefore(from, row int) int64 {
	if r.step > 0 {
		return r.cumulative[row] - 1
	}
	return int64(row - from)
}

// unpack unpacks the slab that contains a row; cells that were not stored are Missing.
func (r *rows) unpack(row int) error {
	r.wide, r.gathered = 0, 0
	wide := min(max(slabValues/max(r.cells, 1), 1), r.stored)
	r.slab = row - row%wide
	wide = min(wide, r.stored-r.slab)
	n := r.cells * wide
	r.values = slices.Grow(r.values[:0], n)[:n]
	for i := range r.values {
		r.values[i] = perf.Missing
	}
	fill := r.unpackGroups
	switch {
	case r.frames != nil:
		fill = r.unpackFrames
	case r.step > 0:
		fill = r.unpackBlock
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
		first := group.number * codec.GroupCells
		for cell := first; cell < min(first+codec.GroupCells, r.cells); cell++ {
			var err error
			if data, err = r.unpackNext(data, cell, wide); err != nil {
				return err
			}
		}
	}
	return nil
}

// listMembers finds the cells of a window in its groups; a cell that was not stored gets a reference to itself.
func (r *rows) listMembers() error {
	if len(r.members) > 0 {
		return nil
	}
	for cell := range r.cells {
		r.members = append(r.members, codec.Member{Like: cell})
	}
	begin := 0
	for _, group := range r.groups {
		data := r.packed[begin:group.end]
		begin = group.end
		first := group.number * codec.GroupCells
		for cell := first; cell < min(first+codec.GroupCells, r.cells); cell++ {
			m, rest, err := codec.NextMember(data)
			if err != nil {
				r.members = r.members[:0]
				return err
			}
			r.members[cell], data = m, rest
		}
	}
	return nil
}

// readCell appends a cell's values in the rows [from, to) of a window whose members are listed. It may be called from several goroutines.
func (r *rows) readCell(cell, from, to int, dst []int64) ([]int64, error) {
	var m codec.Member
	if cell < r.cells {
		m = r.members[cell]
	}
	block := m.Block
	switch {
	case cell >= r.cells || block == nil && m.Like == cell:
		for range to - from {
			dst = append(dst, perf.Missing)
		}
		return dst, nil
	case block == nil && m.Like > cell:
		return dst, fmt.Errorf("%w: a cell that refers to a later one", chunk.ErrCorrupt)
	case block == nil:
		if block = r.members[m.Like].Block; block == nil {
			return dst, fmt.Errorf("%w: a reference to a reference", chunk.ErrCorrupt)
		}
	}
	before := len(dst)
	dst, err := codec.Unpack(dst, block, r.stored)
	if err != nil {
		return dst, err
	}
	values := dst[before:]
	if m.Block == nil {
		codec.Shift(values, m.First)
	}
	return dst[:before+copy(values, values[from:to])], nil
}

// unpackRow unpacks one row of a window.
func (r *rows) unpackRow(cells []int64, row int) error {
	for i := range cells {
		cells[i] = perf.Missing
	}
	r.firsts = slices.Grow(r.firsts[:0], r.cells)[:r.cells]
	r.plain, r.gathered = slices.Grow(r.plain[:0], r.cells)[:r.cells], 0
	for i := range r.plain {
		r.firsts[i], r.plain[i] = perf.Missing, perf.Missing
	}
	begin := 0
	for _, group := range r.groups {
		data := r.packed[begin:group.end]
		begin = group.end
		first := group.number * codec.GroupCells
		for cell := first; cell < min(first+codec.GroupCells, r.cells); cell++ {
			m, rest, err := codec.NextMember(data)
			if err != nil {
				return err
			}
			data = rest
			if m.Block == nil {
				if m.Like >= cell {
					return fmt.Errorf("%w: a cell that refers to a later one", chunk.ErrCorrupt)
				}
				r.firsts[cell], r.plain[cell] = m.First, r.plain[m.Like]+m.First-r.firsts[m.Like]
				continue
			}
			values, err := codec.Unpack(r.whole[:0], m.Block, r.stored)
			if err != nil {
				return err
			}
			r.firsts[cell], r.plain[cell] = values[0], values[row]
		}
	}
	copy(cells, r.plain)
	return nil
}

// unpackNext unpacks the next member of a group, which is the given cell.
func (r *rows) unpackNext(group []byte, cell, wide int) (rest []byte, err error) {
	m, rest, err := codec.NextMember(group)
	if err != nil {
		return nil, err
	}
	into := r.values[cell*wide : (cell+1)*wide]
	if m.Block != nil {
		values, err := codec.Unpack(r.whole[:0], m.Block, r.stored)
		if err != nil {
			return nil, err
		}
		r.firsts[cell] = values[0]
		copy(into, values[r.slab:])
		return rest, nil
	}
	if m.Like >= cell {
		return nil, fmt.Errorf("%w: a cell that refers to a later one", chunk.ErrCorrupt)
	}
	copy(into, r.values[m.Like*wide:(m.Like+1)*wide])
	offset := m.First - r.firsts[m.Like]
	for i := range into {
		into[i] += offset
	}
	r.firsts[cell] = m.First
	return rest, nil
}

// open loads the window that is not full yet.
func (r *rows) open(w parts.Part) error {
	var err error
	r.times, r.missed, err = codec.AppendTimes(r.times[:0], r.missed[:0], w.Frames)
	r.frames, r.stored, r.until = w.Frames, w.Stored, w.Until
	return err
}

// unpackBlock unpacks the last readings of the rows of a block.
func (r *rows) unpackBlock(wide int) error {
	begin := 0
	for _, group := range r.groups {
		data := r.packed[begin:group.end]
		begin = group.end
		first := group.number * codec.GroupCells
		err := level.EachLast(data, first, min(first+codec.GroupCells, r.cells), r.stored, r.group, func(cell int, last []int64) {
			copy(r.values[cell*wide:(cell+1)*wide], last[r.slab:])
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// group returns the packed group with a number, ErrCorrupt when it was not stored.
func (r *rows) group(number int) ([]byte, error) {
	at, ok := slices.BinarySearchFunc(r.groups, number, func(g packedGroup, number int) int { return g.number - number })
	if !ok {
		return nil, chunk.ErrCorrupt
	}
	begin := 0
	if at > 0 {
		begin = r.groups[at-1].end
	}
	return r.packed[begin:r.groups[at].end], nil
}

func (r *rows) unpackFrames(wide int) error {
	var d codec.Decoder
	var column perf.Column
	for i, frame := range r.frames[:r.slab+wide] {
		if err := d.Next(frame, &column); err != nil {
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
