package ui

import (
	"context"
	"slices"
	"strings"
	"testing"

	"cxdeck/ui/widget/wizard"
)

// asked records the wizard's calls to its caller.
type asked struct {
	wizard  *Wizard // set by open
	entered []string
	done    []string
	applied []int
	left    []wizard.Draft
	plan    string
}

// plannedMsg carries a review computed in the background.
type plannedMsg struct{ plan string }

func (a *asked) options() WizardOptions {
	return WizardOptions{
		Title: "Plan a trip",
		Steps: func(wizard.Values) []wizard.Step {
			review := &wizard.Review{Pending: "Asking the hut"}
			if a.plan != "" {
				review = &wizard.Review{Lines: []wizard.Line{{Change: wizard.Adds, Text: a.plan}}}
			}
			return []wizard.Step{
				{ID: "who", Title: "Who", Help: "Who goes.", Fields: []wizard.Field{
					{ID: "name", Label: "Name", Required: true}, {ID: "guide", Label: "Guide",
						Kind: wizard.Toggle}}},
				{ID: "review", Title: "Review", Review: review, Keys: []wizard.Key{{ID: "forecast", Key: "r",
					Name: "forecast"}}},
			}
		},
		Entered: func(step string) Cmd {
			a.entered = append(a.entered, step)
			if step != "review" {
				return nil
			}
			plan := "A bed for " + a.wizard.Values().Text("name")
			return Background("plan", func(context.Context) Msg { return plannedMsg{plan} })
		},
		Update: func(msg Msg) Cmd {
			if msg, ok := msg.(plannedMsg); ok {
				a.plan = msg.plan
				a.wizard.Refresh()
			}
			return nil
		},
		Do: func(id string) Cmd {
			a.done = append(a.done, id)
			return nil
		},
		Apply: func(button int) Cmd {
			a.applied = append(a.applied, button)
			a.wizard.ShowProgress(&wizard.Progress{Title: "Book", Operations: []wizard.Operation{{Text: a.plan,
				Stage: wizard.Running}}})
			return nil
		},
		Leave: func(draft wizard.Draft) Cmd {
			a.left = append(a.left, draft)
			return nil
		},
	}
}

// open opens the test's wizard.
func (a *asked) open(options WizardOptions) *Wizard {
	a.wizard = NewWizard(options)
	return a.wizard
}

// wizardOn is a shell with a wizard open.
func wizardOn(t *testing.T, draft wizard.Draft) (*Shell, *Wizard, *asked) {
	t.Helper()
	s, _, _ := oneAction(deleteAction(), nil)
	a := &asked{}
	options := a.options()
	options.Draft = draft
	w := a.open(options)
	s.runCmd(OpenDialog(w))
	s.Send(nil)
	return s, w, a
}

// pressAll presses keys and runs the resulting work.
func pressAll(s *Shell, names ...string) {
	for _, name := range names {
		s.Frame(80, 24)
		key := KeyMsg{Name: name}
		if len([]rune(name)) == 1 {
			key.Runes = []rune(name)
		}
		s.Send(key)
		s.WaitIdle(context.Background())
	}
}

func TestWizardLeadsToApplyAndResult(t *testing.T) {
	t.Parallel()
	s, w, a := wizardOn(t, wizard.Draft{})
	pressAll(s, "b", "o", "b", "enter")
	if text := s.Frame(80, 24).Text(); !strings.Contains(text, "A bed for bob") {
		t.Fatalf("the review lacks the computed plan:\n%s", text)
	}
	pressAll(s, "r", "enter")
	if !slices.Equal(a.entered, []string{"who", "review"}) || !slices.Equal(a.done,
		[]string{"forecast"}) || !slices.Equal(a.applied, []int{0}) {
		t.Errorf("the caller got %+v", a)
	}
	w.ShowResult(wizard.Result{Mark: wizard.Good, Word: "done", Text: "It is booked."})
	pressAll(s, "enter")
	if s.dialog() != nil || len(a.left) != 1 || !a.left[0].Empty() {
		t.Errorf("after a good result the wizard is open or left a draft: %+v", a.left)
	}
}

func TestWizardKeepsTypedText(t *testing.T) {
	t.Parallel()
	s, _, a := wizardOn(t, wizard.Draft{})
	pressAll(s, "A", "d", "a", "esc")
	if s.dialog() != nil || len(a.left) != 1 {
		t.Fatalf("Esc did not leave: %+v", a)
	}
	s, w, _ := wizardOn(t, a.left[0])
	if got := w.Values().Text("name"); got != "Ada" {
		t.Errorf("the restored name is %q, want Ada", got)
	}
	pressAll(s, "ctrl+c")
	if !s.Quitting() || s.dialog() != nil {
		t.Error("the end of the console does not close the wizard")
	}
}

func TestWizardKeys(t *testing.T) {
	t.Parallel()
	s, w, _ := wizardOn(t, wizard.Draft{})
	pressAll(s, "?", "2", "tab", "?")
	if w.Values().Text("name") != "?2" || len(s.dialogs) != 2 {
		t.Errorf("plain keys are not text in a text field, or ? is no help elsewhere: %q, %d dialogs",
			w.Values().Text("name"), len(s.dialogs))
	}
	if text := s.Frame(120, 40).Text(); !strings.Contains(text, "Who goes.") || !strings.Contains(text, "Shift-Tab") {
		t.Errorf("help lacks the step or a key:\n%s", text)
	}
	pressAll(s, "esc", "alt+2")
	if w.Step() != "review" {
		t.Errorf("the step is %q, want review", w.Step())
	}
	pressAll(s, "1")
	if w.Step() != "who" {
		t.Errorf("the step is %q, want who", w.Step())
	}
	pressAll(s, "a")
	if text := s.Frame(80, 24).Text(); !strings.Contains(text, "Tab goes there") {
		t.Errorf("a disabled key does not say why:\n%s", text)
	}
	seen := map[string]string{}
	for _, row := range WizardReference() {
		for _, key := range row.Keys {
			if seen[key] != "" || row.Name == "" || row.Help == "" {
				t.Errorf("%q is the key of %q and %q", key, seen[key], row.ID)
			}
			seen[key] = row.ID
		}
	}
}

// TestWizardHintsNameTheEffectOfEsc: in a row being edited it closes the row, not the wizard.
func TestWizardHintsNameTheEffectOfEsc(t *testing.T) {
	t.Parallel()
	s, _, _ := oneAction(deleteAction(), nil)
	w := NewWizard(WizardOptions{Title: "Plan a trip", Steps: func(wizard.Values) []wizard.Step {
		return []wizard.Step{{ID: "beds", Title: "Beds", Fields: []wizard.Field{{ID: "beds", Label: "Beds",
			Kind: wizard.Rows, Item: "bed", Columns: []wizard.Field{{ID: "name", Label: "Name"}}}}}}
	}})
	s.runCmd(OpenDialog(w))
	says := func(want string) {
		t.Helper()
		if !slices.ContainsFunc(w.Hints(), func(h Hint) bool { return h.Key == "esc" && h.Name == want }) {
			t.Errorf("the hints are %+v, want Esc to %s", w.Hints(), want)
		}
	}
	says("close (answers are kept)")
	pressAll(s, "a")
	says("cancel the row")
	pressAll(s, "esc")
	says("close (answers are kept)")
	w.options.Forgets = true
	says("close")
}
