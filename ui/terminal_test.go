//go:build unix

package ui

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"

	"cxdeck/themes"
	"cxdeck/ui/widget"
)

// childVariable makes the test binary run a console instead of tests.
const childVariable = "UI_TEST_CONSOLE"

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(childVariable+"_SHELL") != "":
		runShell()
		return
	case os.Getenv(childVariable) != "":
		runChild()
		return
	}
	os.Exit(m.Run())
}

// runChild runs a console with two screens on the terminal; the second one panics on p, while drawing on P, and in the
// background on b.
func runChild() {
	one, two := twoViews()
	panicking := false
	two.actions = []Action{
		{ID: "counters.panic", Keys: []string{"p"}, Name: "panic", Run: func() Cmd { panic("thrown by an action") }},
		{ID: "counters.draw", Keys: []string{"P"}, Name: "panic in drawing", Run: func() Cmd { panicking = true; return nil }},
		{ID: "counters.work", Keys: []string{"b"}, Name: "panic in work", Run: func() Cmd {
			return Background("doomed work", func(context.Context) Msg { panic("thrown by work") })
		}},
	}
	two.draw = func(area widget.Area) {
		if panicking {
			panic("thrown by drawing")
		}
		area.Print(1, 1, "second screen", themes.Style{Role: themes.Good})
	}
	options := testOptions(one, two)
	options.Now, options.Mouse = time.Now, true
	options.ReportDirectory = os.Getenv(childVariable)
	err := Run(context.Background(), options)
	fmt.Printf("ended: %v\n", err)
}

// console is a child process in a pseudo-terminal with an emulator in front of it.
type console struct {
	t       *testing.T
	command *exec.Cmd
	tty     *os.File
	reports string

	mu      sync.Mutex
	screen  *vt.Emulator
	raw     strings.Builder
	changed chan struct{} // one token after new output
	ended   chan struct{}
}

func startConsole(t *testing.T, environment ...string) *console {
	t.Helper()
	c := &console{t: t, reports: t.TempDir(), screen: vt.NewEmulator(100, 30), changed: make(chan struct{}, 1),
		ended: make(chan struct{})}
	c.command = exec.Command(os.Args[0])
	c.command.Env = append(os.Environ(), childVariable+"="+c.reports, "TERM=xterm-256color")
	c.command.Env = append(c.command.Env, environment...)
	tty, err := pty.StartWithSize(c.command, &pty.Winsize{Cols: 100, Rows: 30})
	if err != nil {
		t.Fatal(err)
	}
	c.tty = tty
	go c.read()
	t.Cleanup(func() {
		_ = c.command.Process.Kill()
		_ = c.command.Wait()
		<-c.ended
		_ = c.tty.Close()
	})
	return c
}

func (c *console) read() {
	defer close(c.ended)
	buffer := make([]byte, 32<<10)
	for {
		n, err := c.tty.Read(buffer)
		c.mu.Lock()
		_, _ = c.screen.Write(buffer[:n])
		c.raw.Write(buffer[:n])
		c.mu.Unlock()
		select {
		case c.changed <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// waitFor waits until the screen shows a text.
func (c *console) waitFor(text string) {
	c.t.Helper()
	c.waitUntil(text, func() bool { return strings.Contains(c.screen.String(), text) })
}

// waitForBytes waits until a text has been written, even if it is no longer visible.
func (c *console) waitForBytes(text string) {
	c.t.Helper()
	c.waitUntil(text, func() bool { return strings.Contains(c.raw.String(), text) })
}

func (c *console) waitUntil(what string, reached func() bool) {
	c.t.Helper()
	deadline := time.After(20 * time.Second)
	for {
		c.mu.Lock()
		ok, screen := reached(), c.screen.String()
		c.mu.Unlock()
		if ok {
			return
		}
		select {
		case <-c.changed:
		case <-deadline:
			c.t.Fatalf("no %q on the screen:\n%s", what, screen)
		}
	}
}

func (c *console) press(keys string) {
	c.t.Helper()
	if _, err := c.tty.WriteString(keys); err != nil {
		c.t.Fatal(err)
	}
}

// mustEnd waits for the end of the process and checks that the terminal was restored.
func (c *console) mustEnd() {
	c.t.Helper()
	<-c.ended
	c.mu.Lock()
	defer c.mu.Unlock()
	raw := c.raw.String()
	if !strings.Contains(raw, leaveScreen) {
		c.t.Errorf("the terminal was not restored: %q", raw[max(0, len(raw)-300):])
	}
	if !strings.Contains(raw, "ended: ") {
		c.t.Errorf("Run did not return: %q", raw[max(0, len(raw)-300):])
	}
	if query := "\x1b[c"; strings.Contains(raw, query) || strings.Contains(raw, "\x1b[6n") || strings.Contains(raw, "\x1b]11;?") {
		c.t.Error("the program sent a query to the terminal")
	}
}

// wrote reports whether a sequence has been written.
func (c *console) wrote(sequence string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return strings.Contains(c.raw.String(), sequence)
}

func (c *console) report() string {
	c.t.Helper()
	paths, _ := filepath.Glob(filepath.Join(c.reports, "crash-*.txt"))
	if len(paths) != 1 {
		c.t.Fatalf("there are %d reports, want 1", len(paths))
	}
	text, err := os.ReadFile(paths[0])
	if err != nil {
		c.t.Fatal(err)
	}
	return string(text)
}

func TestRunShowsScreensAndQuits(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*console){
		"q":      func(c *console) { c.press("q") },
		"ctrl+c": func(c *console) { c.press("\x03") },
		"TERM":   func(c *console) { _ = c.command.Process.Signal(syscall.SIGTERM) },
		"HUP":    func(c *console) { _ = c.command.Process.Signal(syscall.SIGHUP) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startConsole(t)
			c.waitFor("Overview has nothing")
			c.press("2")
			c.waitFor("second screen")
			end(c)
			c.mustEnd()
			if raw := c.raw.String(); !strings.Contains(raw, "ended: <nil>") {
				t.Errorf("Run gave an error: %q", raw[max(0, len(raw)-300):])
			}
		})
	}
}

func TestRunResizes(t *testing.T) {
	t.Parallel()
	c := startConsole(t)
	c.waitFor("Overview has nothing")
	c.mu.Lock()
	c.screen.Resize(50, 10)
	c.mu.Unlock()
	if err := pty.Setsize(c.tty, &pty.Winsize{Cols: 50, Rows: 10}); err != nil {
		t.Fatal(err)
	}
	c.waitFor("terminal has 50 x 10")
	c.press("q")
	c.mustEnd()
}

func TestRunReportsPanics(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{"p": "thrown by an action", "P": "thrown by drawing", "b": "thrown by work"} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			c := startConsole(t)
			c.waitFor("Overview has nothing")
			c.press("2" + key)
			c.mustEnd()
			report := c.report()
			for _, part := range []string{want, "goroutine ", "shell.screen.counters", "terminal_test.go"} {
				if !strings.Contains(report, part) {
					t.Errorf("the report lacks %q:\n%s", part, report)
				}
			}
			if !strings.Contains(c.raw.String(), "please send the report") {
				t.Errorf("the operator does not learn of the report: %q", c.raw.String())
			}
		})
	}
}

func TestMouseCanBeTurnedOff(t *testing.T) {
	t.Parallel()
	c := startConsole(t)
	c.waitFor("Overview has nothing")
	c.press("\x1b[<0;18;2M\x1b[<0;18;2m") // a press and a release on the second tab
	c.waitFor("second screen")
	if !c.wrote(mouseOn) {
		t.Error("the mouse was not turned on")
	}
	c.press("M")
	c.waitFor("The mouse is off")
	if !c.wrote(mouseOff) {
		t.Error("the mouse was not turned off")
	}
	c.press("q")
	c.mustEnd()
}

func TestContinuingSetsUpTheTerminalAgain(t *testing.T) {
	t.Parallel()
	c := startConsole(t)
	c.waitFor("Overview has nothing")
	c.press("\x1a") // the leader of a session can't be suspended: there is no shell that could continue it
	c.waitFor("not started from a shell with job control")
	c.mu.Lock()
	_, _ = c.screen.WriteString("\x1b[2J\x1b[Hsomething else wrote here")
	c.mu.Unlock()
	if err := c.command.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	c.waitFor("Overview has nothing")
	c.press("q")
	c.mustEnd()
}

func TestLostTerminalEndsTheConsole(t *testing.T) {
	t.Parallel()
	c := startConsole(t)
	c.waitFor("Overview has nothing")
	if err := c.tty.Close(); err != nil {
		t.Fatal(err)
	}
	// The reader keeps the terminal open until the next output of the console.
	if err := c.command.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := c.command.Wait(); err != nil { // hangs if it continues without a terminal
		t.Errorf("the console ended with %v", err)
	}
}

// TestSuspending runs the console in its own process group under a parent that acts as its shell and continues it.
func TestSuspending(t *testing.T) {
	t.Parallel()
	c := startConsole(t, childVariable+"_SHELL=1")
	c.waitFor("Overview has nothing")
	c.press("\x1a")
	c.waitForBytes("stopped; continuing")
	c.waitUntil("second start", func() bool { return strings.Count(c.raw.String(), enterScreen) == 2 })
	c.waitFor("Overview has nothing")
	c.press("q")
	c.mustEnd()
}

// runShell runs the console as a job: it waits until the job has stopped, gives it the terminal again and continues it.
func runShell() {
	signal.Ignore(syscall.SIGTTOU, syscall.SIGTTIN)
	job := exec.Command(os.Args[0])
	job.Env = append(os.Environ(), childVariable+"_SHELL=")
	job.Stdin, job.Stdout, job.Stderr = os.Stdin, os.Stdout, os.Stderr
	job.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Foreground: true, Ctty: 0}
	if err := job.Start(); err != nil {
		fmt.Println(err)
		return
	}
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(job.Process.Pid, &status, syscall.WUNTRACED, nil)
		if err != nil || pid != job.Process.Pid || status.Exited() || status.Signaled() {
			return
		}
		fmt.Print("\x1b[Hstopped; continuing")
		_ = syscall.Kill(-pid, syscall.SIGCONT)
	}
}
