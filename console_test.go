package main

import (
	"bytes"
	"encoding/csv"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// Escape sequences that set up the terminal, and that must restore it.
const (
	enterScreen = "\x1b[?1049h"
	leaveScreen = "\x1b[?1049l"
	showCursor  = "\x1b[?25h"
)

func TestTerminalStartsAndQuits(t *testing.T) {
	t.Parallel()
	c := startTerminal(t, 120, 40, "")
	c.waitText("LAB-N4", "ConnectX-5 Ex", "Ethernet 7", "100 GbE", "? help")
	c.waitText("Gb/s") // rates are there
	c.press("q")
	if code := c.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	mustBeRestored(t, c)
}

func TestTerminalIsRestoredOnSignals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		end  func(c *terminal)
	}{
		{"ctrl+c", func(c *terminal) { c.press("ctrl+c") }},
		{"SIGTERM", func(c *terminal) { c.signal(syscall.SIGTERM) }},
		{"SIGHUP", func(c *terminal) { c.signal(syscall.SIGHUP) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := startTerminal(t, 80, 24, "")
			c.waitText("LAB-N4", "? help")
			test.end(c)
			c.exit()
			mustBeRestored(t, c)
		})
	}
}

func mustBeRestored(t *testing.T, c *terminal) {
	t.Helper()
	out := c.output()
	if !strings.Contains(out, enterScreen) || strings.LastIndex(out, leaveScreen) < strings.LastIndex(out, enterScreen) {
		t.Error("the alternate screen was not left")
	}
	if !strings.Contains(out[strings.LastIndex(out, enterScreen):], showCursor) {
		t.Error("the cursor was not shown again")
	}
}

// TestTerminalFirstDay is a new operator's session: find the drops of a port, add a counter, freeze, zoom, and open an earlier
// session.
func TestTerminalFirstDay(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	c := startTerminal(t, 120, 40, home, "--speed", "20")
	c.waitText("Ethernet 5", "REC")
	c.press("/", "Ethernet 5", "enter")
	c.waitFor("only Ethernet 5 in the tree", func(screen string) bool {
		head, _, _ := strings.Cut(screen, "Total (physical ports)")
		return !strings.Contains(head, "Ethernet 8")
	})
	c.press("down", "C") // Enter would explain a marked port first
	// An empty chart has an axis, too, and can't be frozen.
	c.waitFor("values of the counters of Ethernet 5", regexp.MustCompile(`(?ms)^ Ethernet 5 .*duration.*^a .*Sent.*Ethernet 5 .*\d [MG]b/s`).MatchString)
	c.press("f")
	c.waitText("frozen")
	c.press("f")
	c.waitGone("frozen")
	c.press("[")
	c.waitText("duration 1 min")
	c.press("a")
	c.waitText("Add counters")
	c.press("esc")
	c.waitGone("Add counters")
	c.press("q")
	if code := c.exit(); code != 0 {
		t.Fatalf("exit code %d\n%s", code, c.text())
	}

	again := startTerminal(t, 120, 40, home)
	again.waitText("LAB-N4", "? help")
	again.press("8")
	again.waitText("2 of 2 sessions", "being recorded now")
	again.press("down", "enter")
	again.waitText("replay")
	again.press("ctrl+c")
	again.exit()
}

func TestTerminalTooSmall(t *testing.T) {
	t.Parallel()
	c := startTerminal(t, 40, 10, "", "--ephemeral")
	c.waitText("60", "16")
	c.resize(120, 40)
	c.waitText("ConnectX-5 Ex", "? help")
	c.resize(12, 4)
	c.resize(80, 24)
	c.waitText("ConnectX-5 Ex", "? help")
}

func TestTerminalWithoutColour(t *testing.T) {
	t.Parallel()
	c := startTerminal(t, 80, 24, "", "--ephemeral", "--theme", "mono")
	c.waitText("ConnectX-5 Ex", "● up")
	if coloured := regexp.MustCompile(`\x1b\[[0-9;]*(38|48);`).FindString(c.output()); coloured != "" {
		t.Errorf("the mono theme wrote a colour: %q", coloured)
	}
}

func TestTerminalReadOnly(t *testing.T) {
	t.Parallel()
	c := startTerminal(t, 120, 40, "", "--ephemeral", "--read-only")
	c.waitText("Ethernet 7", "Gb/s")
	c.press("down", "p")
	c.waitText("read-only")
}

func TestTerminalPlaysALog(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	log := filepath.Join(directory, "monday.csv")
	out, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	export := exec.Command(binary, "counters", "--speed", "1000", "-n", "120", "--format", "csv")
	export.Env = append(os.Environ(), "XDG_CONFIG_HOME="+directory)
	export.Stdout = out
	if err := export.Run(); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	c := startTerminal(t, 120, 40, "", "--source", log, "--ephemeral", "--speed", "20")
	c.waitText("monday.csv", "Ethernet 7", "Gb/s")
}

func TestCommandNeedsATerminal(t *testing.T) {
	t.Parallel()
	var errs bytes.Buffer
	command := exec.Command(binary, "--ephemeral")
	command.Env = append(os.Environ(), "XDG_CONFIG_HOME="+t.TempDir())
	command.Stderr = &errs
	_ = command.Run()
	if code := command.ProcessState.ExitCode(); code != 2 || !strings.Contains(errs.String(), "cxdeck counters") {
		t.Errorf("exit code %d, %s", code, errs.String())
	}
}

// TestCommandCounters: two speeds print the same numbers.
func TestCommandCounters(t *testing.T) {
	t.Parallel()
	config := t.TempDir()
	counters := func(speed string) [][]string {
		command := exec.Command(binary, "counters", `\Mellanox WinOF-2 Port Traffic(Ethernet 7)\*`, "--speed", speed,
			"--interval", "500ms", "-n", "8", "--format", "csv")
		command.Env = append(os.Environ(), "XDG_CONFIG_HOME="+config)
		out, err := command.Output()
		if err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(bytes.NewReader(out)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	slow, fast := counters("10"), counters("1000")
	if len(slow) != 9 || len(fast) != 9 || len(slow[0]) < 20 {
		t.Fatalf("%d and %d rows of %d columns", len(slow), len(fast), len(slow[0]))
	}
	for y := range slow[1:] {
		for x := range slow[y+1][1:] {
			if slow[y+1][x+1] != fast[y+1][x+1] {
				t.Fatalf("row %d, %s: %s at speed 10, %s at speed 1000", y, slow[0][x+1], slow[y+1][x+1], fast[y+1][x+1])
			}
		}
	}
}
