package store

import (
	"sync"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/store/codec"
)

// The bounds of the queue. Columns beyond them are lost, and counted; events and changes are few and precious, and have
// limits of their own that only a broken source reaches.
const (
	queueColumns = 4096
	queueBytes   = 64 << 20
	queueOthers  = 1 << 16
	// spareBytes limits the memory of written columns that is kept for new columns.
	spareBytes = 4 << 20
)

// item is one thing to write: a column, a schema with its inventory, an event or a journal entry.
type item struct {
	column    *perf.Column
	schema    *perf.Schema
	inventory *perf.Inventory
	event     *eventlog.Event
	entry     *driver.Entry
}

// queue hands items from the monitor to the writer in order, and never blocks the monitor for longer than a copy takes.
type queue struct {
	// ready has a token when there is something to take.
	ready chan struct{}

	mu      sync.Mutex
	items   []item
	columns int
	others  int
	bytes   int
	// spare holds written columns whose memory is reused.
	spare      []*perf.Column
	spareBytes int
	// lost counts columns that found no room; lostSince counts them from the last queued column on, for the Missed of the next.
	lost, lostSince int
	lostOthers      int
	closed          bool
}

func newQueue() *queue { return &queue{ready: make(chan struct{}, 1)} }

func columnBytes(column *perf.Column) int { return 8 * cap(column.Cells) }

// putColumn queues a copy of column.
func (q *queue) putColumn(column *perf.Column) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || q.columns >= queueColumns || q.columns > 0 && q.bytes+8*len(column.Cells) > queueBytes ||
		len(column.Cells) > codec.MaximumCells {
		q.lost++
		q.lostSince++
		return
	}
	copied := q.newColumn()
	copied.Time, copied.Missed = column.Time, column.Missed+q.lostSince
	copied.Cells = append(copied.Cells[:0], column.Cells...)
	q.lostSince = 0
	q.columns++
	q.bytes += columnBytes(copied)
	q.put(item{column: copied})
}

// putRequired queues an event, change or schema, which must not be lost.
func (q *queue) putRequired(added item) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed || q.others >= queueOthers {
		q.lostOthers++
		return
	}
	q.others++
	q.put(added)
}

func (q *queue) put(it item) {
	q.items = append(q.items, it)
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

func (q *queue) newColumn() *perf.Column {
	last := len(q.spare) - 1
	if last < 0 {
		return &perf.Column{}
	}
	column := q.spare[last]
	q.spare = q.spare[:last]
	q.spareBytes -= columnBytes(column)
	return column
}

// take returns all items, and reuses the memory of done, the items taken before.
func (q *queue) take(done []item) []item {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, it := range done {
		if it.column == nil {
			continue
		}
		if size := columnBytes(it.column); len(q.spare) < 2 || q.spareBytes+size <= spareBytes {
			q.spare = append(q.spare, it.column)
			q.spareBytes += size
		}
	}
	clear(done)
	items := q.items
	q.items = done[:0]
	q.columns, q.others, q.bytes = 0, 0, 0
	return items
}

// close rejects further items. drop also discards the queued ones.
func (q *queue) close(drop bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	if drop {
		q.lost += q.columns
		q.lostOthers += q.others
		q.items, q.spare = nil, nil
		q.columns, q.others, q.bytes, q.spareBytes = 0, 0, 0, 0
	}
}

// count returns the number of waiting columns, of lost columns, and of lost events and changes.
func (q *queue) count() (columns, lost, lostOthers int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.columns, q.lost, q.lostOthers
}
