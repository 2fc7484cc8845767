package store

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"time"

	"cxdeck/store/codec"
	"cxdeck/store/level"
)

// The lengths of the rows of the levels.
const (
	minuteStep = int64(time.Minute)
	hourStep   = int64(time.Hour)
)

// blockRow is a block of rows as the level table has it.
type blockRow struct {
	id, step       int64
	started, ended int64
	samples        int64
	cells          int
	// Its samples begin at one place and end before the other.
	first, next samplePlace
	finer       bool
	parent      int64
}

// samplePlace is a row of a window.
type samplePlace struct {
	window int64
	row    int
}

func (p samplePlace) before(other samplePlace) bool {
	return p.window < other.window || p.window == other.window && p.row < other.row
}

// listBlocks lists the blocks of a session that lie in a time, in the order of their samples.
func listBlocks(ctx context.Context, from rowReader, session, started, ended int64) ([]blockRow, error) {
	rows, err := from.QueryContext(ctx, `SELECT id, step, started, ended, samples, cells, first_window, first_row, next_window, next_row,
		finer, parent FROM level WHERE session = ? AND ended >= ? AND started <= ?`, session, started, ended)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []blockRow
	for rows.Next() {
		var b blockRow
		var finer int64
		if err := rows.Scan(&b.id, &b.step, &b.started, &b.ended, &b.samples, &b.cells, &b.first.window, &b.first.row,
			&b.next.window, &b.next.row, &finer, &b.parent); err != nil {
			return nil, err
		}
		b.finer = finer == 1
		if finer < 0 || finer > 1 || b.id <= unfolded || b.step != minuteStep && b.step != hourStep || b.cells < 0 || b.cells > codec.MaximumCells ||
			b.samples < 1 || b.first.row < 0 || b.next.row < 0 || !b.first.before(b.next) {
			return nil, fmt.Errorf("session %d has an invalid block: %w", session, ErrDamaged)
		}
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b blockRow) int {
		switch {
		case a.first.before(b.first):
			return -1
		case b.first.before(a.first):
			return 1
		}
		return int(b.step/minuteStep - a.step/minuteStep) // the hours before the minutes that they begin with
	})
	return list, rows.Err()
}

// chooseBlocks leaves the blocks to read when rows may be as long as step: the longest that are not longer, and longer ones
// where nothing finer is there.
func chooseBlocks(all []blockRow, step int64) []blockRow {
	chosen := map[int64]bool{}
	for _, b := range all {
		if b.step == hourStep && (step >= hourStep || !b.finer) {
			chosen[b.id] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(b blockRow) bool {
		if b.step == hourStep {
			return !chosen[b.id]
		}
		return chosen[b.parent] || step < minuteStep && b.finer
	})
}

// mergeBlocks puts windows and blocks in order, and leaves out the rows of windows that blocks stand for.
func mergeBlocks(windows []windowRow, blocks []blockRow) []windowRow {
	if len(blocks) == 0 {
		return windows
	}
	merged := make([]windowRow, 0, len(windows)+len(blocks))
	at, emitted := 0, -1
	emit := func(to int) {
		for ; emitted < to; emitted++ {
			merged = append(merged, blocks[emitted+1].segment())
		}
	}
	for _, w := range windows {
		row := 0
		for at < len(blocks) && blocks[at].first.window <= w.id && w.id != unfolded {
			b := &blocks[at]
			begin := 0
			if b.first.window == w.id {
				begin = min(b.first.row, w.stored)
			}
			if begin > row {
				merged = append(merged, w.part(row, begin, merged, b))
			}
			emit(at)
			if b.next.window > w.id {
				row = w.stored
				break
			}
			if b.next.window == w.id {
				row = max(row, min(b.next.row, w.stored))
			}
			at++
		}
		if w.id == unfolded {
			emit(len(blocks) - 1)
		}
		if row < w.stored {
			merged = append(merged, w.part(row, w.stored, merged, nil))
		}
	}
	emit(len(blocks) - 1)
	return merged
}

// segment is the block as a part of a session.
func (b *blockRow) segment() windowRow {
	return windowRow{id: b.id, step: b.step, started: b.started, ended: b.ended, samples: b.samples, cells: b.cells, finer: b.finer}
}

// part is the rows [from, until) of a window, which lie between what was listed before and a block.
func (w windowRow) part(from, until int, before []windowRow, behind *blockRow) windowRow {
	if from > 0 && len(before) > 0 {
		w.started = max(w.started, min(w.ended, before[len(before)-1].ended+1))
	}
	if behind != nil {
		w.ended = min(w.ended, max(w.started, behind.started-1))
	}
	w.from, w.until = from, until
	w.samples = int64(until - from)
	return w
}

// readBlockRows reads when the rows of a block were.
func readBlockRows(ctx context.Context, from rowQuerier, block int64, into *level.Rows) error {
	var packed []byte
	if err := from.QueryRowContext(ctx, "SELECT rows FROM level WHERE id = ?", block).Scan(&packed); err != nil {
		return err
	}
	return into.Read(packed)
}

// rowQuerier is a connection pool or a transaction.
type rowQuerier interface {
	QueryRowContext(ctx context.Context, query string, arguments ...any) *sql.Row
}

// missedSteps is how many rows are missing before each: samples that were missed at its beginning count only when whole rows are.
func missedSteps(rows *level.Rows, step, ended int64, dst []int64) []int64 {
	for i := range rows.Len() {
		missed := int64(0)
		if rows.Missed[i] > 0 && ended != math.MinInt64 {
			missed = max(0, (rows.Started[i]-ended)/step)
		}
		dst = append(dst, missed)
		ended = rows.Ended[i]
	}
	return dst
}

// groupReader reads groups of cells of one window or block, each once.
type groupReader struct {
	ctx   context.Context
	query *sql.Stmt
	owner int64
	known map[int][]byte
}

func (r *groupReader) reset(owner int64) {
	r.owner = owner
	if r.known == nil {
		r.known = map[int][]byte{}
	}
	clear(r.known)
}

// group reads a group; without a row it is empty.
func (r *groupReader) group(number int) ([]byte, error) {
	if data, ok := r.known[number]; ok {
		return data, nil
	}
	var data []byte
	err := r.query.QueryRowContext(r.ctx, place(r.owner, number)).Scan(&data)
	if err != nil {
		return nil, err
	}
	r.known[number] = data
	return data, nil
}
