package replay

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
)

// ReadRange appends the points of a series between from and to, both included, to dst. A minute or hour whose samples were
// removed becomes one point at its end, as in Next. It may be called from any goroutine.
func (p *replay) ReadRange(ctx context.Context, series int, from, to time.Time, dst []perf.Point) ([]perf.Point, error) {
	schema := p.schema.Load()
	if series < 0 || series >= len(schema.Series) {
		return dst, fmt.Errorf("session %d has %d series, and none has the number %d", p.id, len(schema.Series), series)
	}
	points := newPointer(schema.Series[series], from, to, dst)
	err := readCell(ctx, p.history.Reader, p.id, schema.Series[series].Cell, 0, points.from, points.to, points)
	return points.dst, p.history.Explain(err)
}

// ReadBands appends the bands of a series between from and to, both included, to dst: minutes or hours where step allows them
// or nothing finer exists, otherwise samples. It may be called from any goroutine.
func (p *replay) ReadBands(ctx context.Context, series int, from, to time.Time, step time.Duration, dst []perf.Band) ([]perf.Band, error) {
	schema := p.schema.Load()
	if series < 0 || series >= len(schema.Series) {
		return dst, fmt.Errorf("session %d has %d series, and none has the number %d", p.id, len(schema.Series), series)
	}
	bands := newBander(schema.Series[series], from, to, dst)
	err := readCell(ctx, p.history.Reader, p.id, schema.Series[series].Cell, int64(step), bands.from, bands.to, bands)
	return bands.dst, p.history.Explain(err)
}

// readings receives the readings of a cell in order: samples, and rows of blocks.
type readings interface {
	// reserve makes room for a number of readings.
	reserve(count int)
	sample(at int64, missed int, reading int64)
	block(w parts.Part, rows *level.Rows, missed []int64, column *level.Column)
}

// readCell passes on a cell's readings in a range, and the readings of one window or block before it, for the first rate. It
// prefers the longest rows up to step.
func readCell(ctx context.Context, pool *sql.DB, session int64, cell int, step, from, to int64, into readings) error {
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	list, err := listRange(ctx, tx, session, step, from, to)
	if err != nil {
		return err
	}
	into.reserve(countRows(list))
	c := cellReader{ctx: ctx, tx: tx, cell: cell, into: into, ended: math.MinInt64}
	if err := c.read(list); err != nil {
		return err
	}
	var folded sql.NullInt64
	if err := tx.QueryRowContext(ctx, "SELECT max(ended) FROM clock WHERE session = ?", session).Scan(&folded); err != nil {
		return err
	}
	if folded.Valid && folded.Int64 >= to {
		return nil // the window that is not full yet begins later
	}
	frames, err := parts.Frames(ctx, tx, session)
	if err != nil {
		return err
	}
	return readFrames(frames[:codec.CountReadable(frames)], cell, into)
}

// countRows returns the number of rows in the windows of a list; blocks have few.
func countRows(list []parts.Part) (count int) {
	for i := range list {
		count += list[i].Until - list[i].From
	}
	return count
}

// readFrames passes on a cell's readings in the window that is not full yet.
func readFrames(frames [][]byte, cell int, into readings) error {
	var d codec.Decoder
	var column perf.Column
	for _, frame := range frames {
		if err := d.Next(frame, &column); err != nil {
			return err
		}
		value := perf.Missing
		if cell < len(column.Cells) {
			value = column.Cells[cell]
		}
		into.sample(column.Time.UnixNano(), column.Missed, value)
	}
	return nil
}

// listRange lists the parts of a session in a period and the part before it, without the window in the frame table.
func listRange(ctx context.Context, tx *sql.Tx, session, step, from, to int64) ([]parts.Part, error) {
	var before sql.NullInt64
	err := tx.QueryRowContext(ctx, `SELECT max(ended) FROM (SELECT max(ended) AS ended FROM clock WHERE session = ?1 AND ended < ?2
		UNION ALL SELECT max(ended) FROM level WHERE session = ?1 AND ended < ?2)`, session, from).Scan(&before)
	if err != nil {
		return nil, err
	}
	if before.Valid {
		from = before.Int64
	}
	blocks, err := parts.Blocks(ctx, tx, session, from, to)
	if err != nil {
		return nil, err
	}
	blocks = parts.Choose(blocks, step)
	var windows []parts.Part
	if step < parts.MinuteStep || !contiguous(blocks) {
		windows, err = parts.Windows(ctx, tx, session, "AND ended >= ? AND started <= ?", "", from, to)
	} else { // windows between the blocks need not be listed
		windows, err = parts.Windows(ctx, tx, session, "AND (id >= ? OR ended < ?) AND ended >= ? AND started <= ?", "",
			blocks[len(blocks)-1].Next.Window, blocks[0].Started, from, to)
	}
	return parts.Merge(windows, blocks), err
}

// contiguous reports whether each block begins where the one before it ended.
func contiguous(blocks []parts.Block) bool {
	for i := range blocks {
		if i > 0 && blocks[i].First != blocks[i-1].Next {
			return false
		}
	}
	return len(blocks) > 0
}

// cellReader reads the readings of one cell.
type cellReader struct {
	ctx                   context.Context
	tx                    *sql.Tx
	cell                  int
	into                  readings
	times, missed, values []int64
	rows                  level.Rows
	column                level.Column
	// The queries are prepared when they are first needed, and end with the transaction.
	windows, other, blockRows *sql.Stmt
	groups                    parts.GroupReader
	twins                     map[int]int // the newest group of the twin of each cell
	ended                     int64       // the time of the newest reading
}

// read passes on the readings of the listed parts. It reads consecutive windows with one query.
func (c *cellReader) read(list []parts.Part) (err error) {
	for len(list) > 0 {
		count := 0
		for count < len(list) && list[count].Step == 0 {
			count++
		}
		if count > 0 {
			err = c.readWindows(list[:count])
		} else {
			count = 1
			err = c.readBlock(list[0])
		}
		if err != nil {
			return err
		}
		c.ended = list[count-1].Ended
		list = list[count:]
	}
	return nil
}

// readWindows reads the cell's blocks of windows.
func (c *cellReader) readWindows(list []parts.Part) (err error) {
	if err := c.prepareWindows(); err != nil {
		return err
	}
	for len(list) > 0 && err == nil {
		list, err = c.readRun(list)
	}
	return err
}

// readRun reads windows with one query, and returns the windows left for another query: a cell with a twin in another group is read
// together with that group as soon as it is known.
func (c *cellReader) readRun(list []parts.Part) (rest []parts.Part, err error) {
	twin, known := c.twins[c.cell]
	if !known {
		twin = noGroup
	}
	rows, err := c.windows.QueryContext(c.ctx, c.cell/codec.GroupCells, twin, list[0].ID, list[len(list)-1].ID, list[0].ID, c.cell)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var (
		id                                     int64
		packedTimes, packedMissed, data, other sql.RawBytes
	)
	for rows.Next() {
		if err := rows.Scan(&id, &packedTimes, &packedMissed, &data, &other); err != nil {
			return nil, err
		}
		for len(list) > 0 && list[0].ID < id {
			list = list[1:]
		}
		if len(list) == 0 || list[0].ID != id {
			continue
		}
		stored := list[0].Stored
		if c.times, err = codec.Unpack(c.times[:0], packedTimes, stored); err != nil {
			return nil, err
		}
		if c.missed, err = codec.Unpack(c.missed[:0], packedMissed, stored); err != nil {
			return nil, err
		}
		if c.values, err = c.unpack(c.values[:0], data, other, twin, id, stored); err != nil {
			return nil, err
		}
		for ; len(list) > 0 && list[0].ID == id; list = list[1:] {
			for i := list[0].From; i < list[0].Until; i++ {
				c.into.sample(c.times[i], int(min(max(c.missed[i], 0), codec.MaxMissed)), c.values[i])
			}
		}
		if group, known := c.twins[c.cell]; known && group != twin && len(list) > minRun {
			return list, rows.Err()
		}
	}
	return nil, rows.Err()
}

const (
	// noGroup is the number of no group.
	noGroup = -1
	// minRun is the number of windows that justify another query.
	minRun = 4
)

func (c *cellReader) prepareWindows() (err error) {
	if c.windows != nil {
		return nil
	}
	c.twins = map[int]int{}
	if c.other, err = c.tx.PrepareContext(c.ctx, "SELECT data FROM chunk WHERE place = ?"); err != nil {
		return err
	}
	// The plus keeps SQLite from scanning all windows of the session for the few in the range.
	c.windows, err = c.tx.PrepareContext(c.ctx, `SELECT clock.id, clock.times, clock.missed, chunk.data, other.data
		FROM clock LEFT JOIN chunk ON chunk.place = (clock.id << 16 | ?)
		LEFT JOIN chunk AS other ON other.place = (clock.id << 16 | ?)
		WHERE clock.id BETWEEN ? AND ? AND +clock.session = (SELECT session FROM clock WHERE id = ?) AND clock.cells > ? ORDER BY clock.id`)
	return err
}

// readBlock reads the cell's rows of a block.
func (c *cellReader) readBlock(w parts.Part) (err error) {
	if !c.groups.Ready() {
		query, err := c.tx.PrepareContext(c.ctx, "SELECT data FROM summary WHERE place = ?")
		if err != nil {
			return err
		}
		c.groups.Use(c.ctx, query)
		if c.blockRows, err = c.tx.PrepareContext(c.ctx, "SELECT rows FROM level WHERE id = ?"); err != nil {
			return err
		}
	}
	var packed []byte
	if err := c.blockRows.QueryRowContext(c.ctx, w.ID).Scan(&packed); err != nil {
		return err
	}
	if err := c.rows.Read(packed); err != nil {
		return err
	}
	c.groups.Reset(w.ID)
	group, err := c.groups.Group(c.cell / codec.GroupCells)
	switch {
	case errors.Is(err, sql.ErrNoRows), err == nil && c.cell >= w.Cells:
		c.column.Reset(level.Value, c.rows.Len())
	case err != nil:
		return err
	default:
		if err := c.column.Decode(group, c.cell, &c.rows, c.groups.Group); err != nil {
			return err
		}
	}
	c.missed = parts.MissedSteps(&c.rows, w.Step, c.ended, c.missed[:0])
	c.into.block(w, &c.rows, c.missed, &c.column)
	return nil
}

// unpack appends the cell's values in one window to dst. When the cell refers to a cell of another group than twin, whose data is
// other, it reads that group.
func (c *cellReader) unpack(dst []int64, group, other []byte, twin int, window int64, samples int) ([]int64, error) {
	if group == nil {
		for range samples {
			dst = append(dst, perf.Missing)
		}
		return dst, nil
	}
	m, err := codec.MemberOf(group, c.cell%codec.GroupCells)
	if err != nil {
		return dst, err
	}
	if m.Block != nil {
		return codec.Unpack(dst, m.Block, samples)
	}
	switch number := m.Like / codec.GroupCells; {
	case number == c.cell/codec.GroupCells:
		other = group
	case number != twin || other == nil:
		var data []byte
		if err := c.other.QueryRowContext(c.ctx, parts.Key(window, number)).Scan(&data); err != nil {
			return dst, fmt.Errorf("%w: the group of cell %d: %w", chunk.ErrCorrupt, m.Like, err)
		}
		other, c.twins[c.cell] = data, number
	}
	return m.UnpackReference(dst, other, samples)
}

// pointer turns a cell's readings into points, by the same rules as for live samples.
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

func (p *pointer) reserve(count int) { p.dst = slices.Grow(p.dst, count) }

// block adds each row as a sample at its end, with its last reading.
func (p *pointer) block(_ parts.Part, rows *level.Rows, missed []int64, column *level.Column) {
	for i, last := range column.Last {
		p.sample(rows.Ended[i], int(missed[i]), last)
	}
}

// sample adds the next reading. A missing value becomes a gap.
func (p *pointer) sample(at int64, missed int, reading int64) {
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

// bandBuilder turns a cell's readings into bands.
type bandBuilder struct {
	series   perf.Series
	from, to int64
	dst      []perf.Band
	began    bool
	at       int64 // of the newest sample
	reading  int64
}

func newBander(series perf.Series, from, to time.Time, dst []perf.Band) *bandBuilder {
	return &bandBuilder{series: series, from: from.UnixNano(), to: to.UnixNano(), dst: dst}
}

func (b *bandBuilder) reserve(count int) { b.dst = slices.Grow(b.dst, count) }

func (b *bandBuilder) block(w parts.Part, rows *level.Rows, missed []int64, column *level.Column) {
	for i := range rows.Len() {
		began, before, at := b.began, b.reading, b.at
		b.began, b.at, b.reading = true, rows.Ended[i], column.Last[i]
		if rows.Ended[i] < b.from || rows.Started[i] > b.to {
			continue
		}
		band := perf.Band{
			From: rows.Started[i], To: rows.Ended[i], Count: column.Count[i], Samples: rows.Samples[i],
			Step: time.Duration(w.Step), Finer: w.Finer, Gap: missed[i] > 0,
		}
		band.Min, band.Max, band.Average, band.Last = column.Band(&b.series, i)
		band.Change = math.NaN()
		if began {
			band.Elapsed = time.Duration(rows.Ended[i] - at)
			band.Change = b.change(before, column.Last[i], &band)
		}
		b.dst = append(b.dst, band)
	}
}

// change returns the increase of a rate's counter in a row. It is NaN when the change of any sample is unknown, or when the
// counter may have wrapped more than once.
func (b *bandBuilder) change(before, after int64, band *perf.Band) float64 {
	if b.series.Kind != perf.Rate || band.Count != band.Samples {
		return math.NaN()
	}
	change, ok := perf.Change(before, after, b.series.Width)
	if b.series.Width != 0 && b.series.Width < 64 {
		ok = ok && band.Max*band.Elapsed.Seconds() < b.series.Scaled(math.Ldexp(1, int(b.series.Width)-1))
	}
	if !ok {
		return math.NaN()
	}
	return b.series.Scaled(float64(change))
}

func (b *bandBuilder) sample(at int64, missed int, reading int64) {
	began, before, elapsed := b.began, b.reading, time.Duration(at-b.at)
	b.began, b.at, b.reading = true, at, reading
	if at < b.from || at > b.to {
		return
	}
	band := perf.Band{From: at, To: at, Last: b.series.CellValue(reading), Average: math.NaN(), Change: math.NaN(), Samples: 1, Gap: missed > 0}
	switch b.series.Kind {
	case perf.Rate, perf.Cumulative:
		if began && missed == 0 {
			band.Average = b.series.Rate(before, reading, elapsed)
		}
		if b.series.Kind == perf.Rate {
			band.Last = band.Average
		}
	default:
		band.Average = band.Last
	}
	if !math.IsNaN(band.Average) {
		band.Count = 1
	}
	band.Min, band.Max = band.Average, band.Average
	b.dst = append(b.dst, band)
}
