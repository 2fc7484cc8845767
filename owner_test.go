//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// parallel returns the number of concurrent commands, 200 in long runs.
func parallel() int {
	if os.Getenv("CXDECK_LONG") != "" {
		return 200
	}
	return 40
}

// createMachines creates virtual machines with concurrent exec processes, one each, and returns their answers.
func createMachines(t *testing.T, home string) []answer {
	t.Helper()
	answers := make([]answer, parallel())
	var running sync.WaitGroup
	begun := time.Now()
	for i := range answers {
		running.Go(func() { answers[i] = ask(t, home, "exec", "vm", "create", fmt.Sprintf("vm-p%d", i)) })
	}
	running.Wait()
	t.Logf("%d took %s", len(answers), time.Since(begun).Round(time.Millisecond))
	return answers
}

// mustHaveOnce fails the test unless each successful change is in the journal once, and no failed one is.
func mustHaveOnce(t *testing.T, home string, answers []answer) {
	t.Helper()
	journal := ask(t, home, "exec", "journal", "--last", "1000").out
	for i, a := range answers {
		created := regexp.MustCompile(fmt.Sprintf(`exec +Create the virtual machine vm-p%d +applied`, i))
		got, want := len(created.FindAllString(journal, -1)), 1
		if a.code != 0 {
			want = 0
		}
		if got != want {
			t.Errorf("exit code %d (%s), and it was made %d times", a.code, a.errors, got)
		}
	}
}

func TestConcurrentExecsApplyOnce(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	answers := createMachines(t, home)
	for _, a := range answers {
		if a.code != 0 {
			t.Errorf("%+v", a)
		}
	}
	mustHaveOnce(t, home, answers)
	if left, err := filepath.Glob(filepath.Join(home, "cxdeck", "*.sock")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestConcurrentExecsWithAConsole also undoes one of the changes in the console.
func TestConcurrentExecsWithAConsole(t *testing.T) {
	t.Parallel()
	home := shortHome(t)
	c := startTerminal(t, 120, 40, home)
	c.waitText("REC", "Gb/s")
	answers := createMachines(t, home)
	for _, a := range answers {
		if a.code != 0 {
			t.Errorf("%+v", a)
		}
	}
	mustHaveOnce(t, home, answers)
	c.press("!")
	c.waitText("Action log", "Create the virtual machine vm-p", "(exec, process ", "New-VM")
	c.press("esc")
	c.waitGone("Action log")
	ask(t, home, "exec", "cable", "pull", "Ethernet 7")
	c.press("u")
	c.waitText("Pull the cable of Ethernet 7")
	c.press("q")
	c.exit()
}

// TestExecOutlivesAConsole runs many exec processes while the console quits or is killed.
func TestExecOutlivesAConsole(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*terminal){
		"q":    func(c *terminal) { c.press("q") },
		"KILL": func(c *terminal) { c.signal(syscall.SIGKILL) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := shortHome(t)
			c := startTerminal(t, 120, 40, home)
			c.waitText("REC", "Gb/s")
			time.AfterFunc(300*time.Millisecond, func() { end(c) })
			answers := createMachines(t, home)
			c.exit()
			for _, a := range answers {
				if a.code != 0 && !strings.Contains(a.errors, "ended before it answered") && !strings.Contains(a.errors, "interrupted; ") {
					t.Errorf("%+v", a)
				}
			}
			journal := ask(t, home, "exec", "journal", "--last", "1000").out
			for i, a := range answers {
				if got := strings.Count(journal, fmt.Sprintf("vm-p%d ", i)); got > 1 || a.code == 0 && got != 1 {
					t.Errorf("exit code %d (%s), and it is in the journal %d times", a.code, a.errors, got)
				}
			}
		})
	}
}

// shortHome returns a home with a path short enough for the socket beside the history file.
func shortHome(t *testing.T) string {
	t.Helper()
	home, err := os.MkdirTemp("", "cx")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	return home
}

// TestExecBehavesTheSameWithAConsole runs commands that read and write files, ask, and are rejected, from a
// different directory than the console's.
func TestExecBehavesTheSameWithAConsole(t *testing.T) {
	t.Parallel()
	script := strings.Join([]string{
		`reg set "Ethernet 8" *JumboPacket 9014`, `reg export out.reg "Ethernet 8"`, `foo`, `reg import in.reg`, `undo`, `cable pull "Ethernet 7"`,
		`journal --json`, `reg get "Ethernet 8" *JumboPacket`, `help undo`, `$nic = Get-NetAdapter -Name "Ethernet 7"`,
	}, "\n")
	run := func(home string) answer {
		folder := t.TempDir()
		var out, errs strings.Builder
		command := exec.CommandContext(t.Context(), binary, "exec", "--keep-going")
		command.Env, command.Dir, command.Stdin = environment(home), folder, strings.NewReader(script)
		command.Stdout, command.Stderr = &out, &errs
		_ = command.Run()
		if text, err := os.ReadFile(filepath.Join(folder, "out.reg")); err != nil || len(text) < 100 {
			t.Errorf("%d bytes were exported, %v", len(text), err)
		}
		return answer{command.ProcessState.ExitCode(), out.String(), errs.String()}
	}
	alone := run(shortHome(t))
	home := shortHome(t)
	c := startTerminal(t, 120, 40, home)
	c.waitText("REC", "Gb/s")
	times := regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\dZ?`)
	shared := run(home)
	plain := func(a answer) string { return times.ReplaceAllString(a.out, "TIME") + a.errors + strconv.Itoa(a.code) }
	if plain(alone) != plain(shared) {
		t.Errorf("without a console\n%s\nwith one\n%s", plain(alone), plain(shared))
	}
	ask(t, home, "exec", "vm", "create", "only there")
	if got := ask(t, home, "__complete", "bash", "cxdeck exec vm start only"); got.out != "words\nonly\\ there\n" {
		t.Errorf("the console's names are not completed: %+v", got)
	}
	ask(t, home, "exec", "--seed", "5", "adapter", "list").mustComplain(t, 1, "its host has the seed 1, not 5")
	ask(t, home, "exec", "lab", "reset", "--yes").mustComplain(t, 1, "the console runs this host")
	ask(t, home, "exec", "--read-only", "undo").mustComplain(t, 1, "omit --read-only")
}

func TestExecOnAReadOnlyConsole(t *testing.T) {
	t.Parallel()
	home := shortHome(t)
	c := startTerminal(t, 120, 40, home, "--read-only")
	c.waitText("REC", "Gb/s")
	ask(t, home, "exec", "cable", "pull", "Ethernet 7").mustComplain(t, 1, "the console that runs the host was started with --read-only")
	if got := ask(t, home, "exec", "adapter", "list"); got.code != 0 {
		t.Errorf("%+v", got)
	}
}

// TestExecTimesOutOnAStoppedConsole stops the console with SIGSTOP: it neither answers nor releases the lock.
func TestExecTimesOutOnAStoppedConsole(t *testing.T) {
	t.Parallel()
	home := shortHome(t)
	c := startTerminal(t, 120, 40, home)
	c.waitText("REC", "Gb/s")
	c.signal(syscall.SIGSTOP)
	defer c.signal(syscall.SIGCONT)
	time.Sleep(500 * time.Millisecond) // its threads stop one after the other
	begun := time.Now()
	ask(t, home, "exec", "--wait", "300ms", "adapter", "list").mustComplain(t, 1, "in use by a running cxdeck (process number")
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
}
