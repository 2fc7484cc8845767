package change

import (
	"cxdeck/driver"
	"cxdeck/ui"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/form"
)

// Form holds the functions of the form of a guide, and what a screen adds to them. All but Plan or Make may be nil.
type Form struct {
	Field form.Completer
	// Skip returns why a step is skipped, empty if it is not.
	Skip func(step string, values wizard.Values) string
	// Check returns errors and warnings about the answers.
	Check func(values wizard.Values) []wizard.Message
	// Plan makes the plan from the answers.
	Plan func(values wizard.Values) driver.Plan
	// Make makes the plan on a copy of the host in place of Plan, outside the terminal loop. Its error is why there can be no plan.
	Make func(values wizard.Values) func(h *driver.Host) (form.AnnotatedPlan, error)
	// Verify checks whether the host has the requested settings, on a copy of the host and outside the terminal loop; in place of Outcome.
	Verify func(values wizard.Values) func(h *driver.Host) []wizard.Fact
	// Value formats a registry value that changes; ok is false for the usual format.
	Value func(c *driver.Change) (line wizard.Line, ok bool)
	// Restarts describes the restart of a connection that the review does not list yet.
	Restarts func(connection string) string
	// Note is shown above the differences, for example the next step.
	Note func(values wizard.Values) string
	// Applied is called once the plan is applied: the screen may select the created object.
	Applied func(values wizard.Values)
	// Waiting names the event that an applied Operation waits for; empty for none.
	Waiting func(o driver.Operation) string
	// Outcome is the result when nothing waits any more, without the lines that every wizard adds.
	Outcome func(values wizard.Values) wizard.Result
	// Do runs the action of a key of a step, a fact or a result after the wizard has closed; it reports whether it knows the key.
	Do func(id string) (cmd ui.Cmd, known bool)
	// Continues is the step at which the wizard resumes after the plan is applied, with the answers so far; empty for none.
	Continues func(values wizard.Values) string
	// Fresh reports that the answers are not saved: they apply to the object that was selected when the wizard was opened.
	Fresh bool
}

// Core returns the functions of the form that need no screen: exec makes its plans with them.
func (f *Form) Core() form.Form {
	return form.Form{Field: f.Field, Skip: f.Skip, Check: f.Check, Plan: f.Plan, Make: f.Make}
}
