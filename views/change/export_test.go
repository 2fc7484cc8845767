package change_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/driver/adapters"
	"cxdeck/views/change"
)

// TestAReviewExportsItsPlan: x in a review writes the plan as a script with its inverse, and as a runbook; a second export to the same file
// asks, and nothing is applied.
func TestAReviewExportsItsPlan(t *testing.T) {
	t.Parallel()
	stage, d := paused(t)
	folder := t.TempDir()
	stage.Shell.Send(change.DoOne(d, "Restart", adapters.RestartAdapter{Connection: "Ethernet 7"})())
	stage.WaitIdle()
	stage.Want("Restart Ethernet 7?", "x export")
	for name, want := range map[string]string{"plan.ps1": "Restart-NetAdapter", "plan.md": "# "} {
		path := filepath.Join(folder, name)
		stage.Press("x")
		stage.Want("Export the plan", ".md runbook")
		stage.Press("ctrl+u")
		stage.Type(path)
		stage.Press("enter")
		data, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(data), want) {
			t.Errorf("%s: %v\n%s", name, err, data)
		}
		stage.Want("Restart Ethernet 7?")
	}
	if _, err := os.Stat(filepath.Join(folder, "plan-undo.ps1")); err != nil {
		t.Error(err)
	}
	stage.Press("x", "ctrl+u")
	stage.Type(filepath.Join(folder, "plan.md"))
	stage.Press("enter")
	stage.Want("Please confirm", "[ Replace ]")
	stage.Press("n")
	stage.Press("x", "ctrl+u")
	stage.Type(filepath.Join(folder, "plan.reg"))
	stage.Press("enter")
	stage.Want("Nothing was exported")
	stage.Press("esc", "n")
	if journal := d.Live.Journal(); len(journal) != 0 {
		t.Errorf("%d changes were made", len(journal))
	}
}
