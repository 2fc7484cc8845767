package cli

import (
	"context"
	"math"
	"time"

	"cxdeck/perf"
)

// notANumber represents a missing value.
var notANumber = math.NaN()

// pace lets the source's time pass at a speed. Due times are calculated from the start, so that delays do not add up.
type pace struct {
	speed float64 // relative to real time; 0: as fast as possible
	live  bool
	start time.Time // of the wall clock
	first time.Time // of the source
	steps int
}

// newPace returns the pace of a source: real time for a live machine, the speed of --speed for a lab or a recording. Without
// --speed a recording is read as fast as possible.
func (s *session) newPace(kind perf.SourceKind) *pace {
	p := &pace{speed: s.options.speed, live: kind == perf.LocalSource || kind == perf.FleetSource}
	if (kind == perf.LogSource || kind == perf.SessionSource) && !s.options.speedGiven {
		p.speed = 0
	}
	return p
}

// wait waits until the sample after the one taken at source time now is due; it returns false if ctx has ended.
func (p *pace) wait(ctx context.Context, now time.Time, interval time.Duration) bool {
	if p.start.IsZero() {
		p.start, p.first = time.Now(), now
	}
	p.steps++
	var due time.Time
	switch {
	case p.speed == 0:
		return ctx.Err() == nil
	case p.live:
		due = p.start.Add(time.Duration(p.steps) * interval)
	default:
		passed := float64(now.Sub(p.first) + interval)
		due = p.start.Add(time.Duration(passed / p.speed))
	}
	timer := time.NewTimer(time.Until(due))
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
