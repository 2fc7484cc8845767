package teaming

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// form is what one wizard asks and makes of the answers.
type form struct {
	// fields are those of a step.
	fields func(step string, values widget.WizardValues) []widget.WizardField
	// skip is why there is nothing to ask in a step, empty when there is; may be nil.
	skip func(step string, values widget.WizardValues) string
	// check is what is to be said of the answers; may be nil.
	check func(values widget.WizardValues) []widget.WizardMessage
	// plan is what the answers ask for.
	plan func(values widget.WizardValues) driver.Plan
	// done is the id of the row that the cursor goes to when the plan was applied, and the team whose members have to come
	// up first; both may be empty.
	done func(values widget.WizardValues) (row, team string)
}

// wizard is one that is open.
type wizard struct {
	view *View
	data *procedure
	// key is the draft's name: the wizard, and what it was opened for.
	key  string
	form form

	review   *driver.Review // nil while it is being asked for
	err      error
	commands []widget.WizardCommands
	asked    int // how often a review was asked for: answers to earlier ones don't count
	forecast change.Forecast

	plan     driver.Plan         // that is being applied
	frozen   []widget.WizardStep // the steps as they were then; nil before
	team     string              // whose members have to come up
	entry    driver.Entry
	waits    bool // for the members to come up
	back     bool // it was taken back since
	deadline time.Time
}

// open opens a wizard for a subject: the team or VLAN that it was called on.
func (v *View) open(id, subject string, f form) ui.Cmd {
	d := &wizard{view: v, data: procedureNamed(id), key: id + " " + subject, form: f}
	name := d.data.Title
	if subject != "" {
		name += ": " + subject
	}
	return ui.OpenDialog(ui.NewWizard(ui.WizardOptions{
		Title: name, Draft: v.keeper.drafts[d.key], Steps: d.steps, Check: d.check, Entered: d.entered, Do: d.do, Apply: d.apply,
		Update: d.update, Leave: d.leave,
	}))
}

// forecastKey begins a forecast, or ends it.
const forecastKey = "forecast"

// steps are those of the table, with the fields of the form.
func (d *wizard) steps(values widget.WizardValues) []widget.WizardStep {
	if d.frozen != nil {
		return d.frozen // what is applied makes other answers of what was asked
	}
	var list []widget.WizardStep
	for i := range d.data.Steps {
		s := &d.data.Steps[i]
		one := widget.WizardStep{ID: s.ID, Title: s.Title, Help: d.data.help(i)}
		if s.ID == reviewStep {
			one.Review = d.reviewed()
			one.Keys = []widget.WizardKey{{ID: forecastKey, Key: "f", Name: "forecast", Help: "Rehearse the plan for 60 s on a copy of the host"}}
			if d.forecast.Running() {
				one.Keys[0].Name = "stop the forecast"
			}
		} else {
			if d.view.state == nil { // the host went away under the wizard
				continue
			}
			if d.form.skip != nil {
				one.Skip = d.form.skip(s.ID, values)
			}
			one.Fields = d.form.fields(s.ID, values)
			for n := range one.Fields {
				d.label(s, &one.Fields[n])
			}
		}
		list = append(list, one)
	}
	return list
}

// check is what is to be said of the answers, as long as nothing is applied.
func (d *wizard) check(values widget.WizardValues) []widget.WizardMessage {
	if d.frozen != nil || d.form.check == nil || d.view.state == nil {
		return nil
	}
	return d.form.check(values)
}

// label gives a field the label of the table; columns have theirs there, too.
func (d *wizard) label(s *step, f *widget.WizardField) {
	for _, known := range s.Fields {
		if known.ID == f.ID && f.Label == "" {
			f.Label = known.Label
		}
	}
	for i := range f.Columns {
		d.label(s, &f.Columns[i])
	}
}

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
	if step != reviewStep {
		d.forecast.Cancel()
		return nil
	}
	return d.ask(w)
}

// ask has the host find out what the plan would do.
func (d *wizard) ask(w *ui.Wizard) ui.Cmd {
	plan := d.form.plan(w.Values())
	d.asked++
	d.review, d.err, d.commands = nil, nil, nil
	d.forecast.Cancel()
	w.Refresh()
	if len(plan.Operations) == 0 {
		d.review = &driver.Review{Plan: plan}
		w.Refresh()
		return nil
	}
	m, asked := d.view.deck.Monitor(), d.asked
	return ui.Background("Review: "+plan.Title, func(ctx context.Context) ui.Msg {
		msg := reviewMsg{wizard: d, asked: asked}
		msg.err = m.Look(ctx, func(h *driver.Host) error {
			msg.review = h.Review(plan)
			msg.commands = worlds(h, msg.review.Plan)
			return nil
		})
		return msg
	})
}

// The titles of the worlds in which commands are typed.
const (
	worldWinOF   = "WinOF: vlan_config"
	worldWindows = "PowerShell"
)

// worlds are what an operator would type for a plan: on this host first, then on one with the other driver.
func worlds(h *driver.Host, plan driver.Plan) []widget.WizardCommands {
	own := widget.WizardCommands{Title: worldWindows, Lines: h.PlanCommands(plan)}
	tabs := []widget.WizardCommands{own}
	if slices.ContainsFunc(own.Lines, func(line string) bool { return strings.HasPrefix(line, "vlan_config ") }) {
		tabs[0].Title = worldWinOF
	}
	if other := h.CommandsElsewhere(plan); len(other) > 0 {
		title := "with WinOF: vlan_config"
		if tabs[0].Title == worldWinOF {
			title = "with WinOF-2: PowerShell"
		}
		tabs = append(tabs, widget.WizardCommands{Title: title, Lines: other})
	}
	return tabs
}

// reviewed is the review as it is known by now.
func (d *wizard) reviewed() *widget.WizardReview {
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
	for _, o := range d.review.Plan.Operations {
		r.Lines = append(r.Lines, d.lines(o)...)
	}
	for _, c := range d.review.Warnings {
		severity := widget.WizardWarning
		if c.Severity == driver.Information {
			severity = widget.WizardInfo
		}
		r.Warnings = append(r.Warnings, widget.WizardMessage{Severity: severity, Text: cautionText(&c)})
	}
	d.writeForecast(r)
	r.Buttons = []widget.Button{{Label: "Apply"}, {Label: guardedLabel}}
	if d.guardedFirst() {
		r.Buttons[0], r.Buttons[1] = r.Buttons[1], r.Buttons[0]
	}
	return r
}

// guardedLabel is the button that takes the plan back unless it is confirmed.
const guardedLabel = "Apply, confirm in 30 s or revert"

// guardedFirst says that the plan is better applied with a confirmation: it touches the way of the operator's session.
func (d *wizard) guardedFirst() bool { return d.review != nil && d.review.Management.Touched }

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

// mostDifferences is how many counters the forecast names.
const mostDifferences = 8

// writeForecast adds how far the forecast is, or what it found.
func (d *wizard) writeForecast(r *widget.WizardReview) {
	f := &d.forecast
	switch {
	case f.Running():
		r.Rehearsing = fmt.Sprintf("Rehearsing, %.0f of %.0f s", f.Part()*perf.UsualForecast.Seconds(), perf.UsualForecast.Seconds())
	case f.Err != nil:
		r.Forecast = []widget.WizardFact{{Mark: widget.WizardBad, Word: "failed", Text: deck.Sentence(f.Err.Error()) + "."}}
	case f.Result != nil:
		if len(f.Result.Differences) == 0 {
			r.Forecast = []widget.WizardFact{{Mark: widget.WizardGood, Word: "no counter differs", Text: "over " + lengthWord(f.Result.Span)}}
		}
		for _, one := range f.Result.Differences[:min(len(f.Result.Differences), mostDifferences)] {
			number := func(value float64) string {
				return perf.Number(value, one.Series.Unit, one.PerSecond, d.view.deck.InBytes)
			}
			r.Forecast = append(r.Forecast, widget.WizardFact{
				Label: one.Series.Instance, Text: one.Series.Counter + ": " + number(one.Before) + " -> " + number(one.After),
			})
		}
		for _, e := range f.Result.Events {
			if e.Severity != driver.Information && len(r.Forecast) < mostDifferences+4 {
				r.Forecast = append(r.Forecast, widget.WizardFact{Mark: widget.WizardWarn, Label: "Event", Text: e.Message})
			}
		}
	}
}

// do begins or ends a forecast, and does what a result offers.
func (d *wizard) do(w *ui.Wizard, id string) ui.Cmd {
	switch id {
	case forecastKey:
		if d.review == nil || d.review.Refusal != nil || len(d.review.Plan.Operations) == 0 {
			return nil
		}
		cmd := d.forecast.Toggle(d.view.deck.Monitor(), d.review.Plan)
		w.Refresh()
		return cmd
	case drillKey:
		w.Close()
		if a := d.view.drillAction(); a.Disabled == "" {
			return a.Run()
		}
	case undoKey:
		w.Close()
		return d.view.deck.TakeBack("Undo: "+d.entry.Plan.Title, d.entry.Sequence)
	}
	return nil
}

// What a result offers.
const (
	drillKey = "drill"
	undoKey  = "undo"
)

// wizardAppliedMsg brings the outcome of a wizard's plan.
type wizardAppliedMsg struct {
	wizard  *wizard
	entry   driver.Entry
	err     error
	guarded bool
}
