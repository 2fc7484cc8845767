package viewtest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/perf/monitor"
	"cxdeck/themes"
	"cxdeck/ui"
	"cxdeck/ui/widget"
	"cxdeck/views/browse"
	"cxdeck/views/change"
	"cxdeck/views/deck"
)

// waitTimeout is the maximum wait for a condition before the test fails.
const waitTimeout = 2 * time.Minute

// Stage is a shell with screens on it.
type Stage struct {
	Shell *ui.Shell
	// ShowArgs are the arguments of ui.Go for the empty screens in stubs, by screen ID.
	ShowArgs map[string]any
	// Log is the action log.
	Log []ui.LogEntry
	// Playing shows a paused lab as playing in the header, for golden files of a lab that answers but does not advance.
	Playing bool

	t             testing.TB
	resting       *monitor.Monitor // of Run; nil for another deck
	width, height int
	bar           browse.SeekBar
}

// Open puts screens of a deck on a stage of 120x40. The IDs in stubs get empty screens, whose arguments are recorded in
// ShowArgs.
func Open(t testing.TB, d *deck.Deck, views []ui.View, stubs ...string) *Stage {
	t.Helper()
	s := &Stage{t: t, ShowArgs: map[string]any{}, width: 120, height: 40}
	if d.Live != nil && d.Live.Status().Speed == idleSpeed {
		s.resting = d.Live
	}
	for _, id := range stubs {
		views = append(views, &stub{id: id, stage: s})
	}
	glyphs := themes.UnicodeGlyphs()
	s.bar = browse.SeekBar{Deck: d}
	s.Shell = ui.NewShell(ui.Options{
		Rule: s.bar.Draw, RuleHit: s.bar.Hit,
		Views: views, Unchangeable: d.CannotChange, ReadOnly: d.ReadOnly, Header: func() ui.Header { return s.header(d, glyphs) }, Items: d.Items,
		Actions: func(string) []ui.Action { return change.WaitActions(d) }, Waits: d.Waits, Arrived: d.EndedWaits,
		Log:   func(e ui.LogEntry) { s.Log = append(s.Log, e) },
		Looks: []ui.Look{{Name: "plain", Glyphs: glyphs}},
	})
	s.WaitIdle()
	return s
}

func (s *Stage) header(d *deck.Deck, glyphs *themes.Glyphs) ui.Header {
	h := d.Header(glyphs)
	if s.Playing {
		h.Middle = slices.DeleteFunc(h.Middle, func(segment ui.Segment) bool { return strings.HasSuffix(segment.Text, " paused") })
	}
	return h
}

// Resize sets the size of the terminal.
func (s *Stage) Resize(width, height int) { s.width, s.height = width, height }

// WaitIdle runs background work until none is left.
func (s *Stage) WaitIdle() {
	ctx, cancel := context.WithTimeout(context.Background(), waitTimeout)
	defer cancel()
	s.Shell.WaitIdle(ctx)
}

// Press presses keys by their names and runs the resulting work; a name of one character types it.
func (s *Stage) Press(names ...string) {
	s.Text() // drawing tells dialogs and lists their size
	for _, name := range names {
		key := ui.KeyMsg{Name: name}
		if len([]rune(name)) == 1 {
			key.Runes = []rune(name)
		}
		s.Shell.Send(key)
		s.WaitIdle()
	}
}

// Type types a text.
func (s *Stage) Type(text string) {
	for _, r := range text {
		s.Press(string(r))
	}
}

// Hit presses the mouse on a zone of the screen at the front.
func (s *Stage) Hit(id string, index int, double bool) {
	s.Text()
	hit := ui.HitMsg{Hit: widget.Hit{ID: id, Index: index, X: 30, Width: 60, Height: 1}, Double: double}
	switch {
	case id != ui.RuleZone:
		s.Shell.Send(hit)
	default:
		if cmd := s.bar.Hit(hit); cmd != nil {
			s.Shell.Send(cmd())
		}
	}
	s.WaitIdle()
}

// Push clicks a button by its label.
func (s *Stage) Push(label string) {
	s.t.Helper()
	canvas := s.Shell.Frame(s.width, s.height)
	for y, line := range strings.Split(canvas.Text(), "\n") {
		before, _, there := strings.Cut(line, "[ "+label+" ]")
		if !there {
			continue
		}
		if hit, ok := canvas.HitAt(widget.Width(before)+2, y); ok {
			s.Shell.Send(ui.HitMsg{Hit: hit})
			s.WaitIdle()
			return
		}
	}
	s.t.Fatalf("there is no button %q:\n%s", label, canvas.Text())
}

// Text returns the text on the terminal.
func (s *Stage) Text() string { return s.Shell.Frame(s.width, s.height).Text() }

// Line returns the first line on the terminal that contains a text; empty if none does.
func (s *Stage) Line(text string) string {
	for line := range strings.SplitSeq(s.Text(), "\n") {
		if strings.Contains(line, text) {
			return line
		}
	}
	return ""
}

// Want fails the test if the terminal lacks one of the texts.
func (s *Stage) Want(texts ...string) {
	s.t.Helper()
	screen := s.Text()
	for _, text := range texts {
		if !strings.Contains(screen, text) {
			s.t.Fatalf("the screen lacks %q:\n%s", text, screen)
		}
	}
}

// WantNot fails the test if the terminal shows one of the texts.
func (s *Stage) WantNot(texts ...string) {
	s.t.Helper()
	screen := s.Text()
	for _, text := range texts {
		if strings.Contains(screen, text) {
			s.t.Fatalf("the screen has %q:\n%s", text, screen)
		}
	}
}

// Await waits until a condition holds, and meanwhile passes new data of the deck's monitor to the screens.
func (s *Stage) Await(d *deck.Deck, what string, condition func() bool) {
	s.t.Helper()
	if s.resting != nil {
		s.setSpeed(waitingSpeed)
		defer s.setSpeed(idleSpeed)
	}
	deadline := time.NewTimer(waitTimeout)
	defer deadline.Stop()
	for {
		s.Shell.Send(ui.DataMsg{})
		s.WaitIdle()
		if condition() {
			return
		}
		select {
		case <-d.Monitor().Updates():
		case <-deadline.C:
			s.t.Fatalf("timed out waiting for %s:\n%s", what, s.Text())
		}
	}
}

// setSpeed changes the speed of the lab if the deck is of Run.
func (s *Stage) setSpeed(speed float64) {
	s.t.Helper()
	if err := s.resting.SetSpeed(speed); err != nil {
		s.t.Fatal(err)
	}
}

// SkipWait runs the lab of Run fast until the end of the next wait, for a key whose work waits for the lab's time.
func (s *Stage) SkipWait() {
	s.t.Helper()
	s.setSpeed(waitingSpeed)
}

// AwaitText waits until the terminal shows a text.
func (s *Stage) AwaitText(d *deck.Deck, text string) {
	s.t.Helper()
	s.Await(d, "the text “"+text+"”", func() bool { return strings.Contains(s.Text(), text) })
}

// stub is an empty screen.
type stub struct {
	id    string
	stage *Stage
}

func (v *stub) ID() string           { return v.id }
func (v *stub) Title() string        { return v.id }
func (v *stub) Help() string         { return "" }
func (v *stub) Actions() []ui.Action { return nil }
func (v *stub) Draw(widget.Area)     {}

func (v *stub) Update(msg ui.Msg) ui.Cmd {
	if show, ok := msg.(ui.ShowMsg); ok {
		v.stage.ShowArgs[v.id] = show.Arg
	}
	return nil
}
