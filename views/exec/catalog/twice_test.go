package catalog

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"cxdeck/driver"
	"cxdeck/views/exec"
)

// actsEachTime lists the commands that act at each run: they start or clear something, let time pass, undo the newest change, or
// show something.
var actsEachTime = []string{
	"adapter restart", "adapter reset", "driver reload", "host reboot", "host sleep", "host hibernate", "host shutdown", "host wake", "shutdown", "undo", "advance", "Start-Sleep", "team drill", "mlxfwreset r",
	"lab reset", "vf reset", "part_man add", "mlxtool dbg nonrss-capture", "Restart-NetAdapter", "Restart-Computer",
	"mlxtool dbg restart", "mlxtool dbg sw-reset", "dump state", "driver install", "mlxtool dbg dump-me-now", "mlxtool dbg mstdump",
	"Get-PnpDevice", "intent plan", "scene run", "scene fix", "scene end",
	"MLNX_VPI_WinOF install", "MLNX_VPI_WinOF uninstall", "MLNX_VPI_WinOF extract", "MLNX_WinOF2 install", "MLNX_WinOF2 uninstall", "MLNX_WinOF2 extract", // each run writes its log
	"flint b", "mlxburn", // -y burns the same image again
	"guide run", "guide meet", "guide tick", "guide undo",
	"nd_write_bw", "nd_write_lat", "nd_read_bw", "nd_read_lat", "nd_send_bw", "nd_send_lat", // each run is a test of its own
	"nd_rping", "rping", "ndrping", "ndping", "ndrpingpong", "ndpingpong",
	"NTttcp", "xcopy", "mpiexec", "boot run",
	"opensm", // each run is an instance of its own
	"Restart-Service",
	"workload dump",  // each dump is a new folder
	"linux console",  // it answers as a shell does
	"vm console",     // as above
	"switch console", // it answers as a switch does: a setting that is set so already gives no answer and no change
}

// goodReason matches valid refusals of a second run: the object exists already, or no longer.
var goodReason = regexp.MustCompile(`(there is a|waits at|has a VLAN|is a member of|has the virtual port|has the MAC address|has the IP address|records is there|can't be undone|is a profile|an OpenSM runs) ?.*already|` +
	`there is no finding|start the server first|can't be removed while the driver|no file of the host|no (team|VLAN|virtual|network|change|connection has the IP|profile|QoS policy|traffic class|service)|was not found; tasklist|is (no|not a) member|is not the interface|no record|no such|exists already|does not change|waits for a confirmation|has no IP address`)

// saysNothing matches the answers of commands that change nothing.
var saysNothing = regexp.MustCompile(`(?i)nothing (changes|to change|to restore|was changed)`)

// appliedChanges returns the number of applied changes in the journal.
func appliedChanges(t *testing.T, b *bench) (n int) {
	t.Helper()
	if err := b.host.ReadHost(context.Background(), func(h *driver.Host) error {
		for _, e := range h.Journal() {
			if e.Err == "" {
				n++
			}
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return n
}

// TestEveryCommandTwice runs each changing command of the scripts twice: the second run changes nothing and says so, or is refused
// for a good reason.
func TestEveryCommandTwice(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	scripts, err := filepath.Glob("testdata/scripts/*.txt")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	var covered sync.Map
	var ran atomic.Int32
	t.Cleanup(func() {
		if int(ran.Load()) < len(scripts) {
			return // one was asked for
		}
		for _, c := range Commands().Commands() {
			if _, ok := covered.Load(c.Name); c.Changes && !ok {
				t.Errorf("no script runs %s", c.Name)
			}
		}
	})
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			ran.Add(1)
			b := newBench(t, labOf(t, string(text)))
			for _, line := range strings.Split(string(text), "\n") {
				words, err := Commands().Split(line)
				if err != nil || len(words) == 0 || b.Run(context.Background(), words) != exec.Done {
					continue
				}
				command, ok := Commands().Find(words)
				if ok {
					covered.Store(command.Name, true)
				}
				if !ok || !command.Changes || slices.Contains(actsEachTime, command.Name) {
					continue
				}
				b.out.Reset()
				b.errs.Reset()
				before := appliedChanges(t, b)
				status := b.Run(context.Background(), words)
				said := b.out.String() + b.errs.String()
				// what goes to the draft, to a profile or to nobody is not a change of the host
				elsewhere := regexp.MustCompile(`(?i)-WhatIf|--draft|--plan|--preview|^reg profile|^reg import`).MatchString(line)
				switch {
				case appliedChanges(t, b) != before:
					t.Errorf("%s: the second run changes the host: %s", line, said)
				case status == exec.Done && !elsewhere && !saysNothing.MatchString(said):
					t.Errorf("%s: the second run does not say that nothing changes: %s", line, said)
				case status == exec.NotUnderstood || status == exec.Failed && !goodReason.MatchString(said):
					t.Errorf("%s: the second run is refused for no good reason: %s", line, said)
				}
			}
		})
	}
}
