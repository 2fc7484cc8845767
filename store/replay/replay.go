package replay

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/store/fault"
	"cxdeck/store/parts"
	"cxdeck/store/series"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// Open opens a session as a source: it is also a perf.Seeker, perf.RangeReader and perf.Eventer. A session that is
// still being recorded can be replayed as far as it has been saved.
func Open(ctx context.Context, h History, id int64) (perf.Source, error) {
	session, err := h.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	p := &replay{history: h, id: id, session: session, inventory: &perf.Inventory{}}
	if err := p.refresh(ctx); err != nil {
		return nil, h.Explain(err)
	}
	return p, nil
}

// History is the history of the session, as a replay needs it.
type History struct {
	Reader *sql.DB
	// Session finds a session; it reports whether it is still being recorded.
	Session func(ctx context.Context, id int64) (sessions.Session, error)
	// Explain turns an error of the file into a sentence for the operator.
	Explain func(error) error
}

// replay plays a session back. One goroutine owns it; any goroutine may call ReadRange, which uses only history, id and schema.
type replay struct {
	history History
	id      int64
	schema  atomic.Pointer[perf.Schema]
	session sessions.Session
	// inventory is valid from the first sample of its row current to the sample before inventoryUntil.
	inventory      *perf.Inventory
	current        series.Inventory
	inventoryUntil int64

	// windows are the parts of the session; at is the index of the current part, row its next row, and first the number of its
	// first sample in the session.
	windows []parts.Part
	at, row int
	// listed is the number of samples in windows.
	listed int64
	first  int64
	rows   rows

	began bool
	last  time.Time // of the newest returned column
	step  int64     // the length of its row, 0 for a sample

	events     []eventlog.Event // read ahead
	before     eventPosition
	lastEvent  int64 // the row of the newest event read
	eventsRead bool  // there were no later events when eventsAt samples were saved
	eventsAt   int64
	// sought is set when the events before the time skipped are still to be skipped.
	sought  bool
	skipped int64
}

// Info returns the kind of source: a session, and the name and kind of its own source.
func (p *replay) Info() perf.SourceInfo {
	info := p.session.Source
	info.Kind = perf.SessionSource
	return info
}

func (p *replay) Schema() *perf.Schema       { return p.schema.Load() }
func (p *replay) Inventory() *perf.Inventory { return p.inventory }
func (p *replay) Close() error               { return nil }

// Span returns the time of the first and last sample.
func (p *replay) Span() (from, to time.Time) {
	if len(p.windows) == 0 {
		return p.session.Started, p.session.Started
	}
	return sqlite.Instant(p.windows[0].Started), sqlite.Instant(p.windows[len(p.windows)-1].Ended)
}

// Step returns the length of the row behind the newest column, 0 for a sample.
func (p *replay) Step() time.Duration { return time.Duration(p.step) }

// Next returns the next row that is at least interval after the one before.
func (p *replay) Next(ctx context.Context, interval time.Duration, column *perf.Column) error {
	target := p.target(p.last, interval)
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
		if interval > 0 && (skipped || interval > p.session.Interval) { // missed samples are counted in steps of interval
			missed = min(missed, max(0, int(at.Sub(p.last)/interval)-1))
		}
		column.Time, column.Missed = at, missed
		column.Grow(p.schema.Load().Cells)
		if err := p.rows.copyTo(column.Cells, p.row); err != nil {
			return p.history.Explain(err)
		}
		if err := p.moveInventory(ctx, p.first+p.rows.samplesBefore(p.windows[p.at].From, p.row)); err != nil {
			return p.history.Explain(err)
		}
		p.step = p.rows.step
		p.began, p.last = true, at
		p.row++
		return nil
	}
}

// load loads the next row into rows; io.EOF at the end of the saved samples.
func (p *replay) load(ctx context.Context) error {
	for p.row >= p.rows.until {
		if p.rows.until > 0 {
			p.first += p.windows[p.at].Samples
			p.at++
			p.row, p.rows.until = 0, 0
		}
		if p.at >= len(p.windows) {
			advanced, err := p.catchUp(ctx)
			if err != nil {
				return p.history.Explain(err)
			}
			if !advanced {
				return io.EOF
			}
		}
		w := p.windows[p.at]
		p.row = max(p.row, w.From)
		ended := int64(math.MinInt64)
		if p.at > 0 {
			ended = p.windows[p.at-1].Ended
		}
		err := p.rows.read(ctx, p.history.Reader, w, p.schema.Load().Cells, ended)
		if errors.Is(err, fault.ErrTrimmed) {
			if err = p.relist(ctx); err == nil {
				continue
			}
		}
		if err != nil {
			return p.history.Explain(err)
		}
	}
	return nil
}

// relist lists the parts of the session again after one of them was aggregated or removed, and goes to the first sample after the
// newest returned column. It fails with ErrTrimmed when that sample was removed, too.
func (p *replay) relist(ctx context.Context) error {
	current := p.windows[p.at]
	after := current.Started
	if p.began {
		after = max(after, p.last.UnixNano()+1)
	}
	if err := p.refresh(ctx); err != nil {
		return err
	}
	p.at, p.first, p.row, p.rows.until = 0, 0, 0, 0
	for p.at < len(p.windows) && p.windows[p.at].Ended < after {
		p.first += p.windows[p.at].Samples
		p.at++
	}
	if p.at < len(p.windows) && p.windows[p.at].ID == current.ID && p.windows[p.at].Step == current.Step {
		return fault.ErrTrimmed
	}
	return nil
}

// moveInventory selects the inventory that was valid at a sample.
func (p *replay) moveInventory(ctx context.Context, sample int64) error {
	if sample >= p.current.Sample && sample < p.inventoryUntil {
		return nil
	}
	found, until, err := series.InventoryAt(ctx, p.history.Reader, p.id, sample)
	if err != nil {
		return err
	}
	if found.ID != p.current.ID {
		inventory, err := series.ReadInventory(ctx, p.history.Reader, found.ID, len(p.schema.Load().Series))
		if err != nil {
			return fmt.Errorf("session %d: %w", p.id, err)
		}
		p.inventory = inventory
	}
	p.current, p.inventoryUntil = found, until
	return nil
}

// NextBatch returns the following samples of a window, if Next would return each of them.
func (p *replay) NextBatch(ctx context.Context, interval time.Duration, until time.Time) (perf.Batch, error) {
	if interval > p.session.Interval {
		return perf.Batch{}, nil
	}
	if err := p.load(ctx); err != nil {
		return perf.Batch{}, err
	}
	r := &p.rows
	count := p.countDue(interval, until)
	if r.step > 0 || r.frames != nil || count == 0 {
		return perf.Batch{}, nil
	}
	if err := r.listMembers(); err != nil {
		return perf.Batch{}, p.history.Explain(err)
	}
	first, behind := p.row, p.row+count
	if err := p.moveInventory(ctx, p.first+r.samplesBefore(p.windows[p.at].From, behind-1)); err != nil {
		return perf.Batch{}, p.history.Explain(err)
	}
	batch := perf.Batch{Times: r.times[first:behind], Cells: p.schema.Load().Cells, Read: func(cell int, dst []int64) ([]int64, error) {
		dst, err := r.readCell(cell, first, behind, dst)
		if err != nil {
			err = p.history.Explain(err)
		}
		return dst, err
	}}
	for row := first; row < behind; row++ {
		batch.Missed = append(batch.Missed, int64(r.missedBefore(row)))
	}
	p.step, p.began, p.last, p.row = 0, true, r.time(behind-1), behind
	return batch, nil
}

// countDue returns the number of the following rows of a part that Next would return one after the other, up to the first at or
// after a time. A row that is not later than the row before it is not due: the clock was set back.
func (p *replay) countDue(interval time.Duration, until time.Time) (count int) {
	last := p.last
	for row := p.row; row < p.rows.until; row++ {
		at := p.rows.time(row)
		if (p.began || count > 0) && (at.Before(p.target(last, interval)) || !at.After(last)) {
			break
		}
		last = at
		count++
		if !at.Before(until) {
			break
		}
	}
	return count
}

// target returns the earliest time of a row after a row. Samples of a live machine are a little early or late; a tolerance of half an
// interval keeps all of them.
func (p *replay) target(last time.Time, interval time.Duration) time.Time {
	return last.Add(interval - min(interval, p.session.Interval)/2)
}

// Seek makes Next return the first row at or after to, and Events the later events.
func (p *replay) Seek(to time.Time) error {
	ns := to.UnixNano()
	p.rewind()
	for p.at < len(p.windows)-1 && p.windows[p.at].Ended < ns {
		p.first += p.windows[p.at].Samples
		p.at++
	}
	ctx := context.Background()
	if err := p.load(ctx); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	for p.row < p.rows.until && p.rows.times[p.row] < ns {
		p.row++
	}
	p.events, p.lastEvent, p.eventsRead = nil, 0, false
	p.sought, p.skipped = true, ns
	return nil
}

// rewind goes to the first row.
func (p *replay) rewind() {
	p.at, p.first, p.row, p.rows.until, p.began = 0, 0, 0, 0, false
}

// catchUp lists the windows of a running session again; advanced reports that samples were added. The next row is the one after
// the last listed row.
func (p *replay) catchUp(ctx context.Context) (advanced bool, err error) {
	if !p.session.Running {
		return false, nil
	}
	known := p.listed
	if err := p.refresh(ctx); err != nil || p.listed <= known {
		return false, err
	}
	p.at, p.first, p.rows.until = 0, 0, 0
	for p.first+p.windows[p.at].Samples <= known {
		p.first += p.windows[p.at].Samples
		p.at++
	}
	p.row = p.windows[p.at].From + int(known-p.first)
	return true, nil
}

// refresh reads the session's current row, schema, inventories and parts.
func (p *replay) refresh(ctx context.Context) (err error) {
	if p.session, err = p.history.Session(ctx, p.id); err != nil {
		return err
	}
	// The list of series takes about as long as the list of parts.
	var schema *perf.Schema
	var schemaErr error
	var group sync.WaitGroup
	group.Go(func() { schema, schemaErr = series.ReadSchema(ctx, p.history.Reader, p.id, p.schema.Load()) })
	p.windows, err = parts.All(ctx, p.history.Reader, p.id)
	group.Wait()
	if err := errors.Join(schemaErr, err); err != nil {
		return err
	}
	p.schema.Store(schema)
	p.inventoryUntil = 0 // there may be new ones
	p.listed = 0
	for i := range p.windows {
		p.listed += p.windows[i].Samples
	}
	return p.moveInventory(ctx, p.first+int64(p.row))
}
