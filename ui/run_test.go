package ui

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// gatedWriter is a terminal that completes a write only after the test permits it.
type gatedWriter struct{ writes, gate chan string }

func (w gatedWriter) Write(p []byte) (int, error) {
	w.writes <- string(p)
	<-w.gate
	return len(p), nil
}

func TestSlowTerminalDoesNotBlock(t *testing.T) {
	t.Parallel()
	out := gatedWriter{make(chan string, 8), make(chan string)}
	freed := make(chan struct{}, 8)
	s := newScreen(out, func() { freed <- struct{}{} }, func(any) {})
	painter := plainLook().Painter
	frame := func(text string, all bool) bool {
		canvas := s.draw()
		if canvas == nil {
			return false
		}
		canvas.Resize(20, 2)
		canvas.All().Print(0, 0, text, themes.Style{})
		s.show(painter, all, false)
		return true
	}
	if !frame("one", true) {
		t.Fatal("the first frame was not accepted")
	}
	<-out.writes
	if frame("two", false) {
		t.Error("a frame was accepted while the terminal was writing")
	}
	out.gate <- ""
	<-freed
	if !frame("three", false) {
		t.Error("no frame was accepted after the terminal was ready")
	}
	if text := <-out.writes; !strings.Contains(text, "thre") || strings.Contains(text, "two") {
		t.Errorf("the terminal got %q", text)
	}
	out.gate <- ""
	<-freed
	frame("three", false)
	<-freed
	if len(out.writes) != 0 {
		t.Error("an unchanged frame was written")
	}
	s.close()
	<-s.done
}

// brokenWriter is a terminal that no longer exists.
type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestTerminalWriteErrorIsReported(t *testing.T) {
	t.Parallel()
	failed := make(chan any, 1)
	s := newScreen(brokenWriter{}, func() {}, func(err any) { failed <- err })
	s.draw().Resize(5, 5)
	s.show(plainLook().Painter, true, false)
	if err, ok := (<-failed).(error); !ok || !errors.Is(err, os.ErrClosed) {
		t.Errorf("got %v, want the error of the terminal", err)
	}
	<-s.done
	s.close()
}

// pacedLoop is a loop without a terminal, with a clock under the test's control.
func pacedLoop(t *testing.T, pace time.Duration) (l *loop, frames *int, now *time.Time) {
	t.Helper()
	frames, now = new(int), new(time.Time)
	*now = noon
	one, two := twoViews()
	one.draw = func(widget.Area) { *frames++ }
	options := testOptions(one, two)
	options.Now = func() time.Time { return *now }
	l = &loop{ctx: t.Context(), options: options, terminal: &terminal{}, pace: pace, shell: NewShell(options)}
	l.screen = newScreen(io.Discard, func() {}, func(any) {})
	t.Cleanup(func() {
		l.screen.close()
		<-l.screen.done
	})
	l.step(SizeMsg{100, 30})
	l.screen.spare = <-l.screen.free // the first frame has been written
	*frames = 0
	return l, frames, now
}

func TestSettledWaitsForBackgroundWork(t *testing.T) {
	t.Parallel()
	settled := 0
	one, two := twoViews()
	options := testOptions(one, two)
	options.OnIdle = func() { settled++ }
	l := &loop{ctx: t.Context(), options: options, terminal: &terminal{}, shell: NewShell(options)}
	l.screen = newScreen(io.Discard, func() {}, func(any) {})
	defer l.screen.close()
	step := func(msg tea.Msg) {
		l.step(msg)
		if l.screen.spare == nil { // a frame is being written
			l.screen.spare = <-l.screen.free
			l.step(freedMsg{})
		}
	}
	step(SizeMsg{100, 30})
	if settled == 0 {
		t.Error("not settled after the first frame")
	}
	step(backgroundMsg{name: "work", work: func(context.Context) Msg { return nil }})
	settled = 0
	step(KeyMsg{Name: "x"})
	if settled != 0 {
		t.Error("settled while work is running")
	}
	step(workDoneMsg{id: 1, msg: toastMsg{Success, "done"}})
	if settled == 0 {
		t.Error("not settled after the work")
	}
}

func TestFrameRateLimitsDataButNotKeys(t *testing.T) {
	t.Parallel()
	l, frames, now := pacedLoop(t, slowPace)
	*now = now.Add(time.Second)
	if cmd := l.step(DataMsg{}); cmd == nil || *frames != 0 {
		t.Errorf("%d frames for data after one second, timer set: %v; want none and a timer", *frames, cmd != nil)
	}
	if cmd := l.step(DataMsg{}); cmd != nil {
		t.Error("a second timer was set")
	}
	*now = now.Add(2 * time.Second)
	l.step(paceMsg{})
	if *frames != 1 {
		t.Errorf("%d frames after three seconds, want 1", *frames)
	}
	l, frames, _ = pacedLoop(t, slowPace)
	l.step(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x")})
	if *frames != 1 {
		t.Errorf("%d frames for a key, want one at once", *frames)
	}
}

func TestKeysAreParsed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key  tea.KeyMsg
		want string
	}{
		{tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("2q")}, "2 q"},
		{tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("x"), Alt: true}, "alt+x"},
		{tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}, " "},
		{tea.KeyMsg{Type: tea.KeyCtrlR}, "ctrl+r"},
		{tea.KeyMsg{Type: tea.KeyShiftTab}, "shift+tab"},
		{tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a b"), Paste: true}, "paste a b"},
	} {
		var names []string
		for _, msg := range keys(c.key) {
			switch msg := msg.(type) {
			case KeyMsg:
				names = append(names, msg.Name)
			case PasteMsg:
				names = append(names, "paste "+msg.Text)
			}
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("%v became %q, want %q", c.key, got, c.want)
		}
	}
}

func TestRunRequiresATerminal(t *testing.T) {
	t.Parallel()
	file, err := os.Create(t.TempDir() + "/file")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	one, two := twoViews()
	options := testOptions(one, two)
	options.Input, options.Output = file, file
	if err := Run(t.Context(), options); !errors.Is(err, ErrNoTerminal) {
		t.Errorf("got %v, want ErrNoTerminal", err)
	}
}
