package change

import (
	"context"
	"time"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/ui"
)

// ConfirmWithin is how long an operator has to confirm a plan that may cut the way to the host; GuardedLabel is the
// button that applies a plan so.
const (
	ConfirmWithin = 30 * time.Second
	GuardedLabel  = "Apply, confirm in 30 s or revert"
)

// Apply applies a plan; guarded has it taken back unless it is confirmed within ConfirmWithin, for which AskToConfirm
// asks.
func Apply(ctx context.Context, m *perf.Monitor, plan driver.Plan, guarded bool) (driver.Entry, error) {
	if guarded {
		return m.ApplyGuarded(ctx, plan, ConfirmWithin)
	}
	return m.Apply(ctx, plan)
}

// AskToConfirm opens the dialog that waits for the confirmation of the change that a monitor has applied guarded; nil
// when none waits.
func AskToConfirm(m *perf.Monitor) ui.Cmd {
	waits, ok := m.Unconfirmed()
	if !ok {
		return nil
	}
	return ui.Batch(ui.OpenDialog(newCountdown(m, waits)), tick())
}
