package ui

import (
	"strings"
	"testing"
	"time"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// screenView is a screen for tests.
type screenView struct {
	id, title string
	actions   []Action
	typing    bool
	received  []Msg
	draw      func(widget.Area)
}

func (v *screenView) ID() string        { return v.id }
func (v *screenView) Title() string     { return v.title }
func (v *screenView) Typing() bool      { return v.typing }
func (v *screenView) Actions() []Action { return v.actions }
func (v *screenView) Help() string      { return "Shows " + v.title + "." }

func (v *screenView) Update(msg Msg) Cmd {
	v.received = append(v.received, msg)
	return nil
}

func (v *screenView) Draw(area widget.Area) {
	if v.draw != nil {
		v.draw(area)
		return
	}
	area.Print(1, 0, v.title+" has nothing to show.", themes.Style{})
	area.Zone(0, 0, area.Width, 1, v.id+".row", 7)
}

// keys returns which keys reached the screen.
func (v *screenView) keys() string {
	var names []string
	for _, msg := range v.received {
		if key, ok := msg.(KeyMsg); ok {
			names = append(names, key.Name)
		}
	}
	return strings.Join(names, " ")
}

// noon is the time of all tests.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func testOptions(views ...View) Options {
	return Options{Views: views, Now: func() time.Time { return noon }, Header: func() Header {
		return Header{
			Left:   []Segment{{Text: "LAB-N4 (lab)", Rank: 1}, {Text: "● REC 00:14:07", Rank: 3}, {Text: "1 s", Rank: 4}},
			Middle: []Segment{{Text: "14:02:31"}, {Text: "x1", Rank: 5}},
			Right:  []Segment{{Text: "2 ▲", Rank: 2}, {Text: "1 ◆", Rank: 2}},
		}
	}}
}

func press(s *Shell, names ...string) {
	for _, name := range names {
		key := KeyMsg{Name: name}
		if len([]rune(name)) == 1 {
			key.Runes = []rune(name)
		}
		s.Send(key)
	}
}

func screenText(s *Shell) string { return s.Frame(100, 30).Text() }

func wantText(t *testing.T, s *Shell, want string) {
	t.Helper()
	if text := screenText(s); !strings.Contains(text, want) {
		t.Errorf("the screen lacks %q:\n%s", want, text)
	}
}

func wantNoText(t *testing.T, s *Shell, unwanted string) {
	t.Helper()
	if text := screenText(s); strings.Contains(text, unwanted) {
		t.Errorf("the screen has %q:\n%s", unwanted, text)
	}
}

func twoViews() (*screenView, *screenView) {
	return &screenView{id: "overview", title: "Overview"}, &screenView{id: "counters", title: "Counters"}
}

func TestNumberKeysChangeScreens(t *testing.T) {
	t.Parallel()
	one, two := twoViews()
	s := NewShell(testOptions(one, two))
	wantText(t, s, "Overview has nothing")
	press(s, "2")
	wantText(t, s, "Counters has nothing")
	if len(two.received) != 2 || two.received[0] != (ShowMsg{}) || two.received[1] != (DataMsg{}) {
		t.Errorf("the second screen received %v, want ShowMsg and DataMsg", two.received)
	}
	s.Send(DataMsg{})
	if len(one.received) != 2 {
		t.Errorf("a hidden screen received %v", one.received)
	}
}

// clickText clicks the lowest occurrence of a text on the screen.
func clickText(t *testing.T, s *Shell, text string) {
	t.Helper()
	lines := strings.Split(screenText(s), "\n")
	for y := len(lines) - 1; y >= 0; y-- {
		if at := strings.Index(lines[y], text); at >= 0 {
			s.Send(MouseMsg{X: widget.Width(lines[y][:at]), Y: y, Button: Press})
			return
		}
	}
	t.Fatalf("no %q to press:\n%s", text, strings.Join(lines, "\n"))
}
