package monitor

import (
	"time"

	"cxdeck/perf"
)

// Status is how a running monitor is, for the header.
type Status struct {
	Info perf.SourceInfo
	// Now is the source's time of the newest column.
	Now      time.Time
	Interval time.Duration
	Speed    float64
	Paused   bool
	// PassingFrom and PassingUntil bound the stretch that passes at once, see Monitor.Pass; both are zero when none does.
	PassingFrom, PassingUntil time.Time
	// Ended is true when a recording has been played to its end.
	Ended bool
	// Samples and Missed count columns since the start.
	Samples, Missed uint64
	// Err is what stopped the source; nil while it runs.
	Err error
}
