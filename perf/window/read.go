package window

import (
	"math"
	"slices"
	"sync"
	"time"

	"cxdeck/perf"
)

// readBuffer is the working memory of one reader.
type readBuffer struct {
	cells        []int64
	values, sums []float64
}

// readBuffers is a pool of free buffers, at most one for each concurrent reader.
type readBuffers struct {
	mutex sync.Mutex
	free  []*readBuffer
}

func (r *readBuffers) get() *readBuffer {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if len(r.free) == 0 {
		return new(readBuffer)
	}
	last := r.free[len(r.free)-1]
	r.free = r.free[:len(r.free)-1]
	return last
}

func (r *readBuffers) put(buffer *readBuffer) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.free = append(r.free, buffer)
}

// valuesOf returns the values of a series in the columns [from, to), NaN for none. They are valid until the next use of the
// buffer.
func (r *readBuffer) valuesOf(c *columns, series *perf.Series, from, to uint64) []float64 {
	r.values = slices.Grow(r.values[:0], int(to-from))[:to-from]
	if series.Kind != perf.Rate {
		r.cells = c.read(series.Cell, from, to, r.cells[:0])
		for i, cell := range r.cells {
			r.values[i] = series.CellValue(cell)
		}
		return r.values
	}
	start := max(from, c.oldest()+1) - 1 // a rate needs the column before
	r.cells = c.read(series.Cell, start, to, r.cells[:0])
	for i := range r.values {
		at := from + uint64(i)
		if at == start || c.gap(at) {
			r.values[i] = math.NaN()
			continue
		}
		before := at - 1 - start
		r.values[i] = series.Rate(r.cells[before], r.cells[before+1], time.Duration(c.time(at)-c.time(at-1)))
	}
	return r.values
}

// Points appends the values of a series at full rate between from and to, both included, to dst. It inserts a gap where samples
// were missed.
func (w *Recent) Points(series int, from, to time.Time, dst []perf.Point) []perf.Point {
	w.mutex.RLock()
	defer w.mutex.RUnlock()
	s := w.series(series)
	if s == nil {
		return dst
	}
	c := w.columns
	first, last := c.search(nanoseconds(from)), c.search(nanoseconds(to)+1)
	if first >= last {
		return dst
	}
	buffer := w.buffers.get()
	defer w.buffers.put(buffer)
	for i, value := range buffer.valuesOf(c, s, first, last) {
		at := first + uint64(i)
		if i > 0 && c.gap(at) && !math.IsNaN(value) {
			dst = append(dst, perf.Point{Time: c.time(at-1) + (c.time(at)-c.time(at-1))/2, Value: math.NaN()})
		}
		dst = append(dst, perf.Point{Time: c.time(at), Value: value})
	}
	return dst
}

// Buckets fills dst with the sums of the series over len(dst) equal periods of [from, to), for a chart or a sparkline. Periods
// older than the full-rate columns come from the 24-hour levels, if there are any. A period shorter than the sampling interval
// gets the value at its time, so that a curve has gaps only where samples are missing.
func (w *Recent) Buckets(series []int, from, to time.Time, dst []Bucket) {
	none := Bucket{Min: math.NaN(), Max: math.NaN(), Average: math.NaN()}
	for i := range dst {
		dst[i] = none
	}
	start, end := nanoseconds(from), nanoseconds(to)
	if len(dst) == 0 || end <= start {
		return
	}
	w.mutex.RLock()
	defer w.mutex.RUnlock()
	c := w.columns
	if c.next == 0 {
		return
	}
	buffer := w.buffers.get()
	defer w.buffers.put(buffer)
	grid := newGrid(start, end, len(dst))
	grid.fill(c, buffer.sum(w, series, c.search(start), min(c.search(end)+1, c.next)), c.search(start), dst)
	oldest := c.time(c.oldest())
	for i := range dst {
		if grid.periodStart(i) >= oldest {
			return
		}
		if grid.periodStart(i+1) <= w.began || grid.periodStart(i+1) > oldest && (oldest <= w.began || !math.IsNaN(dst[i].Average)) {
			continue // a level's first period may begin before the first sample
		}
		if bucket, ok := w.levels.sum(series, grid.periodStart(i), grid.periodStart(i+1)); ok {
			dst[i] = bucket
		}
	}
}

// sum adds up the series in each of the columns [from, to); NaN where none has a value.
func (r *readBuffer) sum(w *Recent, series []int, from, to uint64) []float64 {
	count := int(max(to, from) - from)
	r.sums = slices.Grow(r.sums[:0], count)[:count]
	for i := range r.sums {
		r.sums[i] = math.NaN()
	}
	for _, index := range series {
		s := w.series(index)
		if s == nil {
			continue
		}
		for i, value := range r.valuesOf(w.columns, s, from, from+uint64(count)) {
			switch {
			case math.IsNaN(value):
			case math.IsNaN(r.sums[i]):
				r.sums[i] = value
			default:
				r.sums[i] += value
			}
		}
	}
	return r.sums
}

// grid divides a time range into count periods of step nanoseconds, over which it spreads the rest.
type grid struct{ start, step, rest, count int64 }

func newGrid(start, end int64, count int) grid {
	span := end - start
	return grid{start: start, step: span / int64(count), rest: span % int64(count), count: int64(count)}
}

// periodStart returns the start of a period.
func (g grid) periodStart(i int) int64 { return g.start + g.step*int64(i) + g.rest*int64(i)/g.count }

// fill adds values, one for each column from first on, to the periods of their columns. A period without a column gets the
// value of the next column, which covers the time since the previous one.
func (g grid) fill(c *columns, values []float64, first uint64, dst []Bucket) {
	next := 0 // the first value that is not yet in a period
	for i := range dst {
		end := g.periodStart(i + 1)
		taken, count, sum := next, 0, 0.0
		for ; next < len(values) && c.time(first+uint64(next)) < end; next++ {
			value := values[next]
			if math.IsNaN(value) {
				continue
			}
			if count == 0 {
				dst[i] = Bucket{Min: value, Max: value}
			}
			dst[i].Min, dst[i].Max = min(dst[i].Min, value), max(dst[i].Max, value)
			sum += value
			count++
		}
		if count > 0 {
			dst[i].Average = sum / float64(count)
			continue
		}
		column := first + uint64(next)
		if taken == next && next < len(values) && column > c.oldest() && !c.gap(column) {
			dst[i] = Bucket{Min: values[next], Max: values[next], Average: values[next]}
		}
	}
}

// Statistics computes the statistics of a series between from and to, both included. For times older than the full-rate columns
// it uses the 24-hour levels, if there are any, with their averages for the percentiles.
func (w *Recent) Statistics(series int, from, to time.Time) Statistics {
	w.mutex.RLock()
	defer w.mutex.RUnlock()
	tally := tally{Statistics: Statistics{
		Last: math.NaN(), Average: math.NaN(), Minimum: math.NaN(), Maximum: math.NaN(), P95: math.NaN(), P99: math.NaN(),
	}}
	s := w.series(series)
	c := w.columns
	if s == nil || c.next == 0 {
		return tally.Statistics
	}
	buffer := w.buffers.get()
	defer w.buffers.put(buffer)
	start, end := nanoseconds(from), nanoseconds(to)
	buffer.sums = buffer.sums[:0]
	w.levels.countPeriods(series, start, min(end, c.time(c.oldest())), &tally, buffer)
	first, last := c.search(start), c.search(end+1)
	if first < last {
		for i, value := range buffer.valuesOf(c, s, first, last) {
			if !math.IsNaN(value) {
				tally.add(c.time(first+uint64(i)), value, value, value, 1)
				buffer.sums = append(buffer.sums, value)
			}
		}
	}
	tally.finish(buffer.sums)
	return tally.Statistics
}

// tally accumulates statistics.
type tally struct {
	Statistics
	sum                 float64
	first, latest, peak int64
}

// add adds the values of a period.
func (t *tally) add(at int64, smallest, largest, sum float64, count int) {
	if t.Count == 0 {
		t.Minimum, t.Maximum, t.first, t.peak = smallest, largest, at, at
	}
	if largest > t.Maximum {
		t.Maximum, t.peak = largest, at
	}
	t.Minimum = min(t.Minimum, smallest)
	t.Last, t.latest = sum/float64(count), at
	t.sum += sum
	t.Count += count
}

// finish computes the values that need all values, which it sorts.
func (t *tally) finish(values []float64) {
	if t.Count == 0 {
		return
	}
	t.Average = t.sum / float64(t.Count)
	t.MaximumAt = fromNanoseconds(t.peak)
	t.Duration = time.Duration(t.latest - t.first)
	slices.Sort(values)
	t.P95, t.P99 = percentile(values, 95), percentile(values, 99)
}

// percentile returns the smallest sorted value that is not exceeded by the given percentage of the values.
func percentile(sorted []float64, percent int) float64 {
	return sorted[(len(sorted)*percent+99)/100-1]
}

// countPeriods adds the periods of a series in [from, to) to a tally.
func (l *levels) countPeriods(series int, from, to int64, into *tally, buffer *readBuffer) {
	level := l.chosen[series]
	if level == nil {
		return
	}
	for number := max(l.first, (from+levelStep-1)/levelStep); number < l.next && (number+1)*levelStep <= to; number++ {
		period := level.period(number)
		if period.count > 0 {
			into.add(number*levelStep, float64(period.min), float64(period.max), period.sum, int(period.count))
			buffer.sums = append(buffer.sums, period.sum/float64(period.count))
		}
	}
}

// nanoseconds returns a time in nanoseconds since 1970, limited to the range of int64.
func nanoseconds(at time.Time) int64 {
	switch year := at.Year(); {
	case year < 1700:
		return math.MinInt64 / 2
	case year > 2250:
		return math.MaxInt64 / 2
	}
	return at.UnixNano()
}

// Newest stores the newest values of series in values, NaN for none.
func (w *Recent) Newest(series []int, values []float64) {
	for i, index := range series {
		values[i] = math.NaN()
		if value, ok := w.Last(index); ok {
			values[i] = value
		}
	}
}
