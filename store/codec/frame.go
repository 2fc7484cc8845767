package codec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"cxdeck/perf"
)

// A frame is the difference between a sample and the one before it in the window; the first frame of a window is the difference
// from a column of zeroes at the Unix epoch. Its varints are: the time since the sample before in nanoseconds, the number of
// missed samples, the number of cells, and then for each cell that changed the number of unchanged cells before it and its
// difference, modulo 2^64.
//
// Samples wait as frames for their window to fill, in memory and on disk. Frames are much smaller than plain numbers, and they
// are read without any other state: the frames of a killed console are read in the same way.

// MaximumCells is the length of the longest column that can be stored.
const MaximumCells = 1 << 20

// WindowSamples is the number of samples in a full window. Shorter windows spend more on headers, longer windows on wider
// differences; 120 is best for one sample per second.
const WindowSamples = 120

// MaxMissed limits the number of missed samples before a sample.
const MaxMissed = 1 << 40

// ErrFrame reports a frame that can't be read.
var ErrFrame = errors.New("corrupt sample")

// Encoder makes frames.
type Encoder struct {
	samples  int // in the window so far
	previous []int64
	time     int64
}

// Append adds the frame of one sample to dst. missed may be more than the column's own: the queue may have lost samples too.
func (e *Encoder) Append(dst []byte, cells []int64, time int64, missed int) []byte {
	if e.samples == WindowSamples {
		e.samples, e.time = 0, 0
		clear(e.previous)
	}
	e.samples++
	for len(e.previous) < len(cells) {
		e.previous = append(e.previous, 0)
	}
	dst = binary.AppendVarint(dst, time-e.time)
	dst = binary.AppendUvarint(dst, uint64(max(missed, 0)))
	dst = binary.AppendUvarint(dst, uint64(len(e.previous)))
	e.time = time

	previous, next := e.previous[:len(cells)], 0
	for i, value := range cells {
		if value == previous[i] {
			continue
		}
		dst = binary.AppendUvarint(dst, uint64(i-next))
		dst = binary.AppendVarint(dst, value-previous[i])
		previous[i] = value
		next = i + 1
	}
	for i := len(cells); i < len(e.previous); i++ { // a shorter column, which no source sends: its last cells become Missing
		if e.previous[i] != perf.Missing {
			dst = binary.AppendUvarint(dst, uint64(i-next))
			dst = binary.AppendVarint(dst, perf.Missing-e.previous[i])
			e.previous[i] = perf.Missing
			next = i + 1
		}
	}
	return dst
}

// cursor reads one frame from front to back.
type cursor struct {
	rest   []byte
	time   int64 // since the frame before
	missed int
	cells  int
	// cell is the next cell that changed (cells when there is none), and delta its difference.
	cell  int
	delta int64
}

// open reads the head of a frame.
func (c *cursor) open(frame []byte) error {
	*c = cursor{rest: frame}
	var ok [3]bool
	var missed, cells uint64
	c.time, ok[0] = c.signed()
	missed, ok[1] = c.unsigned()
	cells, ok[2] = c.unsigned()
	if ok != [3]bool{true, true, true} || missed > MaxMissed || cells > MaximumCells {
		return fmt.Errorf("%w: invalid header", ErrFrame)
	}
	c.missed, c.cells = int(missed), int(cells)
	c.cell = -1
	return c.advance()
}

// advance goes to the next cell that changed.
func (c *cursor) advance() error {
	if len(c.rest) == 0 {
		c.cell = c.cells
		return nil
	}
	gap, ok := c.unsigned()
	if !ok || gap >= uint64(c.cells-c.cell-1) {
		return fmt.Errorf("%w: a cell outside the column", ErrFrame)
	}
	c.cell += int(gap) + 1
	if c.delta, ok = c.signed(); !ok {
		return fmt.Errorf("%w: truncated", ErrFrame)
	}
	return nil
}

func (c *cursor) unsigned() (uint64, bool) {
	value, n := binary.Uvarint(c.rest)
	if n <= 0 {
		return 0, false
	}
	c.rest = c.rest[n:]
	return value, true
}

func (c *cursor) signed() (int64, bool) {
	value, n := binary.Varint(c.rest)
	if n <= 0 {
		return 0, false
	}
	c.rest = c.rest[n:]
	return value, true
}

// Decoder returns the columns of a window's frames, one after the other.
type Decoder struct {
	cursor cursor
	cells  []int64
	time   int64
}

// Next reads a frame into column.
func (d *Decoder) Next(frame []byte, column *perf.Column) error {
	c := &d.cursor
	if err := c.open(frame); err != nil {
		return err
	}
	if c.cells < len(d.cells) {
		return fmt.Errorf("%w: a column that became shorter", ErrFrame)
	}
	for len(d.cells) < c.cells {
		d.cells = append(d.cells, 0)
	}
	d.time += c.time
	for c.cell < c.cells {
		d.cells[c.cell] += c.delta
		if err := c.advance(); err != nil {
			return err
		}
	}
	column.Time, column.Missed = time.Unix(0, d.time).UTC(), c.missed
	column.Cells = append(column.Cells[:0], d.cells...)
	return nil
}

// CountReadable returns the number of readable frames before the first unreadable one.
func CountReadable(frames [][]byte) int {
	cells := 0
	for i, frame := range frames {
		var c cursor
		err := c.open(frame)
		for err == nil && c.cell < c.cells {
			err = c.advance()
		}
		if err != nil || c.cells < cells {
			return i
		}
		cells = c.cells
	}
	return len(frames)
}

// AppendTimes appends the times of a window's samples in nanoseconds, and the number of samples missed before each.
func AppendTimes(times, missed []int64, frames [][]byte) (allTimes, allMissed []int64, err error) {
	at := int64(0)
	for _, frame := range frames {
		var c cursor
		if err := c.open(frame); err != nil {
			return times, missed, err
		}
		at += c.time
		times, missed = append(times, at), append(missed, int64(c.missed))
	}
	return times, missed, nil
}
