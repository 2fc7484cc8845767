package store

import (
	"fmt"
	"slices"

	"cxdeck/perf"
	"cxdeck/perf/chunk"
)

// groupCells is how many cells share a row of the chunk table. SQLite spends about 12 bytes on a row, as much as a
// quiet cell's whole block. Measured on synthetic traffic, with 1, 16 and 64 cells a row: 0.56, 0.63 and 0.48 bytes a
// sample on disk (rows of 16 leave the ends of pages empty), 17, 31 and 30 million samples a second in, and 6.8, 6.7
// and 9.4 ms to read a day of one series, which steps over the blocks before it.
const groupCells = 64

// groupBits is the room for the group in chunk.place.
const groupBits = 16

// place is the key of a row of the chunk table.
func place(window int64, group int) int64 { return window<<groupBits | int64(group) }

// folder turns the frames of a window into the rows of the chunk table, group by group, so that only one group's
// plain numbers are in memory at a time.
type folder struct {
	cursors []cursor
	times   []int64
	missed  []int64
	values  [groupCells][windowSamples]int64
	data    []byte
	twins   twins
}

// window is what folding says about a window as a whole.
type window struct {
	samples, cells int
	started, ended int64 // the earliest and latest time; a clock that was set back makes them differ from first and last
	times, missed  []byte
}

// groups gives the row of each group to emit; data is only good during the call. Groups in which nothing was read have
// no row. It comes once after each start.
func (f *folder) groups(w window, emit func(group int, data []byte) error) error {
	f.twins.reset()
	for first := 0; first < w.cells; first += groupCells {
		width := min(groupCells, w.cells-first)
		present, err := f.fill(first, width)
		if err != nil {
			return err
		}
		if !present {
			continue
		}
		f.data = f.data[:0]
		for cell := range width {
			f.data = f.twins.append(f.data, first+cell, f.values[cell][:w.samples])
		}
		if err := emit(first/groupCells, f.data); err != nil {
			return err
		}
	}
	return nil
}

// start opens all frames of a window and packs their times.
func (f *folder) start(frames [][]byte) (w window, err error) {
	if len(frames) == 0 || len(frames) > windowSamples {
		return w, fmt.Errorf("%w: a window of %d samples", errFrame, len(frames))
	}
	f.cursors = slices.Grow(f.cursors[:0], len(frames))[:len(frames)]
	f.times, f.missed = f.times[:0], f.missed[:0]
	now := int64(0)
	for i, frame := range frames {
		c := &f.cursors[i]
		if err := c.open(frame); err != nil {
			return w, err
		}
		if c.cells < w.cells {
			return w, fmt.Errorf("%w: a column that gets shorter", errFrame)
		}
		w.cells = c.cells
		now += c.time
		f.times = append(f.times, now)
		f.missed = append(f.missed, int64(c.missed))
		if i == 0 {
			w.started, w.ended = now, now
		}
		w.started, w.ended = min(w.started, now), max(w.ended, now)
	}
	w.samples = len(frames)
	w.times = chunk.Append(nil, f.times)
	w.missed = chunk.Append(nil, f.missed)
	return w, nil
}

// fill reads the next group's numbers from all frames. present is false when all of them are missing.
func (f *folder) fill(first, width int) (present bool, err error) {
	var running [groupCells]int64
	for i := range f.cursors {
		c := &f.cursors[i]
		for c.cell < first+width && c.cell < c.cells {
			running[c.cell-first] += c.delta
			if err := c.advance(); err != nil {
				return false, err
			}
		}
		for cell := range width {
			value := running[cell]
			if first+cell >= c.cells {
				value = perf.Missing // the schema had no such cell yet
			}
			f.values[cell][i] = value
			present = present || value != perf.Missing
		}
	}
	return present, nil
}
