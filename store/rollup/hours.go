package rollup

import (
	"context"
	"database/sql"
	"errors"
	"math"

	"cxdeck/store/codec"
	"cxdeck/store/level"
	"cxdeck/store/parts"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// rollUpHours aggregates the minutes of the next day of a session by hour, once the day is complete.
func (k *Keeper) rollUpHours(ctx context.Context, session sessions.Session) (done bool, err error) {
	h := &hours{ctx: ctx, k: k}
	complete, err := h.collect(session)
	if err != nil || !complete {
		return false, err
	}
	for first := 0; first < h.block.Cells; first += slabCells {
		if err := h.sumSlab(first, min(slabCells, h.block.Cells-first)); err != nil {
			return false, err
		}
	}
	err = k.Write(ctx, func(tx *sql.Tx) error { return h.insert(tx, session.ID) })
	return err == nil, err
}

// hours computes a block of hours.
type hours struct {
	ctx    context.Context
	k      *Keeper
	blocks []parts.Block
	parts  []level.Rows // of the blocks
	row    []int        // of each block
	rows   level.Rows
	block  parts.Block
	groups []packedSummary
	encode level.Encoder
}

// collect finds the minutes of the next block. The block is complete when a later day has begun, or the session has ended.
func (h *hours) collect(session sessions.Session) (complete bool, err error) {
	all, err := parts.Blocks(h.ctx, h.k.Reader, session.ID, math.MinInt64, math.MaxInt64)
	if err != nil {
		return false, err
	}
	h.block = parts.Block{Step: parts.HourStep, Finer: true}
	for _, b := range all {
		if b.Step != parts.MinuteStep || b.Parent != 0 {
			continue
		}
		if len(h.blocks) > 0 && (b.Started/dayStep != h.blocks[0].Started/dayStep || h.rows.Len() == level.MaxRows) {
			complete = true
			break
		}
		var part level.Rows
		if err := parts.Rows(h.ctx, h.k.Reader, b.ID, &part); err != nil {
			return false, err
		}
		last := h.rows.Len() - 1
		if last < 0 || b.Started/parts.HourStep != h.rows.Started[last]/parts.HourStep {
			h.rows.Add(part.Started[0], 0, 0, part.Missed[0])
			last++
		}
		h.rows.Ended[last] = part.Ended[part.Len()-1]
		h.rows.Samples[last] += b.Samples
		if len(h.blocks) == 0 {
			h.block.Started, h.block.Ended, h.block.First = b.Started, b.Ended, b.First
		}
		h.block.Started, h.block.Ended, h.block.Next = min(h.block.Started, b.Started), max(h.block.Ended, b.Ended), b.Next
		h.block.Samples += b.Samples
		h.block.Cells = max(h.block.Cells, b.Cells)
		h.blocks, h.parts, h.row = append(h.blocks, b), append(h.parts, part), append(h.row, last)
	}
	return complete || len(h.blocks) > 0 && !session.Running, nil
}

func (h *hours) sumSlab(first, count int) error {
	query, err := h.k.Reader.PrepareContext(h.ctx, "SELECT data FROM summary WHERE place = ?")
	if err != nil {
		return err
	}
	defer query.Close()
	columns := make([]level.Column, count)
	begun := make([]bool, count)
	for i := range columns {
		columns[i].Reset(level.Value, h.rows.Len())
	}
	var groups parts.GroupReader
	groups.Use(h.ctx, query)
	var c level.Column
	for at, b := range h.blocks {
		groups.Reset(b.ID)
		for from := first; from < min(first+count, b.Cells); from += codec.GroupCells {
			data, err := groups.Group(from / codec.GroupCells)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			part := &h.parts[at]
			err = c.Each(data, from, min(from+codec.GroupCells, first+count, b.Cells), part, groups.Group, func(cell int) {
				column := &columns[cell-first]
				if !begun[cell-first] {
					begun[cell-first], column.Kind = true, c.Kind
				}
				for i := range part.Len() {
					column.Merge(h.row[at], &c, i)
				}
			})
			if err != nil {
				return err
			}
		}
	}
	if first == 0 {
		h.encode.Reset()
	}
	h.groups = packColumns(h.groups, &h.encode, columns, first, &h.rows)
	return h.ctx.Err()
}

// insert stores the block, if the minutes are still there.
func (h *hours) insert(tx *sql.Tx, session int64) error {
	id, err := insertBlock(h.ctx, tx, h.k, session, &h.block, &h.rows, h.groups)
	if err != nil {
		return err
	}
	for _, b := range h.blocks {
		n, err := sqlite.Affected(tx.ExecContext(h.ctx, "UPDATE level SET parent = ? WHERE id = ? AND session = ? AND parent = 0", id, b.ID, session))
		if err != nil {
			return err
		}
		if n != 1 {
			return errOvertaken
		}
	}
	return nil
}
