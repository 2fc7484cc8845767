package monitor

import (
	"context"
	"fmt"

	"cxdeck/driver"
)

// Apply applies a plan on the host between two samples and waits for it. The entry is in the journal also when it
// failed and was rolled back.
func (m *Monitor) Apply(ctx context.Context, plan driver.Plan) (driver.Entry, error) {
	return m.operate(ctx, planned(plan), func(host *driver.Host) (driver.Entry, error) { return host.Apply(plan) })
}

// ApplyMade is Apply for a plan that depends on the host: plan makes it between two samples, and must not keep the
// host. It may be called twice, and the second plan counts.
func (m *Monitor) ApplyMade(ctx context.Context, plan func(*driver.Host) (driver.Plan, error)) (driver.Entry, error) {
	return m.operate(ctx, plan, func(host *driver.Host) (driver.Entry, error) {
		made, err := plan(host)
		if err != nil {
			return driver.Entry{}, err
		}
		return host.Apply(made)
	})
}

// TakeBack takes back one applied entry, which need not be the newest. It fails with a *driver.ConflictError when later
// ones changed the same things.
func (m *Monitor) TakeBack(ctx context.Context, sequence uint64) (driver.Entry, error) {
	return m.operate(ctx, func(host *driver.Host) (driver.Plan, error) { return host.Inverse(sequence), nil },
		func(host *driver.Host) (driver.Entry, error) { return host.TakeBack(sequence) })
}

// Undo takes back the newest applied entry that is not undone yet.
func (m *Monitor) Undo(ctx context.Context) (driver.Entry, error) {
	newest := func(host *driver.Host) (driver.Plan, error) {
		entry, ok := host.Undoable()
		if !ok {
			return driver.Plan{}, driver.ErrNothingToUndo
		}
		return entry.Inverse, nil
	}
	return m.operate(ctx, newest, (*driver.Host).Undo)
}

// changedBy is the key of who makes the changes that are asked for with a context.
type changedBy struct{}

// WithActor is a context with which a monitor's changes are made in the name of somebody else than the monitor's run:
// their entries in the journal say so, see driver.Entry.By.
func WithActor(ctx context.Context, by string) context.Context {
	return context.WithValue(ctx, changedBy{}, by)
}

// planned is a plan that is known before the host is looked at.
func planned(plan driver.Plan) func(*driver.Host) (driver.Plan, error) {
	return func(*driver.Host) (driver.Plan, error) { return plan, nil }
}

// operate has the owner change the host. What is about to happen is noted before, by whoever asked for it: the owner
// never waits for a disk. intend may be nil for what need not be noted.
func (m *Monitor) operate(ctx context.Context, intend func(*driver.Host) (driver.Plan, error),
	change func(*driver.Host) (driver.Entry, error),
) (entry driver.Entry, err error) {
	if !m.operable {
		return entry, fmt.Errorf("%w: %s takes no changes; the lab does", ErrNotPossible, m.Status().Info.Name)
	}
	if m.begin != nil && intend != nil {
		var plan driver.Plan
		var after uint64
		if err := m.Look(ctx, func(host *driver.Host) (err error) {
			after = host.Changes()
			if plan, err = intend(host); err != nil {
				return err
			}
			return host.Admit(plan)
		}); err != nil {
			return entry, err
		}
		if len(plan.Operations) > 0 {
			defer m.begin(ctx, plan, after)()
		}
	}
	err = m.do(ctx, func(context.Context) (err error) {
		host := m.owner.source.(Operator).Host()
		if by, ok := ctx.Value(changedBy{}).(string); ok {
			usual := host.Actor()
			host.SetActor(driver.Actor{By: by, Run: usual.Run})
			defer func() { host.SetActor(usual) }()
		}
		entry, err = change(host)
		m.owner.enter(entry, err == nil)
		return err
	})
	return entry, err
}

// enter puts an entry in the journal and publishes what the change brought. A plan that never came to be tried has
// none.
func (o *owner) enter(entry driver.Entry, changed bool) {
	if entry.Sequence > 0 {
		o.mutex.Lock()
		o.journal = append(o.journal, entry)
		o.mutex.Unlock()
		if o.sink != nil {
			o.sink.Journal(entry)
		}
	}
	if changed {
		o.publishGuard()
		o.save()
	}
	o.renew()
	o.updateDue = true
}
