package teaming

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/mux"
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

// lines are one Operation of the plan as differences, with what it interrupts.
func (d *wizard) lines(o driver.Operation) []widget.WizardLine {
	l := widget.WizardLine{Text: deck.Sentence(o.Describe())}
	switch o := o.(type) {
	case driver.CreateTeam, driver.AttachMember, driver.AddVLAN:
		l.Change = widget.WizardAdds
	case driver.DeleteTeam, driver.DetachMember, driver.RemoveVLAN:
		l.Change = widget.WizardRemoves
	case driver.SetPrimary:
		if t := d.view.teamNamed(o.Team); t != nil {
			l = changed("Primary member of "+o.Team, none(t.Primary), none(o.Connection))
		}
	case driver.SetValue:
		for i := range d.review.Changes {
			if c := &d.review.Changes[i]; strings.EqualFold(c.Row.Name, o.Key) {
				l = changed(c.Row.Name+" of "+c.Target, none(c.From.String()), c.To.String())
			}
		}
	case driver.ModifyTeam:
		if t := d.view.teamNamed(o.Team); t != nil {
			return teamChanges(t, o)
		}
	case driver.ModifyVLAN:
		for _, w := range d.view.vlansOn(owner{o.Team, o.Connection}) {
			if w.Name == o.VLAN {
				return vlanChanges(&w, o)
			}
		}
	}
	if name, joins := d.joins(o); joins {
		if p := d.view.port(name); p != nil {
			l.Note = "its adapter is disabled and enabled again. " + d.view.interrupts(p)
		}
	}
	for i := range d.review.Restarts {
		if r := &d.review.Restarts[i]; r.Operation.Describe() == o.Describe() {
			l.Note = d.interruptionNote(r)
		}
	}
	return []widget.WizardLine{l}
}

// changed is something that is another afterwards.
func changed(what, from, to string) widget.WizardLine {
	return widget.WizardLine{Change: widget.WizardChanges, Text: what, From: from, To: to}
}

// teamChanges are what differs of a team itself.
func teamChanges(t *driver.TeamView, o driver.ModifyTeam) (list []widget.WizardLine) {
	if o.Name != "" {
		list = append(list, changed("Name of the team", t.Name, o.Name))
	}
	if o.Type != "" {
		list = append(list, changed("Type of "+t.Name, t.Type.String(), o.Type))
	}
	if o.Failback != nil {
		words := map[bool]string{true: "on", false: "off"}
		list = append(list, changed("Failback of "+t.Name, words[t.Failback], words[*o.Failback]))
	}
	return list
}

// vlanChanges are what differs of a VLAN.
func vlanChanges(w *driver.VLANView, o driver.ModifyVLAN) (list []widget.WizardLine) {
	if o.Name != w.Name {
		list = append(list, changed("Name of the VLAN", w.Name, o.Name))
	}
	if o.ID != w.ID {
		list = append(list, changed("Id of "+w.Name, strconv.Itoa(w.ID), strconv.Itoa(o.ID)))
	}
	if o.Priority != w.Priority {
		list = append(list, changed("Priority of "+w.Name, strconv.Itoa(w.Priority), strconv.Itoa(o.Priority)))
	}
	return list
}

func none(name string) string {
	if name == "" {
		return "none"
	}
	return name
}

// interruptionNote says what an Operation interrupts.
func (d *wizard) interruptionNote(r *driver.Restart) string {
	note := "down about " + lengthWord(r.Down)
	if !r.Back {
		note = "does not come back"
	}
	if r.Rate > 0 {
		tuples := 0
		for _, f := range r.Flows {
			tuples += f.Tuples
		}
		note += fmt.Sprintf("; interrupts %s in %s", d.view.rate(r.Rate/8), count(tuples, "flow"))
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
