package wizard

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"cxdeck/ui/widget"
)

// Wizard leads through steps that depend on the answers so far. Methods that can leave a step return an Event. New returns one.
type Wizard struct {
	// ID is the first part of the zones for the mouse: ".step", ".row", ".button" and ".tab" follow.
	ID string

	ask   func(Values) []Step
	check func(Values) []Message

	steps []Step
	// said holds the operator's answers; values are the answers to all current fields.
	said, values Values
	messages     []Message
	// at is the current step, reached the furthest one; their IDs find them again when the steps change.
	at, reached         int
	atStep, reachedStep string
	// tried are the steps on which Next failed: their missing answers show as errors.
	tried map[string]bool
	// focuses has the focused field of each step that was left.
	focuses map[string]string

	form    form
	edit    *edit
	buttons widget.Buttons
	// offered identifies the row of buttons: the focus returns to the default button when the row changes.
	offered string
	// notice is the reason why the last key had no effect.
	notice string
	tab    int // of the commands

	progress *Progress
	result   *Result

	pane pane
}

// Event is the result of a key or a mouse press.
type Event struct {
	Kind EventKind
	// ID is the step that was entered, or the ID of a pressed Key; Index is the pressed button.
	ID    string
	Index int
}

// EventKind is a kind of event.
type EventKind uint8

// The kinds of events.
const (
	NoEvent       EventKind = iota
	StepShown               // another step is shown: ID
	KeyPressed              // a Key was pressed: ID
	ReviewPressed           // a button of the review was pressed: Index
	ResultClosed            // the operator closed the result
)

// New returns a wizard that resumes a draft. ask returns the steps for answers; check returns messages on them, and may be nil.
func New(ask func(Values) []Step, check func(Values) []Message,
	draft Draft) *Wizard {
	w := &Wizard{ID: "wizard", ask: ask, check: check, said: clone(draft.Values), values: Values{},
		atStep: draft.Step, reachedStep: draft.Reached, tried: map[string]bool{}, focuses: map[string]string{}}
	w.form = newForm(func(id string, value Value) {
		w.said[id] = value
		w.Refresh()
	})
	w.Refresh()
	w.jumpBack()
	w.showStep(w.at)
	return w
}

// clone copies answers. A draft may come from a file, so invisible characters are removed from its texts.
func clone(values Values) Values {
	copied := make(Values, len(values))
	for id, value := range values {
		value.Text = string(widget.PrintableRunes(value.Text))
		value.IDs = slices.Clone(value.IDs)
		rows := value.Rows
		value.Rows = nil
		for _, row := range rows {
			value.Rows = append(value.Rows, clone(row))
		}
		copied[id] = value
	}
	return copied
}

// maxRefreshes limits the calls of ask until the answers no longer change.
const maxRefreshes = 4

// Refresh updates the steps and messages after a change of an answer or of the caller's data.
func (w *Wizard) Refresh() {
	for range maxRefreshes {
		w.steps = w.ask(w.values)
		values := answers(w.steps, w.said)
		settled := reflect.DeepEqual(values, w.values)
		w.values = values
		if settled {
			break
		}
	}
	w.messages = w.messages[:0]
	for i := range w.steps {
		for j := range w.steps[i].Fields {
			field := &w.steps[i].Fields[j]
			w.messages = append(w.messages, field.check(w.values[field.ID])...)
		}
	}
	if w.check != nil {
		w.messages = append(w.messages, w.check(w.values)...)
	}
	w.at, w.reached = w.find(w.atStep, w.at), w.find(w.reachedStep, w.reached)
	w.reached = max(w.reached, w.at)
	w.form.show(w.step().Fields, w.values)
	if w.edit != nil && !w.edit.refresh(w) {
		w.edit = nil
	}
	w.setButtons()
}

// answers returns the values of all fields of steps: the operator's answers, or the initial values.
func answers(steps []Step, said Values) Values {
	values := Values{}
	for i := range steps {
		if steps[i].Skip != "" {
			continue
		}
		for j := range steps[i].Fields {
			field := &steps[i].Fields[j]
			value, ok := said[field.ID]
			if !ok {
				value = field.Initial
			}
			if field.isQuestion() {
				values[field.ID] = value
			}
		}
	}
	return values
}

// Step returns the ID of the current step.
func (w *Wizard) Step() string { return w.step().ID }

// Steps returns all current steps.
func (w *Wizard) Steps() []Step { return w.steps }

// Values returns the answers to all current fields.
func (w *Wizard) Values() Values { return w.values }

// Messages returns the errors and warnings about the answers, shown or not.
func (w *Wizard) Messages() []Message { return w.messages }

// Draft returns the answers so far, and the current step.
func (w *Wizard) Draft() Draft {
	draft := Draft{Values: clone(w.said), Step: w.Step()}
	if w.reached < len(w.steps) {
		draft.Reached = w.steps[w.reached].ID
	}
	return draft
}

// Typing reports that plain keys are text.
func (w *Wizard) Typing() bool { return w.Asking() && w.active().typing() }

// Asking reports that the steps are shown, not the progress or result.
func (w *Wizard) Asking() bool { return w.progress == nil && w.result == nil }

// active returns the form that keys go to.
func (w *Wizard) active() *form {
	if w.edit != nil {
		return &w.edit.form
	}
	return &w.form
}

// setButtons sets the row of buttons: buttons that continue come first, the one that goes back last.
func (w *Wizard) setButtons() {
	was := w.offered
	back := widget.Button{Label: "Back"}
	review := w.step().Review
	switch {
	case w.result != nil:
		w.buttons.Items = []widget.Button{{Label: "Close"}}
		if w.result.Again {
			w.buttons.Items = append(w.buttons.Items, widget.Button{Label: "Back to the steps"})
		}
		w.offered = fmt.Sprint("result", len(w.buttons.Items))
	case w.progress != nil:
		w.buttons.Items, w.offered = nil, "progress"
	case review != nil:
		w.buttons.Items = append(slices.Clip(review.buttons()), back)
		w.offered = fmt.Sprint("review", len(w.buttons.Items), review.Pending != "", len(review.Question) > 0)
	default:
		w.buttons.Items, w.offered = []widget.Button{{Label: "Next"}, back}, "step"
	}
	if was != w.offered {
		w.focusDefault()
	}
}

// buttons returns the buttons of a review that apply it.
func (r *Review) buttons() []widget.Button {
	if len(r.Buttons) > 0 {
		return r.Buttons
	}
	return []widget.Button{{Label: "Apply"}}
}

// focusDefault moves the focus to the default button: the first one, except for a review with a question, whose default answer
// is no.
func (w *Wizard) focusDefault() {
	w.buttons.SetFocus(0)
	if review := w.step().Review; w.Asking() && review != nil && len(review.Question) > 0 {
		w.buttons.SetFocus(len(w.buttons.Items) - 1)
	}
}

// Press presses a button.
func (w *Wizard) Press(button int) Event {
	w.notice = ""
	if button < 0 || button >= len(w.buttons.Items) {
		return Event{}
	}
	if back := button == len(w.buttons.Items)-1; w.edit != nil && (!back || w.result != nil) {
		w.notice = rowOpen
		return Event{}
	}
	w.buttons.SetFocus(button)
	review := w.step().Review
	switch {
	case w.result != nil && button == 0:
		return Event{Kind: ResultClosed}
	case w.result != nil:
		w.ShowProgress(nil)
		return Event{Kind: StepShown, ID: w.atStep}
	case button == len(w.buttons.Items)-1:
		return w.Back()
	case review == nil:
		return w.next()
	}
	for step := range w.steps {
		if w.showErrors(step) {
			return Event{}
		}
	}
	switch {
	case review.Pending != "":
		w.notice = "The plan isn't ready: " + review.Pending + "."
	case review.Refusal != "":
		w.notice = "This can't be applied: " + review.Refusal
	default:
		return Event{Kind: ReviewPressed, Index: button}
	}
	return Event{}
}

// Help explains the step.
func (w *Wizard) Help() string { return w.step().Help }

// ShowProgress shows the progress of applying in place of the steps; nil shows the steps again.
func (w *Wizard) ShowProgress(progress *Progress) {
	if w.progress == nil {
		w.pane.top()
	}
	w.progress, w.result, w.notice, w.edit = progress, nil, "", nil
	w.Refresh()
}

// ShowResult shows the result below the progress.
func (w *Wizard) ShowResult(result Result) {
	w.result, w.notice, w.edit = &result, "", nil
	w.pane.top()
	w.Refresh()
}

// Waits reports that the progress is shown without a result: no key is needed.
func (w *Wizard) Waits() bool { return w.progress != nil && w.result == nil }

// Result returns the shown result; nil before there is one.
func (w *Wizard) Result() *Result { return w.result }

// Applied reports that the result is shown and something was changed: there is no draft to keep.
func (w *Wizard) Applied() bool { return w.result != nil && !w.result.Again }

// Escape cancels the editing of a row; it reports whether one was being edited.
func (w *Wizard) Escape() bool {
	w.notice = ""
	open := w.edit != nil
	w.edit = nil
	if open {
		w.Refresh()
	}
	return open
}

// Refuse shows a reason why an action is not possible.
func (w *Wizard) Refuse(why string) { w.notice = why }

// copyRows copies the rows of a row list, so that a change never affects returned rows.
func copyRows(rows []Values) []Values {
	copied := make([]Values, len(rows))
	for i, row := range rows {
		copied[i] = maps.Clone(row)
	}
	return copied
}
