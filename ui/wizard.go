package ui

import (
	"cxdeck/ui/widget"
)

// WizardOptions say what a wizard asks and what becomes of the answers. The functions run in the terminal loop, so none
// may wait: what takes time goes into Background, and its message comes back to Update. All but Steps may be nil.
type WizardOptions struct {
	Title string
	// Draft is what was typed before; the zero draft begins anew.
	Draft widget.WizardDraft
	// Steps are the steps for the answers so far. It is asked again after each change, with each DataMsg and at Refresh, and
	// must depend on nothing but the answers and what the caller has at hand. At first the answers are empty.
	Steps func(values widget.WizardValues) []widget.WizardStep
	// Check says what is to be said of the answers, beyond what a field's own kind, range and Required tell.
	Check func(values widget.WizardValues) []widget.WizardMessage
	// Entered is told that a step has come to the front: time to work out a review.
	Entered func(w *Wizard, step string) Cmd
	// Do is told the ID of a WizardKey that was pressed: of a step, a fact's fix, or of a result's Next.
	Do func(w *Wizard, id string) Cmd
	// Apply is told which button of the review was pressed. It starts the work and shows it with Progress and Result.
	Apply func(w *Wizard, button int) Cmd
	// Update is given every message that is not a key, the mouse or a paste: how the caller's work gets back to the wizard.
	Update func(w *Wizard, msg Msg) Cmd
	// Leave is told that the wizard closes, with the draft to keep; it is Empty when there is nothing to keep.
	Leave func(draft widget.WizardDraft) Cmd
}

// Wizard is the dialog that leads through the steps of a wizard. It takes the whole room of a screen. Its methods belong
// into the functions of its options, and to the terminal loop.
type Wizard struct {
	options WizardOptions
	closed  bool
}

// NewWizard makes a wizard; OpenDialog shows it.
func NewWizard(options WizardOptions) *Wizard { return &Wizard{options: options} }

// Values are the answers to all fields that show now, those included that the operator left as they were.
func (w *Wizard) Values() widget.WizardValues { return nil }

// Draft is what was typed so far.
func (w *Wizard) Draft() widget.WizardDraft { return widget.WizardDraft{} }

// Step is the ID of the step that shows.
func (w *Wizard) Step() string { return "" }

// Refresh has the steps and messages asked for again, because what the caller knows has changed.
func (w *Wizard) Refresh() {}

// Progress shows how far applying has come, in place of the steps; nil brings the steps back.
func (w *Wizard) Progress(*widget.WizardProgress) {}

// Result shows what came of it, with the progress above.
func (w *Wizard) Result(widget.WizardResult) {}

// Close closes the wizard as soon as the function that called it returns.
func (w *Wizard) Close() { w.closed = true }

// Title implements Dialog.
func (w *Wizard) Title() string { return w.options.Title }

// Size implements Dialog: a wizard takes what it gets.
func (w *Wizard) Size(width, height int) (int, int) { return width, height }

// Update implements Dialog.
func (w *Wizard) Update(Msg) (bool, Cmd) { return w.closed, nil }

// Draw implements Dialog.
func (w *Wizard) Draw(widget.Area) {}

// Hints implements Dialog.
func (w *Wizard) Hints() []Hint { return nil }

// Typing implements Typist.
func (w *Wizard) Typing() bool { return false }

// Escape implements Escaper.
func (w *Wizard) Escape() bool { return false }
