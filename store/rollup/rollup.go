package rollup

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/chunk"
	"cxdeck/store/codec"
	"cxdeck/store/level"
	"cxdeck/store/parts"
	"cxdeck/store/series"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// The bounds of the work on one block.
const (
	// slabCells is the number of cells that are aggregated at a time: some 4 MB.
	slabCells = 16 * codec.GroupCells
	// blockWindows is the maximum number of windows in a block: an hour of ten samples per second has 300.
	blockWindows = 512
	// shortSession is the number of samples up to which a session is not aggregated.
	shortSession = 2 * codec.WindowSamples
)

const dayStep = 24 * parts.HourStep

// rollUp aggregates a session: the next block of minutes or hours. done is false when there is nothing to aggregate.
func (k *Keeper) rollUp(ctx context.Context, session sessions.Session, cells *Cells) (done bool, err error) {
	done, err = k.rollUpMinutes(ctx, session, cells)
	if done || err != nil {
		return done, err
	}
	return k.rollUpHours(ctx, session)
}

// Cells caches the kinds of a session's cells.
type Cells struct {
	schema *perf.Schema
	cells  []level.Cell
}

func (c *Cells) refresh(ctx context.Context, k *Keeper, session int64) error {
	schema, err := series.ReadSchema(ctx, k.Reader, session, c.schema)
	if err == nil && schema != c.schema {
		c.schema, c.cells = schema, level.CellsOf(schema)
	}
	return err
}

// piece is the rows of a window that go into a block.
type piece struct {
	parts.Part
	samples level.Samples // of the rows [from, until)
}

// minutes computes a block of minutes.
type minutes struct {
	ctx    context.Context
	k      *Keeper
	pieces []piece
	// lead is the window before the first piece, for the first rates; nil without one.
	lead  *parts.Part
	rows  level.Rows
	block parts.Block

	other   parts.GroupReader
	columns []level.Column
	before  []int64
	values  [][codec.WindowSamples]int64
	groups  []packedSummary
	encode  level.Encoder
}

// packedSummary is a group of cells of a block.
type packedSummary struct {
	number int
	data   []byte
}

// rollUpMinutes aggregates the samples of the next hour of a session by minute, once the hour is complete.
func (k *Keeper) rollUpMinutes(ctx context.Context, session sessions.Session, cells *Cells) (done bool, err error) {
	m := &minutes{ctx: ctx, k: k}
	m.block = parts.Block{Step: parts.MinuteStep, Finer: true}
	complete, err := m.collect(session)
	if err != nil || !complete {
		return false, err
	}
	if err := cells.refresh(ctx, k, session.ID); err != nil {
		return false, err
	}
	for first := 0; first < m.block.Cells; first += slabCells {
		if err := m.sumSlab(cells.cells, first, min(slabCells, m.block.Cells-first)); err != nil {
			return false, err
		}
	}
	err = k.Write(ctx, func(tx *sql.Tx) error { return m.insert(tx, session.ID) })
	return err == nil, err
}

// errOvertaken reports that the samples were removed while they were aggregated.
var errOvertaken = errors.New("the samples were removed while they were aggregated")

// nextMinutes returns the place where the next block of minutes begins.
func nextMinutes(ctx context.Context, from sqlite.RowQuerier, session int64) (at parts.Place, err error) {
	err = from.QueryRowContext(ctx, `SELECT next_window, next_row FROM level WHERE session = ?1 AND next_window =
		(SELECT max(next_window) FROM level WHERE session = ?1) ORDER BY next_row DESC LIMIT 1`, session).Scan(&at.Window, &at.Row)
	if errors.Is(err, sql.ErrNoRows) {
		return at, nil
	}
	return at, err
}

// collect finds the samples of the next block. The block is complete when a later hour has begun, or the session has ended.
func (m *minutes) collect(session sessions.Session) (complete bool, err error) {
	tx, err := m.k.Reader.BeginTx(m.ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	next, err := nextMinutes(m.ctx, tx, session.ID)
	if err != nil {
		return false, err
	}
	windows, err := parts.Windows(m.ctx, tx, session.ID, "AND id >= ?", fmt.Sprintf("LIMIT %d", blockWindows), next.Window)
	if err != nil || len(windows) == 0 {
		return false, err
	}
	// The newest hour of a running session is not over: there is no need to read it.
	if last := windows[len(windows)-1]; session.Running && len(windows) < blockWindows && last.Ended/parts.HourStep == windows[0].Ended/parts.HourStep {
		return false, nil
	}
	at := int64(math.MinInt64)
	before, err := parts.Windows(m.ctx, tx, session.ID, "AND id = (SELECT max(id) FROM clock WHERE session = ? AND id < ?)", "", session.ID, next.Window)
	if err != nil {
		return false, err
	}
	if len(before) > 0 {
		m.lead, at = &before[0], before[0].Ended
	}
	for _, w := range windows {
		from := 0
		if w.ID == next.Window {
			from = min(next.Row, w.Stored)
		}
		times, missed, err := parts.Clock(m.ctx, tx, w)
		if err != nil {
			return false, err
		}
		if from > 0 {
			at, m.lead = times[from-1], nil
		}
		if full := m.take(w, from, times, missed, &at); full {
			return true, nil
		}
	}
	return len(m.pieces) > 0 && (!session.Running || len(windows) == blockWindows), nil
}

// take adds the samples of a window from a row on; full reports that the block has ended.
func (m *minutes) take(w parts.Part, from int, times, missed []int64, at *int64) (full bool) {
	p := piece{Part: w}
	p.From, p.Until = from, from
	p.samples.Before = *at
	for i := from; i < len(times); i++ {
		now := times[i]
		last := m.rows.Len() - 1
		switch {
		case last < 0:
			m.rows.Add(now, now, 0, missed[i])
			m.block.First = parts.Place{Window: w.ID, Row: i}
			m.block.Started, m.block.Ended = now, now
			last = 0
		case now/parts.HourStep != m.rows.Started[0]/parts.HourStep, now/parts.MinuteStep != m.rows.Started[last]/parts.MinuteStep && last+1 == level.MaxRows:
			full = true
		case now/parts.MinuteStep != m.rows.Started[last]/parts.MinuteStep:
			m.rows.Add(now, now, 0, missed[i])
			last++
		}
		if full {
			break
		}
		m.rows.Ended[last] = now
		m.rows.Samples[last]++
		m.block.Started, m.block.Ended = min(m.block.Started, now), max(m.block.Ended, now)
		m.block.Samples++
		p.samples.Row = append(p.samples.Row, last)
		p.Until = i + 1
		*at = now
	}
	if p.Until > p.From {
		p.samples.Times, p.samples.Missed = times[p.From:p.Until], missed[p.From:p.Until]
		m.pieces = append(m.pieces, p)
		m.block.Cells = max(m.block.Cells, w.Cells)
		m.block.Next = parts.Place{Window: w.ID, Row: p.Until}
		if p.Until == w.Stored {
			m.block.Next = parts.Place{Window: w.ID + 1}
		}
	}
	return full
}

// sumSlab aggregates and packs a slab of cells.
func (m *minutes) sumSlab(cells []level.Cell, first, count int) error {
	query, err := m.k.Reader.PrepareContext(m.ctx, "SELECT data FROM chunk WHERE place = ?")
	if err != nil {
		return err
	}
	defer query.Close()
	m.other.Use(m.ctx, query)
	if m.columns == nil {
		m.columns = make([]level.Column, slabCells)
		m.before = make([]int64, slabCells)
		m.values = make([][codec.WindowSamples]int64, slabCells)
		m.encode.Reset()
	}
	about := func(cell int) level.Cell {
		if cell < len(cells) {
			return cells[cell]
		}
		return level.Cell{}
	}
	for i := range count {
		m.columns[i].Reset(about(first+i).Kind, m.rows.Len())
		m.before[i] = perf.Missing
	}
	if m.lead != nil {
		err := m.read(*m.lead, first, count, func(i int, values []int64) { m.before[i] = values[len(values)-1] })
		if err != nil {
			return err
		}
	}
	for at := range m.pieces {
		p := &m.pieces[at]
		seen := make([]bool, count)
		err := m.read(p.Part, first, count, func(i int, values []int64) {
			if p.From > 0 {
				m.before[i] = values[p.From-1]
			}
			m.columns[i].Add(about(first+i).Width, &p.samples, m.before[i], values[p.From:p.Until])
			m.before[i], seen[i] = values[p.Until-1], true
		})
		if err != nil {
			return err
		}
		for i, has := range seen {
			if !has {
				m.before[i] = perf.Missing
			}
		}
	}
	m.pack(first, count)
	return m.ctx.Err()
}

// pack packs a slab of columns. Groups without a reading have no row.
func (m *minutes) pack(first, count int) {
	m.groups = packColumns(m.groups, &m.encode, m.columns[:count], first, &m.rows)
}

func packColumns(groups []packedSummary, encode *level.Encoder, columns []level.Column, first int, rows *level.Rows) []packedSummary {
	for from := 0; from < len(columns); from += codec.GroupCells {
		to := min(from+codec.GroupCells, len(columns))
		present := slices.ContainsFunc(columns[from:to], func(c level.Column) bool {
			return slices.ContainsFunc(c.Last, func(last int64) bool { return last != perf.Missing })
		})
		if !present {
			continue
		}
		var data []byte
		for i := from; i < to; i++ {
			data = encode.Append(data, first+i, &columns[i], rows)
		}
		groups = append(groups, packedSummary{(first + from) / codec.GroupCells, slices.Clip(data)})
	}
	return groups
}

// read returns the values of cells of a window. Cells of groups without a row are left out.
func (m *minutes) read(w parts.Part, first, count int, visit func(i int, values []int64)) error {
	rows, err := m.k.Reader.QueryContext(m.ctx, "SELECT place, data FROM chunk WHERE place >= ? AND place < ? ORDER BY place",
		parts.Key(w.ID, first/codec.GroupCells), parts.Key(w.ID, (min(first+count, w.Cells)+codec.GroupCells-1)/codec.GroupCells))
	if err != nil {
		return err
	}
	defer rows.Close()
	m.other.Reset(w.ID)
	var known [slabCells]bool
	for rows.Next() {
		var at int64
		var data sql.RawBytes
		if err := rows.Scan(&at, &data); err != nil {
			return err
		}
		begin := int(at-parts.Key(w.ID, 0)) * codec.GroupCells
		for cell := begin; cell < min(begin+codec.GroupCells, first+count, w.Cells); cell++ {
			member, rest, err := codec.NextMember(data)
			if err != nil {
				return err
			}
			data = rest
			values := m.values[cell-first][:0]
			switch like := member.Like; {
			case member.Block != nil:
				values, err = codec.Unpack(values, member.Block, w.Stored)
			case like >= cell:
				err = fmt.Errorf("%w: a cell that refers to a later one", chunk.ErrCorrupt)
			case like >= first && known[like-first]:
				values = append(values, m.values[like-first][:w.Stored]...)
				codec.Shift(values, member.First)
			default:
				values, err = m.readReference(values, member, w.Stored)
			}
			if err != nil {
				return err
			}
			known[cell-first] = true
			visit(cell-first, values)
		}
	}
	return rows.Err()
}

// readReference reads the values of a cell that refers to a cell of another slab.
func (m *minutes) readReference(dst []int64, member codec.Member, samples int) ([]int64, error) {
	group, err := m.other.Group(member.Like / codec.GroupCells)
	if err != nil {
		return dst, fmt.Errorf("%w: the group of cell %d: %w", chunk.ErrCorrupt, member.Like, err)
	}
	return member.UnpackReference(dst, group, samples)
}

// insert stores the block, if the rows that it aggregates still exist.
func (m *minutes) insert(tx *sql.Tx, session int64) error {
	next, err := nextMinutes(m.ctx, tx, session)
	if err != nil {
		return err
	}
	there, err := sqlite.Integers(m.ctx, tx, "SELECT count(*) FROM clock WHERE session = ? AND id BETWEEN ? AND ?", session,
		m.pieces[0].ID, m.pieces[len(m.pieces)-1].ID)
	if err != nil {
		return err
	}
	if m.block.First.Before(next) || sqlite.First(there) != int64(len(m.pieces)) {
		return errOvertaken
	}
	_, err = insertBlock(m.ctx, tx, m.k, session, &m.block, &m.rows, m.groups)
	return err
}

// insertBlock stores a block, and returns its number.
func insertBlock(ctx context.Context, tx *sql.Tx, k *Keeper, session int64, b *parts.Block, rows *level.Rows, groups []packedSummary) (id int64, err error) {
	packed := rows.Append(nil)
	err = tx.QueryRowContext(ctx, `INSERT INTO level (session, step, started, ended, samples, cells, first_window, first_row, next_window,
		next_row, finer, rows) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?) RETURNING id`, session, b.Step, b.Started, b.Ended, b.Samples,
		b.Cells, b.First.Window, b.First.Row, b.Next.Window, b.Next.Row, packed).Scan(&id)
	if err != nil {
		return 0, err
	}
	insert, err := tx.PrepareContext(ctx, "INSERT INTO summary (place, data) VALUES (?, ?)")
	if err != nil {
		return 0, err
	}
	defer insert.Close()
	bytes := int64(len(packed))
	for _, group := range groups {
		if _, err := insert.ExecContext(ctx, parts.Key(id, group.number), group.data); err != nil {
			return 0, err
		}
		bytes += int64(len(group.data))
	}
	return id, k.Resize(ctx, tx, session, bytes)
}

// minPause is the shortest pause after a step: it lets the writer through.
const minPause = 5 * time.Millisecond

// pauseAfter waits three times as long as the step since began took.
func pauseAfter(ctx context.Context, began time.Time) error {
	timer := time.NewTimer(max(minPause, 3*time.Since(began)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
