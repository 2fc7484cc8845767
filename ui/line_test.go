package ui

import (
	"fmt"
	"strings"
	"testing"
)

// lineOptions has commands that begin with "cable" and with "freeze".
func lineOptions(ran *[]string) Options {
	options, _, _ := itemsOptions(ran)
	options.Line = func(typed string) (Action, bool) {
		if !strings.HasPrefix(typed, "cable") && !strings.HasPrefix(typed, "freeze") {
			return Action{}, false
		}
		return Action{ID: "line", Name: "run it", Help: "a command", Changes: true, Dangerous: strings.HasPrefix(typed, "cable pull"),
			Question: "Run " + typed + "?", Run: func() Cmd {
				*ran = append(*ran, typed)
				return ShowText(typed, "wide "+strings.Repeat("x", 200)+" end\nsecond\n")
			}}, true
	}
	return options
}

func TestPaletteRunsLines(t *testing.T) {
	t.Parallel()
	var ran []string
	s := NewShell(lineOptions(&ran))
	press(s, ":")
	s.Send(PasteMsg{`cable plug "Ethernet 7"`})
	wantText(t, s, "command")
	press(s, "enter")
	if fmt.Sprint(ran) != `[cable plug "Ethernet 7"]` {
		t.Fatalf("ran %v", ran)
	}
	wantText(t, s, "second")
	wantNoText(t, s, "end")
	for range 30 {
		press(s, "right")
	}
	wantText(t, s, "end")
	press(s, "esc")
	wantNoText(t, s, "second")

	// A command that interrupts something asks, and does not run after a no.
	press(s, ":")
	s.Send(PasteMsg{"cable pull x"})
	press(s, "enter")
	wantText(t, s, "Run cable pull x?")
	press(s, "n")
	if len(ran) != 1 {
		t.Errorf("ran %v", ran)
	}

	// Commands with the typed word in their name come first.
	press(s, ":")
	s.Send(PasteMsg{"freeze"})
	press(s, "enter")
	if fmt.Sprint(ran[1:]) != "[freeze]" || s.Active() != "counters" {
		t.Errorf("ran %v on %s", ran, s.Active())
	}
}

func TestReadOnlyRefusesLines(t *testing.T) {
	t.Parallel()
	var ran []string
	options := lineOptions(&ran)
	options.ReadOnly = true
	s := NewShell(options)
	press(s, ":")
	s.Send(PasteMsg{"cable plug x"})
	wantText(t, s, "Not now")
	press(s, "enter")
	if len(ran) > 0 {
		t.Errorf("ran %v", ran)
	}
}
