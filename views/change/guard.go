package change

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/keeper"
	"cxdeck/driver/wording"
	"cxdeck/perf/monitor"
	"cxdeck/ui"
	"cxdeck/views/deck"
)

// ConfirmWithin is the time to confirm a plan that may cut the connection to the host, counted from the return of the
// connection if it is down for longer than shortInterruption.
const (
	ConfirmWithin     = 30 * time.Second
	shortInterruption = 10 * time.Second
)

// Period returns the time to confirm a plan, by the machine's clock; an interruption of the operator's session that is longer
// than shortInterruption is added to it. It is 0 for a plan that can't be undone, or whose interruption is too long.
func Period(d *deck.Deck, r *driver.Review) time.Duration {
	if !r.Reversible {
		return 0
	}
	down := r.Management.Down
	if down <= shortInterruption || r.Management.Lost {
		return ConfirmWithin
	}
	if m := d.Monitor(); m != nil {
		if speed := m.Status().Speed; speed > 0 && speed < 1 {
			down = time.Duration(float64(down) / speed)
		}
	}
	if within := ConfirmWithin + down.Round(time.Second); within <= keeper.MaxConfirmTime {
		return within
	}
	return 0
}

// GuardedLabel returns the label of the button that applies a plan with a confirmation in time.
func GuardedLabel(within time.Duration) string {
	return fmt.Sprintf("Apply, confirm in %.0f s or revert", within.Seconds())
}

// GuardNote returns how an interruption of the operator's session affects the confirmation; empty if the session continues.
func GuardNote(d *deck.Deck, r *driver.Review) string {
	within, down := Period(d, r), r.Management.Down.Round(time.Second)
	switch {
	case r.Management.Lost && within > 0:
		return fmt.Sprintf("With a confirmation it is reverted after %.0f s, unless you reach the host another way.", within.Seconds())
	case r.Management.Lost || down <= shortInterruption:
		return ""
	case within == 0:
		return fmt.Sprintf("Your session is back after about %.0f s: too long to wait for a confirmation.", down.Seconds())
	}
	return fmt.Sprintf("Your session is back after about %.0f s; %.0f s are then left to confirm it.", down.Seconds(), ConfirmWithin.Seconds())
}

// OutdatedError reports a plan that was not applied, because changes made since its review give it effects that the
// operator has not seen.
type OutdatedError struct {
	// Newest is the newest of these changes; Unseen lists the effects.
	Newest driver.Entry
	Unseen []string
}

// Error names the change and the first effect.
func (e *OutdatedError) Error() string {
	more := ""
	if n := len(e.Unseen) - 1; n > 0 {
		more = " and " + wording.Count(n, "other effect")
	}
	return fmt.Sprintf("change %d (%s, by %s) was made since the review, and the plan has effects that the review did not have: %s%s; review it again",
		e.Newest.Sequence, e.Newest.Plan.Title, cmp.Or(e.Newest.By, "an older version"), e.Unseen[0], more)
}

// Apply applies a plan whose review the operator has read. It returns an *OutdatedError if the host has changed since, so
// that the plan has other effects. Unless within is 0, the plan is reverted if it is not confirmed within that time;
// AskToConfirm asks for the confirmation.
func Apply(ctx context.Context, m *monitor.Monitor, read *driver.Review, plan driver.Plan, within time.Duration) (driver.Entry, error) {
	var newest driver.Entry
	if err := m.ReadHost(ctx, func(h *driver.Host) error {
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
		if unseen := newEffects(read, &now); len(unseen) > 0 {
			return driver.Entry{}, &OutdatedError{newest, unseen}
		}
	}
	if within > 0 {
		return m.ApplyGuarded(ctx, plan, within)
	}
	return m.Apply(ctx, plan)
}

// AskToConfirm opens the dialog that asks to confirm the change that waits for it; nil when no change waits.
func AskToConfirm(m *monitor.Monitor) ui.Cmd {
	guard, ok := m.Unconfirmed()
	if !ok {
		return nil
	}
	return ui.Batch(ui.OpenDialog(newCountdown(m, guard)), tick())
}
