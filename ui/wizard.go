package ui

import (
	"cxdeck/themes"
	"cxdeck/ui/widget"
	"cxdeck/ui/widget/wizard"
)

// WizardOptions are the steps of a wizard and the functions for its answers. The functions run in the terminal loop, so they
// must not block: slow work goes into Background, and its message is passed to Update. All except Steps may be nil.
type WizardOptions struct {
	Title string
	// Draft is earlier input; the zero draft means an empty wizard.
	Draft wizard.Draft
	// Steps returns the steps for the current answers. It is called again after each change, with each DataMsg and at Refresh,
	// and must depend only on the answers and on data in memory. At first the answers are empty.
	Steps func(values wizard.Values) []wizard.Step
	// Check returns messages on the answers, in addition to the checks of a field's kind, range and Required.
	Check func(values wizard.Values) []wizard.Message
	// Entered is called when a step is shown, the first one included; it may start to compute a review.
	Entered func(step string) Cmd
	// Do receives the ID of a WizardKey that was pressed: of a step, a fact's fix, or of a result's Next.
	Do func(id string) Cmd
	// Apply receives the pressed button of the review. It starts the work and shows it with ShowProgress and ShowResult.
	Apply func(button int) Cmd
	// Update receives every message except keys, the mouse and pastes, such as results of the caller's work.
	Update func(msg Msg) Cmd
	// Leave is called when the wizard has closed, with the draft to keep; it is Empty when there is nothing to keep.
	Leave func(draft wizard.Draft) Cmd
	// Forgets reports that Leave discards the input, so that the wizard does not promise to keep it.
	Forgets bool
}

// Wizard is the dialog that leads through the steps of a wizard. It takes the whole screen. Its methods may be called only in
// the terminal loop, for example in the functions of its options.
type Wizard struct {
	*wizard.Wizard
	options WizardOptions
	glyphs  *themes.Glyphs
	closed  bool
	// pressed is the key that is being handled.
	pressed string
}

// NewWizard returns a wizard; OpenDialog shows it.
func NewWizard(options WizardOptions) *Wizard {
	return &Wizard{options: options, glyphs: themes.UnicodeGlyphs(),
		Wizard: wizard.New(options.Steps, options.Check, options.Draft)}
}

// Close closes the wizard when the function that called it returns.
func (w *Wizard) Close() { w.closed = true }

func (w *Wizard) Title() string { return w.options.Title }

// The maximum size of a wizard that is easy to read, in cells.
const (
	widestWizard = 180
	tallestPage  = 44
)

func (w *Wizard) Size(width, height int) (int, int) {
	return min(width, widestWizard), min(height, tallestPage)
}

func (w *Wizard) Update(msg Msg) (bool, Cmd) {
	var cmd Cmd
	switch msg := msg.(type) {
	case KeyMsg:
		cmd = w.key(msg)
	case PasteMsg:
		w.Paste(msg.Text)
	case HitMsg:
		switch {
		case msg.Button == Press:
			cmd = w.follow(w.Hit(msg.Hit))
		case msg.Button == Drag && msg.ID == w.ID+".scroll":
			w.Hit(msg.Hit)
		case msg.Button.WheelRows() != 0:
			w.Scroll(msg.Button.WheelRows())
		}
	default:
		if w.options.Update != nil {
			cmd = w.options.Update(msg)
		}
		if _, ok := msg.(DataMsg); ok {
			w.Refresh()
		}
	}
	return w.closed, cmd
}

// key passes a key to the text input with the focus, to the wizard's actions, or to the caller's actions.
func (w *Wizard) key(key KeyMsg) Cmd {
	if w.TypeKey(key.Name, key.Runes) {
		return nil
	}
	w.pressed = key.Name
	if action, ok := findAction(w.actions(), key.Name); ok {
		if action.Disabled != "" {
			w.Refuse(action.Disabled)
			return nil
		}
		return action.Run()
	}
	for _, own := range w.Keys() {
		if own.Key == key.Name {
			return w.follow(wizard.Event{Kind: wizard.KeyPressed, ID: own.ID})
		}
	}
	if action, ok := movedAction(w.actions(), key.Name); ok {
		w.Refuse(sentence(action.Name) + " is now " + keyLabel(action.Keys[0], w.glyphs) + ".")
	}
	return nil
}

// follow handles the event of a key or a press.
func (w *Wizard) follow(event wizard.Event) Cmd {
	switch o := &w.options; {
	case event.Kind == wizard.StepShown && o.Entered != nil:
		return o.Entered(event.ID)
	case event.Kind == wizard.KeyPressed && o.Do != nil:
		return o.Do(event.ID)
	case event.Kind == wizard.ReviewPressed && o.Apply != nil:
		return o.Apply(event.Index)
	case event.Kind == wizard.ResultClosed:
		w.closed = true
	}
	return nil
}

func (w *Wizard) Draw(area widget.Area) {
	w.glyphs = area.Glyphs()
	w.Wizard.Draw(area)
}

// Outcome implements Leaver: the result in a sentence.
func (w *Wizard) Outcome() (Severity, string) {
	r := w.Result()
	if r == nil {
		return Caution, w.Title() + " was left"
	}
	severity := map[wizard.Mark]Severity{wizard.Good: Success, wizard.Warn: Caution, wizard.Bad: Failure}
	return severity[r.Mark], w.Title() + ": " + r.Word + ". " + r.Text
}

// Opened implements Opener: the first step is shown.
func (w *Wizard) Opened() Cmd {
	return w.follow(wizard.Event{Kind: wizard.StepShown, ID: w.Step()})
}

// Closed implements Closer: it passes the draft to Leave.
func (w *Wizard) Closed() Cmd {
	switch {
	case w.options.Leave == nil:
		return nil
	case w.Applied():
		return w.options.Leave(wizard.Draft{})
	}
	return w.options.Leave(w.Draft())
}
