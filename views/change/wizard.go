package change

import (
	"time"

	"cxdeck/driver"
	"cxdeck/ui"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/deck"
)

// Guide is shared by the wizards of a screen.
type Guide struct {
	Deck   *deck.Deck
	Drafts *Drafts
	// Refresh has the screen take over the newest state before a wizard looks at it, and reports whether there is a host to
	// ask about.
	Refresh func() bool
}

// dialog is an open wizard, with its review and its run.
type dialog struct {
	*ui.Wizard
	guide *Guide
	data  *Procedure
	key   string // the draft's name: the wizard and its subject
	form  Form

	review   *driver.Review // nil while it is being asked for
	err      error
	shown    []wizard.Line // the plan as differences from how it was when the review came
	commands []wizard.Commands
	asked    int // how often a review was asked for: answers to earlier ones don't count
	forecast Forecast

	plan      driver.Plan   // that is being applied
	frozen    []wizard.Step // the steps as they were then; nil before
	goesOn    string
	entry     driver.Entry
	waits     bool // for the effects of the changes
	back      bool // it was undone since
	deadline  time.Time
	reportEnd func() // the end of the wait was reported
}

// Open opens a wizard for a subject, the selected object; empty for none.
func (g *Guide) Open(p *Procedure, subject string, f Form) ui.Cmd {
	d := &dialog{guide: g, data: p, key: p.ID + " " + subject, form: f}
	name := p.Title
	if subject != "" {
		name += ": " + subject
	}
	draft := g.Drafts.Draft(d.key)
	if f.Fresh {
		draft = wizard.Draft{}
	}
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
	list := make([]wizard.Step, len(d.data.Steps))
	for i := range d.data.Steps {
		s := &d.data.Steps[i]
		one := wizard.Step{ID: s.ID, Title: s.Title}
		if s.ID == ReviewStep {
			one.Review = d.reviewed(values)
			one.Keys = []wizard.Key{{ID: forecastKey, Key: "F", Name: "forecast",
				Help: "Rehearse the plan for 60 s on a copy of the host"}}
			if d.forecast.Running() {
				one.Keys[0].Name = "stop the forecast"
			}
		} else {
			one.Fields = s.shownFields(d.form.Field, values)
		}
		one.Help = d.data.help(i, one.Fields)
		if d.form.Skip != nil {
			one.Skip = d.form.Skip(s.ID, values)
		}
		list[i] = one
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
)

// runButton begins or ends a forecast, and does what a result or the form offers.
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
		cmd := d.forecast.Toggle(d.guide.Deck.Monitor(), d.review.Plan)
		d.Refresh()
		return cmd
	case undoKey:
		d.Close()
		return UndoEntry(d.guide.Deck, d.entry.Sequence)
	}
	return nil
}

// update takes reviews, forecasts and outcomes, and follows what was applied.
func (d *dialog) update(msg ui.Msg) ui.Cmd {
	switch msg := msg.(type) {
	case reviewMsg:
		if msg.wizard == d && msg.asked == d.asked {
			d.take(msg)
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
		if !d.guide.Refresh() {
			d.Close()
			return ui.Toast(ui.Caution, "The host is gone: the wizard has closed and kept its input.")
		}
		switch {
		case d.undone():
			d.showUndone()
		case d.waits:
			d.showProgress()
		}
	}
	return nil
}

// leave keeps what was typed.
func (d *dialog) leave(draft wizard.Draft) ui.Cmd {
	d.forecast.Cancel()
	d.stopWaiting()
	if d.entry.Sequence != 0 || d.form.Fresh {
		return nil // the input is kept as far as necessary after applying
	}
	return d.guide.Drafts.keep(d.key, draft)
}
