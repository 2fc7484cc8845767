package exec

import (
	"context"
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/perf/monitor"
)

// Trial is a Host on which a line shows what it would do: a copy of one that a monitor watches. No time passes on it.
type Trial struct {
	*onMonitor
	host *driver.Host
	done []driver.Operation
}

// OnTrial makes a Trial of a copy of the monitor's host.
func OnTrial(m *monitor.Monitor, host *driver.Host) *Trial {
	return &Trial{onMonitor: &onMonitor{m, m.Changer}, host: host}
}

// Operations returns the Operations that were applied, in their order.
func (t *Trial) Operations() []driver.Operation { return slices.Clone(t.done) }

// Look lets a function read the copy.
func (t *Trial) Look(ctx context.Context, look func(*driver.Host) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return look(t.host)
}

// Apply applies a plan to the copy.
func (t *Trial) Apply(_ context.Context, plan driver.Plan) (driver.Entry, error) {
	return t.noted(t.host.Apply(plan))
}

// Undo takes the newest change back on the copy.
func (t *Trial) Undo(context.Context) (driver.Entry, error) { return t.noted(t.host.Undo()) }

// UndoEntry undoes one change on the copy.
func (t *Trial) UndoEntry(_ context.Context, sequence uint64) (driver.Entry, error) {
	return t.noted(t.host.UndoEntry(sequence))
}

// ApplyGuarded applies a plan to the copy.
func (t *Trial) ApplyGuarded(ctx context.Context, plan driver.Plan, _ time.Duration) (driver.Entry, error) {
	return t.Apply(ctx, plan)
}

// Confirm keeps what waits for its confirmation on the copy.
func (t *Trial) Confirm(context.Context) error { return t.host.Confirm() }

// Revert undoes what waits for its confirmation on the copy.
func (t *Trial) Revert(context.Context) (driver.Entry, error) { return t.noted(t.host.Revert()) }

func (t *Trial) noted(entry driver.Entry, err error) (driver.Entry, error) {
	if err == nil {
		t.done = append(t.done, entry.Plan.Operations...)
	}
	return entry, err
}

// TrialShelf returns a copy of a shelf, as far as it can be read.
func TrialShelf(ctx context.Context, of Shelf) Shelf {
	shelf := NewShelf()
	if draft, err := of.Draft(ctx); err == nil {
		_ = shelf.SaveDraft(ctx, draft) // memory takes everything
	}
	if profiles, err := of.Profiles(ctx); err == nil {
		for _, profile := range profiles {
			_ = shelf.SaveProfile(ctx, profile)
		}
	}
	return shelf
}
