package exec

import (
	"context"
	"errors"
	"time"

	"cxdeck/driver/keeper"
	"cxdeck/perf/monitor"
)

// onMonitor is the console's host: its time passes by itself, and the monitor owns it.
type onMonitor struct {
	*monitor.Monitor
	keeper.Changer
}

// OnMonitor makes a Host of the source of a monitor, with a Changer of the monitor.
func OnMonitor(m *monitor.Monitor, changer keeper.Changer) Host { return &onMonitor{m, changer} }

var errOwnTime = errors.New("the console runs this host, and time passes by itself there")

// Advance is refused.
func (h *onMonitor) Advance(context.Context, time.Duration) error { return errOwnTime }

// Reset is refused.
func (h *onMonitor) Reset(context.Context) error {
	return errors.New("the console runs this host and can't replace it; end the console, and run cxdeck exec lab reset --yes")
}

// Measure returns what the newest sample brought.
func (h *onMonitor) Measure(_ context.Context, series []int, over time.Duration, values []float64) (time.Time, error) {
	if over > 0 {
		return time.Time{}, errors.New("the console runs this host, and time passes by itself there; without --interval, rates come " +
			"from the newest sample")
	}
	h.Watch(series...)
	read(h.Window(), series, values)
	return h.Status().Now, nil
}
