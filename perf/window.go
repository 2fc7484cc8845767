package perf

import (
	"time"
)

// Bucket is a stretch of time in a chart: the smallest, largest and average value in it. NaN stands for no value.
type Bucket struct {
	Min, Max, Average float64
}

// Statistics are what perfmon's legend shows, and three more. NaN stands for no value.
type Statistics struct {
	Last, Average, Minimum, Maximum float64
	P95, P99                        float64
	// MaximumAt is when the maximum was.
	MaximumAt time.Time
	// Duration is the time between the first and last value.
	Duration time.Duration
	Count    int
}

// Window keeps the recent columns of a source: every series at full rate for the last ten minutes, and the chosen ones
// for 24 hours as minimum, maximum and average of 30 seconds. One goroutine pushes; any number may read.
type Window struct{}

// NewWindow makes an empty window for samples about interval apart.
func NewWindow(interval time.Duration) *Window { return &Window{} }

// Push adds a column. Its cells are copied.
func (w *Window) Push(schema *Schema, column *Column) {}

// Clear forgets all columns; a recording was sought to another time.
func (w *Window) Clear() {}

// Choose keeps the 24-hour levels of these series of the newest schema from now on, backfilled from what is there.
// Series chosen before keep theirs until Forget.
func (w *Window) Choose(series ...int) {}

// Span is the time of the oldest and newest column; ok is false while there are none.
func (w *Window) Span() (oldest, newest time.Time, ok bool) { return }

// Last is the newest value of a series; ok is false when there is none (a first sample has no rate).
func (w *Window) Last(series int) (value float64, ok bool) { return }

// LastSum adds up the newest values of several series; ok is false when none has one.
func (w *Window) LastSum(series []int) (value float64, ok bool) { return }

// Points appends the values of a series at full rate between from and to, both included, to dst.
func (w *Window) Points(series int, from, to time.Time, dst []Point) []Point { return dst }

// Buckets fills dst with the sums of the series over len(dst) equal stretches of [from, to), for a chart or a
// sparkline. Stretches older than the full-rate columns come from the 24-hour levels, where there are any. Of a
// stretch shorter than the sampling interval, the value that holds in it is given, so that a curve has no holes but
// where samples are missing.
func (w *Window) Buckets(series []int, from, to time.Time, dst []Bucket) {}

// Statistics are over the values of a series between from and to.
func (w *Window) Statistics(series int, from, to time.Time) Statistics { return Statistics{} }
