package ui

import (
	"context"
	"strings"
	"testing"
	"time"

	"cxdeck/ui/widget"
)

// oneAction is a shell on one screen that has one action, and how often it ran.
func oneAction(action Action, change func(*Options)) (*Shell, *screenView, *int) {
	one, two := twoViews()
	ran := new(int)
	if action.Run == nil {
		action.Run = func() Cmd {
			*ran++
			return nil
		}
	}
	one.actions = []Action{action}
	options := testOptions(one, two)
	if change != nil {
		change(&options)
	}
	return NewShell(options), one, ran
}

// deleteAction is dangerous and changes something.
func deleteAction() Action {
	return Action{ID: "test.delete", Keys: []string{"d"}, Name: "delete session", Help: "Delete the session for good", Changes: true,
		Dangerous: true, Question: "Delete the session of Tuesday for good?", Object: "Tuesday"}
}

func TestKeyRunsOnlyItsAction(t *testing.T) {
	t.Parallel()
	s, view, ran := oneAction(Action{ID: "test.act", Keys: []string{"a", "ctrl+r"}, Name: "act"}, nil)
	press(s, "a", "ctrl+r", "z", "up")
	if *ran != 2 || view.keys() != "z up" {
		t.Errorf("ran %d times and the screen got keys %q; want 2 and \"z up\"", *ran, view.keys())
	}
}

func TestTextEntryReceivesPlainKeys(t *testing.T) {
	t.Parallel()
	s, view, ran := oneAction(Action{ID: "test.act", Keys: []string{"a"}, Name: "act"}, nil)
	view.typing = true
	press(s, "a", "q", ":", "2", "esc")
	s.Send(PasteMsg{"pasted"})
	if *ran != 0 || view.keys() != "a q : 2 esc" || s.Quitting() || s.Active() != "overview" {
		t.Errorf("ran %d times, the screen got %q, quitting %v, on %s", *ran, view.keys(), s.Quitting(), s.Active())
	}
	if view.received[len(view.received)-1] != (PasteMsg{"pasted"}) {
		t.Error("the paste did not arrive")
	}
	press(s, "ctrl+c")
	if !s.Quitting() {
		t.Error("ctrl+c does not quit while text is typed")
	}
}

func TestPasteRunsNoKeys(t *testing.T) {
	t.Parallel()
	s, view, ran := oneAction(Action{ID: "test.act", Keys: []string{"a"}, Name: "act"}, nil)
	before := len(view.received)
	s.Send(PasteMsg{"aaa q"})
	if *ran != 0 || len(view.received) != before || s.Quitting() {
		t.Error("pasted text ran as keys")
	}
}

// ways are all ways to run deleteAction.
var ways = map[string]func(*testing.T, *Shell){
	"key":   func(_ *testing.T, s *Shell) { press(s, "d") },
	"mouse": func(t *testing.T, s *Shell) { clickText(t, s, "delete session") },
	"palette": func(_ *testing.T, s *Shell) {
		press(s, ":")
		s.Send(PasteMsg{"delete session"})
		press(s, "enter")
	},
}

func TestReadOnlyRefusesChangesEveryWay(t *testing.T) {
	t.Parallel()
	for name, ask := range ways {
		s, _, ran := oneAction(deleteAction(), func(o *Options) { o.ReadOnly = true })
		ask(t, s)
		press(s, "y")
		if *ran != 0 {
			t.Errorf("by %s: the action ran in read-only mode", name)
		}
		wantText(t, s, "Read-only mode: “delete session” is not available")
		wantText(t, s, "read-only")
	}
}

func TestDisabledActionsShowTheirReasonEveryWay(t *testing.T) {
	t.Parallel()
	for _, ask := range ways {
		action := deleteAction()
		action.Disabled = "the session is still being recorded"
		s, _, ran := oneAction(action, nil)
		ask(t, s)
		wantText(t, s, "Delete session: the session is still being recorded")
		if *ran != 0 {
			t.Error("a disabled action ran")
		}
	}
}

func TestDangerousActionsAskEveryWay(t *testing.T) {
	t.Parallel()
	for name, ask := range ways {
		for answer, want := range map[string]int{"y": 1, "n": 0, "esc": 0, "enter": 0, "tab enter": 1, "left enter": 1} {
			s, _, ran := oneAction(deleteAction(), nil)
			ask(t, s)
			if *ran != 0 {
				t.Fatalf("by %s: ran without a question", name)
			}
			wantText(t, s, "Delete the session of Tuesday for good?")
			press(s, strings.Fields(answer)...)
			if *ran != want {
				t.Errorf("by %s, answer %s: ran %d times, want %d", name, answer, *ran, want)
			}
			wantNoText(t, s, "Please confirm")
		}
	}
}

func TestConfirmMouse(t *testing.T) {
	t.Parallel()
	for button, want := range map[string]int{"[ Delete session ]": 1, "[ Cancel ]": 0} {
		s, _, ran := oneAction(deleteAction(), nil)
		press(s, "d")
		clickText(t, s, button)
		if *ran != want || s.dialog() != nil {
			t.Errorf("%s: ran %d times, dialog open: %v", button, *ran, s.dialog() != nil)
		}
	}
}

func TestDefaultQuestionNamesTheObject(t *testing.T) {
	t.Parallel()
	action := deleteAction()
	action.Question = ""
	s, _, _ := oneAction(action, nil)
	press(s, "d")
	wantText(t, s, "Delete session Tuesday?")
}

func TestHelpComesFromTheDeclarations(t *testing.T) {
	t.Parallel()
	s, _, _ := oneAction(deleteAction(), func(o *Options) { o.ReadOnly = true })
	press(s, "?")
	for _, text := range []string{"Help: Overview", "Shows Overview.", "Delete the session for good", "not now: read-only mode is on",
		"On this screen", "Everywhere", "Find an action"} {
		wantText(t, s, text)
	}
	press(s, "end")
	wantText(t, s, "Go to the screen Counters")
	press(s, "esc")
	wantNoText(t, s, "Everywhere")
}

func TestQuitAsksBeforeLosingWork(t *testing.T) {
	t.Parallel()
	written := 0
	ask := func() Cmd {
		return Choose("Quit", "Recording is on. Quit?", []Choice{
			{Key: "q", Label: "Quit", Dangerous: true, Then: Quit},
			{Key: "w", Label: "Write to a file", Then: func() Cmd { written++; return nil }},
			{Key: "s", Label: "Stay"},
		})
	}
	for _, c := range []struct {
		keys    []string
		quits   bool
		written int
	}{
		{keys: []string{"s"}}, {keys: []string{"enter"}}, {keys: []string{"esc"}}, {keys: []string{"x", " "}},
		{keys: []string{"w"}, written: 1}, {keys: []string{"left", "enter"}, written: 1}, {keys: []string{"shift+tab", "enter"}, written: 1},
		{keys: []string{"q"}, quits: true}, {keys: []string{"tab", "enter"}, quits: true}, {keys: []string{"h", "h", "h", "enter"}, quits: true},
	} {
		s, _, _ := oneAction(deleteAction(), func(o *Options) { o.QuitQuestion = ask })
		written = 0
		press(s, "q")
		wantText(t, s, "Recording is on. Quit?")
		wantText(t, s, "[ Quit ]  [ Write to a file ]  [ Stay ]")
		press(s, c.keys...)
		wantNoText(t, s, "Recording is on. Quit?")
		if s.Quitting() != c.quits || written != c.written {
			t.Errorf("%v: quitting %v, written %d", c.keys, s.Quitting(), written)
		}
	}
	s, _, _ := oneAction(deleteAction(), func(o *Options) { o.QuitQuestion = func() Cmd { return nil } })
	if press(s, "q"); !s.Quitting() {
		t.Error("quitting asks although nothing would be lost")
	}
}

func TestCtrlCQuitsUnderADialog(t *testing.T) {
	t.Parallel()
	s, _, _ := oneAction(deleteAction(), nil)
	press(s, "d", "ctrl+c")
	if !s.Quitting() {
		t.Error("ctrl+c does not quit under a dialog")
	}
}

func TestPromptAcceptsOnlyValidText(t *testing.T) {
	t.Parallel()
	got := ""
	s, _, _ := oneAction(Action{ID: "test.name", Keys: []string{"n"}, Name: "name it", Run: func() Cmd {
		return Prompt("Name", "A name for the layout", "ab", func(text string) string {
			if strings.Contains(text, "/") {
				return "A name has no slash."
			}
			return ""
		}, func(text string) Cmd {
			got = text
			return Toast(Success, "Named "+text+".")
		})
	}}, nil)
	press(s, "n", "end", "/", "enter")
	wantText(t, s, "A name has no slash.")
	press(s, "backspace", "c", "q", "enter")
	wantText(t, s, "Named abcq.")
	if got != "abcq" {
		t.Errorf("got %q, want abcq", got)
	}
}

func TestToastsExpire(t *testing.T) {
	t.Parallel()
	now := noon
	s, _, _ := oneAction(deleteAction(), func(o *Options) { o.Now = func() time.Time { return now } })
	s.Send(toastMsg{Note, "saved"})
	s.Send(toastMsg{Failure, "not saved"})
	wantText(t, s, "not saved (1 more message)")
	now = now.Add(5 * time.Second)
	s.Send(toastEndMsg{})
	wantText(t, s, "not saved")
	if len(s.toasts) != 1 {
		t.Errorf("%d toasts after five seconds, want the failure alone", len(s.toasts))
	}
	press(s, "up")
	wantNoText(t, s, "not saved")
}

func TestActionLogShowsTheNewestFirst(t *testing.T) {
	t.Parallel()
	var logged []LogEntry
	s, _, _ := oneAction(deleteAction(), func(o *Options) { o.Log = func(e LogEntry) { logged = append(logged, e) } })
	press(s, "!")
	wantText(t, s, "Nothing has been done yet")
	press(s, "esc")
	s.runCmd(Batch(Log(noon, "Restart Ethernet 7", []string{"Restart-NetAdapter -Name 'Ethernet 7'"}), Log(noon, "Create team A", nil)))
	s.Send(nil)
	press(s, "!")
	text := screenText(s)
	first, second := strings.Index(text, "Create team A"), strings.Index(text, "Restart Ethernet 7")
	if first < 0 || second < first || !strings.Contains(text, "Restart-NetAdapter") || len(logged) != 2 {
		t.Errorf("%d lines logged; the dialog shows:\n%s", len(logged), text)
	}
}

func TestActionLogShowsAutomaticActions(t *testing.T) {
	t.Parallel()
	waiting := []Cmd{Log(noon, "Start a program: too many drops", []string{"logger -t cxdeck"})}
	s, _, _ := oneAction(deleteAction(), func(o *Options) {
		o.Arrived = func() []Cmd { arrived := waiting; waiting = nil; return arrived }
	})
	s.Send(DataMsg{})
	s.Send(DataMsg{})
	press(s, "!")
	wantText(t, s, "12:00:00  Start a program: too many drops")
	wantText(t, s, "logger -t cxdeck")
	if len(s.journal) != 1 {
		t.Errorf("%d lines, want 1", len(s.journal))
	}
}

func TestBackgroundWorkIsListedUntilItsResultIsHandled(t *testing.T) {
	t.Parallel()
	type resultMsg struct{}
	s, view, _ := oneAction(Action{ID: "test.work", Keys: []string{"w"}, Name: "work", Run: func() Cmd {
		return Background("counting", func(context.Context) Msg { return resultMsg{} })
	}}, nil)
	press(s, "w")
	if busy := s.Busy(); len(busy) != 1 || busy[0] != "counting" {
		t.Errorf("busy with %v, want counting", busy)
	}
	press(s, "2")
	s.WaitIdle(t.Context())
	if len(s.Busy()) != 0 {
		t.Errorf("still busy with %v", s.Busy())
	}
	if view.received[len(view.received)-1] != (resultMsg{}) {
		t.Error("the result did not reach the hidden screen")
	}
}

func TestFeedsStartAndStop(t *testing.T) {
	t.Parallel()
	live, replay := make(chan struct{}, 1), make(chan struct{}, 1)
	s, view, _ := oneAction(deleteAction(), func(o *Options) { o.Feeds = []<-chan struct{}{live} })
	follow := func(name string, feed <-chan struct{}) { s.runCmd(Follow(name, feed)); s.Send(nil) }
	step := func() int { // run each waiting feed once, if it has a token
		before := len(view.received)
		for _, j := range s.takeJobs() {
			s.Send(j.run(t.Context()))
		}
		return len(view.received) - before
	}
	live <- struct{}{}
	if n := step(); n != 1 {
		t.Errorf("a token became %d messages, want 1", n)
	}
	follow("replay", replay)
	live <- struct{}{}
	replay <- struct{}{}
	if n := step(); n != 2 {
		t.Errorf("two tokens became %d messages, want 2", n)
	}
	follow("replay", nil)
	close(live)
	if n := step(); n != 0 {
		t.Errorf("ended feeds produced %d messages", n)
	}
	if jobs := s.takeJobs(); len(jobs) != 0 {
		t.Errorf("%d feeds are still awaited", len(jobs))
	}
}

func TestMouseHitsDrawnZones(t *testing.T) {
	t.Parallel()
	s, view, _ := oneAction(deleteAction(), nil)
	clickText(t, s, "Overview has nothing")
	clickText(t, s, "Overview has nothing")
	s.Send(MouseMsg{X: 500, Y: 90, Button: Drag})
	s.Send(MouseMsg{X: 500, Y: 90, Button: Release})
	s.Send(MouseMsg{X: 3, Y: 3, Button: Drag})
	var hits []HitMsg
	for _, msg := range view.received {
		if hit, ok := msg.(HitMsg); ok {
			hits = append(hits, hit)
		}
	}
	zone := widget.Hit{ID: "overview.row", Index: 7, X: 1, Width: 100, Height: 1}
	far := zone
	far.X = 99
	want := []HitMsg{{Hit: zone}, {Hit: zone, Double: true}, {Hit: far, Button: Drag}, {Hit: far, Button: Release}}
	if len(hits) != len(want) {
		t.Fatalf("the screen got %v, want %v", hits, want)
	}
	for i := range want {
		if hits[i] != want[i] {
			t.Errorf("hit %d is %+v, want %+v", i, hits[i], want[i])
		}
	}
	clickText(t, s, "2 Counters")
	if s.Active() != "counters" {
		t.Error("a click on a tab does not open its screen")
	}
}

func TestGlobalActionsAreDeclaredOnce(t *testing.T) {
	t.Parallel()
	s, _, _ := oneAction(deleteAction(), nil)
	ids, keys := map[string]bool{}, map[string]string{}
	for _, row := range s.Reference() {
		if ids[row.ID] || row.Name == "" || row.Help == "" {
			t.Errorf("%s is declared twice or has no explanation", row.ID)
		}
		ids[row.ID] = true
		for _, key := range row.Keys {
			if keys[key] != "" {
				t.Errorf("%s is the key of %s and %s", key, keys[key], row.ID)
			}
			keys[key] = row.ID
		}
	}
	if !ids["test.delete"] || keys["?"] != actionHelp {
		t.Error("the reference is incomplete")
	}
}

func TestReadOnlySourceDisablesChanges(t *testing.T) {
	t.Parallel()
	why := ""
	action := Action{ID: "test.pull", Keys: []string{"p"}, Name: "pull cable", Changes: true, Disabled: "a recording takes no changes"}
	s, view, ran := oneAction(action, func(o *Options) { o.Unchangeable = func() string { return why } })
	view.actions = append(view.actions, Action{ID: "test.sort", Keys: []string{"s"}, Name: "sort rows", Disabled: "no rows"})
	wantText(t, s, "pull cable")
	wantText(t, s, "sort rows")
	why = action.Disabled
	wantNoText(t, s, "pull cable")
	wantText(t, s, "sort rows")
	press(s, "p")
	wantText(t, s, "Pull cable: a recording takes no changes")
	s, _, _ = oneAction(action, func(o *Options) { o.Unchangeable = func() string { return why } })
	press(s, ":", "p", "u", "l", "l")
	wantNoText(t, s, "Pull cable")
	if *ran > 0 {
		t.Error("the change was applied")
	}
}

// TestFormerKeyNamesTheNewOne checks that the former key of an action names the new one, unless another action has the key.
func TestFormerKeyNamesTheNewOne(t *testing.T) {
	t.Parallel()
	actions := []Action{
		{ID: "a.pull", Keys: []string{"k"}, FormerKeys: []string{"p", "u"}, Name: "pull cable"}, {ID: "a.undo", Keys: []string{"u"}, Name: "undo"},
	}
	if action, ok := movedAction(actions, "p"); !ok || action.ID != "a.pull" {
		t.Errorf("p is %+v", action)
	}
	if action, ok := findAction(actions, "u"); !ok || action.ID != "a.undo" {
		t.Errorf("u is %+v", action)
	}
	if _, ok := movedAction([]Action{{ID: "a.gone", FormerKeys: []string{"g"}}}, "g"); ok {
		t.Error("an action without a key is named")
	}
}
