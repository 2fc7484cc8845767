package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	"cxdeck/ui/widget/wizard"
)

// tripMsg ends the wizard's waiting.
type tripMsg struct{}

// booking is a shell with a wizard that waits for the plan that it has applied.
func booking(t *testing.T) (*Shell, *Wizard, *asked) {
	t.Helper()
	s, _, _ := oneAction(deleteAction(), nil)
	a := &asked{}
	options := a.options()
	update := options.Update
	options.Update = func(msg Msg) Cmd {
		if _, ok := msg.(tripMsg); ok {
			a.wizard.ShowResult(wizard.Result{Mark: wizard.Good, Word: "done", Text: "It is booked."})
		}
		return update(msg)
	}
	w := a.open(options)
	s.runCmd(OpenDialog(w))
	s.Send(nil)
	pressAll(s, "b", "o", "b", "enter", "enter")
	if !w.Waits() {
		t.Fatal("nothing is being applied")
	}
	return s, w, a
}

// TestScreensWorkWhileAWizardWaits leaves an applying wizard with the keys of the screens and with Esc, returns to
// it, and gets its outcome on another screen.
func TestScreensWorkWhileAWizardWaits(t *testing.T) {
	t.Parallel()
	s, w, a := booking(t)
	if text := s.Frame(80, 24).Text(); !strings.Contains(text, "Esc leave (it continues)") || !strings.Contains(text, "? help") {
		t.Errorf("the status line lacks the keys:\n%s", text)
	}
	pressAll(s, "2")
	if s.dialog() != nil || s.Active() != s.views[1].ID() || len(a.left) != 0 {
		t.Fatalf("2 does not open the second screen: %s, %+v", s.Active(), a)
	}
	again := NewWizard(a.options())
	s.runCmd(OpenDialog(again))
	s.Send(nil)
	if s.dialog() == nil || s.dialog().Dialog != Dialog(w) || len(s.aside) != 0 {
		t.Fatal("opening the wizard does not show the waiting one")
	}
	pressAll(s, "?")
	if s.dialog().Dialog == Dialog(w) {
		t.Error("? does not help while a wizard waits")
	}
	pressAll(s, "esc", "esc", ":", "b", "a", "c", "k", " ", "t", "o", "enter")
	if s.dialog() == nil || s.dialog().Dialog != Dialog(w) {
		t.Error("the palette does not reopen the wizard")
	}
	pressAll(s, "esc")
	s.Send(tripMsg{})
	text := s.Frame(80, 24).Text()
	if !strings.Contains(text, "Plan a trip: done. It is booked.") || len(s.aside) != 0 || len(a.left) != 1 || !a.left[0].Empty() {
		t.Errorf("the outcome was not shown: %+v\n%s", a.left, text)
	}
	pressAll(s, "!")
	if text := s.Frame(80, 24).Text(); !strings.Contains(text, "Plan a trip: done") {
		t.Errorf("the outcome is not in the action log:\n%s", text)
	}
}

// TestMouseLeavesAWaitingWizard clicks a tab.
func TestMouseLeavesAWaitingWizard(t *testing.T) {
	t.Parallel()
	s, _, _ := booking(t)
	s.Frame(80, 24)
	s.Send(MouseMsg{X: 20, Y: 1, Button: Press})
	if s.dialog() != nil || s.Active() != s.views[1].ID() {
		t.Errorf("the tab does not open its screen: %s", s.Active())
	}
	pressAll(s, "ctrl+c")
	if len(s.aside) != 0 {
		t.Error("the end of the console does not close a wizard in the background")
	}
}

// TestHeaderShowsWaits checks that the header lists waits of the source with their countdown, and then background work with
// its duration.
func TestHeaderShowsWaits(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var waits []Wait
	s := NewShell(Options{Views: []View{}, Now: func() time.Time { return now }, Waits: func() []Wait { return waits }})
	header := func() string { return strings.TrimSpace(strings.Split(s.Frame(80, 24).Text(), "\n")[0]) }
	if got := header(); got != "cxdeck" {
		t.Errorf("without a wait: %q", got)
	}
	s.runCmd(Background("write the file", func(context.Context) Msg { return nil }))
	s.Send(nil)
	if got := header(); got != "cxdeck" {
		t.Errorf("work that has just begun: %q", got)
	}
	now = now.Add(2500 * time.Millisecond)
	if got := header(); !strings.HasSuffix(got, "◐ Write the file: 2 s so far") {
		t.Errorf("work: %q", got)
	}
	waits = []Wait{{"LAB-N4 reboots", true, 41100 * time.Millisecond}}
	if got := header(); !strings.HasSuffix(got, "◐ LAB-N4 reboots: 42 s and 1 more") {
		t.Errorf("a wait of the source: %q", got)
	}
	waits[0].Time = 150 * time.Second
	if got := header(); !strings.HasSuffix(got, "reboots: 2 min 30 s and 1 more") {
		t.Errorf("a long one: %q", got)
	}
	waits[0].What, waits[0].Time = "A connection with a name that is longer than the line of a terminal restarts", 4*time.Second
	if got := header(); !strings.HasSuffix(got, "A connection with a name that is longer…: 4 s and 1 more") {
		t.Errorf("a long name: %q", got)
	}
	s.options.Header = func() Header {
		return Header{Left: []Segment{{Text: "LAB-N4 (lab)"}, {Text: "1 unsaved"}}, Middle: []Segment{{Text: "21:18:55"}}}
	}
	if got := header(); got != "cxdeck  LAB-N4 (lab)  1 unsaved  21:18:55  ◐ A connection wit…: 4 s and 1 more" {
		t.Errorf("a long name beside others: %q", got)
	}
	s.options.Header, waits[0].What = nil, "LAB-N4 reboots"
	waits[0].Time = -time.Second
	if got := header(); !strings.HasSuffix(got, "reboots: 0 s and 1 more") {
		t.Errorf("an expired one: %q", got)
	}
	waits = nil
	s.WaitIdle(context.Background())
	if got := header(); got != "cxdeck" {
		t.Errorf("afterwards: %q", got)
	}
}

// TestEscStopsWorkBeforeLeaving checks that Esc first stops the work that the caller offers to stop, and only then leaves.
func TestEscStopsWorkBeforeLeaving(t *testing.T) {
	t.Parallel()
	s, w, _ := booking(t)
	stopped := 0
	stop := Action{ID: "wait.stop", Keys: []string{"esc"}, Name: "stop", Run: func() Cmd { stopped++; return nil }}
	s.options.Actions = func(string) []Action { return []Action{stop} }
	pressAll(s, "esc")
	if stopped != 1 || s.dialog() == nil || s.dialog().Dialog != Dialog(w) {
		t.Errorf("Esc stopped %d times", stopped)
	}
	stop.Disabled = "nothing runs"
	pressAll(s, "esc")
	if stopped != 1 || s.dialog() != nil {
		t.Error("Esc does not leave when there is nothing to stop")
	}
	pressAll(s, "esc")
	if len(s.toasts) > 0 {
		t.Errorf("Esc shows a message without anything to stop: %+v", s.toasts)
	}
}

// TestTextDialogPassesScreenKeys shows the answer of a command, and changes the screen with one key.
func TestTextDialogPassesScreenKeys(t *testing.T) {
	t.Parallel()
	s, _, _ := oneAction(deleteAction(), nil)
	s.runCmd(ShowText("host reboot", "Reboot LAB-N4: done."))
	s.Send(nil)
	pressAll(s, "j")
	if s.dialog() == nil {
		t.Fatal("a key that scrolls closes the text")
	}
	pressAll(s, "2")
	if s.dialog() != nil || s.Active() != s.views[1].ID() {
		t.Errorf("2 leads to %s", s.Active())
	}
}
