package catalog

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"cxdeck/views/exec"
	"cxdeck/views/exec/hosts"
)

// TestAdvanceProgress: the progress of advance increases, and reaches its end.
func TestAdvanceProgress(t *testing.T) {
	t.Parallel()
	host := newBench(t, nil).host.(*hosts.Lab)
	var titles []string
	last, ended := -1, false
	host.Progress = func(title string) func(done, all int) {
		titles = append(titles, title)
		return func(done, all int) {
			if done <= last || done > all || all != 30_000 || ended {
				t.Errorf("%d of %d after %d", done, all, last)
			}
			last, ended = done, done == all
		}
	}
	if err := host.Advance(t.Context(), 30*time.Second); err != nil {
		t.Fatal(err)
	}
	if len(titles) != 1 || !ended {
		t.Errorf("bars %q, ended: %v", titles, ended)
	}
}

// TestChangesReportDuration: a change that takes time says how long, and names the command that lets the time pass.
func TestChangesReportDuration(t *testing.T) {
	t.Parallel()
	b := newBench(t, nil)
	if b.script("host reboot") != exec.Done {
		t.Fatal(b.errs.String())
	}
	match := regexp.MustCompile(`LAB-N4 comes back in (\S+): advance (\S+) lets that time pass`).FindStringSubmatch(b.out.String())
	if len(match) != 3 || match[1] != match[2] {
		t.Fatalf("no end in %s", b.out.String())
	}
	b.out.Reset()
	if b.script("reg set \"Ethernet 7\" *ReceiveBuffers 1024") != exec.Done || strings.Contains(b.out.String(), "lets that time pass") {
		t.Errorf("another change repeats it, or a restart of 3 s has a line: %s%s", b.out.String(), b.errs.String())
	}
}
