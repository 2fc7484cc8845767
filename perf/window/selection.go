package window

import (
	"time"

	"cxdeck/perf"
)

// Selection is a selection of a window's columns, to be read cell by cell while new columns are pushed.
type Selection struct {
	// Schema is the newest schema at the time of the selection; Times are the times of the columns, in nanoseconds since 1970.
	Schema  *perf.Schema
	Times   []int64
	numbers []uint64
	cleared uint64
}

// Select selects the columns between two times, both included, but only the first in each step.
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

// FullSpan returns the times of the oldest and the newest column at full rate; ok is false without columns.
func (w *Recent) FullSpan() (oldest, newest time.Time, ok bool) {
	w.mutex.RLock()
	defer w.mutex.RUnlock()
	c := w.columns
	if c.next == 0 {
		return time.Time{}, time.Time{}, false
	}
	return fromNanoseconds(c.time(c.oldest())), fromNanoseconds(c.time(c.next - 1)), true
}

// Cells appends a cell's values in the selected columns to dst. For columns that are no longer kept it appends perf.Missing.
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
	buffer := w.buffers.get()
	defer w.buffers.put(buffer)
	buffer.cells = c.read(cell, first, behind, buffer.cells[:0])
	for _, number := range s.numbers {
		if number < first {
			dst = append(dst, perf.Missing)
			continue
		}
		dst = append(dst, buffer.cells[number-first])
	}
	return dst
}
