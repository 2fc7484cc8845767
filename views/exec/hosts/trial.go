package hosts

import (
	"context"
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/perf/monitor"
)

// Trial is a copy of a monitor's host, on which the console tries a typed line. Its time passes with Advance alone.
type Trial struct {
	*monitorHost
	host *driver.Host
	done []driver.Operation
}

// NewTrial returns a Trial; host is a copy of the monitor's host.
func NewTrial(m *monitor.Monitor, host *driver.Host) *Trial {
	return &Trial{monitorHost: &monitorHost{Monitor: m, Changer: m.Changer}, host: host}
}

// Operations returns the Operations that were applied, in their order.
func (t *Trial) Operations() []driver.Operation { return slices.Clone(t.done) }

// ReadHost calls look with the copy.
func (t *Trial) ReadHost(ctx context.Context, look func(*driver.Host) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return look(t.host)
}

// Advance lets time pass on the copy, for lines that wait between changes, such as a guide.
func (t *Trial) Advance(ctx context.Context, d time.Duration) error {
	for ; d > 0; d -= time.Second {
		if err := ctx.Err(); err != nil {
			return err
		}
		t.host.Advance(min(d, time.Second))
	}
	return nil
}

// Apply applies a plan to the copy.
func (t *Trial) Apply(_ context.Context, plan driver.Plan) (driver.Entry, error) {
	return t.record(t.host.Apply(plan))
}

// Undo undoes the newest change on the copy.
func (t *Trial) Undo(context.Context) (driver.Entry, error) { return t.record(t.host.Undo()) }

// UndoEntry undoes one change on the copy.
func (t *Trial) UndoEntry(_ context.Context, sequence uint64) (driver.Entry, error) {
	return t.record(t.host.UndoEntry(sequence))
}

// ApplyGuarded applies a plan to the copy, without a time limit.
func (t *Trial) ApplyGuarded(ctx context.Context, plan driver.Plan, _ time.Duration) (driver.Entry, error) {
	return t.Apply(ctx, plan)
}

// Confirm confirms the plan that waits for it on the copy.
func (t *Trial) Confirm(context.Context) error { return t.host.Confirm() }

// Revert reverts the plan that waits for its confirmation on the copy.
func (t *Trial) Revert(context.Context) (driver.Entry, error) { return t.record(t.host.Revert()) }

func (t *Trial) record(entry driver.Entry, err error) (driver.Entry, error) {
	if err == nil {
		t.done = append(t.done, entry.Plan.Operations...)
	}
	return entry, err
}
