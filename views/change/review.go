package change

import (
	"context"
	"slices"
	"strings"

	"cxdeck/driver"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/deck"
)

// reviewMsg brings the review of a wizard's plan.
type reviewMsg struct {
	wizard   *wizard
	asked    int
	review   driver.Review
	commands []widget.WizardCommands
	err      error
}

// entered asks the host for the review when that step comes to the front.
func (d *wizard) entered(w *ui.Wizard, step string) ui.Cmd {
	d.forecast.Cancel()
	if step != ReviewStep {
		return nil
	}
	plan := d.form.Plan(w.Values())
	d.asked++
	d.review, d.err, d.commands = nil, nil, nil
	if len(plan.Operations) == 0 {
		d.review = &driver.Review{Plan: plan}
		w.Refresh()
		return nil
	}
	w.Refresh()
	m, asked := d.guide.Deck.Monitor(), d.asked
	return ui.Background("Review: "+plan.Title, func(ctx context.Context) ui.Msg {
		msg := reviewMsg{wizard: d, asked: asked}
		msg.err = m.Look(ctx, func(h *driver.Host) error {
			msg.review = h.Review(plan)
			msg.commands = commands(h, msg.review.Plan)
			return nil
		})
		return msg
	})
}

// take takes a review. Its lines stay as they are: what moves just now would have them run on under the eyes of who
// reads.
func (d *wizard) take(msg reviewMsg) {
	d.review, d.err, d.commands, d.shown = &msg.review, msg.err, msg.commands, nil
	for _, o := range d.review.Plan.Operations {
		d.shown = append(d.shown, d.lines(o)...)
	}
}

// commands are what an operator would type for a plan: on this host first, then on one with the other driver where
// that differs.
func commands(h *driver.Host, plan driver.Plan) []widget.WizardCommands {
	own := widget.WizardCommands{Title: "Commands", Lines: h.PlanCommands(plan)}
	elsewhere := widget.WizardCommands{Title: "with WinOF: vlan_config", Lines: h.CommandsElsewhere(plan)}
	switch {
	case slices.ContainsFunc(own.Lines, func(line string) bool { return strings.HasPrefix(line, "vlan_config ") }):
		own.Title, elsewhere.Title = "WinOF: vlan_config", "with WinOF-2: PowerShell"
	case len(elsewhere.Lines) > 0:
		own.Title = "PowerShell"
	}
	if len(elsewhere.Lines) == 0 {
		return []widget.WizardCommands{own}
	}
	return []widget.WizardCommands{own, elsewhere}
}

// applicable says that there is a plan, and that the host would take it.
func (d *wizard) applicable() bool {
	return d.review != nil && d.review.Refusal == nil && len(d.review.Plan.Operations) > 0
}

// reviewed is the review as it is known by now.
func (d *wizard) reviewed(values widget.WizardValues) *widget.WizardReview {
	r := &widget.WizardReview{}
	switch {
	case d.err != nil:
		r.Refusal = deck.Sentence(d.err.Error()) + "."
		return r
	case d.review == nil:
		r.Pending = "Asking the host"
		return r
	case len(d.review.Plan.Operations) == 0:
		r.Refusal = "Nothing differs from how it is now."
		return r
	case d.review.Refusal != nil:
		r.Refusal = deck.Sentence(d.review.Refusal.Error()) + "."
	default:
		r.Commands = d.commands
	}
	if d.form.Note != nil {
		if note := d.form.Note(values); note != "" {
			r.Warnings = append(r.Warnings, widget.WizardMessage{Severity: widget.WizardInfo, Text: note})
		}
	}
	r.Lines = d.shown
	for i := range d.review.Warnings {
		c := &d.review.Warnings[i]
		severity := widget.WizardWarning
		if c.Severity == driver.Information {
			severity = widget.WizardInfo
		}
		r.Warnings = append(r.Warnings, widget.WizardMessage{Severity: severity, Text: cautionText(c)})
	}
	d.writeForecast(r)
	r.Buttons = d.buttons()
	return r
}

func cautionText(c *driver.Caution) string {
	about := strings.TrimSpace(c.Key)
	if c.Target != "" && c.Target != c.Key {
		about = strings.TrimPrefix(about+" of "+c.Target, " of ")
	}
	if about == "" {
		return deck.Sentence(c.Text) + "."
	}
	return about + ": " + c.Text + "."
}

// buttons are those below the review, the better one first. What leaves nothing to take back is not offered with a
// confirmation.
func (d *wizard) buttons() []widget.Button {
	plain, guarded := widget.Button{Label: "Apply"}, widget.Button{Label: GuardedLabel}
	switch {
	case !d.review.Reversible:
		return []widget.Button{plain}
	case d.guardedFirst():
		return []widget.Button{guarded, plain}
	default:
		return []widget.Button{plain, guarded}
	}
}

// guarded says whether a button of the review applies the plan with a confirmation.
func (d *wizard) guarded(button int) bool {
	return d.review.Reversible && (button == 0) == d.guardedFirst()
}

// guardedFirst says that the plan is better applied with a confirmation: it touches the way of the operator's
// session, and does not cut it off for longer than the time to confirm.
func (d *wizard) guardedFirst() bool {
	reboots := func(o driver.Operation) bool { return o.Kind() == driver.Reboot{}.Kind() }
	return d.review.Management.Touched && !slices.ContainsFunc(d.review.Plan.Operations, reboots)
}
