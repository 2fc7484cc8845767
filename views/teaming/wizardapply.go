package teaming

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/mux"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// apply applies the plan, and shows each Operation.
func (d *wizard) apply(w *ui.Wizard, button int) ui.Cmd {
	if d.review == nil || d.review.Refusal != nil {
		return nil
	}
	if d.view.deck.ReadOnly {
		return ui.Toast(ui.Caution, "Read-only mode: nothing is applied. Start without --read-only to do it.")
	}
	d.forecast.Cancel()
	guarded := (button == 0) == d.guardedFirst()
	d.plan = d.review.Plan
	_, d.team = d.form.done(w.Values())
	d.frozen = d.steps(w.Values())
	w.Progress(d.progress(widget.WizardRunning, nil))
	m, plan := d.view.deck.Monitor(), d.plan
	return ui.Background(plan.Title, func(ctx context.Context) ui.Msg {
		msg := wizardAppliedMsg{wizard: d, guarded: guarded}
		if guarded {
			msg.entry, msg.err = m.ApplyGuarded(ctx, plan, change.ConfirmWithin)
		} else {
			msg.entry, msg.err = m.Apply(ctx, plan)
		}
		return msg
	})
}

// progress shows all Operations at a stage. A plan is applied wholly or not at all: when it failed, err says at which
// Operation, and those before it were taken back.
func (d *wizard) progress(stage widget.WizardStage, err error) *widget.WizardProgress {
	p := &widget.WizardProgress{Title: d.plan.Title}
	failed := -1
	if err != nil {
		failed = slices.IndexFunc(d.plan.Operations, func(o driver.Operation) bool {
			return strings.HasPrefix(err.Error(), "can't "+o.Describe())
		})
	}
	for i, o := range d.plan.Operations {
		one := widget.WizardOperation{Text: deck.Sentence(o.Describe()), Stage: stage}
		switch {
		case err == nil:
			if name, joins := d.joins(o); joins && stage == widget.WizardDone && d.waits {
				if word := d.waiting(name); word != "" {
					one.Stage, one.Note = widget.WizardRunning, word
				}
			}
		case i == failed:
			one.Stage, one.Note = widget.WizardFailed, deck.Sentence(err.Error())+"."
		case i < failed || failed < 0:
			one.Stage = widget.WizardRolledBack
		default:
			one.Stage = widget.WizardWaiting
		}
		p.Operations = append(p.Operations, one)
	}
	return p
}

// joins is the port that an Operation stops and starts.
func (d *wizard) joins(o driver.Operation) (connection string, ok bool) {
	switch o := o.(type) {
	case driver.AttachMember:
		return o.Connection, true
	case driver.DetachMember:
		return o.Connection, true
	case driver.RestartAdapter:
		return o.Connection, true
	default:
		return "", false
	}
}

// waiting says what a port that was stopped and started waits for; empty when it is up, or can't be.
func (d *wizard) waiting(connection string) string {
	v := d.view
	p := v.port(connection)
	if p == nil || !p.Cabled || p.State == driver.Stopped || p.State == driver.Failed {
		return ""
	}
	if t := v.teamNamed(d.team); t != nil {
		for i := range t.Members {
			if m := &t.Members[i]; m.Connection == connection && m.Status != mux.Connected {
				return waitsFor(m.Why)
			}
		}
	}
	switch {
	case p.State == driver.Restarting:
		return waitsFor("its driver is starting")
	case !p.Up:
		return waitsFor("its link is coming up")
	default:
		return ""
	}
}

// waitsFor is what a port waits for as a sentence.
func waitsFor(why string) string { return deck.Sentence(why) + "." }

// settleLimit is how long a wizard waits for the ports of its plan, in the source's time.
const settleLimit = 20 * time.Second

// update takes reviews, forecasts and outcomes, and follows the ports of an applied plan.
func (d *wizard) update(w *ui.Wizard, msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case reviewMsg:
		if msg.wizard == d && msg.asked == d.asked {
			d.review, d.err, d.commands = &msg.review, msg.err, msg.commands
			w.Refresh()
		}
	case change.ForecastMsg, change.TickMsg:
		cmd := d.forecast.Update(msg)
		w.Refresh()
		return cmd
	case wizardAppliedMsg:
		if msg.wizard == d {
			return d.applied(w, msg)
		}
	case ui.DataMsg:
		d.view.refresh()
		switch {
		case d.takenBack():
			d.retract(w)
		case d.waits:
			d.settle(w)
		}
	}
	return nil
}

// applied shows how the plan went.
func (d *wizard) applied(w *ui.Wizard, msg wizardAppliedMsg) ui.Cmd {
	if msg.err != nil {
		d.frozen = nil
		w.Progress(d.progress(widget.WizardWaiting, msg.err))
		w.Result(widget.WizardResult{
			Mark: widget.WizardBad, Word: "failed", Text: deck.Sentence(msg.err.Error()) + ". Nothing was changed.", Again: true,
		})
		return nil
	}
	v := d.view
	v.refresh()
	d.entry = msg.entry
	if row, _ := d.form.done(w.Values()); row != "" {
		v.choose(row)
	}
	delete(v.keeper.drafts, d.key)
	d.waits, d.deadline = true, v.now.Add(settleLimit)
	cmds := []ui.Cmd{ui.Log(msg.entry.Time, msg.entry.Plan.Title, d.commands[0].Lines)}
	if msg.guarded {
		if ask := change.AskToConfirm(v.deck.Monitor()); ask != nil {
			cmds = append(cmds, ask)
		}
	}
	d.settle(w)
	return ui.Batch(cmds...)
}

// settle shows how far the ports of an applied plan are, and the result once they are up.
func (d *wizard) settle(w *ui.Wizard) {
	v := d.view
	p := d.progress(widget.WizardDone, nil)
	w.Progress(p)
	paused := v.deck.Monitor().Status().Paused
	if !v.now.After(d.entry.Time) && !paused {
		return // how the ports are comes with the next sample
	}
	busy := slices.ContainsFunc(p.Operations, func(o widget.WizardOperation) bool { return o.Stage == widget.WizardRunning })
	if busy && v.now.Before(d.deadline) && !paused {
		return
	}
	d.waits = false
	result := widget.WizardResult{
		Mark: widget.WizardGood, Word: "done", Text: d.outcome(),
		Next: []widget.WizardKey{{ID: undoKey, Key: "u", Name: "undo", Help: "Take it back"}},
	}
	if t := v.teamNamed(d.team); t != nil {
		for i := range t.Members {
			result.Facts = append(result.Facts, memberFact(&t.Members[i]))
		}
		if !t.Connected || t.Why != "" {
			result.Mark, result.Word = widget.WizardWarn, "done, in part"
		}
		if len(t.Members) > 1 && t.Connected {
			result.Next = append(result.Next, widget.WizardKey{ID: drillKey, Key: "t", Name: "drill", Help: "Pull the cable of the active member for some seconds"})
		}
	}
	w.Result(result)
}

// takenBack says that the applied plan was taken back since: by its guard, or by an undo.
func (d *wizard) takenBack() bool {
	if d.entry.Sequence == 0 || d.back {
		return false
	}
	return slices.ContainsFunc(d.view.deck.Monitor().Journal(), func(e driver.Entry) bool {
		return e.Undoes == d.entry.Sequence && e.Err == ""
	})
}

// retract shows that nothing of the plan is left.
func (d *wizard) retract(w *ui.Wizard) {
	d.back, d.waits = true, false
	w.Progress(d.progress(widget.WizardRolledBack, nil))
	w.Result(widget.WizardResult{
		Mark: widget.WizardWarn, Word: "taken back",
		Text: fmt.Sprintf("Everything is as it was before. Change %d of the journal was taken back.", d.entry.Sequence),
	})
}

// outcome is the result in a sentence or two.
func (d *wizard) outcome() string {
	kept := fmt.Sprintf("It is change %d of the journal.", d.entry.Sequence)
	t := d.view.teamNamed(d.team)
	switch {
	case t == nil:
		return "Everything is as the plan says. " + kept
	case !t.Connected:
		return fmt.Sprintf("%s is there, and not up: %s. %s", t.Name, t.Why, kept)
	case t.Why != "":
		return fmt.Sprintf("%s is up in part: %s. %s", t.Name, t.Why, kept)
	default:
		return t.Name + " is up. " + kept
	}
}

func memberFact(m *driver.MemberView) widget.WizardFact {
	f := widget.WizardFact{Mark: widget.WizardGood, Label: m.Connection, Word: strings.ToLower(m.Role.String()), Text: m.Why}
	switch {
	case m.Status != mux.Connected:
		f.Mark, f.Word = widget.WizardDown, strings.ToLower(m.Status.String())
	case m.Role == mux.Backup:
		f.Mark = widget.WizardDown
	}
	return f
}

// leave keeps what was typed.
func (d *wizard) leave(draft widget.WizardDraft) ui.Cmd {
	d.forecast.Cancel()
	if d.entry.Sequence != 0 {
		draft = widget.WizardDraft{} // it was applied
	}
	return d.view.keepDraft(d.key, draft)
}
