//go:build unix

package main

import (
	"strings"
	"testing"
	"time"
)

// askPause is the time between two runs of the command line.
const askPause = 300 * time.Millisecond

// unfold joins the lines of a screen, so that a wrapped sentence is found.
func unfold(screen string) string { return strings.Join(strings.Fields(screen), " ") }

// TestTerminalBeforeAndAfterAChange pulls a cable, and reads the comparison live, in a replay of the session, and on the command
// line.
func TestTerminalBeforeAndAfterAChange(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	c := startTerminal(t, 120, 40, home, "--speed", "100")
	c.waitText("1 Overview")
	c.waitFor("four minutes before the change", func(string) bool {
		time.Sleep(askPause)
		got := sessions(t, home)
		return len(got.Sessions) == 1 && got.Sessions[0].Samples > 240
	})
	c.press(":")
	c.press(strings.Split(`cable pull "Ethernet 5"`, "")...)
	c.press("enter")
	c.waitText("interrupts")
	c.press("y")
	c.waitFor("a minute after the change", func(string) bool {
		time.Sleep(askPause)
		got := ask(t, home, "sessions", "changed", "1", "--change", "1")
		return got.code == 0 && strings.Contains(got.out, "Ethernet 5 ") && strings.Contains(got.out, " to 0, ")
	})
	c.press("esc", "7", "/")
	c.press(strings.Split("Pull the cable", "")...)
	c.press("enter", "W")
	read := func(where string) {
		t.Helper()
		c.waitFor("the sentence "+where, func(screen string) bool {
			text := unfold(screen)
			return strings.Contains(text, "Before and after change 1 Pull the cable of Ethernet 5") && strings.Contains(text, "a ╌╌ before ") &&
				strings.Contains(text, " to 0, ") && strings.Contains(text, " times the noise of the ") && strings.Contains(text, "more counters of Ethernet 5 and ")
		})
	}
	read("live")
	c.press("enter")
	c.waitText("range ", "at ")
	c.press("q")
	if code := c.exit(); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	c = startTerminal(t, 120, 40, home)
	c.waitText("1 Overview")
	c.press("8")
	c.waitText("2 of 2 sessions")
	c.press("down", "enter")
	c.waitText("is open, paused at its end")
	c.press("7", "/")
	c.press(strings.Split("Pull the cable", "")...)
	c.press("enter", "W")
	read("in the replay")
	got := ask(t, home, "sessions", "moved", "1", "--change", "9")
	got.mustComplain(t, 1, "no such change: 9", "sessions show 1 lists the changes")
}
