package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestTerminalReplay records a change, and goes through the replay of it from beginning to end: all screens, a seek by time,
// to the change, a step, playing to the end, a note, and back to the live lab.
func TestTerminalReplay(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	first := startTerminal(t, 120, 40, home, "--speed", "50")
	first.waitText("LAB-N4", "REC")
	first.press("9")
	first.waitText("Cables and switch ports")
	first.press("tab", "tab", " ")
	first.waitText("Pull the cable of Ethernet 7?")
	first.press("y")
	unplugged, plugged := regexp.MustCompile(`Ethernet 7 +○ unplugged`), regexp.MustCompile(`Ethernet 7 +● plugged in`)
	first.waitFor("the cable", unplugged.MatchString)
	first.waitFor("samples after the change", regexp.MustCompile(`REC 00:00:(0[3-9]|[1-5])`).MatchString)
	first.press("q")
	if code := first.exit(); code != 0 {
		t.Fatalf("exit code %d\n%s", code, first.text())
	}

	c := startTerminal(t, 120, 40, home)
	c.waitText("LAB-N4", "REC")
	c.press("8")
	c.waitText("2 of 2 sessions")
	c.press("down", "enter")
	c.waitText("replay of session 1", "⟲ paused")
	bar := regexp.MustCompile(`(?m)^ ⟲ paused .*◆.*x1\s*$`)
	for key, shows := range map[string]string{"1": "Total (physical ports)", "2": "duration", "3": "*JumboPacket", "4": "Ethernet 7", "5": "VFs", "6": "Classes", "7": "Events", "8": "2 of 2 sessions", "9": "Cables and switch ports"} {
		c.press(key)
		c.waitText(shows)
		c.waitFor("the seek bar with the change on screen "+key, bar.MatchString)
	}
	// The cable is pulled at the end and plugged in at the start.
	c.press("9")
	c.waitFor("the cable at the end", unplugged.MatchString)
	c.press("{", "{", "{", "{", "{", "{", "{", "{")
	c.waitFor("the cable at the start", plugged.MatchString)
	c.press("@")
	c.waitText("Go to time", "From ")
	c.press("+0s", "enter")
	c.waitGone("Go to time")
	c.press("J")
	c.waitFor("the cable after the change", unplugged.MatchString)
	clock := regexp.MustCompile(`replay of session 1\s+(\S+ \S+)`)
	at := clock.FindStringSubmatch(c.waitFor("the change", clock.MatchString))[1]
	c.press(".")
	c.waitFor("the next sample", func(screen string) bool {
		m := clock.FindStringSubmatch(screen)
		return m != nil && m[1] > at
	})
	c.press("2", "e")
	c.waitText("Note at")
	c.press("seen", "enter")
	c.waitText("The note is saved.")
	c.press(">", ">", ">", ">", ">", ">", " ")
	c.waitText("x1000", "⟲ at the end")
	c.press("X")
	c.waitGone("replay of session")
	c.waitText("REC")
	c.press("q")
	if code := c.exit(); code != 0 {
		t.Errorf("exit code %d\n%s", code, c.text())
	}
	mustBeRestored(t, c)
	if got := ask(t, home, "sessions", "show", "1"); got.code != 0 || !strings.Contains(got.out, "seen") {
		t.Errorf("%+v", got)
	}
}
