package change

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/keeper"
	"cxdeck/perf/monitor"
	"cxdeck/ui"
	"cxdeck/views/deck"
)

// ConfirmWithin is how long an operator has to confirm a plan that may cut the way to the host, and at least has when the
// way is back; moment is an interruption that leaves enough of it.
const (
	ConfirmWithin = 30 * time.Second
	moment        = 10 * time.Second
)

// Period returns how long there is to confirm a plan, by the machine's clock: an operator whose session is gone for longer
// than a moment gets that time as well. It is 0 for a plan that leaves nothing to undo, and for one that takes too long.
func Period(d *deck.Deck, r *driver.Review) time.Duration {
	if !r.Reversible {
		return 0
	}
	away := r.Management.Down
	if away <= moment || r.Management.Lost {
		return ConfirmWithin
	}
	if m := d.Monitor(); m != nil {
		if speed := m.Status().Speed; speed > 0 && speed < 1 {
			away = time.Duration(float64(away) / speed)
		}
	}
	if within := ConfirmWithin + away.Round(time.Second); within <= keeper.MaxConfirmTime {
		return within
	}
	return 0
}

// GuardedLabel returns the button that applies a plan which is undone unless it is confirmed in time.
func GuardedLabel(within time.Duration) string {
	return fmt.Sprintf("Apply, confirm in %.0f s or revert", within.Seconds())
}

// GuardNote returns what becomes of a confirmation where the operator's session is away; empty where the session continues.
func GuardNote(d *deck.Deck, r *driver.Review) string {
	within, away := Period(d, r), r.Management.Down.Round(time.Second)
	switch {
	case r.Management.Lost && within > 0:
		return fmt.Sprintf("With a confirmation it is reverted after %.0f s, unless you reach the host another way.", within.Seconds())
	case r.Management.Lost || away <= moment:
		return ""
	case within == 0:
		return fmt.Sprintf("Your session is back after about %.0f s: too long to wait for a confirmation.", away.Seconds())
	}
	return fmt.Sprintf("Your session is back after about %.0f s; %.0f s are then left to confirm it.", away.Seconds(), ConfirmWithin.Seconds())
}

// OutdatedError is a plan that was not applied, because changes that were made since its review give it effects that the
// operator has not read.
type OutdatedError struct {
	// Newest is the newest of these changes; Unseen lists the effects.
	Newest driver.Entry
	Unseen []string
}

// Error names the change and the first effect.
func (e *OutdatedError) Error() string {
	more := ""
	if n := len(e.Unseen) - 1; n > 0 {
		more = " and " + deck.Count(n, "other effect")
	}
	return fmt.Sprintf("change %d (%s, by %s) was made since the review, and the plan has effects that the review did not have: %s%s; review it again",
		e.Newest.Sequence, e.Newest.Plan.Title, cmp.Or(e.Newest.By, "an older version"), e.Unseen[0], more)
}

// Apply applies a plan whose review the operator has read; it gives an *OutdatedError when the host has changed since in a way
// that matters. A plan that is to be confirmed within a time is undone otherwise, for which AskToConfirm asks. 0 is a plan
// that is kept.
func Apply(ctx context.Context, m *monitor.Monitor, read *driver.Review, plan driver.Plan, within time.Duration) (driver.Entry, error) {
	var newest driver.Entry
	if err := m.Look(ctx, func(h *driver.Host) error {
		newest = h.Newest()
		return nil
	}); err != nil {
		return driver.Entry{}, err
	}
	if newest.Sequence > read.After {
		now, err := m.Review(ctx, plan)
		if err != nil {
			return driver.Entry{}, err
		}
		if unseen := read.Unseen(&now); len(unseen) > 0 {
			return driver.Entry{}, &OutdatedError{newest, unseen}
		}
	}
	if within > 0 {
		return m.ApplyGuarded(ctx, plan, within)
	}
	return m.Apply(ctx, plan)
}

// AskToConfirm opens the dialog that waits for the confirmation of the change that a monitor has applied guarded; nil
// when none waits.
func AskToConfirm(m *monitor.Monitor) ui.Cmd {
	waits, ok := m.Unconfirmed()
	if !ok {
		return nil
	}
	return ui.Batch(ui.OpenDialog(newCountdown(m, waits)), tick())
}
