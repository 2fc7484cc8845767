package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"time"

	"cxdeck/driver"
	"cxdeck/perf"
)

// Replay opens a session as a source: it is also a perf.Seeker, perf.RangeReader and perf.Eventer. A session that is
// still being recorded can be replayed as far as it has been saved.
func (db *DB) Replay(ctx context.Context, id int64) (perf.Source, error) {
	session, err := db.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	p := &replay{db: db, session: session}
	if err := p.refresh(ctx); err != nil {
		return nil, err
	}
	return p, nil
}

// replay plays a session back. One goroutine owns it, but ReadRange touches only what rarely changes.
type replay struct {
	db      *DB
	session Session
	schema  *perf.Schema
	// inventories are all that the session had, in order; inventory is the one that counts now.
	inventories []datedInventory
	inventory   int

	windows []windowRow
	// at is the window that rows are of, row the next of its rows; first is the number of the session's sample that
	// the window begins with.
	at, row int
	first   int64
	rows    rows

	began bool
	last  time.Time // of the column given last

	events     []driver.Event // read ahead
	lastEvent  int64          // the row of the newest of them
	eventsRead bool           // there were no more behind them when eventsAt samples were saved
	eventsAt   int64
}

// datedInventory is an inventory and the number of the sample that it came before.
type datedInventory struct {
	sample    int64
	inventory *perf.Inventory
}

// Info says that the source is a session, and what it was recorded of.
func (p *replay) Info() perf.SourceInfo {
	info := p.session.Source
	info.Kind = perf.SessionSource
	return info
}

func (p *replay) Schema() *perf.Schema       { return p.schema }
func (p *replay) Inventory() *perf.Inventory { return p.inventories[p.inventory].inventory }
func (p *replay) Close() error               { return nil }

// Span is the time of the first and last sample.
func (p *replay) Span() (from, to time.Time) {
	if len(p.windows) == 0 {
		return p.session.Started, p.session.Started
	}
	return instant(p.windows[0].started), instant(p.windows[len(p.windows)-1].ended)
}

// Next gives the next row that is at least interval after the one before.
func (p *replay) Next(ctx context.Context, interval time.Duration, column *perf.Column) error {
	// Samples of a live machine come a little early or late; half an interval of patience keeps each of them.
	target := p.last.Add(interval - min(interval, p.session.Interval)/2)
	missed, skipped := 0, false
	for {
		if err := p.load(ctx); err != nil {
			return err
		}
		at := p.rows.time(p.row)
		missed += p.rows.missedBefore(p.row)
		if p.began && at.Before(target) {
			p.row++
			skipped = true
			continue
		}
		if skipped && interval > 0 { // missed samples count in steps of interval
			missed = min(missed, max(0, int(at.Sub(p.last)/interval)-1))
		}
		column.Time, column.Missed = at, missed
		column.Grow(p.schema.Cells)
		p.rows.copyTo(column.Cells, p.row)
		p.moveInventory(p.first + int64(p.row))
		p.began, p.last = true, at
		p.row++
		return nil
	}
}

// load makes rows hold the row that comes next; io.EOF at the end of what is saved.
func (p *replay) load(ctx context.Context) error {
	for p.row >= p.rows.samples {
		if p.rows.samples > 0 {
			p.first += int64(p.rows.samples)
			p.at++
			p.row, p.rows.samples = 0, 0
		}
		if p.at >= len(p.windows) {
			if grown, err := p.catchUp(ctx); err != nil || !grown {
				return errors.Join(err, io.EOF)
			}
		}
		skip := p.row
		if err := p.rows.read(ctx, p.db, p.windows[p.at], p.schema.Cells); err != nil {
			return err
		}
		p.row = skip
	}
	return nil
}

// moveInventory makes the inventory the one that held at a sample.
func (p *replay) moveInventory(sample int64) {
	behind := sort.Search(len(p.inventories), func(i int) bool { return p.inventories[i].sample > sample })
	p.inventory = max(0, behind-1)
}

// Seek makes Next give the first row at or after to, and Events what happened after that.
func (p *replay) Seek(to time.Time) error {
	ns := to.UnixNano()
	p.rewind()
	for p.at < len(p.windows)-1 && p.windows[p.at].ended < ns {
		p.first += int64(p.windows[p.at].samples)
		p.at++
	}
	ctx := context.Background()
	if err := p.load(ctx); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for p.row < p.rows.samples && p.rows.times[p.row] < ns {
		p.row++
	}
	p.skipEvents(ctx, ns)
	return nil
}

// rewind goes to the first row.
func (p *replay) rewind() {
	p.at, p.first, p.row, p.rows.samples, p.began = 0, 0, 0, 0, false
}

// samplesKnown is how many samples the windows have.
func (p *replay) samplesKnown() (n int64) {
	for _, w := range p.windows {
		n += int64(w.samples)
	}
	return n
}

// catchUp looks for what was saved since the windows were listed, of a session that is still being recorded. The row
// after the last known one comes next.
func (p *replay) catchUp(ctx context.Context) (grown bool, err error) {
	if !p.session.Running {
		return false, nil
	}
	known := p.samplesKnown()
	if err := p.refresh(ctx); err != nil || p.samplesKnown() <= known {
		return false, err
	}
	p.at, p.first, p.rows.samples = 0, 0, 0
	for p.first+int64(p.windows[p.at].samples) <= known {
		p.first += int64(p.windows[p.at].samples)
		p.at++
	}
	p.row = int(known - p.first)
	return true, nil
}

// refresh reads what the session has now.
func (p *replay) refresh(ctx context.Context) (err error) {
	if p.session, err = p.db.Session(ctx, p.session.ID); err != nil {
		return err
	}
	schema, err := p.db.readSchema(ctx, p.session.ID)
	if err != nil {
		return err
	}
	if p.schema == nil || schema.Generation != p.schema.Generation {
		p.schema = schema
	}
	if p.inventories, err = p.db.readInventories(ctx, p.session.ID, p.schema); err != nil {
		return err
	}
	p.windows, err = p.db.readWindows(ctx, p.session.ID)
	return err
}

// readSchema reads the newest schema of a session; earlier ones are its beginnings.
func (db *DB) readSchema(ctx context.Context, session int64) (*perf.Schema, error) {
	var number, count, cells int64
	err := db.reader.QueryRowContext(ctx, "SELECT COALESCE(MAX(number), 0), COALESCE(MAX(series), 0), COALESCE(MAX(cells), 0) FROM generation WHERE session = ?",
		session).Scan(&number, &count, &cells)
	if err != nil {
		return nil, explain(db.path, err)
	}
	if cells < 0 || cells > MaximumCells || count < 0 || count > maximumSeries {
		return nil, fmt.Errorf("session %d has an impossible schema: %w", session, &FileError{Path: db.path, Reason: ErrDamaged})
	}
	rows, err := db.reader.QueryContext(ctx, `SELECT set_name, instance, counter, kind, unit, cell, scale, width, line, total
		FROM series WHERE session = ? ORDER BY number LIMIT ?`, session, count)
	if err != nil {
		return nil, explain(db.path, err)
	}
	defer rows.Close()
	var series []perf.Series
	for rows.Next() {
		var s perf.Series
		var line int64
		err := rows.Scan(&s.Set, &s.Instance, &s.Counter, &s.Kind, &s.Unit, &s.Cell, &s.Scale, &s.Width, &line, &s.Sum)
		if err != nil {
			return nil, explain(db.path, err)
		}
		s.Line = uint64(line)
		series = append(series, s)
	}
	if err := rows.Err(); err != nil {
		return nil, explain(db.path, err)
	}
	schema, err := perf.NewSchema(uint64(number), int(cells), series)
	if err != nil {
		return nil, fmt.Errorf("session %d: %w", session, errors.Join(err, ErrDamaged))
	}
	return schema, nil
}

// maximumSeries bounds a schema that is read back.
const maximumSeries = 1 << 21

// readInventories reads all inventories of a session. There is always at least one.
func (db *DB) readInventories(ctx context.Context, session int64, schema *perf.Schema) ([]datedInventory, error) {
	rows, err := db.reader.QueryContext(ctx, "SELECT sample, inventory FROM generation WHERE session = ? ORDER BY id", session)
	if err != nil {
		return nil, explain(db.path, err)
	}
	defer rows.Close()
	var list []datedInventory
	for rows.Next() {
		var sample int64
		var text []byte
		if err := rows.Scan(&sample, &text); err != nil {
			return nil, explain(db.path, err)
		}
		inventory := &perf.Inventory{}
		if err := json.Unmarshal(text, inventory); err != nil {
			return nil, fmt.Errorf("session %d: read the inventory: %w", session, errors.Join(err, ErrDamaged))
		}
		if err := checkInventory(inventory, len(schema.Series)); err != nil {
			return nil, fmt.Errorf("session %d: %w", session, errors.Join(err, ErrDamaged))
		}
		list = append(list, datedInventory{sample, inventory})
	}
	if len(list) == 0 {
		list = append(list, datedInventory{0, &perf.Inventory{}})
	}
	return list, explain(db.path, rows.Err())
}

// checkInventory makes sure that no index in it leads outside: views use them without asking.
func checkInventory(inventory *perf.Inventory, series int) error {
	lists := [][]int{inventory.Receive, inventory.Send, inventory.Drops}
	for i, node := range inventory.Nodes {
		if node.Parent < -1 || node.Parent >= i {
			return fmt.Errorf("row %d of the inventory has no parent before it", i)
		}
		lists = append(lists, node.Receive, node.Send, node.Drops)
	}
	for _, list := range lists {
		for _, index := range list {
			if index < 0 || index >= series {
				return fmt.Errorf("the inventory names series %d of %d", index, series)
			}
		}
	}
	return nil
}
