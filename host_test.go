//go:build unix

package main

import (
	"strings"
	"testing"
)

// TestTerminalSharesItsHostWithExec changes the host with exec, then in the console, also with a typed command; exec finds all
// changes afterwards.
func TestTerminalSharesItsHostWithExec(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if got := ask(t, home, "exec", "cable", "pull", "Ethernet 7"); got.code != 0 || got.out != "Pull the cable of Ethernet 7: done.\n" {
		t.Fatalf("%+v", got)
	}
	c := startTerminal(t, 120, 40, home)
	c.waitText("REC", "Ethernet 7", "Gb/s")
	if got := ask(t, home, "exec", "adapter", "list"); got.code != 0 || !strings.Contains(got.out, "no cable") {
		t.Errorf("%+v", got)
	}
	c.press(":", `adapter show "Ethernet 7"`)
	c.waitText("show an adapter or a port")
	c.press("enter")
	c.waitText("no cable", "Eth1/7")
	c.press("esc")
	// PowerShell runs in the console: of exec, whose script goes there as a whole, and of its own line, which keeps its variables.
	script := `$n = Get-NetAdapter "Ethernet 7"; foreach ($a in $n) { "$($a.Name) is $($a.Status)" }; Get-NetAdapter | ? Name -eq $n.Name | Disable-NetAdapter -WhatIf`
	if got := ask(t, home, "exec", script); got.code != 0 || !strings.HasPrefix(got.out, "Ethernet 7 is Disconnected\nDisable Ethernet 7: this is what it would do") {
		t.Errorf("%+v", got)
	}
	if got := ask(t, home, "exec", "Get-NetAdapter | Nope"); got.code != 2 || !strings.Contains(got.errors, "column 18") {
		t.Errorf("%+v", got)
	}
	c.press(":", `$n = 'Ethernet 7'`, "enter")
	c.waitText("done")
	c.press(":", `Get-NetAdapter $n | Format-List Name,Status`, "enter")
	c.waitText("Name   : Ethernet 7", "Status : Disconnected")
	c.press("esc")
	c.press(":", `cable pull "Ethernet 8"`, "enter")
	c.waitText(`cable pull 'Ethernet 8'?`)
	c.press("y")
	c.waitText("Pull the cable of Ethernet 8: done.")
	c.press("esc")
	c.press(":", "cable plug 'Ethernet 7'", "enter")
	c.waitText("Plug in the cable of Ethernet 7: done.")
	c.press("esc", "q")
	if code := c.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	got := ask(t, home, "exec", "journal")
	if got.code != 0 || strings.Count(got.out, "applied") != 3 {
		t.Errorf("%+v", got)
	}
	if got := ask(t, home, "exec", "adapter", "list"); !strings.Contains(got.out, "no cable") || strings.Count(got.out, "no cable") != 1 {
		t.Errorf("%+v", got)
	}
	if got := ask(t, home, "exec", "undo", "--yes", "--json"); got.code != 0 || !strings.Contains(got.out, `"undoes":3`) {
		t.Errorf("%+v", got)
	}
}
