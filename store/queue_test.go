package store

import (
	"testing"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/store/codec"
)

func TestFullQueueCountsWhatItLoses(t *testing.T) {
	t.Parallel()
	q := newQueue()
	c := column(0, 1, 2, 3)
	for range queueColumns + 10 {
		q.putColumn(c)
	}
	for range 3 {
		q.putRequired(item{event: &eventlog.Event{}})
	}
	if columns, lost, lostOthers := q.count(); columns != queueColumns || lost != 10 || lostOthers != 0 {
		t.Errorf("%d queued, %d and %d lost", columns, lost, lostOthers)
	}
	if items := q.take(nil); len(items) != queueColumns+3 {
		t.Errorf("%d items", len(items))
	}
	c.Missed = 2
	q.putColumn(c)
	if items := q.take(nil); items[0].column.Missed != 12 {
		t.Errorf("the gap is %d samples wide, want the 10 that were lost and 2", items[0].column.Missed)
	}
	wide := &perf.Column{Cells: make([]int64, codec.MaximumCells)}
	for range queueBytes / 8 / codec.MaximumCells {
		q.putColumn(wide)
	}
	if _, lost, _ := q.count(); lost != 10 {
		t.Errorf("lost %d", lost)
	}
	q.putColumn(wide)
	if _, lost, _ := q.count(); lost != 11 {
		t.Errorf("the bytes are not limited: lost %d", lost)
	}
}

func TestQueueDoesNotAllocate(t *testing.T) {
	for _, cells := range []int{1, 1000, codec.MaximumCells} {
		q := newQueue()
		c := column(0, make([]int64, cells)...)
		var items []item
		if n := testing.AllocsPerRun(20, func() {
			q.putColumn(c)
			items = q.take(items)
		}); n > 0 {
			t.Errorf("%v allocations for a column of %d", n, cells)
		}
	}
}

// The memory of a burst is freed, except a small reserve for the next columns.
func TestQueueFreesTheMemoryOfABurst(t *testing.T) {
	t.Parallel()
	q := newQueue()
	c := column(0, make([]int64, 1000)...)
	for range queueColumns {
		q.putColumn(c)
	}
	q.take(q.take(nil))
	size := 0
	for _, spare := range q.spare {
		size += 8 * cap(spare.Cells)
	}
	if size != q.spareBytes || size > spareBytes || size < spareBytes/2 {
		t.Errorf("%d bytes are kept, counted as %d", size, q.spareBytes)
	}
	for range len(q.spare) {
		q.putColumn(c)
	}
	if q.spareBytes != 0 {
		t.Errorf("with no spare column left, %d bytes are counted", q.spareBytes)
	}
}

func TestCommitsComeAtMostOncePerPause(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	db.commitEvery = time.Hour
	recorder := begin(t, db)
	recorder.Schema(schemaOf(t, 1, 1), &perf.Inventory{})
	recorder.Column(column(0, 1))
	// The first commit may come before or after the column; the next one is an hour later.
	for n := 1; n < 1000; n++ {
		recorder.Column(column(n, 1))
	}
	for recorder.Status().Waiting > 0 {
		time.Sleep(time.Millisecond)
	}
	first := recorder.Status().SavedThrough
	recorder.Column(column(1000, 1))
	for recorder.Status().Waiting > 0 {
		time.Sleep(time.Millisecond)
	}
	if now := recorder.Status().SavedThrough; !now.Equal(first) && !first.IsZero() {
		t.Errorf("saved through %v and then %v", first, now)
	}
	closeRecorder(t, recorder)
	if now := recorder.Status().SavedThrough; !now.Equal(column(1000).Time) {
		t.Errorf("the close saved through %v", now)
	}
}
