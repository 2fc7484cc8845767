package change

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
	"cxdeck/views/deck"
)

// Form is what one wizard asks and makes of the answers. All but Fields and Plan may be nil.
type Form struct {
	// Fields are those of a step; Skip says why a step is left out, empty when it is not.
	Fields func(step string, values widget.WizardValues) []widget.WizardField
	Skip   func(step string, values widget.WizardValues) string
	// Check is what is to be said of the answers.
	Check func(values widget.WizardValues) []widget.WizardMessage
	// Plan is what the answers ask for.
	Plan func(values widget.WizardValues) driver.Plan
	// Lines are an Operation as differences; none has a value shown as it was and will be, and all else described in a sentence.
	Lines func(o driver.Operation) []widget.WizardLine
	// Note is said above the differences, such as what comes after.
	Note func(values widget.WizardValues) string
	// Waiting says what an applied Operation waits for, empty for nothing.
	Waiting func(o driver.Operation) string
	// Outcome is the result once nothing waits, but for what every wizard adds to it.
	Outcome func(values widget.WizardValues) widget.WizardResult
	// Do does what a key of a step, a fact or a result offers; it is told whether that was known.
	Do func(w *ui.Wizard, id string) (cmd ui.Cmd, known bool)
	// GoesOn is the step at which another part begins once the plan is applied, for which what was typed is kept; empty for none.
	GoesOn func(values widget.WizardValues) string
	// Fresh says that what was typed is not kept: it is about what was selected when the wizard was opened.
	Fresh bool
}

// Guide is what wizards of a screen have in common.
type Guide struct {
	Deck   *deck.Deck
	Drafts *Drafts
	// Refresh has the screen take over the newest state before a wizard looks at it.
	Refresh func()
}

// wizard is one that is open.
type wizard struct {
	guide *Guide
	data  *Procedure
	key   string // the draft's name: the wizard, and what it was opened for
	form  Form

	review   *driver.Review // nil while it is being asked for
	err      error
	commands []string
	asked    int // how often a review was asked for: answers to earlier ones don't count
	forecast Forecast

	plan     driver.Plan         // that is being applied
	frozen   []widget.WizardStep // the steps as they were then; nil before
	goesOn   string
	entry    driver.Entry
	waits    bool // for what was applied to be there
	deadline time.Time
}

// Open opens a wizard for a subject: what it was called on; empty for none.
func (g *Guide) Open(p *Procedure, subject string, f Form) ui.Cmd {
	d := &wizard{guide: g, data: p, key: p.ID + " " + subject, form: f}
	name := p.Title
	if subject != "" {
		name += ": " + subject
	}
	draft := g.Drafts.Draft(d.key)
	if f.Fresh {
		draft = widget.WizardDraft{}
	}
	return ui.OpenDialog(ui.NewWizard(ui.WizardOptions{
		Title: name, Draft: draft, Steps: d.steps, Check: d.check, Entered: d.entered, Do: d.do, Apply: d.apply,
		Update: d.update, Leave: d.leave,
	}))
}

// The keys that every wizard has.
const (
	forecastKey = "forecast"
	undoKey     = "undo"
)

// steps are those of the table, with the fields of the form.
func (d *wizard) steps(values widget.WizardValues) []widget.WizardStep {
	if d.frozen != nil {
		return d.frozen // what is applied makes other answers of what was asked
	}
	list := make([]widget.WizardStep, len(d.data.Steps))
	for i := range d.data.Steps {
		s := &d.data.Steps[i]
		one := widget.WizardStep{ID: s.ID, Title: s.Title}
		if s.ID == ReviewStep {
			one.Review = d.reviewed(values)
			one.Keys = []widget.WizardKey{{ID: forecastKey, Key: "f", Name: "forecast", Help: "Rehearse the plan for 60 s on a copy of the host"}}
			if d.forecast.Running() {
				one.Keys[0].Name = "stop the forecast"
			}
		} else {
			one.Fields = d.form.Fields(s.ID, values)
			for n := range one.Fields {
				label(s, &one.Fields[n])
			}
		}
		one.Help = d.data.help(i, one.Fields)
		if d.form.Skip != nil {
			one.Skip = d.form.Skip(s.ID, values)
		}
		list[i] = one
	}
	return list
}

// label gives a field the label of the table; columns have theirs there, too.
func label(s *Step, f *widget.WizardField) {
	for _, known := range s.Fields {
		if known.ID == f.ID && f.Label == "" {
			f.Label = known.Label
		}
	}
	for i := range f.Columns {
		label(s, &f.Columns[i])
	}
}

// check is what is to be said of the answers, as long as nothing is applied.
func (d *wizard) check(values widget.WizardValues) []widget.WizardMessage {
	if d.frozen != nil || d.form.Check == nil {
		return nil
	}
	return d.form.Check(values)
}

// reviewMsg brings the review of a wizard's plan.
type reviewMsg struct {
	wizard   *wizard
	asked    int
	review   driver.Review
	commands []string
	err      error
}

// entered asks the host for the review when that step comes to the front.
func (d *wizard) entered(w *ui.Wizard, step string) ui.Cmd {
	if step != ReviewStep {
		d.forecast.Cancel()
		return nil
	}
	plan := d.form.Plan(w.Values())
	d.asked++
	d.review, d.err, d.commands = nil, nil, nil
	d.forecast.Cancel()
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
			msg.commands = h.PlanCommands(msg.review.Plan)
			return nil
		})
		return msg
	})
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
		r.Commands = []widget.WizardCommands{{Title: "Commands", Lines: d.commands}}
	}
	if d.form.Note != nil {
		if note := d.form.Note(values); note != "" {
			r.Warnings = append(r.Warnings, widget.WizardMessage{Severity: widget.WizardInfo, Text: note})
		}
	}
	for _, o := range d.review.Plan.Operations {
		r.Lines = append(r.Lines, d.lines(o)...)
	}
	for i := range d.review.Warnings {
		c := &d.review.Warnings[i]
		severity := widget.WizardWarning
		if c.Severity == driver.Information {
			severity = widget.WizardInfo
		}
		r.Warnings = append(r.Warnings, widget.WizardMessage{Severity: severity, Text: cautionText(c)})
	}
	if risk := d.review.Management; risk.Touched && risk.Why != "" {
		r.Warnings = append(r.Warnings, widget.WizardMessage{Severity: widget.WizardWarning, Text: deck.Sentence(risk.Why) + "."})
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

// guardedFirst says that the plan is better applied with a confirmation: it touches the way of the operator's session, and does
// not cut it off for longer than the time to confirm.
func (d *wizard) guardedFirst() bool {
	if d.review == nil || !d.review.Management.Touched {
		return false
	}
	return !slices.ContainsFunc(d.review.Plan.Operations, func(o driver.Operation) bool { return o.Kind() == driver.Reboot{}.Kind() })
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

// lines are one Operation of the plan as differences, with what it interrupts.
func (d *wizard) lines(o driver.Operation) (list []widget.WizardLine) {
	if d.form.Lines != nil {
		list = d.form.Lines(o)
	}
	if o, ok := o.(driver.SetValue); ok && list == nil {
		for i := range d.review.Changes {
			if c := &d.review.Changes[i]; strings.EqualFold(c.Row.Name, o.Key) && strings.EqualFold(c.Connection, o.Connection) {
				list = []widget.WizardLine{Changed(c.Row.Name+" of "+c.Target, valueWord(c.From.String()), c.To.String())}
			}
		}
	}
	if list == nil {
		list = []widget.WizardLine{{Text: deck.Sentence(o.Describe())}}
	}
	for i := range d.review.Restarts {
		if r := &d.review.Restarts[i]; r.Operation.Describe() == o.Describe() {
			list[len(list)-1].Note = d.interruption(r)
		}
	}
	return list
}

// Changed is something that is another after a plan.
func Changed(what, from, to string) widget.WizardLine {
	return widget.WizardLine{Change: widget.WizardChanges, Text: what, From: from, To: to}
}

func valueWord(value string) string {
	if value == "" {
		return "none"
	}
	return value
}

// interruption says what an Operation interrupts.
func (d *wizard) interruption(r *driver.Restart) string {
	note := fmt.Sprintf("down about %.0f s", r.Down.Seconds())
	if !r.Back {
		note = "does not come back"
	}
	if r.Rate > 0 {
		tuples := 0
		for _, f := range r.Flows {
			tuples += f.Tuples
		}
		note += fmt.Sprintf("; interrupts %s in %d flows", perf.Number(r.Rate/8, perf.Bytes, true, d.guide.Deck.InBytes), tuples)
	}
	if r.Management {
		note += "; your own session goes through it"
	}
	return note
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
			r.Forecast = []widget.WizardFact{{Mark: widget.WizardGood, Word: "no counter differs", Text: fmt.Sprintf("over %.0f s", f.Result.Span.Seconds())}}
		}
		for _, one := range f.Result.Differences[:min(len(f.Result.Differences), mostDifferences)] {
			number := func(value float64) string {
				return perf.Number(value, one.Series.Unit, one.PerSecond, d.guide.Deck.InBytes)
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

// do begins or ends a forecast, and does what a result or the form offers.
func (d *wizard) do(w *ui.Wizard, id string) ui.Cmd {
	if d.form.Do != nil {
		if cmd, known := d.form.Do(w, id); known {
			return cmd
		}
	}
	switch id {
	case forecastKey:
		if d.review == nil || d.review.Refusal != nil || len(d.review.Plan.Operations) == 0 {
			return nil
		}
		cmd := d.forecast.Toggle(d.guide.Deck.Monitor(), d.review.Plan)
		w.Refresh()
		return cmd
	case undoKey:
		w.Close()
		return deck.AskToReboot(&d.entry, func() ui.Cmd { return d.guide.Deck.TakeBack("Undo "+d.entry.Plan.Title, d.entry.Sequence) })
	}
	return nil
}

// appliedMsg brings the outcome of a wizard's plan.
type appliedMsg struct {
	wizard  *wizard
	entry   driver.Entry
	err     error
	guarded bool
}

// apply applies the plan, and shows each Operation.
func (d *wizard) apply(w *ui.Wizard, button int) ui.Cmd {
	if d.review == nil || d.review.Refusal != nil || len(d.review.Plan.Operations) == 0 {
		return nil
	}
	if d.guide.Deck.ReadOnly {
		return ui.Toast(ui.Caution, "Read-only mode: nothing is applied. Start without --read-only to do it.")
	}
	d.forecast.Cancel()
	guarded := (button == 0) == d.guardedFirst()
	d.plan = d.review.Plan
	if d.form.GoesOn != nil {
		d.goesOn = d.form.GoesOn(w.Values())
	}
	d.frozen = d.steps(w.Values())
	w.Progress(d.progress(widget.WizardRunning, nil))
	m, plan := d.guide.Deck.Monitor(), d.plan
	return ui.Background(plan.Title, func(ctx context.Context) ui.Msg {
		msg := appliedMsg{wizard: d, guarded: guarded}
		if guarded {
			msg.entry, msg.err = m.ApplyGuarded(ctx, plan, ConfirmWithin)
		} else {
			msg.entry, msg.err = m.Apply(ctx, plan)
		}
		return msg
	})
}

// progress shows all Operations at a stage. A plan is applied wholly or not at all: when it failed, err says at which Operation,
// and those before it were taken back.
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
			if stage == widget.WizardDone && d.waits && d.form.Waiting != nil {
				if word := d.form.Waiting(o); word != "" {
					one.Stage, one.Note = widget.WizardRunning, deck.Sentence(word)+"."
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

// settleLimit is how long a wizard waits for what it has applied, in the source's time: longer than a host takes to boot.
const settleLimit = 150 * time.Second

// update takes reviews, forecasts and outcomes, and follows what was applied.
func (d *wizard) update(w *ui.Wizard, msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case reviewMsg:
		if msg.wizard == d && msg.asked == d.asked {
			d.review, d.err, d.commands = &msg.review, msg.err, msg.commands
			w.Refresh()
		}
	case ForecastMsg, TickMsg:
		cmd := d.forecast.Update(msg)
		w.Refresh()
		return cmd
	case appliedMsg:
		if msg.wizard == d {
			return d.applied(w, msg)
		}
	case ui.DataMsg:
		d.guide.Refresh()
		if d.waits {
			d.settle(w)
		}
	}
	return nil
}

// applied shows how the plan went.
func (d *wizard) applied(w *ui.Wizard, msg appliedMsg) ui.Cmd {
	if msg.err != nil {
		d.frozen = nil
		w.Progress(d.progress(widget.WizardWaiting, msg.err))
		w.Result(widget.WizardResult{
			Mark: widget.WizardBad, Word: "failed", Text: deck.Sentence(msg.err.Error()) + ". Nothing was changed.", Again: true,
		})
		return nil
	}
	d.guide.Refresh()
	d.entry = msg.entry
	kept := widget.WizardDraft{}
	if d.goesOn != "" {
		// All answers: what was proposed then may not be proposed again.
		kept = widget.WizardDraft{Values: w.Values(), Step: d.goesOn, Reached: d.goesOn}
	}
	d.waits, d.deadline = true, d.guide.Deck.Monitor().Status().Now.Add(settleLimit)
	cmds := []ui.Cmd{d.guide.Drafts.keep(d.key, kept), ui.Log(msg.entry.Time, msg.entry.Plan.Title, d.commands)}
	if msg.guarded {
		if ask := AskToConfirm(d.guide.Deck.Monitor()); ask != nil {
			cmds = append(cmds, ask)
		}
	}
	d.settle(w)
	return ui.Batch(cmds...)
}

// settle shows how far what was applied is, and the result once nothing waits.
func (d *wizard) settle(w *ui.Wizard) {
	p := d.progress(widget.WizardDone, nil)
	w.Progress(p)
	status := d.guide.Deck.Monitor().Status()
	if !status.Now.After(d.entry.Time) && !status.Paused {
		return // how it is comes with the next sample
	}
	busy := slices.ContainsFunc(p.Operations, func(o widget.WizardOperation) bool { return o.Stage == widget.WizardRunning })
	if busy && status.Now.Before(d.deadline) && !status.Paused {
		return
	}
	d.waits = false
	result := widget.WizardResult{Mark: widget.WizardGood, Word: "done", Text: "Everything is as the plan says."}
	if d.form.Outcome != nil {
		result = d.form.Outcome(w.Values())
	}
	result.Text += fmt.Sprintf(" It is change %d of the journal.", d.entry.Sequence)
	if len(d.entry.Inverse.Operations) > 0 {
		result.Next = append(result.Next, widget.WizardKey{ID: undoKey, Key: "u", Name: "undo", Help: "Take it back"})
	}
	w.Result(result)
}

// leave keeps what was typed.
func (d *wizard) leave(draft widget.WizardDraft) ui.Cmd {
	d.forecast.Cancel()
	if d.entry.Sequence != 0 || d.form.Fresh {
		return nil // what was applied is kept as far as it has to be
	}
	return d.guide.Drafts.keep(d.key, draft)
}
