package registry

import (
	"context"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/wording"
	"cxdeck/ui"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// appliedMsg is the outcome of a plan that the screen applied.
type appliedMsg struct {
	plan    driver.Plan
	entry   driver.Entry
	err     error
	guarded bool
	tuning  *scenario
}

// apply applies a plan in the background. Unless within is 0, the plan is reverted if it is not confirmed within that time.
func (v *View) apply(read *driver.Review, plan driver.Plan, within time.Duration, tuning *scenario) ui.Cmd {
	m := v.deck.Monitor()
	return ui.Background(plan.Title, func(ctx context.Context) ui.Msg {
		entry, err := change.Apply(ctx, m, read, plan, within)
		return appliedMsg{plan, entry, err, within > 0, tuning}
	})
}

// applied reports the outcome of a plan: its planned values and the values read back.
func (v *View) applied(msg appliedMsg) ui.Cmd {
	if msg.err != nil {
		return ui.Toast(ui.Failure, wording.UpperFirst(msg.err.Error())+". Nothing was changed.")
	}
	if v.snapshot != nil { // remove the applied edits from the draft
		for _, o := range msg.plan.Operations {
			v.draft.Done(v.snapshot, o)
		}
		v.draftChanged()
	}
	log := ui.Log(msg.entry.Time, msg.entry.Plan.Title, deck.Commands(&msg.entry))
	next := ui.OpenDialog(newOutcome(v, msg.entry))
	if msg.guarded {
		if ask := change.AskToConfirm(v.deck.Monitor()); ask != nil {
			next = ask
		}
	}
	cmds := []ui.Cmd{log, next}
	if msg.tuning != nil && v.snapshot != nil {
		cmds = append(cmds, v.writeTuningLog(msg.tuning, &msg.entry))
	}
	if keep := v.keepDraft(); keep != nil {
		cmds = append(cmds, keep)
	}
	return ui.Batch(cmds...)
}
