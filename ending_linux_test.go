package main

import (
	"database/sql"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// soon is longer than the two seconds after which the program abandons parts that hang, because the test machine may be busy.
const soon = 8 * time.Second

// endsWithin fails the test if the program takes longer than soon to end.
func endsWithin(t *testing.T, c *terminal, end func()) {
	t.Helper()
	begun := time.Now()
	end()
	c.exit()
	if took := time.Since(begun); took > soon {
		t.Errorf("it took %s to end", took)
	}
}

// mustBeGivenBack fails the test unless the terminal is restored: modes, screen, cursor, mouse, pasting and wrapping.
func mustBeGivenBack(t *testing.T, c *terminal) {
	t.Helper()
	mustBeRestored(t, c)
	out := c.output()
	for _, sequence := range []string{"\x1b[?1002l", "\x1b[?1006l", "\x1b[?2004l", "\x1b[?7h"} {
		if strings.LastIndex(out, sequence) < strings.LastIndex(out, enterScreen) {
			t.Errorf("%q was not written", sequence)
		}
	}
	modes, err := unix.IoctlGetTermios(int(c.pty.Fd()), unix.TCGETS)
	if err != nil {
		t.Fatal(err)
	}
	if modes.Lflag&unix.ICANON == 0 || modes.Lflag&unix.ECHO == 0 || modes.Oflag&unix.OPOST == 0 {
		t.Errorf("the terminal's modes are %x and %x", modes.Lflag, modes.Oflag)
	}
}

func TestSignalsRestoreTheTerminal(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			c := startTerminal(t, 80, 24, "")
			c.waitText("LAB-N4", "? help")
			endsWithin(t, c, func() { c.signal(sig) })
			mustBeGivenBack(t, c)
			crashes, err := filepath.Glob(filepath.Join(c.home, "cxdeck", "crash-*.txt"))
			if err != nil {
				t.Fatal(err)
			}
			if sig != syscall.SIGQUIT && sig != syscall.SIGABRT {
				if len(crashes) > 0 || c.cmd.ProcessState.ExitCode() != 0 {
					t.Errorf("%v, %s", crashes, c.cmd.ProcessState)
				}
				return
			}
			out := c.output()
			if len(crashes) != 1 || c.cmd.ProcessState.ExitCode() != 1 || strings.Contains(out, "goroutine ") ||
				strings.LastIndex(out, "cxdeck: ended by a signal") < strings.LastIndex(out, leaveScreen) {
				t.Fatalf("%v, %s, %q", crashes, c.cmd.ProcessState, out[max(0, len(out)-300):])
			}
			text, err := os.ReadFile(crashes[0])
			if info, statErr := os.Stat(crashes[0]); err != nil || statErr != nil || info.Mode().Perm() != 0o600 || !strings.Contains(string(text), "goroutine ") {
				t.Errorf("the crash file: %v, %v, %.200s", err, info, text)
			}
		})
	}
}

// TestProgramEndsDespiteALockedDatabase: the program ends although another program holds a lock on the database.
func TestProgramEndsDespiteALockedDatabase(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*terminal){
		"q":    func(c *terminal) { c.press("q") },
		"TERM": func(c *terminal) { c.signal(syscall.SIGTERM) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := startTerminal(t, 80, 24, "")
			c.waitText("LAB-N4", "REC", "Gb/s")
			db, err := sql.Open("sqlite3", filepath.Join(c.home, "cxdeck", "cxdeck.db"))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			connection, err := db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer connection.Close()
			if _, err := connection.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
				t.Fatal(err)
			}
			endsWithin(t, c, func() { end(c) })
			mustBeGivenBack(t, c)
			if c.cmd.ProcessState.ExitCode() != 1 || !strings.Contains(c.output(), "unsaved data is lost, because ") ||
				!strings.Contains(c.output(), "cxdeck.db is locked by another program: close that program or end its transaction") {
				t.Errorf("%s, %q", c.cmd.ProcessState, c.output()[max(0, len(c.output())-300):])
			}
		})
	}
}

// TestProgramEndsDespiteAFullPipe sends signals to programs whose output is not read.
func TestProgramEndsDespiteAFullPipe(t *testing.T) {
	t.Parallel()
	for _, arguments := range [][]string{{"counters", `\*(*)\*`, "--speed", "1000"}, {"--plain", "--ephemeral", "--interval", "100ms"}} {
		t.Run(arguments[0], func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			reader, writer, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer reader.Close()
			input, keep, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer keep.Close()
			command := exec.Command(binary, arguments...)
			command.Env, command.Stdin, command.Stdout, command.Stderr = environment(home), input, writer, writer
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			_ = writer.Close()
			time.Sleep(700 * time.Millisecond) // until the pipe is full
			endsSoon(t, command, func() { _ = command.Process.Signal(syscall.SIGTERM) })
		})
	}
}

// endsSoon ends a command, and fails the test if that takes too long.
func endsSoon(t *testing.T, command *exec.Cmd, end func()) {
	t.Helper()
	ended := make(chan struct{})
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	begun := time.Now()
	end()
	select {
	case <-ended:
		if took := time.Since(begun); took > soon {
			t.Errorf("it took %s", took)
		}
	case <-time.After(10 * time.Second):
		_ = command.Process.Kill()
		t.Error("it does not end")
	}
}

// TestSpecialFilesAreRejected passes FIFOs, devices and directories to every flag and command that takes a file.
func TestSpecialFilesAreRejected(t *testing.T) {
	t.Parallel()
	folder := shortHome(t)
	fifo, socket := filepath.Join(folder, "fifo"), filepath.Join(folder, "socket")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() }) // after the tests below
	commands := [][]string{
		{"exec", "--db", "FILE", "adapter", "list"}, {"exec", "--db", "FILE", "--read-only", "adapter", "list"},
		{"sessions", "list", "--db", "FILE"}, {"sessions", "vacuum", "--db", "FILE"},
		{"exec", "--ephemeral", "--lab", "FILE", "adapter", "list"}, {"counters", "-n", "1", "--lab", "FILE"},
		{"exec", "--ephemeral", "--config", "FILE", "adapter", "list"}, {"counters", "-n", "1", "--config", "FILE"},
		{"counters", "-n", "1", "--source", "FILE"}, {"--plain", "--ephemeral", "--source", "FILE"},
		{"--plain", "--ephemeral", "--lab", "FILE"},
		{"exec", "--ephemeral", "reg", "import", "FILE"}, {"exec", "--ephemeral", "reg", "profile", "import", "FILE"},
		{"exec", "--ephemeral", "reg", "export", "FILE", "Ethernet 7", "--force"}, {"exec", "--ephemeral", "--log", "FILE", "adapter", "list"},
	}
	for _, special := range []string{fifo, socket, folder, "/dev/zero"} {
		for _, words := range commands {
			arguments := append([]string{}, words...)
			for i := range arguments {
				if arguments[i] == "FILE" {
					arguments[i] = special
				}
			}
			t.Run(strings.Join(arguments, " "), func(t *testing.T) {
				t.Parallel()
				got := ask(t, folder, arguments...)
				if got.code == 0 || strings.Count(got.errors, "\n") != 1 || !strings.Contains(got.errors, "not a regular file") {
					t.Errorf("%+v", got)
				}
			})
		}
	}
}

func TestScriptWithoutALineEndIsRejected(t *testing.T) {
	t.Parallel()
	zero, err := os.Open("/dev/zero")
	if err != nil {
		t.Fatal(err)
	}
	defer zero.Close()
	var errs strings.Builder
	command := exec.CommandContext(t.Context(), binary, "exec", "--ephemeral", "--keep-going")
	command.Env, command.Stdin, command.Stderr = environment(t.TempDir()), zero, &errs
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	endsSoon(t, command, func() {})
	if !strings.Contains(errs.String(), "a line is too long") {
		t.Error(errs.String())
	}
}
