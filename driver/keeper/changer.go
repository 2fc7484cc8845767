package keeper

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cxdeck/driver"
)

// Bounds of the time that an operator has to confirm a change.
const (
	MinConfirmTime = time.Second
	MaxConfirmTime = 10 * time.Minute
)

// Changer changes a host from any goroutine, one change at a time. A change is saved when its method returns; the journal has
// its entry even when it failed and was rolled back.
type Changer struct {
	keeper  *Keeper
	by      string
	applied func(driver.Entry)
}

// By returns a Changer that records another author than the host's actor: see driver.Entry.By.
func (c Changer) By(name string) Changer {
	c.by = name
	return c
}

// Notify returns a Changer that also reports each applied change, on the goroutine that requested it.
func (c Changer) Notify(applied func(driver.Entry)) Changer {
	c.applied = applied
	return c
}

// Apply applies a plan.
func (c Changer) Apply(ctx context.Context, plan driver.Plan) (driver.Entry, error) {
	return c.change(ctx, planned(plan), func(host *driver.Host) (driver.Entry, error) { return host.Apply(plan) })
}

// ApplyGuarded is Apply for a plan that could cut the operator off: unless Confirm is called within a time, 1 s to 10 min by
// the machine's clock, the plan is reverted, at the latest by the next owner of the host. Until then every other change fails
// with a *journal.UnconfirmedError.
func (c Changer) ApplyGuarded(ctx context.Context, plan driver.Plan, within time.Duration) (driver.Entry, error) {
	if within < MinConfirmTime || within > MaxConfirmTime {
		return driver.Entry{}, fmt.Errorf("the time to confirm, %s, is not between %s and %s", within, MinConfirmTime, MaxConfirmTime)
	}
	return c.change(ctx, planned(plan), func(host *driver.Host) (driver.Entry, error) {
		return host.ApplyGuarded(plan, c.keeper.Now().Add(within))
	})
}

// Confirm keeps the unconfirmed change. It fails with journal.ErrNothingUnconfirmed when there is none, or no longer one.
func (c Changer) Confirm(ctx context.Context) error {
	_, err := c.change(ctx, planned(driver.Plan{}), func(host *driver.Host) (driver.Entry, error) { return driver.Entry{}, host.Confirm() })
	return err
}

// Revert undoes the unconfirmed change without waiting for its deadline. It fails with journal.ErrNothingUnconfirmed when there
// is none.
func (c Changer) Revert(ctx context.Context) (driver.Entry, error) {
	waiting := func(host *driver.Host) driver.Plan {
		guard, _ := host.Unconfirmed()
		return host.Inverse(guard.Sequence)
	}
	return c.change(ctx, waiting, (*driver.Host).Revert)
}

// Undo undoes the newest applied entry that is not undone yet. It fails with journal.ErrNothingToUndo when there is
// none.
func (c Changer) Undo(ctx context.Context) (driver.Entry, error) {
	newest := func(host *driver.Host) driver.Plan {
		entry, _ := host.Undoable()
		return entry.Inverse
	}
	return c.change(ctx, newest, (*driver.Host).Undo)
}

// UndoEntry undoes one applied entry, which need not be the newest. It fails with a *driver.ConflictError when later entries
// changed the same objects.
func (c Changer) UndoEntry(ctx context.Context, sequence uint64) (driver.Entry, error) {
	return c.change(ctx, func(host *driver.Host) driver.Plan { return host.Inverse(sequence) },
		func(host *driver.Host) (driver.Entry, error) { return host.UndoEntry(sequence) })
}

// planned returns a plan that does not depend on the host.
func planned(plan driver.Plan) func(*driver.Host) driver.Plan {
	return func(*driver.Host) driver.Plan { return plan }
}

// change records that the change begins, makes it and saves the host. A change that could not be saved stays recorded as begun:
// the next owner reports its outcome.
func (c Changer) change(ctx context.Context, planOf func(*driver.Host) driver.Plan,
	do func(*driver.Host) (driver.Entry, error),
) (entry driver.Entry, err error) {
	k := c.keeper
	end, err := c.begin(ctx, planOf)
	if err != nil {
		return entry, err
	}
	var unsaved error
	err = k.Own(ctx, func() error {
		if usual := k.host.Actor(); c.by != "" {
			k.host.SetActor(driver.Actor{By: c.by, Run: usual.Run})
			defer func() { k.host.SetActor(usual) }()
		}
		var refused error
		if entry, refused = do(k.host); refused == nil || entry.Sequence > 0 {
			unsaved = k.saveChange(entry)
		} else {
			k.report(entry)
		}
		return refused
	})
	if err == nil && entry.Sequence > 0 && c.applied != nil {
		c.applied(entry)
	}
	if unsaved != nil {
		return entry, errors.Join(err, unsaved)
	}
	return entry, errors.Join(err, end())
}

// begin records that a plan begins. It refuses a plan that the journal can't keep.
func (c Changer) begin(ctx context.Context, planOf func(*driver.Host) driver.Plan) (end func() error, err error) {
	var saver Saver
	var plan driver.Plan
	var newest uint64
	err = c.keeper.Own(ctx, func() error {
		host := c.keeper.host
		saver, plan, newest = c.keeper.saver, planOf(host), host.Changes()
		if saver == nil || len(plan.Operations) == 0 {
			return nil
		}
		return host.Admit(plan)
	})
	if err != nil || saver == nil || len(plan.Operations) == 0 {
		return func() error { return nil }, err
	}
	return saver.Begin(ctx, plan, newest)
}
