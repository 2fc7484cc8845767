package ui

import (
	"cmp"
	"fmt"
	"slices"

	"cxdeck/ui/widget/wizard"
)

// actions returns the actions of a wizard, declared once for dispatch, the status line, help and the documentation. While text
// is typed, a plain key is text.
func (w *Wizard) actions() []Action {
	form := w.Wizard
	do := func(run func()) func() Cmd {
		return func() Cmd {
			run()
			return nil
		}
	}
	lead := func(run func() wizard.Event) func() Cmd {
		return func() Cmd { return w.follow(run()) }
	}
	row, tabs, choose, leave := "", "", "", "close (answers are kept)"
	if w.options.Forgets {
		leave = "close"
	}
	if form.InRow() {
		leave = "cancel the row"
	}
	if !form.CanToggle() {
		choose = "there is nothing to choose here."
	}
	if !form.EditsRows() {
		row = "the focus is not on a list of rows; Tab goes there."
	}
	if !form.Tabs() {
		tabs = "there are no tabs here."
	}
	actions := []Action{
		{ID: "wizard.next", Keys: []string{"enter"}, Name: form.NextName(), Run: lead(form.Next),
			Help: "Go to the next step; press the selected button; accept the row that is edited"},
		{ID: "wizard.back", Keys: []string{"backspace"}, FormerKeys: []string{"b"}, Name: "back", Run: lead(form.Back),
			Help: "Go to the previous step; this always works and keeps the input"},
		{ID: "wizard.field", Keys: []string{"tab"}, Name: "field", Run: do(func() { form.Tab(1) }),
			Help: "Go to the next field; after the last one, to the buttons"},
		{ID: "wizard.field-before", Keys: []string{"shift+tab"}, Name: "field before", Hidden: true,
			Run:  do(func() { form.Tab(-1) }),
			Help: "Go to the previous field"},
		{ID: "wizard.move", Keys: []string{"up", "k", "down", "j"}, Name: "move", Hidden: true,
			Run:  do(func() { form.Key(w.pressed) }),
			Help: "Move the cursor of a list, or from field to field; scrolls when a button is focused"},
		{ID: "wizard.along", Keys: []string{"left", "h", "right", "l"}, Name: "along", Hidden: true,
			Run:  do(func() { form.Key(w.pressed) }),
			Help: "Move along the buttons; on a bar of shares, move one percent between the part and its neighbour"},
		{ID: "wizard.more", Keys: []string{"+"}, Name: "ten more", Hidden: true, Run: do(func() { form.Key(w.pressed) }),
			Help: "On a bar of shares, move ten percent to the part from its neighbour"},
		{ID: "wizard.less", Keys: []string{"-"}, Name: "ten less", Hidden: true, Run: do(func() { form.Key(w.pressed) }),
			Help: "On a bar of shares, move ten percent from the part to its neighbour"},
		{ID: "wizard.ends", Keys: []string{"home", "g", "end"}, Name: "first or last", Hidden: true,
			Run:  do(func() { form.Key(w.pressed) }),
			Help: "Go to the first or the last row"},
		{ID: "wizard.choose", Keys: []string{" "}, Name: "choose", Disabled: choose, Run: do(form.Toggle),
			Help: "Choose or toggle the item under the cursor; edit a row"},
		{ID: "wizard.add", Keys: []string{"a"}, Name: "add", Disabled: row, Run: do(form.AddRow),
			Help: "Add a row to a list"},
		{ID: "wizard.edit", Keys: []string{"e"}, Name: "edit", Disabled: row, Run: do(form.EditRow),
			Help: "Edit the row under the cursor"},
		{ID: "wizard.remove", Keys: []string{"d", "delete"}, Name: "remove", Disabled: row, Run: do(form.RemoveRow),
			Help: "Remove the row under the cursor"},
		{ID: "wizard.tab", Keys: []string{"."}, FormerKeys: []string{"]"}, Name: "next tab", Disabled: tabs, Run: do(func() { form.TurnTab(1) }),
			Help: "Show the commands of the next tool"},
		{ID: "wizard.tab-before", Keys: []string{","}, FormerKeys: []string{"["}, Name: "tab before", Hidden: true, Disabled: tabs,
			Run:  do(func() { form.TurnTab(-1) }),
			Help: "Show the commands of the previous tool"},
		{ID: "wizard.page-down", Keys: []string{"pgdown"}, Name: "a page down", Hidden: true,
			Run:  do(func() { form.ScrollPage(1) }),
			Help: "Scroll a page down"},
		{ID: "wizard.page-up", Keys: []string{"pgup"}, Name: "a page up", Hidden: true,
			Run:  do(func() { form.ScrollPage(-1) }),
			Help: "Scroll a page up"},
	}
	for i, step := range form.Steps()[:min(len(form.Steps()), 9)] {
		actions = append(actions, Action{ID: fmt.Sprintf("wizard.step-%d", i+1), Name: fmt.Sprintf("step %d", i+1),
			Hidden: true,
			Keys:   []string{fmt.Sprint(i + 1), fmt.Sprintf("alt+%d", i+1)},
			Run:    lead(func() wizard.Event { return form.Jump(i) }),
			Help:   stepHelp(step.Title)})
	}
	return append(actions,
		Action{ID: "wizard.help", Keys: []string{"?", "f1"}, Name: "help", Run: w.help,
			Help: "Explain the step and list every key"},
		Action{ID: "wizard.leave", Keys: []string{"esc"}, Name: leave, Run: do(func() {}),
			Help: "Leave; the input is kept. While a row is edited, cancel it"})
}

// WizardReference lists the keys of a wizard for the documentation, with the number keys of its steps as one. A wizard.Key must
// not use any of them.
func WizardReference() []ReferenceRow {
	w := NewWizard(WizardOptions{Steps: func(wizard.Values) []wizard.Step { return nil }})
	actions := w.actions()
	jump := Action{ID: "wizard.step", Name: "step", Help: stepHelp("with that number")}
	for digit := '1'; digit <= '9'; digit++ {
		jump.Keys = append(jump.Keys, string(digit))
	}
	return referenceRows("Wizards", slices.Insert(actions, len(actions)-2, jump))
}

// stepHelp explains the keys that lead to a step.
func stepHelp(step string) string {
	return "Go to the step " + step + " when the steps before it are valid (Alt+number in a text field)"
}

// help explains the step and lists the keys.
func (w *Wizard) help() Cmd {
	lines := []paragraph{{text: w.Help()}, {}, heading("Keys")}
	for _, action := range w.actions() {
		line := paragraph{lead: keyLabels(action, w.glyphs), indented: true, text: action.description()}
		lines = append(lines, line)
	}
	for _, key := range w.Keys() {
		text := cmp.Or(key.Help, sentence(key.Name))
		lines = append(lines, paragraph{lead: keyLabel(key.Key, w.glyphs), indented: true, text: text})
	}
	return OpenDialog(&sheet{title: "Help: " + w.options.Title, leadWidth: 20, paragraphs: lines})
}

// hinted are the actions in the status line, the most important first; the caller's keys follow the first two.
var hinted = []string{"wizard.next", "wizard.field", "wizard.add", "wizard.edit", "wizard.remove", "wizard.tab",
	"wizard.leave",
	"wizard.help", "wizard.choose", "wizard.back"}

func (w *Wizard) Hints() []Hint {
	if w.Waits() {
		return []Hint{{"esc", "leave (it continues)"}}
	}
	actions := w.actions()
	var hints []Hint
	for i, id := range hinted {
		if i == 2 {
			for _, key := range w.Keys() {
				hints = append(hints, Hint{key.Key, cmp.Or(key.Name, key.Help)})
			}
		}
		action, ok := actionByID(actions, id)
		if !ok || action.Disabled != "" || !w.Asking() && id != "wizard.next" && id != "wizard.help" {
			continue
		}
		// While text is typed, a plain key is text.
		key := slices.IndexFunc(action.Keys,
			func(key string) bool { return !w.Typing() || len(key) > 1 && key != "backspace" })
		if key >= 0 {
			hints = append(hints, Hint{action.Keys[key], action.Name})
		}
	}
	return hints
}
