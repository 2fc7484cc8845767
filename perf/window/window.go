package window

import (
	"math"
	"sync"
	"time"

	"cxdeck/perf"
)

// Bucket is a period in a chart, with its minimum, maximum and average. NaN means no value.
type Bucket struct {
	Min, Max, Average float64
}

// Statistics are the values of perfmon's legend, the percentiles and the time of the maximum. NaN means no value.
type Statistics struct {
	Last, Average, Minimum, Maximum float64
	P95, P99                        float64
	// MaximumAt is the time of the maximum.
	MaximumAt time.Time
	// Duration is the time between the first and last value.
	Duration time.Duration
	Count    int
}

// Recent keeps the recent columns of a source: every series at full rate for the last ten minutes, and the chosen ones
// for 24 hours as minimum, maximum and average of 30 seconds. One goroutine pushes; any number may read.
type Recent struct {
	mutex   sync.RWMutex
	schema  *perf.Schema
	columns *columns
	levels  levels
	// began is the time of the first column since the last clear; a level's first period may begin before it.
	began int64
	// cleared counts calls of clear.
	cleared uint64
	// limit is the number of values that the columns may hold, 0 for no limit; interval is the time between samples.
	limit    int
	interval time.Duration
	// buffers are working memory of readers, so that reading does not allocate.
	buffers readBuffers
}

const (
	// FullRate is the time for which columns are kept, if their number is between minColumns and maxColumns.
	FullRate   = 10 * time.Minute
	minColumns = 600
	maxColumns = 6000
	// backwards is the time by which a clock may be set back without losing the earlier columns.
	backwards = 10 * time.Second
	// limitedColumns is the minimum number of columns of a window with a limit.
	limitedColumns = 60
)

// New returns an empty window for samples at about the given interval.
func New(interval time.Duration) *Recent {
	return &Recent{interval: interval, columns: newColumns(capacityFor(interval))}
}

// Limit limits the values of all columns together, for a source with very many series: then there are fewer columns than FullRate
// needs, but at least limitedColumns.
func (w *Recent) Limit(values int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.limit = values
	w.fit(w.columns.cells)
}

// fit adapts the number of columns to the interval, the limit and the number of cells in a column.
func (w *Recent) fit(cells int) {
	capacity := capacityFor(w.interval)
	if w.limit > 0 && cells > 0 {
		capacity = min(capacity, max(w.limit/cells, limitedColumns))
	}
	w.columns.resize(capacity)
}

// capacityFor returns the number of columns in FullRate, within minColumns and maxColumns.
func capacityFor(interval time.Duration) int {
	if interval <= 0 {
		return maxColumns
	}
	return max(minColumns, min(int(FullRate/interval), maxColumns))
}

// SetInterval adapts the window to another sampling interval. It keeps as many of the newest columns as fit.
func (w *Recent) SetInterval(interval time.Duration) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.interval = interval
	w.fit(w.columns.cells)
}

// Push adds a column. Its cells are copied. A column that is not later than the previous one is ignored; one that is much
// earlier (the clock was set back) clears the window, because a chart can't show both.
func (w *Recent) Push(schema *perf.Schema, column *perf.Column) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.schema = schema
	now := column.Time.UnixNano()
	gap := column.Missed > 0
	if next := w.columns.next; next > 0 {
		switch newest := w.columns.time(next - 1); {
		case now > newest:
		case time.Duration(newest-now) <= backwards:
			return
		default:
			w.clear()
		}
	}
	if w.limit > 0 && len(column.Cells) > w.columns.cells {
		w.fit(len(column.Cells))
	}
	w.columns.push(now, gap, column.Cells)
	if w.columns.next == 1 {
		w.began = now
	}
	w.levels.push(w, now)
}

// Clear removes all columns, after a seek in a recording.
func (w *Recent) Clear() {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.clear()
}

func (w *Recent) clear() {
	w.cleared++
	w.columns.clear()
	w.levels.clear()
}

// Choose adds 24-hour levels for series of the newest schema, filled from the kept columns. Previously chosen series keep their
// levels until Forget.
func (w *Recent) Choose(series ...int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, index := range series {
		if index >= 0 && w.levels.add(index) {
			w.levels.backfill(w, index)
		}
	}
}

// Forget removes the 24-hour levels of series.
func (w *Recent) Forget(series ...int) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	for _, index := range series {
		delete(w.levels.chosen, index)
	}
}

// Span returns the time of the oldest and newest column; ok is false without columns.
func (w *Recent) Span() (oldest, newest time.Time, ok bool) {
	w.mutex.RLock()
	defer w.mutex.RUnlock()
	c := w.columns
	if c.next == 0 {
		return time.Time{}, time.Time{}, false
	}
	first := c.time(c.oldest())
	if kept, have := w.levels.oldest(); have {
		first = min(first, kept)
	}
	return fromNanoseconds(first), fromNanoseconds(c.time(c.next - 1)), true
}

// Before returns the time of the newest column before a time; ok is false when none is kept.
func (w *Recent) Before(at time.Time) (before time.Time, ok bool) {
	w.mutex.RLock()
	defer w.mutex.RUnlock()
	c := w.columns
	number := c.search(at.UnixNano())
	if number <= c.oldest() {
		return time.Time{}, false
	}
	return fromNanoseconds(c.time(number - 1)), true
}

// Last returns the newest value of a series; ok is false when there is none (a first sample has no rate).
func (w *Recent) Last(series int) (value float64, ok bool) {
	w.mutex.RLock()
	defer w.mutex.RUnlock()
	value = w.newest(series)
	return value, !math.IsNaN(value)
}

// LastSum adds up the newest values of several series; ok is false when none has one.
func (w *Recent) LastSum(series []int) (value float64, ok bool) {
	w.mutex.RLock()
	defer w.mutex.RUnlock()
	for _, index := range series {
		if last := w.newest(index); !math.IsNaN(last) {
			value += last
			ok = true
		}
	}
	return value, ok
}

// newest returns the value of a series in the newest column, NaN for none.
func (w *Recent) newest(series int) float64 {
	c := w.columns
	s := w.series(series)
	if c.next == 0 || s == nil || s.Cell >= c.cells {
		return math.NaN()
	}
	if s.Kind != perf.Rate {
		return s.CellValue(c.row(c.next - 1)[s.Cell])
	}
	return w.change(s)
}

// LastRates adds up the newest values of several series, with the change per second over the newest two columns for cumulative
// counters; ok is false when none has a value.
func (w *Recent) LastRates(series []int) (value float64, ok bool) {
	w.mutex.RLock()
	defer w.mutex.RUnlock()
	for _, index := range series {
		var last float64
		if s := w.series(index); s != nil && s.Kind == perf.Cumulative && s.Cell < w.columns.cells {
			last = w.change(s)
		} else {
			last = w.newest(index)
		}
		if !math.IsNaN(last) {
			value += last
			ok = true
		}
	}
	return value, ok
}

// change returns the rate of a series between the newest two columns, NaN for none.
func (w *Recent) change(series *perf.Series) float64 {
	c := w.columns
	if c.next == 0 || c.next-c.oldest() < 2 || c.gap(c.next-1) {
		return math.NaN()
	}
	before, after := c.row(c.next - 2)[series.Cell], c.row(c.next - 1)[series.Cell]
	return series.Rate(before, after, time.Duration(c.time(c.next-1)-c.time(c.next-2)))
}

// series returns a series of the newest schema, nil for none.
func (w *Recent) series(index int) *perf.Series {
	if w.schema == nil || index < 0 || index >= len(w.schema.Series) {
		return nil
	}
	return &w.schema.Series[index]
}

func fromNanoseconds(time64 int64) time.Time { return time.Unix(0, time64).UTC() }
