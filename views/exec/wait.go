package exec

import (
	"context"
	"errors"
	"time"

	"cxdeck/driver"
)

const (
	// pollEvery is how often a wait looks at the time of a host that passes by itself, and standstill is how long that time may stand
	// still before the wait fails, as in a console that is paused.
	pollEvery  = 100 * time.Millisecond
	standstill = 15 * time.Second
)

// ErrStandstill reports that the time of a host stood still for too long.
var ErrStandstill = errors.New("the time of the host stands still: let it go on, and run it again")

// Wait lets time of the host pass. On a host whose time passes by itself, as in the console, it waits for it, and fails with ErrStandstill if
// it stands still.
func Wait(ctx context.Context, host Host, d time.Duration) error {
	if host.Advance(ctx, d) == nil {
		return nil
	}
	begun, err := timeOf(ctx, host)
	last, still := begun, time.Duration(0)
	for err == nil {
		var now time.Time
		if now, err = timeOf(ctx, host); now.Sub(begun) >= d {
			return err
		}
		if now.After(last) {
			last, still = now, 0
		} else if still += pollEvery; still > standstill {
			return ErrStandstill
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(pollEvery):
		}
	}
	return err
}

// timeOf returns the time of a host.
func timeOf(ctx context.Context, host Host) (now time.Time, err error) {
	err = host.ReadHost(ctx, func(h *driver.Host) error {
		now = h.Now()
		return nil
	})
	return now, err
}
