package parts

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"cxdeck/store/codec"
	"cxdeck/store/fault"
	"cxdeck/store/level"
	"cxdeck/store/sqlite"
)

// The lengths of the rows of the two levels, in nanoseconds.
const (
	MinuteStep = int64(time.Minute)
	HourStep   = int64(time.Hour)
)

// Block is a row of the level table.
type Block struct {
	ID, Step       int64
	Started, Ended int64
	Samples        int64
	Cells          int
	// First is the place of the block's first sample; Next is the place behind its last.
	First, Next Place
	Finer       bool  // its samples or minutes still exist
	Parent      int64 // the block of hours that a block of minutes went into; 0 for none
}

// Place is the place of a sample: a window, and a row in it.
type Place struct {
	Window int64
	Row    int
}

// Before reports whether the row comes before another.
func (p Place) Before(other Place) bool {
	return p.Window < other.Window || p.Window == other.Window && p.Row < other.Row
}

// Blocks lists the blocks of a session that overlap a period, in the order of their samples.
func Blocks(ctx context.Context, from sqlite.RowReader, session, started, ended int64) ([]Block, error) {
	rows, err := from.QueryContext(ctx, `SELECT id, step, started, ended, samples, cells, first_window, first_row, next_window, next_row,
		finer, parent FROM level WHERE session = ? AND ended >= ? AND started <= ?`, session, started, ended)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Block
	for rows.Next() {
		var b Block
		var finer int64
		if err := rows.Scan(&b.ID, &b.Step, &b.Started, &b.Ended, &b.Samples, &b.Cells, &b.First.Window, &b.First.Row,
			&b.Next.Window, &b.Next.Row, &finer, &b.Parent); err != nil {
			return nil, err
		}
		b.Finer = finer == 1
		if finer < 0 || finer > 1 || b.ID <= Unfolded || b.Step != MinuteStep && b.Step != HourStep || b.Cells < 0 || b.Cells > codec.MaximumCells ||
			b.Samples < 1 || b.First.Row < 0 || b.Next.Row < 0 || !b.First.Before(b.Next) {
			return nil, fmt.Errorf("session %d has an invalid block: %w", session, fault.ErrDamaged)
		}
		list = append(list, b)
	}
	slices.SortFunc(list, func(a, b Block) int {
		switch {
		case a.First.Before(b.First):
			return -1
		case b.First.Before(a.First):
			return 1
		}
		return int(b.Step/MinuteStep - a.Step/MinuteStep) // a block of hours before its first block of minutes
	})
	return list, rows.Err()
}

// Choose selects the blocks to read for rows of at most step nanoseconds: the longest that fit, and longer ones where nothing
// finer exists.
func Choose(all []Block, step int64) []Block {
	chosen := map[int64]bool{}
	for _, b := range all {
		if b.Step == HourStep && (step >= HourStep || !b.Finer) {
			chosen[b.ID] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(b Block) bool {
		if b.Step == HourStep {
			return !chosen[b.ID]
		}
		return chosen[b.Parent] || step < MinuteStep && b.Finer
	})
}

// Merge puts windows and blocks in order, and leaves out the rows of windows that blocks cover.
func Merge(windows []Part, blocks []Block) []Part {
	if len(blocks) == 0 {
		return windows
	}
	merged := make([]Part, 0, len(windows)+len(blocks))
	at, emitted := 0, -1
	emit := func(to int) {
		for ; emitted < to; emitted++ {
			merged = append(merged, blocks[emitted+1].segment())
		}
	}
	for _, w := range windows {
		row := 0
		for at < len(blocks) && blocks[at].First.Window <= w.ID && w.ID != Unfolded {
			b := &blocks[at]
			begin := 0
			if b.First.Window == w.ID {
				begin = min(b.First.Row, w.Stored)
			}
			if begin > row {
				merged = append(merged, w.part(row, begin, merged, b))
			}
			emit(at)
			if b.Next.Window > w.ID {
				row = w.Stored
				break
			}
			if b.Next.Window == w.ID {
				row = max(row, min(b.Next.Row, w.Stored))
			}
			at++
		}
		if w.ID == Unfolded {
			emit(len(blocks) - 1)
		}
		if row < w.Stored {
			merged = append(merged, w.part(row, w.Stored, merged, nil))
		}
	}
	emit(len(blocks) - 1)
	return merged
}

// segment returns the block as a part of a session.
func (b *Block) segment() Part {
	return Part{ID: b.ID, Step: b.Step, Started: b.Started, Ended: b.Ended, Samples: b.Samples, Cells: b.Cells, Finer: b.Finer}
}

// part returns the rows [from, until) of a window, between the parts listed before it and a block.
func (w Part) part(from, until int, before []Part, behind *Block) Part {
	if from > 0 && len(before) > 0 {
		w.Started = max(w.Started, min(w.Ended, before[len(before)-1].Ended+1))
	}
	if behind != nil {
		w.Ended = min(w.Ended, max(w.Started, behind.Started-1))
	}
	w.From, w.Until = from, until
	w.Samples = int64(until - from)
	return w
}

// Rows reads the times of the rows of a block.
func Rows(ctx context.Context, from sqlite.RowQuerier, block int64, into *level.Rows) error {
	var packed []byte
	if err := from.QueryRowContext(ctx, "SELECT rows FROM level WHERE id = ?", block).Scan(&packed); err != nil {
		return err
	}
	return into.Read(packed)
}

// MissedSteps appends the number of rows missing before each row. Missed samples matter only if whole rows are missing.
func MissedSteps(rows *level.Rows, step, ended int64, dst []int64) []int64 {
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
