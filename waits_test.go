package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestTerminalWaits reboots the host from the SR-IOV wizard, opens every screen while it waits, returns to the
// wizard, and skips the remaining time.
func TestTerminalWaits(t *testing.T) {
	t.Parallel()
	c := startTerminal(t, 120, 40, t.TempDir(), "--lab", "manual-winof2")
	c.waitText("Ethernet 2", "REC")
	c.press("5")
	c.waitText("Firmware ✕ no", "n enable SR-IOV")
	c.press("n")
	c.waitText("Enable SR-IOV", "to do")
	for _, text := range []string{"NUM_OF_VFS", "minimum of 16 in the", "recreated with SR-IOV", "advice for 100 GbE: 8"} {
		c.press("enter")
		c.waitText(text)
	}
	c.press("enter")
	c.waitText("Part 1 of 2", "Apply it anyway?")
	c.press("tab", "enter")
	c.waitText("being applied", "leave (it continues)")
	left := regexp.MustCompile(`reboots: \d+ s`)
	header := func(screen string) string { return strings.SplitN(screen, "\n", 2)[0] }
	first := left.FindString(header(c.waitText("reboots: ")))
	for _, screen := range []struct{ key, text string }{
		{"1", "Adapter / port"}, {"2", "Counter"}, {"3", "Stored"}, {"4", "no team"}, {"5", "Firmware"}, {"6", "Flow control"},
		{"7", "Severity"}, {"8", "Session"}, {"9", "Workloads"},
	} {
		c.press(screen.key)
		text := c.waitFor("screen "+screen.key, func(s string) bool {
			return strings.Contains(strings.ToLower(s), strings.ToLower(screen.text)) && !strings.Contains(s, "being applied")
		})
		if !left.MatchString(header(text)) {
			t.Errorf("screen %s does not say what is waited for:\n%s", screen.key, text)
		}
	}
	c.waitFor("the countdown to go on", func(s string) bool { return left.FindString(header(s)) != first })
	c.press("5", "n")
	c.waitText("being applied")
	c.press("esc")
	c.waitGone("being applied")
	c.press(">")
	c.waitText("Skip ", "comes back at", "Skip")
	c.press("enter")
	c.waitFor("the host is back", func(s string) bool { return !strings.Contains(header(s), "reboots") })
	c.waitText("part 1 of 2 done")
	c.press("n")
	c.waitText("minimum of 16 in the", "16 VFs")
	c.press("esc", "ctrl+c")
	c.exit()
}
