package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/perf/pdh"
	"cxdeck/views/viewtest"
)

// historyActions are the actions that change files but not the host, which work while a recording is shown.
var historyActions = []string{
	"counters.note", "counters.save", "history.delete", "history.note", "history.pin", "history.tags", "history.vacuum",
	"registry.discard", "registry.favourite",
}

// TestNoChangesInRecording plays a log: on all screens, actions that change a host are neither in the status line nor in the
// palette, and their keys say why.
func TestNoChangesInRecording(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "monday.csv")
	var text strings.Builder
	log := pdh.NewWriter(&text, "HOST", time.UTC, `\Network Interface(Port 1)\Bytes Sent/sec`)
	for n := range 20 {
		if err := log.Write(time.Unix(1_534_255_200+int64(n), 0), []float64{float64(n)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	source, err := pdh.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	d := viewtest.Watch(t, source, 1)
	views := Screens(d)
	stage := viewtest.Open(t, d, views)
	stage.Resize(240, 40)
	why := d.CannotChange()
	if why == "" {
		t.Fatal("a log allows changes")
	}
	found := 0
	for n, view := range views {
		stage.Press(string(rune('1' + n)))
		lines := strings.Split(strings.TrimRight(stage.Text(), "\n"), "\n")
		status := lines[len(lines)-1]
		for _, a := range view.Actions() {
			switch {
			case a.Disabled == why && !a.Hidden && len(a.Keys) > 0:
				found++
				if strings.Contains(status, " "+a.Keys[0]+" "+a.Name+"  ") {
					t.Errorf("%s: the status line offers %s: %q", view.ID(), a.ID, status)
				}
			case a.Changes && a.Disabled != why && !slices.Contains(historyActions, a.ID):
				t.Errorf("%s makes changes, and is not disabled in a recording (disabled: %q)", a.ID, a.Disabled)
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d actions are refused", found)
	}
	stage.Press(":")
	stage.Type("cable")
	stage.WantNot("Pull cable")
}
