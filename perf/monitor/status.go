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
	// PassingFrom and PassingUntil bound the skipped time, see Monitor.Pass; both are zero when none does.
	PassingFrom, PassingUntil time.Time
	// RepeatFrom and RepeatTo bound the period of a recording that is repeated, see Monitor.Repeat; both are zero when
	// none is.
	RepeatFrom, RepeatTo time.Time
	// Ended is true when a recording has been played to its end.
	Ended bool
	// Step is the time that the newest column sums up, 0 for a sample, see perf.Summer.
	Step time.Duration
	// Samples and Missed count columns since the start.
	Samples, Missed uint64
	// Err is the error that stopped the source; nil while it runs.
	Err error
}
