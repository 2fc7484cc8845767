package exec

import (
	"context"
	"errors"
	"time"

	"cxdeck/driver"
	"cxdeck/perf/monitor"
)

// onMonitor is the console's host: its time passes by itself, and the monitor owns it.
type onMonitor struct {
	*monitor.Monitor
	changed func(driver.Entry)
}

// OnMonitor makes a Host of what a monitor watches. changed is called with each change that was applied, and may be nil.
func OnMonitor(m *monitor.Monitor, changed func(driver.Entry)) Host {
	if changed == nil {
		changed = func(driver.Entry) {}
	}
	return &onMonitor{m, changed}
}

var errOwnTime = errors.New("the console has this host, and time passes by itself there; + and - set its speed")

// Apply applies a plan between two samples.
func (h *onMonitor) Apply(ctx context.Context, plan driver.Plan) (driver.Entry, error) {
	return h.tell(h.Monitor.Apply(ctx, plan))
}

// Undo takes the newest change back.
func (h *onMonitor) Undo(ctx context.Context) (driver.Entry, error) {
	return h.tell(h.Monitor.Undo(ctx))
}

// TakeBack takes one change back.
func (h *onMonitor) TakeBack(ctx context.Context, sequence uint64) (driver.Entry, error) {
	return h.tell(h.Monitor.TakeBack(ctx, sequence))
}

// ApplyGuarded applies a plan that is taken back unless it is confirmed.
func (h *onMonitor) ApplyGuarded(ctx context.Context, plan driver.Plan, within time.Duration) (driver.Entry, error) {
	return h.tell(h.Monitor.ApplyGuarded(ctx, plan, within))
}

// Revert takes back what waits for its confirmation.
func (h *onMonitor) Revert(ctx context.Context) (driver.Entry, error) {
	return h.tell(h.Monitor.Revert(ctx))
}

func (h *onMonitor) tell(entry driver.Entry, err error) (driver.Entry, error) {
	if err == nil {
		h.changed(entry)
	}
	return entry, err
}

// Advance is refused.
func (h *onMonitor) Advance(context.Context, time.Duration) error { return errOwnTime }

// Reset is refused.
func (h *onMonitor) Reset(context.Context) error {
	return errors.New("the console has this host and can't change hosts while it watches one; end it, and type cxdeck exec lab reset --yes")
}

// Measure gives what the newest sample brought.
func (h *onMonitor) Measure(_ context.Context, series []int, over time.Duration, values []float64) (time.Time, error) {
	if over > 0 {
		return time.Time{}, errors.New("the console has this host, and time passes by itself there; leave --interval out, and " +
			"rates are taken from the newest sample")
	}
	h.Watch(series...)
	read(h.Window(), series, values)
	return h.Status().Now, nil
}
