package window

import (
	"time"

	"cxdeck/perf"
)

// Selection is some of the columns of a window, for reading them cell by cell while new ones come.
type Selection struct {
	// Schema is the newest when the columns were selected, Times when they were taken, in nanoseconds since 1970.
	Schema  *perf.Schema
	Times   []int64
	numbers []uint64
	cleared uint64
}

// Select selects the columns between two times, both included, of each step the first one.
func (w *Recent) Select(from, to time.Time, step time.Duration) Selection {
	w.mutex.RLock()
	defer w.mutex.RUnlock()
	s := Selection{Schema: w.schema, cleared: w.cleared}
	c := w.columns
	first, behind := c.search(nanoseconds(from)), c.search(nanoseconds(to)+1)
	next := int64(0)
	for number := first; number < behind; number++ {
		at := c.time(number)
		if len(s.Times) > 0 && at < next {
			continue
		}
		s.Times, s.numbers, next = append(s.Times, at), append(s.numbers, number), at+int64(step)
	}
	return s
}

// FullSpan returns the time of the oldest and the newest column that is kept as it was taken; ok is false while there are
// none.
func (w *Recent) FullSpan() (oldest, newest time.Time, ok bool) {
	w.mutex.RLock()
	defer w.mutex.RUnlock()
	c := w.columns
	if c.next == 0 {
		return time.Time{}, time.Time{}, false
	}
	return fromNanoseconds(c.time(c.oldest())), fromNanoseconds(c.time(c.next - 1)), true
}

// Cells appends a cell's values in the selected columns to dst. Columns that are no longer kept have none: perf.Missing.
func (w *Recent) Cells(s *Selection, cell int, dst []int64) []int64 {
	w.mutex.RLock()
	defer w.mutex.RUnlock()
	c := w.columns
	kept := c.oldest()
	if len(s.numbers) == 0 || s.cleared != w.cleared || s.numbers[len(s.numbers)-1] < kept {
		for range s.numbers {
			dst = append(dst, perf.Missing)
		}
		return dst
	}
	first, behind := max(s.numbers[0], kept), s.numbers[len(s.numbers)-1]+1
	room := w.rooms.get()
	defer w.rooms.put(room)
	room.cells = c.read(cell, first, behind, room.cells[:0])
	for _, number := range s.numbers {
		if number < first {
			dst = append(dst, perf.Missing)
			continue
		}
		dst = append(dst, room.cells[number-first])
	}
	return dst
}
