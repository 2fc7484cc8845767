package hosts

import (
	"context"
	"errors"
	"time"

	"cxdeck/driver/keeper"
	"cxdeck/perf/monitor"
	"cxdeck/views/exec"
)

// monitorHost is the host of a console: the monitor owns it, and its time passes by itself.
type monitorHost struct {
	*monitor.Monitor
	keeper.Changer
}

// OnMonitor returns the Host of a console's monitor. changer applies changes through m.
func OnMonitor(m *monitor.Monitor, changer keeper.Changer) exec.Host { return &monitorHost{m, changer} }

var errTimeRuns = errors.New("the console runs this host, and its time passes automatically")

// Advance returns an error: the console advances the time.
func (h *monitorHost) Advance(context.Context, time.Duration) error { return errTimeRuns }

// Reset returns an error: the console can't replace its host.
func (h *monitorHost) Reset(context.Context) error {
	return errors.New("the console runs this host and can't replace it; end the console, and run cxdeck exec lab reset --yes")
}

// Measure stores the values of the newest sample; over must be 0.
func (h *monitorHost) Measure(_ context.Context, series []int, over time.Duration, values []float64) (time.Time, error) {
	if over > 0 {
		return time.Time{}, errors.New("the console runs this host, and its time passes automatically; without --interval, rates come " +
			"from the newest sample")
	}
	h.Watch(series...)
	h.Window().Newest(series, values)
	return h.Status().Now, nil
}
