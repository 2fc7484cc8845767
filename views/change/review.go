package change

import (
	"context"
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/impact"
	"cxdeck/driver/operation"
	"cxdeck/driver/wording"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/deck"
	"cxdeck/views/form"
)

// reviewMsg contains the review of a wizard's plan.
type reviewMsg struct {
	wizard   *dialog
	asked    int
	review   driver.Review
	commands []wizard.Commands
	// differences are the values that each Operation changes.
	differences [][]operation.Difference
	notes       []string
	err         error
}

// entered requests the review from the host when the operator reaches that step.
func (d *dialog) entered(step string) ui.Cmd {
	d.forecast.Cancel()
	check := d.checkNeeds()
	if step != form.ReviewPage {
		if d.needs != nil {
			return nil // the answers of the last page settle them
		}
		return check
	}
	d.asked++
	d.review, d.err, d.commands, d.notes = nil, nil, nil, nil
	name := d.guide.Title
	var plan func(*driver.Host) (form.AnnotatedPlan, error)
	var made form.AnnotatedPlan
	if d.form.Make != nil {
		plan = d.form.Make(d.Values())
	} else {
		made.Plan = d.form.Plan(d.Values())
		if len(made.Plan.Operations) == 0 {
			d.review = &driver.Review{Plan: made.Plan}
			d.Refresh()
			return check
		}
		name = made.Plan.Title
	}
	d.Refresh()
	m, asked := d.forms.Deck.Monitor(), d.asked
	return ui.Batch(check, ui.Background("Review: "+name, func(ctx context.Context) ui.Msg {
		h, err := m.Clone(ctx)
		if err != nil {
			return reviewMsg{wizard: d, asked: asked, err: err}
		}
		if plan != nil {
			made, err = plan(h)
		}
		if err != nil || len(made.Plan.Operations) == 0 {
			return reviewMsg{wizard: d, asked: asked, review: driver.Review{Plan: made.Plan}, err: err}
		}
		review := h.Review(made.Plan)
		msg := reviewMsg{wizard: d, asked: asked, review: review, commands: commands(h, review.Plan), notes: made.Notes}
		for _, o := range review.Plan.Operations {
			msg.differences = append(msg.differences, h.Differences(o))
		}
		return msg
	}))
}

// setReview stores a review. Its lines are made once: with every sample they would change while the operator reads.
func (d *dialog) setReview(msg reviewMsg) {
	d.review, d.err, d.commands, d.notes, d.shown = &msg.review, msg.err, msg.commands, msg.notes, nil
	for i, o := range d.review.Plan.Operations {
		d.shown = append(d.shown, d.lines(o, msg.differences[i])...)
	}
}

// commands lists the equivalent commands of a plan: for this host first, then for a host with the other driver if they
// differ; nil if a real host has no command for any of its changes, which then happen at a switch, or in the lab alone.
func commands(h *driver.Host, plan driver.Plan) []wizard.Commands {
	own := wizard.Commands{Title: "Commands", Lines: h.PlanCommands(plan)}
	elsewhere := wizard.Commands{Title: "with WinOF: vlan_config", Lines: h.CommandsElsewhere(plan)}
	switch {
	case slices.ContainsFunc(own.Lines, func(line string) bool { return strings.HasPrefix(line, "vlan_config ") }):
		own.Title, elsewhere.Title = "WinOF: vlan_config", "with WinOF-2: PowerShell"
	case len(elsewhere.Lines) > 0:
		own.Title = "PowerShell"
	}
	switch {
	case len(elsewhere.Lines) > 0:
		return []wizard.Commands{own, elsewhere}
	case len(own.Lines) > 0:
		return []wizard.Commands{own}
	}
	return nil
}

// applicable reports whether there is a plan that the host accepts.
func (d *dialog) applicable() bool {
	return d.review != nil && d.review.Refusal == nil && len(d.review.Plan.Operations) > 0
}

// reviewed returns the current state of the review.
func (d *dialog) reviewed(values wizard.Values) *wizard.Review {
	r := &wizard.Review{}
	switch {
	case d.err != nil:
		r.Refusal = wording.UpperFirst(d.err.Error()) + "."
		return r
	case d.review == nil:
		r.Pending = "Asking the host"
		return r
	case len(d.review.Plan.Operations) == 0:
		r.Refusal = "No differences from the current state."
		return r
	case d.review.Refusal != nil:
		r.Refusal = wording.UpperFirst(d.review.Refusal.Error()) + "."
	default:
		r.Commands = d.commands
	}
	if d.form.Note != nil {
		if note := d.form.Note(values); note != "" {
			r.Warnings = append(r.Warnings, wizard.Message{Severity: wizard.Info, Text: note})
		}
	}
	for _, note := range d.notes {
		r.Warnings = append(r.Warnings, wizard.Message{Severity: wizard.Info, Text: wording.UpperFirst(note) + "."})
	}
	r.Warnings = append(r.Warnings, d.unmetNeeds()...)
	r.Lines = d.shown
	for i := range d.review.Warnings {
		c := &d.review.Warnings[i]
		severity := wizard.Warning
		if c.Severity == eventlog.Information {
			severity = wizard.Info
		}
		r.Warnings = append(r.Warnings, wizard.Message{Severity: severity, Text: cautionText(c)})
	}
	d.writeForecast(r)
	r.Question = Question(d.forms.Deck, &d.review.Impact, "Apply it anyway?")
	if guard := GuardNote(d.forms.Deck, d.review); guard != "" && len(r.Question) > 0 {
		r.Question = slices.Insert(r.Question, len(r.Question)-1, guard)
	}
	r.Buttons = d.buttons()
	return r
}

// Question lists the impact of a plan on the host's users, with ask as the last sentence; it is empty for a plan without
// impact.
func Question(d *deck.Deck, i *impact.Impact, ask string) []string {
	if !i.Any() {
		return nil
	}
	teams := ""
	if m := d.Monitor(); m != nil {
		teams = strings.TrimSpace(deck.TeamsLose(m.Lab(), i.Connections...))
	}
	listed := *i
	if listed.Teams = nil; teams == "" {
		listed.Teams = i.Teams
	}
	list := listed.Sentences(d.BitRate)
	if teams != "" {
		list = append(list, teams)
	}
	return append(list, ask)
}

// CautionSubject names what a caution is about: "MTU of Ethernet 5"; empty for the whole plan.
func CautionSubject(c *driver.Caution) string {
	about := strings.TrimSpace(c.Key)
	if c.Target != "" && c.Target != c.Key {
		about = strings.TrimPrefix(about+" of "+c.Target, " of ")
	}
	return about
}

func cautionText(c *driver.Caution) string {
	about := CautionSubject(c)
	if about == "" {
		return wording.UpperFirst(c.Text) + "."
	}
	return about + ": " + c.Text + "."
}

// buttons returns the buttons of the review. A reversible plan always has one with a confirmation.
func (d *dialog) buttons() []widget.Button {
	within := Period(d.forms.Deck, d.review)
	if buttons := applyButtons(d.review, within, "Apply"); len(buttons) > 1 || within == 0 {
		return buttons
	}
	return []widget.Button{{Label: "Apply", Dangerous: d.review.Impact.Any()}, {Label: GuardedLabel(within)}}
}

// confirmPeriod returns the time to confirm the plan after a button of the review; 0 for a button that asks for no
// confirmation.
func (d *dialog) confirmPeriod(button int) time.Duration {
	period := Period(d.forms.Deck, d.review)
	if period > 0 && d.buttons()[button].Label == GuardedLabel(period) {
		return period
	}
	return 0
}
