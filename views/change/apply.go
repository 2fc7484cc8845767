package change

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/wording"
	"cxdeck/ui"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/exec/guides"
)

// appliedMsg contains the outcome of a wizard's plan.
type appliedMsg struct {
	wizard  *dialog
	entry   driver.Entry
	err     error
	guarded bool
}

// apply applies the plan in the background, and shows each Operation as running.
func (d *dialog) apply(button int) ui.Cmd {
	if !d.applicable() {
		return nil
	}
	if d.forms.Deck.ReadOnly {
		return ui.Toast(ui.Caution, "Read-only mode: plans can't be applied. Start cxdeck without --read-only to apply them.")
	}
	d.forecast.Cancel()
	d.plan = d.review.Plan
	if d.form.Continues != nil {
		d.resumeStep = d.form.Continues(d.Values())
	}
	d.frozen = d.steps(d.Values())
	d.ShowProgress(d.progress(wizard.Running, nil))
	m, read, plan, within := d.forms.Deck.Monitor(), d.review, d.plan, d.confirmPeriod(button)
	return ui.Background(plan.Title, func(ctx context.Context) ui.Msg {
		entry, err := Apply(ctx, m, read, plan, within)
		return appliedMsg{d, entry, err, within > 0}
	})
}

// progress returns all Operations at a stage. A plan is applied completely or not at all: if it failed, err names the
// Operation at which it did, and the Operations before it are rolled back.
func (d *dialog) progress(stage wizard.Stage, err error) *wizard.Progress {
	p := &wizard.Progress{Title: d.plan.Title}
	failed := -1
	var refused *driver.OperationError
	if errors.As(err, &refused) {
		failed = refused.Index
	}
	for i, o := range d.plan.Operations {
		operation := wizard.Operation{Text: wording.UpperFirst(o.Describe()), Stage: stage}
		switch {
		case err == nil:
			if stage == wizard.Done && d.waiting && d.form.Waiting != nil {
				if word := d.form.Waiting(o); word != "" {
					operation.Stage, operation.Note = wizard.Running, wording.UpperFirst(word)+"."
				}
			}
		case i == failed:
			operation.Stage, operation.Note = wizard.Failed, wording.UpperFirst(err.Error())+"."
		case i < failed || failed < 0:
			operation.Stage = wizard.RolledBack
		default:
			operation.Stage = wizard.Waiting
		}
		p.Operations = append(p.Operations, operation)
	}
	return p
}

// applied shows the outcome of the plan.
func (d *dialog) applied(msg appliedMsg) ui.Cmd {
	if msg.err != nil {
		d.frozen = nil
		d.ShowProgress(d.progress(wizard.Waiting, msg.err))
		d.ShowResult(wizard.Result{
			Mark: wizard.Bad, Word: "failed", Text: wording.UpperFirst(msg.err.Error()) + ". Nothing was changed.", Again: true,
		})
		return nil
	}
	d.forms.Refresh()
	d.entry = msg.entry
	if d.form.Applied != nil {
		d.form.Applied(d.Values())
	}
	kept := wizard.Draft{}
	if d.resumeStep != "" {
		// Keep all answers: a default of this run may not be the default of the next.
		kept = wizard.Draft{Values: d.Values(), Step: d.resumeStep, Reached: d.resumeStep}
	}
	d.reportEnd = d.forms.Deck.FollowWaits()
	d.waiting, d.deadline = true, d.entry.Time.Add(d.maxWait())
	var lines []string // none if a real host has no command for it
	if len(d.commands) > 0 {
		lines = d.commands[0].Lines
	}
	cmds := []ui.Cmd{d.record(), d.forms.Drafts.keep(d.key, kept), ui.Log(msg.entry.Time, msg.entry.Plan.Title, lines)}
	if msg.guarded {
		if ask := AskToConfirm(d.forms.Deck.Monitor()); ask != nil {
			cmds = append(cmds, ask)
		}
	}
	return ui.Batch(append(cmds, d.showProgress())...)
}

// settleLimit is the maximum time that a wizard waits for the effects of its changes, in lab time, after the plan's interruptions.
const settleLimit = 20 * time.Second

// maxWait returns how long a wizard waits for the effects of its plan: the longest restart, plus settleLimit.
func (d *dialog) maxWait() time.Duration {
	longest := time.Duration(0)
	for i := range d.review.Restarts {
		longest = max(longest, d.review.Restarts[i].Down)
	}
	return longest + settleLimit
}

// showProgress shows the progress of the applied Operations. When none waits any more it shows the result, or starts the check
// of what the plan is for.
func (d *dialog) showProgress() ui.Cmd {
	p := d.progress(wizard.Done, nil)
	d.ShowProgress(p)
	status := d.forms.Deck.Monitor().Status()
	if !status.Now.After(d.entry.Time) && !status.Paused {
		return nil // the next sample brings the new state
	}
	busy := slices.ContainsFunc(p.Operations, func(o wizard.Operation) bool { return o.Stage == wizard.Running })
	if busy && status.Now.Before(d.deadline) && !status.Paused {
		return nil
	}
	d.stopWaiting()
	if d.form.Verify != nil || d.course != nil {
		return d.verify()
	}
	d.showOutcome(d.outcome())
	return nil
}

// outcome returns the result of the form, when nothing waits any more.
func (d *dialog) outcome() wizard.Result {
	if d.form.Outcome != nil {
		return d.form.Outcome(d.Values())
	}
	return wizard.Result{Mark: wizard.Good, Word: "done", Text: "All changes of the plan are in effect."}
}

// verifiedMsg contains the result of the check of what a plan is for.
type verifiedMsg struct {
	wizard *dialog
	facts  []wizard.Fact
	// after are the checks of the guide after its last step; nil while steps are left.
	after []guides.Verdict
	err   error
}

// verify checks a copy of the host, and runs the checks of the guide when its last step is done.
func (d *dialog) verify() ui.Cmd {
	m, name := d.forms.Deck.Monitor(), d.guide.Name
	var check func(*driver.Host) []wizard.Fact
	if d.form.Verify != nil {
		check = d.form.Verify(d.Values())
	}
	open, limit := d.forms.Deck.OpenCourse, d.maxWait()
	if m.Status().Paused {
		limit = 0
	}
	return ui.Background("Check: "+d.plan.Title, func(ctx context.Context) ui.Msg {
		msg := verifiedMsg{wizard: d}
		if check != nil {
			h, err := m.Clone(ctx)
			if err != nil {
				return verifiedMsg{wizard: d, err: err}
			}
			msg.facts = check(h)
		}
		if open == nil {
			return msg
		}
		course, err := open(ctx, name, nil)
		if err == nil {
			err = course.Look(ctx)
		}
		if err == nil && course.Finished() {
			msg.after = course.CheckAfter(ctx, limit)
		}
		msg.err = err
		return msg
	})
}

// verified returns the result of a check.
func (d *dialog) verified(msg verifiedMsg) wizard.Result {
	if d.form.Verify == nil {
		result := d.outcome()
		d.addAfter(&result, &msg)
		return result
	}
	msg.facts = append(msg.facts, afterFacts(msg.after)...)
	failed := 0
	for i := range msg.facts {
		if msg.facts[i].Mark != wizard.Good {
			failed++
		}
	}
	r := wizard.Result{Mark: wizard.Good, Word: "done", Text: "All changes of the plan are in effect, and every check passes.", Facts: msg.facts}
	switch {
	case msg.err != nil:
		r.Mark, r.Word, r.Text = wizard.Warn, "not checked", "The plan is applied, but it can't be checked: "+msg.err.Error()+"."
	case failed == 1:
		r.Mark, r.Word, r.Text = wizard.Warn, "partly done", "The plan is applied, but one check fails."
	case failed > 1:
		r.Mark, r.Word, r.Text = wizard.Warn, "partly done", fmt.Sprintf("The plan is applied, but %d checks fail.", failed)
	}
	return r
}

// showOutcome shows the result, with the change in the journal and the key that undoes it.
func (d *dialog) showOutcome(result wizard.Result) {
	result.Text += fmt.Sprintf(" It is change %d of the journal.", d.entry.Sequence)
	if len(d.entry.Inverse.Operations) > 0 {
		result.Next = append(result.Next, wizard.Key{ID: undoKey, Key: "u", Name: "undo", Help: "Undo the change"})
	}
	if d.course != nil {
		result.Next = append(result.Next, wizard.Key{ID: exportKey, Key: "x", Name: "export", Help: "Write the protocol of the guide, with times, into a file"})
	}
	d.ShowResult(result)
}

// stopWaiting ends the wait that applied began; later effects show in the events.
func (d *dialog) stopWaiting() {
	if d.waiting = false; d.reportEnd != nil {
		d.reportEnd()
	}
}

// undone reports that the applied plan has been undone: by a confirmation that did not come, or by an undo.
func (d *dialog) undone() bool {
	if d.entry.Sequence == 0 || d.wasUndone {
		return false
	}
	return slices.ContainsFunc(d.forms.Deck.Monitor().Journal(), func(e driver.Entry) bool {
		return e.Undoes == d.entry.Sequence && e.Err == ""
	})
}

// showUndone shows that the plan was undone.
func (d *dialog) showUndone() {
	d.wasUndone = true
	d.stopWaiting()
	d.ShowProgress(d.progress(wizard.RolledBack, nil))
	d.ShowResult(wizard.Result{
		Mark: wizard.Warn, Word: "undone",
		Text: fmt.Sprintf("Change %d of the journal was undone.", d.entry.Sequence),
	})
}
