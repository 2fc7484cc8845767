package change

import (
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/guide"
	"cxdeck/ui"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/deck"
	"cxdeck/views/exec/guides"
	"cxdeck/views/form"
)

// Forms opens the guides of a screen that have a form.
type Forms struct {
	Deck   *deck.Deck
	Drafts *Drafts
	// Refresh updates the screen to the newest state before a wizard reads it, and reports whether there is a host.
	Refresh func() bool
}

// dialog is the form of a guide: its pages, the review of its plan, and the run of the step.
type dialog struct {
	*ui.Wizard
	forms *Forms
	guide *guide.Guide
	key   string // the draft's name: the form and its subject
	form  Form

	// needs are the preconditions of the guide as they are on the host, nil before they were checked; course is nil where the console has
	// no guides.
	needs  []guides.Verdict
	course *guides.Course

	review   *driver.Review // nil until the host has answered
	err      error
	shown    []wizard.Line // the plan as differences from the state at the time of the review
	commands []wizard.Commands
	notes    []string // on the plan
	asked    int      // the number of requested reviews: answers to earlier requests are ignored
	forecast Forecast

	plan       driver.Plan   // the plan that is being applied
	frozen     []wizard.Step // the steps at that time; nil before
	resumeStep string        // the step at which the draft continues after the plan; empty for none
	entry      driver.Entry
	waiting    bool // for the effects of the changes
	wasUndone  bool // since it was applied
	deadline   time.Time
	reportEnd  func() // notifies the deck that the wait has ended
}

// Open opens the guide of a form for a subject, the selected object; empty for none. It panics if there is none: names of forms are
// constants of the code.
func (g *Forms) Open(name, subject string, f Form) ui.Cmd {
	of, found := guide.WithForm(name)
	if !found {
		panic("change: there is no guide with the form " + name)
	}
	d := &dialog{forms: g, guide: of, key: name + " " + subject, form: f}
	name = of.Title
	if subject != "" {
		name += ": " + subject
	}
	draft := g.Drafts.Draft(d.key)
	if f.Fresh {
		draft = wizard.Draft{}
	}
	if values, err := form.Values(of, g.Deck.Answers); err == nil && len(values) > 0 {
		draft = wizard.Draft{Values: values}
	}
	g.Deck.Answers = nil
	d.Wizard = ui.NewWizard(ui.WizardOptions{
		Title: name, Draft: draft, Steps: d.steps, Check: d.check, Entered: d.entered, Do: d.runButton, Apply: d.apply,
		Update: d.update, Leave: d.leave, Forgets: f.Fresh,
	})
	return ui.OpenDialog(d.Wizard)
}

// steps returns the steps of the table, with their fields completed by the form.
func (d *dialog) steps(values wizard.Values) []wizard.Step {
	if d.frozen != nil {
		return d.frozen // the applied plan changes the answers
	}
	list := make([]wizard.Step, len(d.guide.Pages))
	for i := range d.guide.Pages {
		page := &d.guide.Pages[i]
		step := wizard.Step{ID: page.ID, Title: page.Title}
		if page.ID == form.ReviewPage {
			step.Review = d.reviewed(values)
			step.Keys = []wizard.Key{{ID: forecastKey, Key: "F", Name: "forecast",
				Help: "Forecast the effect of the plan: 60 s on a copy of the host"}}
			if d.forecast.Running() {
				step.Keys[0].Name = "stop the forecast"
			}
			if d.applicable() {
				step.Keys = append(step.Keys, wizard.Key{ID: planExportKey, Key: "x", Name: "export", Help: "Write the plan to a file for a real host"})
			}
		} else {
			step.Fields = form.Fields(d.guide, page.ID, d.form.Field, values)
		}
		step.Help = d.help(page, step.Fields)
		if i == 0 {
			step.Fields = append(step.Fields, d.before()...)
		}
		if d.form.Skip != nil {
			step.Skip = d.form.Skip(page.ID, values)
		}
		list[i] = step
	}
	return list
}

// check returns errors and warnings about the answers, as long as nothing is applied.
func (d *dialog) check(values wizard.Values) []wizard.Message {
	if d.frozen != nil || d.form.Check == nil {
		return nil
	}
	return d.form.Check(values)
}

// The keys that every wizard has.
const (
	forecastKey = "forecast"
	undoKey     = "undo"
	exportKey   = "export"
	meetKey     = "meet"
	// planExportKey exports the plan from its review, exportKey the protocol of the guide from its end.
	planExportKey = "plan-export"
)

// runButton runs the action of a key: of the form, the forecast, or undo.
func (d *dialog) runButton(id string) ui.Cmd {
	if d.form.Do != nil {
		if cmd, known := d.form.Do(id); known {
			d.Close()
			return cmd
		}
	}
	switch id {
	case forecastKey:
		if !d.applicable() {
			return nil
		}
		cmd := d.forecast.Toggle(d.forms.Deck.Monitor(), d.review.Plan)
		d.Refresh()
		return cmd
	case undoKey:
		d.Close()
		return UndoEntry(d.forms.Deck, d.entry.Sequence)
	case planExportKey:
		if !d.applicable() {
			return nil
		}
		return ExportPlan(d.forms.Deck, d.review.Plan)
	case exportKey:
		return d.export()
	case meetKey:
		d.Close()
		return d.forms.Deck.RunLine(slices.Concat([]string{"guide", "meet", d.guide.Name}, d.words()))
	}
	return nil
}

// update handles reviews, forecasts and outcomes, and updates the progress of the applied plan with each sample.
func (d *dialog) update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case reviewMsg:
		if msg.wizard == d && msg.asked == d.asked {
			d.setReview(msg)
			d.Refresh()
		}
	case ForecastMsg, TickMsg:
		cmd := d.forecast.Update(msg)
		d.Refresh()
		return cmd
	case appliedMsg:
		if msg.wizard == d {
			return d.applied(msg)
		}
	case ui.DataMsg:
		if !d.forms.Refresh() {
			d.Close()
			return ui.Toast(ui.Caution, "The host is gone: the wizard has closed and kept its input.")
		}
		switch {
		case d.undone():
			d.showUndone()
		case d.waiting:
			return d.showProgress()
		}
	case verifiedMsg:
		if msg.wizard == d && !d.wasUndone {
			d.showOutcome(d.verified(msg))
		}
	case needsMsg:
		if msg.wizard == d {
			d.course, d.needs = msg.course, msg.needs
			d.Refresh()
		}
	}
	return nil
}

// leave saves the answers as a draft, unless the plan was applied.
func (d *dialog) leave(draft wizard.Draft) ui.Cmd {
	d.forecast.Cancel()
	d.stopWaiting()
	if d.entry.Sequence != 0 || d.form.Fresh {
		return nil // applied has saved the answers that are still needed
	}
	return d.forms.Drafts.keep(d.key, draft)
}
