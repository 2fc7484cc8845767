package change

import (
	"cxdeck/driver"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// Completer adds to a field of the table what depends on the host: choices, what it holds initially, why it can't be
// changed. It says whether the field is asked now.
type Completer func(f *widget.WizardField, values widget.WizardValues) bool

// Form holds the functions of one wizard. All but Plan may be nil.
type Form struct {
	Field Completer
	// Skip says why a step is left out, empty when it is not.
	Skip func(step string, values widget.WizardValues) string
	// Check returns errors and warnings about the answers.
	Check func(values widget.WizardValues) []widget.WizardMessage
	// Plan makes the plan from the answers.
	Plan func(values widget.WizardValues) driver.Plan
	// Value shows a value of the registry that changes; ok is false for one that is shown as every value is.
	Value func(c *driver.Change) (line widget.WizardLine, ok bool)
	// Restarts says what the restart of a connection means, where the review does not know it yet.
	Restarts func(connection string) string
	// Note is said above the differences, such as what comes after.
	Note func(values widget.WizardValues) string
	// Applied is called once the plan is applied: the screen may put its cursor on what has come into being.
	Applied func(values widget.WizardValues)
	// Waiting says what an applied Operation waits for, empty for nothing.
	Waiting func(o driver.Operation) string
	// Outcome is the result once nothing waits, but for what every wizard adds to it.
	Outcome func(values widget.WizardValues) widget.WizardResult
	// Do does what a key of a step, a fact or a result offers, once the wizard has closed; its result says whether the key
	// was known.
	Do func(id string) (cmd ui.Cmd, known bool)
	// Continues is the step at which another part begins once the plan is applied, for which what was typed is kept; empty
	// for none.
	Continues func(values widget.WizardValues) string
	// Fresh says that what was typed is not kept: it is about what was selected when the wizard was opened.
	Fresh bool
}
