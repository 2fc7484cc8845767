package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/vt"
	"github.com/creack/pty"
)

// binary is the program under test, built once by TestMain.
var binary string

func TestMain(m *testing.M) {
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	if runtime.GOOS == "windows" {
		return m.Run()
	}
	directory, err := os.MkdirTemp("", "cxdeck-test-")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(directory)
	if err := os.Chmod(directory, 0o755); err != nil { // some tests run the program as another user
		panic(err)
	}
	binary = filepath.Join(directory, "cxdeck")
	if out, err := exec.Command("go", "build", "-tags", os.Getenv("CXDECK_TAGS"), "-o", binary, ".").CombinedOutput(); err != nil {
		panic(string(out))
	}
	return m.Run()
}

// terminal is the real binary in a pseudo-terminal with an emulator behind it.
type terminal struct {
	t    *testing.T
	cmd  *exec.Cmd
	pty  *os.File
	home string
	done chan struct{}
	err  error

	mu      sync.Mutex
	screen  *vt.Emulator
	written int
	raw     strings.Builder
}

// startTerminal starts the program at a size, in a home directory of its own. The terminal answers no query.
func startTerminal(t *testing.T, width, height int, home string, arguments ...string) *terminal {
	t.Helper()
	if binary == "" {
		t.Fatal("there are no pseudo-terminals on this system")
	}
	if home == "" {
		home = t.TempDir()
	}
	command := exec.Command(binary, arguments...)
	command.Env = append(environment(home), "TERM=xterm-256color", "COLORTERM=truecolor", "LANG=C.UTF-8")
	return startCommand(t, width, height, home, command)
}

// environment returns the environment of a program that writes only to its home.
func environment(home string) []string {
	return []string{
		"HOME=" + home, "XDG_STATE_HOME=" + home, "XDG_CONFIG_HOME=" + home, "TZ=UTC", "PATH=" + os.Getenv("PATH"),
		"TMPDIR=" + home,
	}
}

// startCommand starts a command in a pseudo-terminal with an emulator behind it.
func startCommand(t *testing.T, width, height int, home string, command *exec.Cmd) *terminal {
	t.Helper()
	c := &terminal{t: t, home: home, cmd: command, screen: vt.NewEmulator(width, height), done: make(chan struct{})}
	file, err := pty.StartWithSize(c.cmd, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
	if err != nil {
		t.Fatal(err)
	}
	c.pty = file
	var reading sync.WaitGroup
	// The emulator's answers are discarded: the program must not wait for them.
	reading.Go(func() { _, _ = io.Copy(io.Discard, c.screen) })
	go func() {
		buffer := make([]byte, 32<<10)
		for {
			n, err := file.Read(buffer)
			c.mu.Lock()
			_, _ = c.screen.Write(buffer[:n])
			c.raw.Write(buffer[:n])
			c.written += n
			c.mu.Unlock()
			if err != nil {
				break
			}
		}
		c.err = c.cmd.Wait()
		_ = c.screen.InputPipe().(io.Closer).Close()
		reading.Wait()
		close(c.done)
	}()
	t.Cleanup(func() {
		_ = c.cmd.Process.Kill()
		<-c.done
		_ = file.Close()
	})
	return c
}

// text returns the screen as plain lines.
func (c *terminal) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.screen.String()
}

// output returns everything written so far.
func (c *terminal) output() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.raw.String()
}

// waitFor waits until fits accepts the screen, and fails the test after a time limit.
func (c *terminal) waitFor(what string, fits func(screen string) bool) string {
	c.t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for time.Now().Before(deadline) {
		if text := c.text(); fits(text) {
			return text
		}
		select {
		case <-c.done:
			c.t.Fatalf("the program ended (%v) before: %s\n%s", c.err, what, c.text())
		case <-time.After(5 * time.Millisecond):
		}
	}
	c.t.Fatalf("never came: %s\n%s", what, c.text())
	return ""
}

// waitText waits until all the texts are on the screen.
func (c *terminal) waitText(texts ...string) string {
	c.t.Helper()
	return c.waitFor(strings.Join(texts, ", "), func(screen string) bool {
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				return false
			}
		}
		return true
	})
}

// waitGone waits until a text is no longer on the screen.
func (c *terminal) waitGone(text string) {
	c.t.Helper()
	c.waitFor("no "+text, func(screen string) bool { return !strings.Contains(screen, text) })
}

// press types keys as a terminal sends them.
func (c *terminal) press(keys ...string) {
	c.t.Helper()
	named := map[string]string{
		"enter": "\r", "esc": "\x1b", "tab": "\t", "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
		"ctrl+c": "\x03", "space": " ", "backspace": "\x7f",
	}
	for _, key := range keys {
		if sequence, ok := named[key]; ok {
			key = sequence
		}
		if _, err := c.pty.WriteString(key); err != nil {
			c.t.Fatal(err)
		}
		if key == "\x1b" {
			c.waitRead() // together with the next key it would be Alt and that key
		}
	}
}

// resize changes the size of the terminal.
func (c *terminal) resize(width, height int) {
	c.t.Helper()
	c.mu.Lock()
	c.screen.Resize(width, height)
	c.mu.Unlock()
	if err := pty.Setsize(c.pty, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)}); err != nil {
		c.t.Fatal(err)
	}
}

// signal sends a signal to the program.
func (c *terminal) signal(s syscall.Signal) {
	c.t.Helper()
	if err := c.cmd.Process.Signal(s); err != nil {
		c.t.Fatal(err)
	}
}

// exit waits for the end of the program and returns its exit code.
func (c *terminal) exit() int {
	c.t.Helper()
	select {
	case <-c.done:
		return c.cmd.ProcessState.ExitCode()
	case <-time.After(30 * time.Second):
		c.t.Fatalf("the program does not end\n%s", c.text())
		return -1
	}
}
