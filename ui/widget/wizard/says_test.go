package wizard

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// says returns the wizard's state as its caller sees it.
func says(w *Wizard) string {
	var keys []string
	for _, k := range w.Keys() {
		keys = append(keys, k.ID)
	}
	var yes []string
	for name, is := range map[string]bool{"row": w.InRow(), "chooses": w.CanToggle(), "tabs": w.Tabs(), "typing": w.Typing(), "rows": w.EditsRows()} {
		if is {
			yes = append(yes, name)
		}
	}
	slices.Sort(yes)
	return fmt.Sprintf("%s; %s; %s", w.NextName(), strings.Join(yes, " "), strings.Join(keys, " "))
}

func TestWizardStatus(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		step string
		do   func(*Wizard)
		want string
	}{
		{"kind", nil, "next; chooses; "},
		{"about", nil, "next; typing; copy"},
		{"about", func(w *Wizard) { w.Tab(3) }, "next; chooses; copy"},
		{"beds", nil, "next; chooses; "},
		{"beds", func(w *Wizard) { w.Tab(1) }, "next; chooses rows; "},
		{"beds", func(w *Wizard) { w.Tab(1); w.EditRow() }, "accept row; row typing; "},
		{"checks", nil, "next; ; avoid"},
		{"review", nil, "book; tabs; forecast"},
		{"review", func(w *Wizard) { w.Tab(1) }, "book, confirm in 30 s; tabs; forecast"},
		{"review", func(w *Wizard) { w.Tab(-1) }, "back; tabs; forecast"},
		{"review", func(w *Wizard) { w.ShowProgress(&Progress{Title: "Book"}) }, "go to buttons; ; "},
		{"review", func(w *Wizard) {
			w.ShowProgress(&Progress{Title: "Book"})
			w.ShowResult(Result{Mark: Good, Next: []Key{{ID: "call", Key: "c"}}})
		}, "close; ; call"},
	} {
		w, _ := tripAt(c.step)
		drawn(w)
		if c.do != nil {
			c.do(w)
		}
		if got := says(w); got != c.want {
			t.Errorf("%s: %q", c.step, got)
		}
	}
}

func TestWizardReviewOfEachState(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change       func(*Review)
		wants, lacks string
	}{
		"nothing":     {func(r *Review) { r.Lines = nil }, "Nothing: no changes.", "Asking"},
		"pending":     {func(r *Review) { r.Lines, r.Pending = nil, "Asking the hut" }, "Asking the hut", "no changes"},
		"refused":     {func(r *Review) { r.Lines, r.Refusal = nil, "The hut is full" }, "The hut is full", "no changes"},
		"forecasting": {func(r *Review) { r.Lines, r.Forecast, r.Forecasting = nil, nil, "Walking, 3 of 9" }, "Walking, 3 of 9", "Arrival"},
		"no forecast": {func(r *Review) { r.Lines, r.Forecast = nil, nil }, "Nothing", "Forecast"},
		"one tab":     {func(r *Review) { r.Lines, r.Commands = nil, r.Commands[:1] }, "book bed hut", "PowerShell"},
		"no commands": {func(r *Review) { r.Lines, r.Commands = nil, nil }, "Nothing", "Equivalent"},
	} {
		w, e := tripAt("review")
		c.change(&e.review)
		w.Refresh()
		if screen := drawn(w); !strings.Contains(screen, c.wants) || strings.Contains(screen, c.lacks) {
			t.Errorf("%s:\n%s", name, screen)
		}
		if tabs := len(e.review.Commands) > 1; w.Tabs() != tabs {
			t.Errorf("%s: tabs %t", name, w.Tabs())
		}
	}
}

// TestWizardDefaultsToBackOnAQuestion: if a review asks a question, Enter presses Back.
func TestWizardDefaultsToBackOnAQuestion(t *testing.T) {
	t.Parallel()
	w, e := tripAt("checks")
	e.review.Question = []string{"The tent is lost.", "The others go without you."}
	w.Refresh()
	w.Next()
	if w.Step() != "review" {
		w.Next()
	}
	wants(t, w, "The tent is lost.", "The others go without you.")
	if got := w.NextName(); got != "back" {
		t.Errorf("Enter means %q", got)
	}
}

// TestWizardRejectsARow: an error in a row moves the cursor there, and is shown beside the row.
func TestWizardRejectsARow(t *testing.T) {
	t.Parallel()
	e := &trip{}
	w := New(e.steps, e.check, Draft{Step: "beds", Reached: "beds", Values: Values{
		"kind": {Text: "tour"}, "name": {Text: "Ada"}, "days": {Text: "2"}, "beds": {IDs: []string{"hut"}},
		"meals": {Rows: []Values{{"name": {Text: "Soup"}, "at": {Text: "19"}, "where": {Text: "hut"}},
			{"name": {Text: "Bread"}, "at": {Text: "12"}, "where": {Text: "hut"}}, {"name": {Text: "Tea"}, "at": {Text: "12"}, "where": {Text: "hut"}}}},
	}})
	if w.Next(); w.Step() != "beds" {
		t.Fatal("it went on")
	}
	wants(t, w, "Meal 2 is at that hour, too.")
	if at := w.form.lists["meals"].Cursor(); at != 2 {
		t.Errorf("the cursor is on row %d", at)
	}
}

// TestWizardLeavesARow: from an open row only a jump back is possible, and an error keeps the row open.
func TestWizardLeavesARow(t *testing.T) {
	t.Parallel()
	w, _ := tripAt("beds")
	w.Tab(1)
	w.Key("down")
	w.EditRow()
	w.Tab(1)
	w.TypeKey("ctrl+u", nil)
	typeText(w, "19")
	if event := w.Jump(4); event.Kind != NoEvent || !w.InRow() {
		t.Errorf("on from a row: %+v", event)
	}
	wants(t, w, rowOpen)
	if w.Next(); !w.InRow() {
		t.Error("a row with an error was accepted")
	}
	wants(t, w, "Meal 1 is at that hour, too.")
	if event := w.Jump(2); event.Kind != NoEvent || !w.InRow() {
		t.Errorf("to where it is: %+v", event)
	}
	if event := w.Jump(0); event != (Event{Kind: StepShown, ID: "kind"}) || w.InRow() {
		t.Errorf("back from a row: %+v", event)
	}
}

func TestWizardResultButtons(t *testing.T) {
	t.Parallel()
	for button, want := range []Event{{Kind: ResultClosed}, {Kind: StepShown, ID: "review"}, {}} {
		w, _ := tripAt("review")
		w.ShowProgress(&Progress{Title: "Book"})
		w.ShowResult(Result{Mark: Bad, Word: "failed", Again: true})
		if got := w.Press(button); got != want {
			t.Errorf("button %d: %+v", button, got)
		}
	}
	w, _ := tripAt("review")
	if got := w.Press(-1); got != (Event{}) {
		t.Errorf("no button: %+v", got)
	}
}
