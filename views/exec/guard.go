package exec

import (
	"context"
	"time"

	"cxdeck/driver"
)

// ApplyGuarded applies a plan that is taken back unless Confirm comes within a time, and saves the host.
func (l *Lab) ApplyGuarded(_ context.Context, plan driver.Plan, within time.Duration) (driver.Entry, error) {
	return l.change(plan, func(h *driver.Host) (driver.Entry, error) {
		return h.ApplyGuarded(plan, time.Now().Add(within))
	})
}

// Confirm keeps what waits for its confirmation, and saves the host.
func (l *Lab) Confirm(context.Context) error {
	host := l.source.Host()
	if err := host.Confirm(); err != nil || l.keeper == nil {
		return err
	}
	return l.keeper.Save(host)
}

// Revert takes back what waits for its confirmation, and saves the host.
func (l *Lab) Revert(context.Context) (driver.Entry, error) {
	guard, _ := l.source.Host().Unconfirmed() // without one, Revert says so
	return l.change(l.source.Host().Inverse(guard.Sequence), (*driver.Host).Revert)
}

// Lapse takes back a change that nobody confirmed before its time was over. It gives that change; ok is false when
// there is none.
func (l *Lab) Lapse(ctx context.Context, now time.Time) (guard driver.Guard, ok bool, err error) {
	guard, ok = l.source.Host().Unconfirmed()
	if !ok || now.Before(guard.Deadline) {
		return guard, false, nil
	}
	_, err = l.Revert(ctx)
	return guard, true, err
}
