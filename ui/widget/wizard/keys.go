package wizard

import (
	"slices"
)

// Tab moves the focus to the next or the previous field; the buttons follow the last field, one after another.
func (w *Wizard) Tab(by int) {
	w.notice, w.pane.follow = "", true
	form := w.active()
	if w.edit == nil && (!w.Asking() || form.focus == "") {
		if next := w.buttons.Focus() + by; next >= 0 && next < len(w.buttons.Items) {
			w.buttons.SetFocus(next)
			return
		}
	}
	if !w.Asking() {
		return
	}
	behind := form.focus == ""           // the last button, or before the first
	if !form.move(by) && w.edit != nil { // a row has no buttons
		form.move(by)
	}
	switch {
	case form.focus != "":
	case by < 0:
		w.buttons.SetFocus(len(w.buttons.Items) - 1)
	case behind:
		w.buttons.SetFocus(0)
	default:
		w.focusDefault()
	}
}

// Key handles keys that move a cursor or the focus: up, down, left, right, their letters, home and end.
func (w *Wizard) Key(name string) {
	w.notice = ""
	form := w.active()
	switch {
	case !w.Asking() || form.focus == "":
		if w.buttons.Key(name) {
			return
		}
		w.keyOnButtons(name)
	case form.key(name):
		w.pane.follow = true
	case name == "up" || name == "k" || name == "down" || name == "j":
		by := 1
		if name == "up" || name == "k" {
			by = -1
		}
		if field := form.field(); field.Kind == OneOf && len(field.Choices) > 0 {
			return // at its end: Tab continues
		}
		was := form.focus
		if !form.move(by) && (w.edit != nil || by < 0) {
			form.focus = was
		}
		w.pane.follow = true
	}
}

// keyOnButtons handles the arrow keys when no field has the focus: they scroll, or move up to the fields.
func (w *Wizard) keyOnButtons(name string) {
	switch name {
	case "up", "k":
		if from, _ := w.pane.list.Visible(); from > 0 || !w.Asking() {
			w.Scroll(-1)
			return
		}
		w.form.move(-1)
		w.pane.follow = w.form.focus != ""
	case "down", "j":
		w.Scroll(1)
	case "home", "g":
		w.Scroll(-w.pane.list.Length())
	case "end":
		w.Scroll(w.pane.list.Length())
	}
}

// Scroll scrolls by rows.
func (w *Wizard) Scroll(rows int) {
	w.pane.follow = false
	from, _ := w.pane.list.Visible()
	w.pane.list.ScrollTo(from + rows)
}

// ScrollPage scrolls by pages.
func (w *Wizard) ScrollPage(pages int) { w.Scroll(pages * max(w.pane.list.Height()-1, 1)) }

// TypeKey passes a key to the input with the focus, and reports whether the input handled it.
func (w *Wizard) TypeKey(name string, runes []rune) bool {
	if !w.Typing() || !w.active().typeKey(name, runes) {
		return false
	}
	w.notice, w.pane.follow = "", true
	return true
}

// Paste inserts text into the input with the focus.
func (w *Wizard) Paste(text string) {
	if w.Typing() {
		w.notice = ""
		w.active().paste(text)
	}
}

// CanToggle reports whether Toggle can toggle an item under the cursor.
func (w *Wizard) CanToggle() bool {
	field := w.active().field()
	return w.Asking() && field != nil && !field.isText()
}

// Toggle toggles the item under the cursor, or edits the row under it.
func (w *Wizard) Toggle() {
	w.notice = ""
	form := w.active()
	if !w.Asking() {
		return
	}
	if field := form.field(); field != nil && field.Kind == Rows {
		w.EditRow()
		return
	}
	w.notice = form.toggle()
}

// TurnTab shows the next tab of the commands.
func (w *Wizard) TurnTab(by int) {
	if review := w.step().Review; review != nil && len(review.Commands) > 0 {
		n := len(review.Commands)
		w.tab = ((w.tab+by)%n + n) % n
	}
}

// Tabs reports whether a review has several tabs of commands.
func (w *Wizard) Tabs() bool {
	review := w.step().Review
	return w.Asking() && review != nil && len(review.Commands) > 1
}

// Keys returns the further actions of the step.
func (w *Wizard) Keys() []Key {
	if w.result != nil {
		return w.result.Next
	}
	if w.progress != nil {
		return nil
	}
	keys := slices.Clone(w.step().Keys)
	add := func(facts []Fact) {
		for i := range facts {
			if facts[i].Fix.Key != "" {
				keys = append(keys, facts[i].Fix)
			}
		}
	}
	for i := range w.step().Fields {
		add(w.step().Fields[i].Facts)
	}
	if review := w.step().Review; review != nil {
		add(review.Forecast)
	}
	return keys
}
