package window

import (
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"cxdeck/perf"
)

// PushBatch adds the rows of a batch, which are later than the columns so far, like Push one after the other. It packs them in
// parallel, and never unpacks more than a few cells. After an error the window is empty.
func (w *Recent) PushBatch(schema *perf.Schema, batch *perf.Batch) error {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if len(batch.Times) == 0 {
		return nil
	}
	w.schema = schema
	before := w.columns.next
	if err := w.columns.pushBatch(batch); err != nil {
		w.clear()
		return err
	}
	if before == 0 {
		w.began = batch.Times[0]
	}
	w.levels.pushBatch(w, batch.Times, before)
	return nil
}

// CopyNewest copies one of the newest columns, without its number of missed samples: back is 0 for the newest. It reports whether the
// window has the column, unpacked.
func (w *Recent) CopyNewest(back int, column *perf.Column) bool {
	w.mutex.RLock()
	defer w.mutex.RUnlock()
	c := w.columns
	if back < 0 || back >= blockLength || uint64(back) >= c.next-c.oldest() {
		return false
	}
	number := c.next - 1 - uint64(back)
	column.Time = fromNanoseconds(c.time(number))
	column.Grow(c.cells)
	copy(column.Cells, c.row(number))
	return true
}

// pushBatch adds columns.
func (c *columns) pushBatch(batch *perf.Batch) error {
	if batch.Cells > c.cells {
		c.widen(batch.Cells)
	}
	for i, time := range batch.Times {
		slot := (c.next + uint64(i)) % uint64(c.capacity)
		c.times[slot], c.gaps[slot] = time, batch.Missed[i] > 0
	}
	workers := max(1, min(runtime.GOMAXPROCS(0), len(c.tiles)))
	c.packer(workers - 1)
	var (
		group    sync.WaitGroup
		tile     atomic.Int64
		problems = make([]error, workers)
	)
	for worker := range workers {
		group.Go(func() {
			defer func() {
				if fault := recover(); fault != nil {
					problems[worker] = fmt.Errorf("internal error: %v", fault)
				}
			}()
			for problems[worker] == nil {
				number := int(tile.Add(1)) - 1
				if number >= len(c.tiles) {
					return
				}
				problems[worker] = c.packBatch(c.packer(worker), number, batch)
			}
		})
	}
	group.Wait()
	c.next += uint64(len(batch.Times))
	return errors.Join(problems...)
}

// packBatch adds the cells of one tile: it packs the blocks that end within the batch, and unpacks the newest rows.
func (c *columns) packBatch(p *packer, number int, batch *perf.Batch) error {
	known := int(min(c.next, blockLength))
	added := len(batch.Times)
	width := c.width(number)
	p.reset(width, known+added)
	c.copyRows(p, number, c.next-uint64(known), c.next)
	for i := range width {
		values := p.values[i*p.columns+known:][:added]
		if err := p.readCell(batch, number*tileCells+i, values); err != nil {
			return err
		}
	}
	oldest, end := c.next-uint64(known), c.next+uint64(added)
	turn := uint64(number % blockLength)
	for last := c.next + (turn+blockLength-c.next%blockLength)%blockLength; last < end; last += blockLength {
		length := min(last+1, blockLength)
		p.pack(c.tiles[number].blockBefore(last+1), last+1, int(last+1-length-oldest), int(length))
	}
	for i := max(0, added-blockLength); i < added; i++ {
		row := c.row(c.next + uint64(i))[number*tileCells:][:width]
		for j := range row {
			row[j] = p.values[j*p.columns+known+i]
		}
	}
	return nil
}

var errLength = errors.New("a batch has another number of values than of rows")

// readCell reads the values of a cell; cells that the batch does not have are Missing.
func (p *packer) readCell(batch *perf.Batch, cell int, values []int64) (err error) {
	if cell >= batch.Cells {
		for i := range values {
			values[i] = perf.Missing
		}
		return nil
	}
	if p.read, err = batch.Read(cell, p.read[:0]); err != nil {
		return err
	}
	if copy(values, p.read); len(p.read) != len(values) {
		return errLength
	}
	return nil
}
