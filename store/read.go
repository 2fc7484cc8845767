package store

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/chunk"
)

// ReadRange appends the points of a series between from and to, both included, to dst. It reads one block a window, and
// may be called from any goroutine.
func (p *replay) ReadRange(ctx context.Context, series int, from, to time.Time, dst []perf.Point) ([]perf.Point, error) {
	schema := p.schema.Load()
	if series < 0 || series >= len(schema.Series) {
		return dst, fmt.Errorf("session %d has %d series, and none has the number %d", p.id, len(schema.Series), series)
	}
	points := newPointer(schema.Series[series], from, to, dst)
	err := p.db.readCell(ctx, p.id, schema.Series[series].Cell, points)
	return points.dst, err
}

// readCell returns a cell's readings in the range, and one window before it for the first rate.
func (db *DB) readCell(ctx context.Context, session int64, cell int, points *pointer) error {
	tx, err := db.reader.BeginTx(ctx, nil)
	if err != nil {
		return db.explain(err)
	}
	defer tx.Rollback()
	var before sql.NullInt64
	err = tx.QueryRowContext(ctx, "SELECT MAX(ended) FROM clock WHERE session = ? AND ended < ?", session, points.from).Scan(&before)
	if err != nil {
		return db.explain(err)
	}
	since := points.from
	if before.Valid {
		since = before.Int64
	}
	if err := readBlocks(ctx, tx, session, cell, since, points); err != nil {
		return db.explain(err)
	}
	frames, err := readFrames(ctx, tx, session)
	if err != nil {
		return db.explain(err)
	}
	var d decoder
	var column perf.Column
	for _, frame := range frames[:soundFrames(frames)] {
		if err := d.next(frame, &column); err != nil {
			return db.explain(err)
		}
		value := perf.Missing
		if cell < len(column.Cells) {
			value = column.Cells[cell]
		}
		points.add(column.Time.UnixNano(), column.Missed, value)
	}
	return nil
}

// readBlocks reads a cell's blocks of all windows from since on.
func readBlocks(ctx context.Context, tx *sql.Tx, session int64, cell int, since int64, points *pointer) error {
	rows, err := tx.QueryContext(ctx, `SELECT clock.id, clock.samples, clock.times, clock.missed, chunk.data
		FROM clock LEFT JOIN chunk ON chunk.place = (clock.id << 16 | ?)
		WHERE clock.session = ? AND clock.ended >= ? AND clock.started <= ? AND clock.cells > ? ORDER BY clock.id`,
		cell/groupCells, session, since, points.to, cell)
	if err != nil {
		return err
	}
	defer rows.Close()
	other, err := tx.PrepareContext(ctx, "SELECT data FROM chunk WHERE place = ?")
	if err != nil {
		return err
	}
	defer other.Close()
	var (
		id                        int64
		samples                   int
		packedTimes, packedMissed sql.RawBytes
		data                      sql.RawBytes
		times, missed, values     []int64
	)
	for rows.Next() {
		if err := rows.Scan(&id, &samples, &packedTimes, &packedMissed, &data); err != nil {
			return err
		}
		if samples < 1 || samples > windowSamples {
			return fmt.Errorf("%w: a window of %d samples", chunk.ErrCorrupt, samples)
		}
		if times, err = unpack(times[:0], packedTimes, samples); err != nil {
			return err
		}
		if missed, err = unpack(missed[:0], packedMissed, samples); err != nil {
			return err
		}
		if data == nil {
			values = values[:0]
			for range samples {
				values = append(values, perf.Missing)
			}
		} else if values, err = cellValues(ctx, other, values[:0], data, id, cell, samples); err != nil {
			return err
		}
		for i, value := range values {
			points.add(times[i], int(min(max(missed[i], 0), maxMissed)), value)
		}
	}
	return rows.Err()
}

// cellValues appends a cell's values of one window to dst. Where the group refers to another cell, the group of that
// cell is read too.
func cellValues(ctx context.Context, other *sql.Stmt, dst []int64, group []byte, window int64, cell, samples int) ([]int64, error) {
	m, err := memberOf(group, cell%groupCells)
	if err != nil {
		return dst, err
	}
	if m.block != nil {
		return unpack(dst, m.block, samples)
	}
	var data []byte
	if err := other.QueryRowContext(ctx, place(window, m.like/groupCells)).Scan(&data); err != nil {
		return dst, fmt.Errorf("%w: the group of cell %d: %w", chunk.ErrCorrupt, m.like, err)
	}
	twin, err := memberOf(data, m.like%groupCells)
	if err != nil {
		return dst, err
	}
	if twin.block == nil {
		return dst, fmt.Errorf("%w: a reference to a reference", chunk.ErrCorrupt)
	}
	dst, err = unpack(dst, twin.block, samples)
	shift(dst, m.first)
	return dst, err
}

// pointer makes points of a cell's readings, by the same rules as live ones.
type pointer struct {
	series        perf.Series
	from, to      int64
	dst           []perf.Point
	began         bool
	before, after perf.Column
}

func newPointer(series perf.Series, from, to time.Time, dst []perf.Point) *pointer {
	series.Cell = 0
	return &pointer{
		series: series, from: from.UnixNano(), to: to.UnixNano(), dst: dst,
		before: perf.Column{Cells: []int64{0}}, after: perf.Column{Cells: []int64{0}},
	}
}

// add takes the next reading. One without a value becomes a gap.
func (p *pointer) add(at int64, missed int, reading int64) {
	p.before, p.after = p.after, p.before
	p.after.Time, p.after.Missed, p.after.Cells[0] = time.Unix(0, at), missed, reading
	began := p.began
	p.began = true
	if at < p.from || at > p.to {
		return
	}
	before := &p.before
	if !began {
		before = nil
	}
	value, ok := p.series.Value(before, &p.after)
	if !ok {
		p.dst = append(p.dst, perf.Point{Time: at, Value: math.NaN()})
		return
	}
	if last := len(p.dst) - 1; missed > 0 && began && last >= 0 && !math.IsNaN(p.dst[last].Value) {
		p.dst = append(p.dst, perf.Point{Time: at - 1, Value: math.NaN()}) // samples are missing before this one
	}
	p.dst = append(p.dst, perf.Point{Time: at, Value: value})
}
