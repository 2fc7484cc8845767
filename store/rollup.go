package store

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
)

// The bounds of the work on one block.
const (
	// slabCells is how many cells are summed up at a time: some 4 MB.
	slabCells = 16 * codec.GroupCells
	// blockWindows is how many windows go into a block at most: an hour of ten samples a second has 300.
	blockWindows = 512
	// shortSession is how many samples a session has at least when it is worth summing up.
	shortSession = 2 * codec.WindowSamples
)

const dayStep = 24 * hourStep

// rollUp sums up a session: the next block of minutes or hours. It is false when there is nothing to sum up.
func (db *DB) rollUp(ctx context.Context, session Session, cells *cellsOf) (done bool, err error) {
	done, err = db.rollUpMinutes(ctx, session, cells)
	if done || err != nil {
		return done, err
	}
	return db.rollUpHours(ctx, session)
}

// cellsOf knows what the cells of a session are.
type cellsOf struct {
	schema *perf.Schema
	cells  []level.Cell
}

func (c *cellsOf) refresh(ctx context.Context, db *DB, session int64) error {
	schema, err := db.readSchema(ctx, session, c.schema)
	if err == nil && schema != c.schema {
		c.schema, c.cells = schema, level.CellsOf(schema)
	}
	return err
}

// piece is a period of a window that goes into a block.
type piece struct {
	windowRow
	samples level.Samples // of the rows [from, until)
}

// minutes is a block of minutes under way.
type minutes struct {
	ctx    context.Context
	db     *DB
	pieces []piece
	// lead is the window before the first piece, nil without one: the first rates need it.
	lead  *windowRow
	rows  level.Rows
	block blockRow

	other   groupReader
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

// rollUpMinutes sums up the samples of the next hour of a session in minutes, when all of them are there.
func (db *DB) rollUpMinutes(ctx context.Context, session Session, cells *cellsOf) (done bool, err error) {
	m := &minutes{ctx: ctx, db: db}
	m.block = blockRow{step: minuteStep, finer: true}
	complete, err := m.collect(session)
	if err != nil || !complete {
		return false, db.explain(err)
	}
	if err := cells.refresh(ctx, db, session.ID); err != nil {
		return false, err
	}
	for first := 0; first < m.block.cells; first += slabCells {
		if err := m.sumUp(cells.cells, first, min(slabCells, m.block.cells-first)); err != nil {
			return false, db.explain(err)
		}
	}
	err = db.write(ctx, func(tx *sql.Tx) error { return m.insert(tx, session.ID) })
	return err == nil, err
}

// errOvertaken says that what was to be summed up has changed meanwhile.
var errOvertaken = errors.New("the samples were removed while they were summed up")

// nextMinutes is where the next block of minutes begins.
func nextMinutes(ctx context.Context, from rowQuerier, session int64) (at samplePlace, err error) {
	err = from.QueryRowContext(ctx, `SELECT next_window, next_row FROM level WHERE session = ?1 AND next_window =
		(SELECT max(next_window) FROM level WHERE session = ?1) ORDER BY next_row DESC LIMIT 1`, session).Scan(&at.window, &at.row)
	if errors.Is(err, sql.ErrNoRows) {
		return at, nil
	}
	return at, err
}

// collect finds the samples of the next block. It is complete when a later hour has begun, or the session has ended.
func (m *minutes) collect(session Session) (complete bool, err error) {
	tx, err := m.db.reader.BeginTx(m.ctx, nil)
	if err != nil {
		return false, err
	}
	defer tx.Rollback()
	next, err := nextMinutes(m.ctx, tx, session.ID)
	if err != nil {
		return false, err
	}
	windows, err := listWindows(m.ctx, tx, session.ID, "AND id >= ?", fmt.Sprintf("LIMIT %d", blockWindows), next.window)
	if err != nil || len(windows) == 0 {
		return false, err
	}
	// The newest part of a session that is being recorded need not be read to see that its hour is not over.
	if last := windows[len(windows)-1]; session.Running && len(windows) < blockWindows && last.ended/hourStep == windows[0].ended/hourStep {
		return false, nil
	}
	at := int64(math.MinInt64)
	before, err := listWindows(m.ctx, tx, session.ID, "AND id = (SELECT max(id) FROM clock WHERE session = ? AND id < ?)", "", session.ID, next.window)
	if err != nil {
		return false, err
	}
	if len(before) > 0 {
		m.lead, at = &before[0], before[0].ended
	}
	for _, w := range windows {
		from := 0
		if w.id == next.window {
			from = min(next.row, w.stored)
		}
		times, missed, err := readClock(m.ctx, tx, w)
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

// take adds the samples of a window from a row on, up to the end of the block, which has come when it is true.
func (m *minutes) take(w windowRow, from int, times, missed []int64, at *int64) (full bool) {
	p := piece{windowRow: w}
	p.from, p.until = from, from
	p.samples.Before = *at
	for i := from; i < len(times); i++ {
		now := times[i]
		last := m.rows.Len() - 1
		switch {
		case last < 0:
			m.rows.Add(now, now, 0, missed[i])
			m.block.first = samplePlace{w.id, i}
			m.block.started, m.block.ended = now, now
			last = 0
		case now/hourStep != m.rows.Started[0]/hourStep, now/minuteStep != m.rows.Started[last]/minuteStep && last+1 == level.MaxRows:
			full = true
		case now/minuteStep != m.rows.Started[last]/minuteStep:
			m.rows.Add(now, now, 0, missed[i])
			last++
		}
		if full {
			break
		}
		m.rows.Ended[last] = now
		m.rows.Samples[last]++
		m.block.started, m.block.ended = min(m.block.started, now), max(m.block.ended, now)
		m.block.samples++
		p.samples.Row = append(p.samples.Row, last)
		p.until = i + 1
		*at = now
	}
	if p.until > p.from {
		p.samples.Times, p.samples.Missed = times[p.from:p.until], missed[p.from:p.until]
		m.pieces = append(m.pieces, p)
		m.block.cells = max(m.block.cells, w.cells)
		m.block.next = samplePlace{w.id, p.until}
		if p.until == w.stored {
			m.block.next = samplePlace{w.id + 1, 0}
		}
	}
	return full
}

// sumUp sums up and packs a slab of cells.
func (m *minutes) sumUp(cells []level.Cell, first, count int) error {
	query, err := m.db.reader.PrepareContext(m.ctx, "SELECT data FROM chunk WHERE place = ?")
	if err != nil {
		return err
	}
	defer query.Close()
	m.other.ctx, m.other.query = m.ctx, query
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
		err := m.read(p.windowRow, first, count, func(i int, values []int64) {
			if p.from > 0 {
				m.before[i] = values[p.from-1]
			}
			m.columns[i].Add(about(first+i).Width, &p.samples, m.before[i], values[p.from:p.until])
			m.before[i], seen[i] = values[p.until-1], true
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

// read gives the values of cells of a window. Cells of groups without a row are left out.
func (m *minutes) read(w windowRow, first, count int, visit func(i int, values []int64)) error {
	rows, err := m.db.reader.QueryContext(m.ctx, "SELECT place, data FROM chunk WHERE place >= ? AND place < ? ORDER BY place",
		place(w.id, first/codec.GroupCells), place(w.id, (min(first+count, w.cells)+codec.GroupCells-1)/codec.GroupCells))
	if err != nil {
		return err
	}
	defer rows.Close()
	m.other.reset(w.id)
	var known [slabCells]bool
	for rows.Next() {
		var at int64
		var data sql.RawBytes
		if err := rows.Scan(&at, &data); err != nil {
			return err
		}
		begin := int(at-place(w.id, 0)) * codec.GroupCells
		for cell := begin; cell < min(begin+codec.GroupCells, first+count, w.cells); cell++ {
			member, rest, err := codec.NextMember(data)
			if err != nil {
				return err
			}
			data = rest
			values := m.values[cell-first][:0]
			switch like := member.Like; {
			case member.Block != nil:
				values, err = codec.Unpack(values, member.Block, w.stored)
			case like >= cell:
				err = fmt.Errorf("%w: a cell like a later one", chunk.ErrCorrupt)
			case like >= first && known[like-first]:
				values = append(values, m.values[like-first][:w.stored]...)
				codec.Shift(values, member.First)
			default:
				values, err = m.twin(values, member, w.stored)
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

// twin reads the values of a cell that moved as one of another slab.
func (m *minutes) twin(dst []int64, member codec.Member, samples int) ([]int64, error) {
	group, err := m.other.group(member.Like / codec.GroupCells)
	if err != nil {
		return dst, fmt.Errorf("%w: the group of cell %d: %w", chunk.ErrCorrupt, member.Like, err)
	}
	twin, err := codec.MemberOf(group, member.Like%codec.GroupCells)
	if err != nil {
		return dst, err
	}
	if twin.Block == nil {
		return dst, fmt.Errorf("%w: a reference to a reference", chunk.ErrCorrupt)
	}
	dst, err = codec.Unpack(dst, twin.Block, samples)
	codec.Shift(dst, member.First)
	return dst, err
}

// insert stores the block, if what it was made of is still there.
func (m *minutes) insert(tx *sql.Tx, session int64) error {
	next, err := nextMinutes(m.ctx, tx, session)
	if err != nil {
		return err
	}
	there, err := integers(m.ctx, tx, "SELECT count(*) FROM clock WHERE session = ? AND id BETWEEN ? AND ?", session,
		m.pieces[0].id, m.pieces[len(m.pieces)-1].id)
	if err != nil {
		return err
	}
	if m.block.first.before(next) || first(there) != int64(len(m.pieces)) {
		return errOvertaken
	}
	_, err = insertBlock(m.ctx, tx, m.db, session, &m.block, &m.rows, m.groups)
	return err
}

// insertBlock stores a block, and returns its number.
func insertBlock(ctx context.Context, tx *sql.Tx, db *DB, session int64, b *blockRow, rows *level.Rows, groups []packedSummary) (id int64, err error) {
	packed := rows.Append(nil)
	err = tx.QueryRowContext(ctx, `INSERT INTO level (session, step, started, ended, samples, cells, first_window, first_row, next_window,
		next_row, finer, rows) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?) RETURNING id`, session, b.step, b.started, b.ended, b.samples,
		b.cells, b.first.window, b.first.row, b.next.window, b.next.row, packed).Scan(&id)
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
		if _, err := insert.ExecContext(ctx, place(id, group.number), group.data); err != nil {
			return 0, err
		}
		bytes += int64(len(group.data))
	}
	return id, db.addBytes(ctx, tx, session, bytes)
}

// addBytes changes what is known of the size of a session.
func (db *DB) addBytes(ctx context.Context, tx *sql.Tx, session, bytes int64) error {
	db.mu.Lock()
	recorder := db.recorder
	db.mu.Unlock()
	if recorder != nil && recorder.log.session == session {
		recorder.log.resized.Add(bytes)
		return nil
	}
	_, err := tx.ExecContext(ctx, "UPDATE session SET bytes = max(0, bytes + ?) WHERE id = ?", bytes, session)
	return err
}

// rollUpHours sums up the minutes of the next day of a session in hours, when all of them are there.
func (db *DB) rollUpHours(ctx context.Context, session Session) (done bool, err error) {
	h := &hours{ctx: ctx, db: db}
	complete, err := h.collect(session)
	if err != nil || !complete {
		return false, db.explain(err)
	}
	for first := 0; first < h.block.cells; first += slabCells {
		if err := h.sumUp(first, min(slabCells, h.block.cells-first)); err != nil {
			return false, db.explain(err)
		}
	}
	err = db.write(ctx, func(tx *sql.Tx) error { return h.insert(tx, session.ID) })
	return err == nil, err
}

// hours is a block of hours under way.
type hours struct {
	ctx    context.Context
	db     *DB
	blocks []blockRow
	parts  []level.Rows // of the blocks
	row    []int        // of each block
	rows   level.Rows
	block  blockRow
	groups []packedSummary
	encode level.Encoder
}

// collect finds the minutes of the next block. It is complete when a later day has begun, or the session has ended.
func (h *hours) collect(session Session) (complete bool, err error) {
	all, err := listBlocks(h.ctx, h.db.reader, session.ID, math.MinInt64, math.MaxInt64)
	if err != nil {
		return false, err
	}
	h.block = blockRow{step: hourStep, finer: true}
	for _, b := range all {
		if b.step != minuteStep || b.parent != 0 {
			continue
		}
		if len(h.blocks) > 0 && (b.started/dayStep != h.blocks[0].started/dayStep || h.rows.Len() == level.MaxRows) {
			complete = true
			break
		}
		var part level.Rows
		if err := readBlockRows(h.ctx, h.db.reader, b.id, &part); err != nil {
			return false, err
		}
		last := h.rows.Len() - 1
		if last < 0 || b.started/hourStep != h.rows.Started[last]/hourStep {
			h.rows.Add(part.Started[0], 0, 0, part.Missed[0])
			last++
		}
		h.rows.Ended[last] = part.Ended[part.Len()-1]
		h.rows.Samples[last] += b.samples
		if len(h.blocks) == 0 {
			h.block.started, h.block.ended, h.block.first = b.started, b.ended, b.first
		}
		h.block.started, h.block.ended, h.block.next = min(h.block.started, b.started), max(h.block.ended, b.ended), b.next
		h.block.samples += b.samples
		h.block.cells = max(h.block.cells, b.cells)
		h.blocks, h.parts, h.row = append(h.blocks, b), append(h.parts, part), append(h.row, last)
	}
	return complete || len(h.blocks) > 0 && !session.Running, nil
}

func (h *hours) sumUp(first, count int) error {
	query, err := h.db.reader.PrepareContext(h.ctx, "SELECT data FROM summary WHERE place = ?")
	if err != nil {
		return err
	}
	defer query.Close()
	columns := make([]level.Column, count)
	begun := make([]bool, count)
	for i := range columns {
		columns[i].Reset(level.Value, h.rows.Len())
	}
	groups := groupReader{ctx: h.ctx, query: query}
	var one level.Column
	for at, b := range h.blocks {
		groups.reset(b.id)
		for from := first; from < min(first+count, b.cells); from += codec.GroupCells {
			data, err := groups.group(from / codec.GroupCells)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			part := &h.parts[at]
			err = one.Each(data, from, min(from+codec.GroupCells, first+count, b.cells), part, groups.group, func(cell int) {
				column := &columns[cell-first]
				if !begun[cell-first] {
					begun[cell-first], column.Kind = true, one.Kind
				}
				for i := range part.Len() {
					column.Merge(h.row[at], &one, i)
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
	id, err := insertBlock(h.ctx, tx, h.db, session, &h.block, &h.rows, h.groups)
	if err != nil {
		return err
	}
	for _, b := range h.blocks {
		n, err := affected(tx.ExecContext(h.ctx, "UPDATE level SET parent = ? WHERE id = ? AND session = ? AND parent = 0", id, b.id, session))
		if err != nil {
			return err
		}
		if n != 1 {
			return errOvertaken
		}
	}
	return nil
}

// rest waits after some work three times as long as it took.
func restAfter(ctx context.Context, began time.Time) error {
	timer := time.NewTimer(max(stepRest, 3*time.Since(began)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
