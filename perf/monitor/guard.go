package monitor

import (
	"context"
	"fmt"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
)

// The bounds of the time that an operator has to confirm a change.
const (
	MinConfirmTime = time.Second
	MaxConfirmTime = 10 * time.Minute
)

// Unconfirmed is a change that is taken back unless it is confirmed in time.
type Unconfirmed struct {
	// Sequence is its number in the journal, Title that of its plan.
	Sequence uint64
	Title    string
	// Deadline is when it is taken back, by the machine's clock.
	Deadline time.Time
}

// Left is how much time there is to confirm it; 0 when it is over.
func (u Unconfirmed) Left() time.Duration { return max(time.Until(u.Deadline), 0) }

// ApplyGuarded is Apply for a plan that could cut the operator off: unless Confirm comes within a time, 1 s to 10 min
// by the machine's clock, the plan is taken back. It is also taken back when the console ends before, at the latest
// when it starts again. Until then every other change fails with a *driver.UnconfirmedError.
func (m *Monitor) ApplyGuarded(ctx context.Context, plan driver.Plan, within time.Duration) (driver.Entry, error) {
	if within < MinConfirmTime || within > MaxConfirmTime {
		return driver.Entry{}, fmt.Errorf("the time to confirm, %s, is not between %s and %s", within, MinConfirmTime, MaxConfirmTime)
	}
	return m.operate(ctx, planned(plan), func(host *driver.Host) (driver.Entry, error) {
		return host.ApplyGuarded(plan, time.Now().Add(within))
	})
}

// Confirm keeps the change that waits for it. It fails with driver.ErrNothingUnconfirmed when none does, or no longer.
func (m *Monitor) Confirm(ctx context.Context) error {
	_, err := m.operate(ctx, nil, func(host *driver.Host) (driver.Entry, error) { return driver.Entry{}, host.Confirm() })
	return err
}

// Revert takes back the change that waits for its confirmation, without waiting for the time to be over. It fails with
// driver.ErrNothingUnconfirmed when none does.
func (m *Monitor) Revert(ctx context.Context) (driver.Entry, error) {
	return m.operate(ctx, nil, (*driver.Host).Revert)
}

// Unconfirmed is the change that waits for its confirmation; ok is false when none does.
func (m *Monitor) Unconfirmed() (change Unconfirmed, ok bool) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.unconfirmed, m.unconfirmed.Sequence != 0
}

// publishGuard shows what waits for its confirmation now.
func (o *owner) publishGuard() {
	guard, _ := o.source.(Operator).Host().Unconfirmed()
	o.mutex.Lock()
	o.unconfirmed = Unconfirmed(guard)
	o.mutex.Unlock()
}

// revertLeftover takes back what an earlier run left unconfirmed: it ended before anyone could know that the way to the
// host was still there.
func (o *owner) revertLeftover() {
	if guard, waits := o.Unconfirmed(); waits {
		o.revertGuarded(guard, "cxdeck ended before it was confirmed")
	}
}

// revertExpired takes back a change that was not confirmed in time.
func (o *owner) revertExpired() {
	if guard, waits := o.Unconfirmed(); waits && guard.Left() == 0 {
		o.revertGuarded(guard, "it was not confirmed in time")
	}
}

func (o *owner) revertGuarded(guard Unconfirmed, why string) {
	entry, err := o.source.(Operator).Host().Revert()
	event := eventlog.Event{
		Time: o.Status().Now, Source: "cxdeck", Severity: eventlog.Warning,
		Message: fmt.Sprintf("Change %d (%s) was taken back: %s.", guard.Sequence, guard.Title, why),
	}
	if err != nil {
		event.Severity = eventlog.Error
		event.Message = fmt.Sprintf("Change %d (%s) could not be taken back, although %s: %v.", guard.Sequence, guard.Title, why, err)
	}
	o.enter(entry, true)
	o.note(event)
}
