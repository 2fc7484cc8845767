package cli

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestReportCommand: the default report is on the newest session with samples; invalid requests print one sentence and no report.
func TestReportCommand(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	directory := t.TempDir()
	report := func(arguments ...string) result {
		settings := []string{"report", "--config", filepath.Join(directory, "config.toml"), "--db", historyIn(directory)}
		return runLine(t, slices.Concat(settings, arguments)...)
	}
	refused := func(arguments ...string) {
		t.Helper()
		got := report(arguments...)
		if got.code == exitDone || got.out != "" || strings.Count(got.err, "\n") != 1 {
			t.Errorf("%q: %d, %q, %q", arguments, got.code, got.out, got.err)
		}
	}
	execIn(t, directory, "", "help").want(t, exitDone) // creates the settings, but no history
	refused()
	execIn(t, directory, "advance 40s\nreg set \"Ethernet 7\" *JumboPacket 4096\n").want(t, exitDone)
	page := report()
	page.want(t, exitDone, "<!doctype html>", "JumboPacket", "</html>")
	ticket := report("1", "--format", "markdown", "--from", "+5s", "--to", "+20s")
	ticket.want(t, exitDone, "# LAB-N4, session 1\n", ", 15s.")
	// A session with a single change has the host, too.
	other := t.TempDir()
	execIn(t, other, "", "reg", "set", "Ethernet 7", "*JumboPacket", "4096").want(t, exitDone)
	single := runLine(t, "report", "--config", filepath.Join(other, "config.toml"), "--db", historyIn(other), "--format", "markdown")
	single.want(t, exitDone, "JumboPacket | 4096")
	refused("9")
	refused("1", "--from", "noon")
	refused("1", "--from", "+20s", "--to", "+5s")
	refused("1", "--from", "+2h")
	refused("1", "2")
}
