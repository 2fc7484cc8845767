package monitor

import (
	"time"

	"cxdeck/perf"
)

// Status is the status of a running monitor, for the header.
type Status struct {
	Info perf.SourceInfo
	// Now is the source's time of the newest column.
	Now      time.Time
	Interval time.Duration
	Speed    float64
	Paused   bool
	// SkipFrom and SkipTo are the ends of the skipped time, see Monitor.SkipUntil; both are zero when no time is skipped.
	SkipFrom, SkipTo time.Time
	// RepeatFrom and RepeatTo are the ends of the repeated range, see Monitor.Repeat; both are zero without one.
	RepeatFrom, RepeatTo time.Time
	// Ended is true when a recording has been played to its end.
	Ended bool
	// Step is the period that the newest column aggregates, 0 for a sample, see perf.AggregateSource.
	Step time.Duration
	// Samples and Missed count columns since the start.
	Samples, Missed uint64
	// Stale is why the newest sample is old; nil while the source answers.
	Stale error
	// Err is the error that stopped the source; nil while it runs.
	Err error
}
