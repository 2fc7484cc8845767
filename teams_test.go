//go:build unix

package main

import (
	"strings"
	"testing"
	"time"
)

// TestTerminalTeams creates a team with the wizard on the sample host of the manual, runs a drill, and undoes the team.
func TestTerminalTeams(t *testing.T) {
	t.Parallel()
	c := startTerminal(t, 120, 40, "", "--lab", "manual-winof", "--speed", "20")
	c.waitText("REC", "Gb/s")
	c.press("4")
	c.waitText("There is no team yet", "new team")
	c.press("n")
	c.waitText("Create a team", "adapter fault tolerance")
	c.press("tab", "\x15", "MyTeam", "enter")
	c.waitText("1 Type", "● done", "2 Members")
	c.press("space", "down", "space")
	c.waitText("Members  2 of")
	c.press("enter")
	c.waitText("Failback to primary")
	c.press("down", "enter")
	c.waitText("a adds a VLAN")
	c.press("a")
	c.waitText("New VLAN")
	c.press("1", "enter")
	c.waitText("VLANs  1")
	c.press("enter")
	c.waitText("What will be done", "vlan_config create team AFT MyTeam", "{30C354DB-62E9-41CB-B709-11063FAF4E95}", "It interrupts")
	c.press("tab", "enter")
	c.waitText("MyTeam is up.", "What next")
	c.press("esc")
	c.waitText("MyTeam  AFT", "● active", "○ backup", "id 1")
	c.press("B")
	c.waitText("Seconds without the cable")
	c.press("\x15", "6", "enter")
	c.waitText("Pull it anyway?")
	c.press("y")
	c.waitText("● active", "○ unplugged", "drill: Ethernet 2 without cable")
	c.waitText("Cable out", "Link back", "Summary")
	c.press("esc")
	c.waitText("Failovers", "Drills")
	c.press("u")
	c.waitText("It removes the team MyTeam")
	c.press("y")
	c.waitText("There is no team yet")
	c.press("q")
	if code := c.exit(); code != 0 {
		t.Errorf("exit code %d\n%s", code, c.text())
	}
}

// TestTerminalDrillOutlivesTheConsole kills a console in the middle of a drill: the next console plugs the cable in again, and
// the journal records it.
func TestTerminalDrillOutlivesTheConsole(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if got := ask(t, home, "exec", "vswitch", "remove", "Switch Ethernet 7"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	if got := ask(t, home, "exec", "team", "create", "MyTeam", "AFT", "Ethernet 7", "Ethernet 8"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	c := startTerminal(t, 120, 40, home, "--speed", "10", "--screen", "teams")
	c.waitText("MyTeam  AFT", "● active", "○ backup")
	c.press("B")
	c.waitText("Seconds without the cable")
	c.press("\x15", "120", "enter")
	c.waitText("Pull it anyway?")
	c.press("y")
	c.waitText("drill: Ethernet 7 without cable", "○ unplugged")
	time.Sleep(300 * time.Millisecond) // the host is saved in the background of the drill
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-c.done
	again := startTerminal(t, 120, 40, home, "--speed", "10", "--screen", "teams")
	again.waitText("it is undone")
	again.waitText("MyTeam  AFT", "● active", "○ backup")
	again.press("ctrl+c")
	again.exit()
	if got := ask(t, home, "exec", "journal"); !strings.Contains(got.out, "Drill: pull the cable of Ethernet 7") {
		t.Errorf("%+v", got)
	}
	if got := ask(t, home, "exec", "adapter", "show", "Ethernet 7"); strings.Contains(got.out, "no cable") {
		t.Errorf("%+v", got)
	}
}
