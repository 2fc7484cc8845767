package wizard

import (
	"fmt"
	"slices"
	"strings"
)

// find returns the index of the step with an ID; for a removed step its former index.
func (w *Wizard) find(id string, was int) int {
	if at := slices.IndexFunc(w.steps, func(s Step) bool { return s.ID == id }); at >= 0 {
		return at
	}
	return max(0, min(was, len(w.steps)-1))
}

// step returns the current step.
func (w *Wizard) step() *Step {
	if w.at >= len(w.steps) {
		return &Step{}
	}
	return &w.steps[w.at]
}

// showStep shows a step.
func (w *Wizard) showStep(at int) Event {
	if at != w.at {
		w.focuses[w.atStep] = w.form.focus
	}
	w.at, w.notice, w.edit, w.tab = at, "", nil, 0
	w.atStep = w.step().ID
	if w.at >= w.reached {
		w.reached, w.reachedStep = w.at, w.atStep
	}
	w.offered = ""
	w.setButtons()
	focus, was := w.focuses[w.atStep]
	w.form.focus = focus
	if !was && w.step().Review == nil {
		w.form.focus = ""
		w.form.fields = w.step().Fields
		w.form.move(1)
	}
	w.pane.top()
	w.Refresh()
	return Event{Kind: StepShown, ID: w.atStep}
}

// errorsOn returns the errors of a step, including errors that are not shown yet.
func (w *Wizard) errorsOn(step int) []Message {
	var errors []Message
	if step < 0 || step >= len(w.steps) || w.steps[step].Skip != "" {
		return nil
	}
	for _, m := range w.messages {
		if m.Severity == Error && w.steps[step].hasFocus(m.Field) {
			errors = append(errors, m)
		}
	}
	return errors
}

func (s *Step) hasFocus(field string) bool {
	return slices.ContainsFunc(s.Fields, func(f Field) bool { return f.ID == field })
}

// Next goes to the next step, presses the button with the focus, or accepts the row that is being edited; otherwise it shows
// the reason.
func (w *Wizard) Next() Event {
	w.notice = ""
	switch {
	case w.edit != nil:
		w.acceptRow()
		return Event{}
	case !w.Asking():
		return w.Press(w.buttons.Focus())
	case w.form.focus == "":
		return w.Press(w.buttons.Focus())
	case w.step().Review != nil:
		w.form.focus = ""
		w.focusDefault()
		return Event{}
	}
	return w.next()
}

// InRow reports that a row of a list is being edited.
func (w *Wizard) InRow() bool { return w.edit != nil }

// NextName returns the effect of Next in a few words.
func (w *Wizard) NextName() string {
	switch {
	case w.edit != nil:
		return "accept row"
	case w.step().Review != nil || !w.Asking() || w.form.focus == "":
		if at := w.buttons.Focus(); at >= 0 && w.form.focus == "" {
			return strings.ToLower(w.buttons.Items[at].Label)
		}
		return "go to buttons"
	}
	return "next"
}

func (w *Wizard) next() Event {
	if w.showErrors(w.at) {
		return Event{}
	}
	if to := w.nextStep(1); to >= 0 {
		return w.showStep(to)
	}
	return Event{}
}

// nextStep returns the next step in a direction that isn't skipped, -1 when no step is left that way.
func (w *Wizard) nextStep(by int) int {
	for at := w.at + by; at >= 0 && at < len(w.steps); at += by {
		if w.steps[at].Skip == "" {
			return at
		}
	}
	return -1
}

// showErrors shows the errors of a step and moves the focus to the first. It returns false when the step has no errors.
func (w *Wizard) showErrors(step int) bool {
	if step == w.at {
		if refusal := w.form.refusal(); refusal != "" && w.form.field().Kind == OneOf {
			w.notice = refusal // the item under the cursor is not the chosen one
			return true
		}
	}
	errors := w.errorsOn(step)
	if len(errors) == 0 {
		return false
	}
	w.tried[w.steps[step].ID] = true
	if step == w.at {
		w.notice = errors[0].Text
		w.form.focus = errors[0].Field
		w.form.show(w.step().Fields, w.values)
		if list := w.form.lists[errors[0].Field]; list != nil && errors[0].Row > 0 {
			list.Select(errors[0].Row - 1)
		}
		w.pane.follow = true
	} else {
		w.notice = fmt.Sprintf("Step %d, %s, comes first: %s", step+1, w.steps[step].Title, errors[0].Text)
	}
	return true
}

// Back goes to the previous step. It always works, and cancels the editing of a row.
func (w *Wizard) Back() Event {
	w.notice = ""
	if !w.Asking() {
		return Event{}
	}
	if to := w.nextStep(-1); to >= 0 {
		return w.showStep(to)
	}
	w.notice = "This is the first step. Esc leaves; what was typed is kept."
	return Event{}
}

// Jump goes to a step, counted from 0, if the steps before it are valid.
func (w *Wizard) Jump(to int) Event {
	w.notice = ""
	switch {
	case !w.Asking() || to < 0 || to >= len(w.steps) || to == w.at:
		return Event{}
	case w.steps[to].Skip != "":
		w.notice = w.steps[to].Title + " is skipped: " + w.steps[to].Skip
		return Event{}
	case w.edit != nil && to > w.at:
		w.notice = rowOpen
		return Event{}
	}
	for step := range to {
		if w.showErrors(step) {
			return Event{}
		}
	}
	return w.showStep(to)
}

// jumpBack goes back to the first step with an error, and leaves a skipped step: a draft may be old.
func (w *Wizard) jumpBack() {
	for step := range w.at {
		if len(w.errorsOn(step)) > 0 {
			w.at, w.atStep = step, w.steps[step].ID
			return
		}
	}
	if w.step().Skip != "" {
		if w.at = max(w.nextStep(-1), 0); w.at < len(w.steps) {
			w.atStep = w.steps[w.at].ID
		}
	}
}
