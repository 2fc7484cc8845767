package change

import (
	"cxdeck/driver"
	"cxdeck/ui"
	"cxdeck/ui/widget"
)

// Form is what one wizard asks and makes of the answers. All but Fields and Plan may be nil.
type Form struct {
	// Fields are the fields of a step; Skip says why a step is left out, empty when it is not.
	Fields func(step string, values widget.WizardValues) []widget.WizardField
	Skip   func(step string, values widget.WizardValues) string
	// Check is what is to be said of the answers.
	Check func(values widget.WizardValues) []widget.WizardMessage
	// Plan is what the answers ask for.
	Plan func(values widget.WizardValues) driver.Plan
	// Lines are an Operation as differences; none has a value shown as it was and will be, and all else described in a
	// sentence.
	Lines func(o driver.Operation) []widget.WizardLine
	// Note is said above the differences, such as what comes after.
	Note func(values widget.WizardValues) string
	// Applied is called once the plan is applied: the screen may put its cursor on what has come into being.
	Applied func(values widget.WizardValues)
	// Waiting says what an applied Operation waits for, empty for nothing.
	Waiting func(o driver.Operation) string
	// Outcome is the result once nothing waits, but for what every wizard adds to it.
	Outcome func(values widget.WizardValues) widget.WizardResult
	// Do does what a key of a step, a fact or a result offers; its result says whether the key was known.
	Do func(w *ui.Wizard, id string) (cmd ui.Cmd, known bool)
	// GoesOn is the step at which another part begins once the plan is applied, for which what was typed is kept; empty
	// for none.
	GoesOn func(values widget.WizardValues) string
	// Fresh says that what was typed is not kept: it is about what was selected when the wizard was opened.
	Fresh bool
}
