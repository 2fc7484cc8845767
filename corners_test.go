//go:build unix

package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

// TestTerminalSuspends suspends the program with a key and resumes it from the shell.
func TestTerminalSuspends(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	command := exec.Command("/bin/sh", "-i")
	command.Env = append(environment(home), "TERM=xterm-256color", "LANG=C.UTF-8", "PS1=shell> ")
	c := startCommand(t, 80, 24, home, command)
	c.waitText("shell>")
	c.press(binary+" --speed 100", "enter")
	c.waitText("ConnectX-5 Ex", "REC")
	c.press("\x1a")
	c.waitText("Stopped")
	c.waitText("shell>")
	mustBeRestored(t, c)
	c.press("fg", "enter")
	c.waitText("ConnectX-5 Ex", "REC", "? help")
	before := len(c.output())
	c.press("q")
	// Input before the shell has the terminal back goes to the console, in whose mode a line end is an ordinary key.
	c.waitFor("the shell's prompt", func(string) bool {
		return strings.Contains(c.output()[before:], "shell>")
	})
	c.press("exit", "enter")
	if code := c.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	mustBeRestored(t, c)
	if list := sessions(t, home); len(list.Sessions) != 1 || list.Sessions[0].Running {
		t.Errorf("sessions: %+v", list)
	}
}

// startWith starts the program with further environment variables.
func startWith(t *testing.T, width, height int, variables []string, arguments ...string) *terminal {
	t.Helper()
	home := t.TempDir()
	command := exec.Command(binary, arguments...)
	command.Env = append(environment(home), variables...)
	return startCommand(t, width, height, home, command)
}

func TestTerminalsOfManyKinds(t *testing.T) {
	t.Parallel()
	colour := regexp.MustCompile(`\x1b\[[0-9;]*\b(3[0-8]|4[0-8]|9[0-7]|10[0-7])\b[0-9;]*m`)
	for _, test := range []struct {
		name              string
		variables         []string
		colourless, ascii bool
	}{
		{"TERM=dumb", []string{"TERM=dumb", "LANG=C.UTF-8"}, true, false},
		{"no TERM", []string{"LANG=C.UTF-8"}, false, false},
		{"TERM=linux", []string{"TERM=linux", "LANG=C.UTF-8"}, false, false},
		{"NO_COLOR", []string{"TERM=xterm-256color", "LANG=C.UTF-8", "NO_COLOR=1"}, true, false},
		{"LANG=C", []string{"TERM=xterm-256color", "LANG=C"}, false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := startWith(t, 80, 24, test.variables, "--ephemeral")
			c.waitText("ConnectX-5 Ex", "? help", "Gb/s")
			c.press("2")
			c.waitText("auto scale")
			c.press("q")
			if code := c.exit(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			mustBeRestored(t, c)
			if found := colour.FindString(c.output()); test.colourless && found != "" {
				t.Errorf("a colour was written: %q", found)
			}
			if strange := strings.IndexFunc(c.output(), func(r rune) bool { return r > 126 }); test.ascii && strange >= 0 {
				t.Errorf("not ASCII: %q", c.output()[strange:strange+4])
			}
		})
	}
}

func TestTerminalWithoutASize(t *testing.T) {
	t.Parallel()
	c := startTerminal(t, 80, 24, "", "--ephemeral")
	c.resize(80, 24)
	c.waitText("? help")
	if err := pty.Setsize(c.pty, &pty.Winsize{}); err != nil {
		t.Fatal(err)
	}
	c.press("2")
	c.waitText("auto scale")
	c.resize(12, 4)
	c.resize(100, 30)
	c.waitText("auto scale", "? help")
}

// TestTerminalResizeStorm changes the size 200 times while data flows, on every screen.
func TestTerminalResizeStorm(t *testing.T) {
	t.Parallel()
	c := startTerminal(t, 120, 40, "", "--ephemeral", "--speed", "100", "--interval", "100ms")
	c.waitText("? help")
	random := rand.New(rand.NewPCG(7, 7))
	for n := range 200 {
		c.resize(1+random.IntN(240), 1+random.IntN(70))
		if n%10 == 0 {
			c.press(fmt.Sprint(1 + n/10%6))
		}
	}
	c.press("1")
	c.resize(120, 40)
	c.waitText("ConnectX-5 Ex", "? help")
	c.waitFor("a whole frame", func(screen string) bool {
		lines := strings.Split(screen, "\n")
		return strings.Contains(lines[0], "cxdeck") && strings.Contains(lines[1], "1 Overview") &&
			strings.Contains(lines[39], "? help") && strings.Count(screen, "ConnectX-5 Ex") >= 1
	})
	c.press("q")
	if code := c.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	mustBeRestored(t, c)
}

// TestTerminalSignalsDuringStart sends signals around the start of the program: it always ends, and restores the terminal.
func TestTerminalSignalsDuringStart(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		for _, after := range []int{1, 2000, 4000} { // bytes on the terminal
			t.Run(fmt.Sprintf("%v after %d bytes", signal, after), func(t *testing.T) {
				t.Parallel()
				c := startTerminal(t, 80, 24, "")
				c.waitFor("the first bytes", func(string) bool { return len(c.output()) >= after })
				c.signal(signal)
				c.exit()
				mustBeRestored(t, c)
			})
		}
	}
}

// TestTerminalCloses closes the terminal: the program ends at once, and its session is saved.
func TestTerminalCloses(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	master, slave := openPair(t)
	command := exec.Command(binary, "--speed", "100")
	command.Env = append(environment(home), "TERM=xterm-256color", "LANG=C.UTF-8")
	command.Stdin, command.Stdout, command.Stderr = slave, slave, slave
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	seen := make([]byte, 0, 1<<16)
	buffer := make([]byte, 4096)
	for !strings.Contains(string(seen), "Gb/s") {
		n, err := master.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		seen = append(seen, buffer[:n]...)
	}
	var saved int64
	for deadline := time.Now().Add(30 * time.Second); saved == 0 && time.Now().Before(deadline); {
		if list := sessions(t, home); len(list.Sessions) == 1 {
			saved = list.Sessions[0].Samples
		}
	}
	master.Close()
	mustEndSoon(t, command)
	if used := command.ProcessState.UserTime() + command.ProcessState.SystemTime(); used > 3*time.Second {
		t.Errorf("it took %v of processor time", used)
	}
	if list := sessions(t, home); len(list.Sessions) != 1 || list.Sessions[0].Running || saved == 0 || list.Sessions[0].Samples < saved {
		t.Errorf("sessions: %+v, %d samples had been saved", list, saved)
	}
}

// openPair opens a pseudo-terminal of 80x24.
func openPair(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := pty.Setsize(master, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	return master, slave
}

func mustEndSoon(t *testing.T, command *exec.Cmd) {
	t.Helper()
	ended := make(chan struct{})
	go func() { _ = command.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(30 * time.Second):
		_ = command.Process.Kill()
		<-ended
		t.Fatal("the program does not end")
	}
}

// TestTerminalStopsReading: the program continues sampling and recording if the terminal stops reading.
func TestTerminalStopsReading(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	master, slave := openPair(t)
	defer master.Close()
	command := exec.Command(binary, "--speed", "100", "--interval", "100ms")
	command.Env = append(environment(home), "TERM=xterm-256color", "LANG=C.UTF-8")
	command.Stdin, command.Stdout, command.Stderr = slave, slave, slave
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	// Nothing is read from the terminal. The number of recorded samples must still rise.
	deadline := time.Now().Add(30 * time.Second)
	var samples []int64
	for len(samples) < 3 {
		if time.Now().After(deadline) {
			t.Fatalf("recording stood still: %v", samples)
		}
		got := ask(t, home, "sessions", "list", "--format", "json")
		if found := regexp.MustCompile(`"samples": (\d+)`).FindStringSubmatch(got.out); found != nil {
			var n int64
			_, _ = fmt.Sscan(found[1], &n)
			if n > 0 && (len(samples) == 0 || n > samples[len(samples)-1]) {
				samples = append(samples, n)
			}
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	mustEndSoon(t, command)
	if list := sessions(t, home); len(list.Sessions) != 1 || list.Sessions[0].Running || list.Sessions[0].Samples < samples[2] {
		t.Errorf("sessions: %+v after %v", list, samples)
	}
}

func TestCommandPlain(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	command := exec.Command(binary, "--plain", "--interval", "100ms", "--speed", "10")
	command.Env = environment(home)
	in, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	until := func(text string) {
		for lines.Scan() {
			if strings.Contains(lines.Text(), "\x1b") {
				t.Errorf("an escape in %q", lines.Text())
			}
			if strings.Contains(lines.Text(), text) {
				return
			}
		}
		t.Errorf("never printed: %s", text)
	}
	until("Gb/s")
	_, _ = io.WriteString(in, "2\n")
	until("auto scale")
	_, _ = io.WriteString(in, "1\n")
	in.Close() // the screens continue without input
	until("ConnectX-5 Ex")
	until("ConnectX-5 Ex")
	if err := command.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, out)
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
}

func TestCommandReportsUnwritableOutput(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"counters -n 2 --speed 1000", "counters -n 2 --speed 1000 --format csv",
		"counters -n 2 --speed 1000 --format json", "counters --list", "--help", "completion bash"} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			return // only Linux has /dev/full
		}
		var errs strings.Builder
		command := exec.Command(binary, strings.Fields(line)...)
		command.Env, command.Stdout, command.Stderr = environment(t.TempDir()), full, &errs
		_ = command.Run()
		full.Close()
		answer{command.ProcessState.ExitCode(), "", errs.String()}.mustComplain(t, 1, "the output can't be written: no space left")
	}
}

// TestCommandBrokenPipe: a command ends without a message when the reader closes the pipe.
func TestCommandBrokenPipe(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"counters --speed 1000", "counters --list"} {
		var errs strings.Builder
		command := exec.Command(binary, strings.Fields(line)...)
		command.Env, command.Stderr = environment(t.TempDir()), &errs
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		out.Close()
		mustEndSoon(t, command)
		if errs.Len() > 0 {
			t.Errorf("%s complained: %s", line, errs.String())
		}
	}
}

// TestCommandCountersInterrupted: an interrupt leaves no partial row.
func TestCommandCountersInterrupted(t *testing.T) {
	t.Parallel()
	command := exec.Command(binary, "counters", "--format", "csv", "--speed", "100")
	command.Env = environment(t.TempDir())
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	reader := bufio.NewReader(out)
	var all strings.Builder
	for range 3 {
		row, err := reader.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(row)
	}
	if err := command.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(&all, reader); err != nil {
		t.Fatal(err)
	}
	if err := command.Wait(); err != nil {
		t.Error(err)
	}
	rows := strings.Split(strings.TrimSuffix(all.String(), "\r\n"), "\r\n")
	for _, row := range rows {
		if strings.Count(row, ",") != strings.Count(rows[0], ",") || !strings.HasSuffix(row, `"`) {
			t.Errorf("half a row: %q", row)
		}
	}
}

// TestTerminalThresholdRunsAProgram: a threshold runs a program with literal arguments, whose output does not reach the screen.
func TestTerminalThresholdRunsAProgram(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	program := filepath.Join(home, "alarm")
	script := "#!/bin/sh\nprintf '%s\\n' \"$#\" \"$@\" > \"" + home + "/ran.part\"\nmv \"" + home + "/ran.part\" \"" + home + "/ran\"\necho SPOILED; echo SPOILED >&2; exit 3\n"
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	config := filepath.Join(home, "config.toml")
	text := fmt.Sprintf("[[threshold]]\npath = '\\cxdeck Port(Ethernet 7)\\Bytes Received/sec'\nabove = 1\nrun = [%q, \"$(touch %s/bad); a b 'c\\\"\", \"{path}\"]\n", program, home)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := startTerminal(t, 120, 40, home, "--config", config, "--ephemeral", "--speed", "10")
	c.waitText("? help", "Gb/s")
	c.press("7")
	c.waitText("the program", "failed")
	ran, err := os.ReadFile(filepath.Join(home, "ran"))
	if err != nil || !strings.HasPrefix(string(ran), "2\n$(touch "+home+"/bad); a b 'c\"\n") {
		t.Errorf("arguments: %q, %v", ran, err)
	}
	if _, err := os.Stat(filepath.Join(home, "bad")); err == nil {
		t.Error("a shell has read the argument")
	}
	c.press("q")
	c.exit()
}
