//go:build unix

package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3" // reads the file without the program's own code
)

// listed is the JSON of sessions list.
type listed struct {
	Schema   int
	Sessions []struct {
		ID      int64
		Running bool
		Samples int64
		Started time.Time
		Ended   time.Time
	}
}

func sessions(t *testing.T, home string) listed {
	t.Helper()
	got := ask(t, home, "sessions", "list", "--format", "json")
	var list listed
	if err := json.Unmarshal([]byte(got.out), &list); err != nil || got.code != 0 {
		t.Fatalf("%v: %+v", err, got)
	}
	return list
}

func historyOf(home string) string { return filepath.Join(home, "cxdeck", "cxdeck.db") }

// recorded records a session of a few samples, and returns its home.
func recorded(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	c := startTerminal(t, 80, 24, home, "--speed", "100")
	c.waitText("LAB-N4", "REC 00:00:01")
	c.press("q")
	if code := c.exit(); code != 0 {
		t.Fatalf("exit code %d\n%s", code, c.text())
	}
	return home
}

// look runs a statement on a history file that no other process uses.
func look(t *testing.T, path, statement string) string {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRowContext(t.Context(), statement).Scan(&verdict); err != nil && !errors.Is(err, sql.ErrNoRows) {
		t.Fatalf("%s: %v", statement, err)
	}
	return verdict
}

func TestCommandSessions(t *testing.T) {
	t.Parallel()
	home := recorded(t)
	list := sessions(t, home)
	if len(list.Sessions) != 1 || list.Sessions[0].Running || list.Sessions[0].Samples < 20 {
		t.Fatalf("sessions: %+v", list)
	}
	var shown struct {
		Session struct{ Samples int64 }
		Events  []struct{ Message string }
	}
	if got := ask(t, home, "sessions", "show", "1", "--format", "json"); json.Unmarshal([]byte(got.out), &shown) != nil ||
		shown.Session.Samples != list.Sessions[0].Samples {
		t.Errorf("show: %+v", got)
	}
	ask(t, home, "sessions", "show", "7").mustComplain(t, 1, "there is no such session", "sessions list")
	if got := ask(t, home, "sessions", "delete", "1"); got.code != 0 || !strings.Contains(got.out, "Session 1 is deleted") {
		t.Errorf("delete: %+v", got)
	}
	if got := ask(t, home, "sessions", "vacuum"); got.code != 0 || !strings.Contains(got.out, "freed") {
		t.Errorf("vacuum: %+v", got)
	}
	if list := sessions(t, home); len(list.Sessions) != 0 {
		t.Errorf("after deleting: %+v", list)
	}
}

// TestTerminalUnusableHistory: the console shows live data, and does not change the unusable file.
func TestTerminalUnusableHistory(t *testing.T) {
	t.Parallel()
	good := historyOf(recorded(t))
	read := func(t *testing.T, name string) []byte {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	for _, test := range []struct {
		name    string
		prepare func(t *testing.T, path string)
		says    string
	}{
		{"no database", func(t *testing.T, path string) {
			if err := os.WriteFile(path, bytes.Repeat([]byte("notes of the night shift\n"), 50), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "is not a database"},
		{"newer", func(t *testing.T, path string) {
			if err := os.WriteFile(path, read(t, good), 0o600); err != nil {
				t.Fatal(err)
			}
			look(t, path, "PRAGMA user_version = 99")
		}, "written by a newer cxdeck"},
		{"of another program", func(t *testing.T, path string) {
			look(t, path, "CREATE TABLE theirs (a)")
		}, "database of another program"},
		{"a directory", func(t *testing.T, path string) {
			if err := os.Mkdir(path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "is a directory"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			path := filepath.Join(home, "h.db")
			test.prepare(t, path)
			var before []byte
			if test.name != "a directory" {
				before = read(t, path)
			}
			for _, verb := range [][]string{{"list"}, {"show", "1"}, {"delete", "1"}, {"vacuum"}} {
				ask(t, home, append([]string{"sessions", "--format", "json", "--db", path}, verb...)...).mustComplain(t, 1, test.says)
			}
			c := startTerminal(t, 160, 40, home, "--db", path)
			c.waitText("not recorded", "Gb/s")
			c.press("8")
			c.waitFor(test.says, func(screen string) bool {
				return strings.Contains(strings.Join(strings.Fields(strings.ReplaceAll(screen, "│", " ")), " "), test.says)
			})
			c.press("q")
			if code := c.exit(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			mustBeRestored(t, c)
			if before != nil && !bytes.Equal(before, read(t, path)) {
				t.Error("the file was changed")
			}
		})
	}
}

func TestTerminalDamagedHistoryIsMovedAside(t *testing.T) {
	t.Parallel()
	home := recorded(t)
	path := historyOf(home)
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteAt(bytes.Repeat([]byte{0xa5}, 8*4096), 4096); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, home, "sessions", "list"); got.code != 0 || !strings.Contains(got.errors, "is damaged") {
		t.Errorf("sessions list of a damaged history: %+v", got)
	}
	if aside, _ := filepath.Glob(path + ".damaged-*"); len(aside) != 0 {
		t.Errorf("a command that only reads has moved the file to %q", aside)
	}
	c := startTerminal(t, 160, 40, home)
	c.waitText("REC", "the history was damaged", "cxdeck.db.damaged-")
	c.press("q")
	c.exit()
	if aside, _ := filepath.Glob(path + ".damaged-*"); len(aside) == 0 {
		t.Error("the damaged file is gone")
	}
	if verdict := look(t, path, "PRAGMA integrity_check"); verdict != "ok" {
		t.Errorf("the new history: %s", verdict)
	}
}

// TestTerminalKilled: after a kill, the session exists, has an end, and lacks only the last moments.
func TestTerminalKilled(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	c := startTerminal(t, 80, 24, home, "--speed", "100")
	c.waitText("REC 00:00:02")
	c.signal(syscall.SIGKILL)
	c.exit()
	again := startTerminal(t, 120, 40, home)
	again.waitText("REC")
	again.press("8")
	again.waitText("being recorded")
	list := sessions(t, home)
	if len(list.Sessions) != 2 {
		t.Fatalf("sessions: %+v", list)
	}
	for _, session := range list.Sessions {
		if session.Running != (session.ID == 2) {
			t.Errorf("session %d: running is %v", session.ID, session.Running)
		}
		if session.ID == 1 && (session.Samples < 10 || !session.Ended.After(session.Started)) {
			t.Errorf("the killed session: %+v", session)
		}
	}
	again.press("q")
	again.exit()
	if verdict := look(t, historyOf(home), "PRAGMA integrity_check"); verdict != "ok" {
		t.Errorf("the history: %s", verdict)
	}
}

// TestTerminalSecondConsole: a second console shows live data and the sessions of the first, and says which process records.
func TestTerminalSecondConsole(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	first := startTerminal(t, 120, 40, home)
	first.waitText("REC")
	second := startTerminal(t, 160, 40, home)
	second.waitText("not recorded", "in use by the cxdeck with process number", "Gb/s")
	ask(t, home, "sessions", "delete", "1").mustComplain(t, 1, "in use by a running cxdeck", "History screen")
	ask(t, home, "sessions", "vacuum").mustComplain(t, 1, "in use by a running cxdeck")
	if list := sessions(t, home); len(list.Sessions) != 1 || !list.Sessions[0].Running {
		t.Errorf("sessions: %+v", list)
	}
	second.press("q")
	second.exit()
	first.waitText("REC")
	first.press("q")
	if code := first.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestTerminalEphemeralWritesNothing: --ephemeral leaves all directories unchanged.
func TestTerminalEphemeralWritesNothing(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	c := startTerminal(t, 80, 24, home, "--ephemeral", "--speed", "50")
	c.waitText("not recorded", "Gb/s")
	c.press("2")
	c.waitText("auto scale")
	c.press("8")
	c.waitText("--ephemeral")
	c.press("q")
	c.exit()
	if left, err := os.ReadDir(home); err != nil || len(left) != 0 {
		t.Errorf("left on disk: %v %v", left, err)
	}
}

// TestTerminalFilesArePrivate: only the owner can read the files, even with a umask of 0.
func TestTerminalFilesArePrivate(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	command := exec.Command("/bin/sh", "-c", `umask 000; exec "$0" --log "$1"`, binary, filepath.Join(home, "log.txt"))
	command.Env = append(environment(home), "TERM=xterm-256color", "LANG=C.UTF-8")
	c := startCommand(t, 80, 24, home, command)
	c.waitText("REC 00:00:01")
	modes := map[string]os.FileMode{
		"cxdeck": 0o700, "cxdeck/cxdeck.db": 0o600, "cxdeck/cxdeck.db-wal": 0o600, "cxdeck/cxdeck.db-shm": 0o600,
		"cxdeck/cxdeck.db.lock": 0o600, "log.txt": 0o600,
	}
	for name, want := range modes {
		status, err := os.Stat(filepath.Join(home, name))
		if err != nil || status.Mode().Perm() != want {
			t.Errorf("%s: %v, %v, want %o", name, status, err, want)
		}
	}
	c.press("q")
	c.exit()
}

// TestTerminalFullDisk: on a full disk the console stops recording, says so, and continues to show live data. A limit of file sizes
// simulates the full disk.
func TestTerminalFullDisk(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		return // the unit of ulimit differs elsewhere
	}
	home := t.TempDir()
	command := exec.Command("/bin/sh", "-c", `ulimit -f 3000; exec "$0" --speed 300`, binary)
	command.Env = append(environment(home), "TERM=xterm-256color", "LANG=C.UTF-8")
	c := startCommand(t, 160, 40, home, command)
	c.waitText("recording stopped", "Gb/s")
	now := c.text()
	c.waitFor("newer data", func(screen string) bool { return screen != now })
	c.press("q")
	c.exit()
	mustBeRestored(t, c)
	if verdict := look(t, historyOf(home), "PRAGMA integrity_check"); verdict != "ok" {
		t.Errorf("the history: %s", verdict)
	}
	if list := sessions(t, home); len(list.Sessions) != 1 || list.Sessions[0].Samples < 20 {
		t.Errorf("sessions: %+v", list)
	}
}

// nobody is an ordinary user.
const nobody = 65534

// startWithoutRights starts the console as an ordinary user: file modes do not restrict root.
func startWithoutRights(t *testing.T, home string, arguments ...string) *terminal {
	t.Helper()
	command := exec.Command(binary, arguments...)
	command.Env = append(environment(home), "TERM=xterm-256color", "LANG=C.UTF-8")
	if os.Geteuid() == 0 {
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		if err := os.Chmod(filepath.Dir(home), 0o755); err != nil {
			t.Fatal(err)
		}
		err := filepath.WalkDir(home, func(name string, _ os.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(name, nobody, nobody))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return startCommand(t, 160, 40, home, command)
}

// TestTerminalUnwritableHistory: the console shows live data, and advises the operator.
func TestTerminalUnwritableHistory(t *testing.T) {
	t.Parallel()
	for name, protect := range map[string]func(home string) error{
		"file":      func(home string) error { return os.Chmod(historyOf(home), 0o400) },
		"directory": func(home string) error { return os.Chmod(filepath.Dir(historyOf(home)), 0o500) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := recorded(t)
			if name == "directory" {
				if err := os.Remove(historyOf(home) + ".lock"); err != nil {
					t.Fatal(err)
				}
			}
			if err := protect(home); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(filepath.Dir(historyOf(home)), 0o700) })
			c := startWithoutRights(t, home)
			c.waitText("not recorded", "Gb/s", "can't be written: make the file")
			c.press("q")
			if code := c.exit(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			mustBeRestored(t, c)
			if verdict := look(t, "file:"+historyOf(home)+"?mode=ro&immutable=1", "PRAGMA integrity_check"); verdict != "ok" {
				t.Errorf("the history: %s", verdict)
			}
		})
	}
}

// TestTerminalDeletesWhileItRecords: an earlier session can be deleted, the running one can't.
func TestTerminalDeletesWhileItRecords(t *testing.T) {
	t.Parallel()
	home := recorded(t)
	c := startTerminal(t, 120, 40, home)
	c.waitText("REC")
	c.press("8")
	c.waitText("2 of 2 sessions")
	c.press("d")
	c.waitText("being recorded")
	c.press("down")
	c.waitText("Session 1:")
	c.press("d")
	c.waitText("Delete")
	c.press("y")
	c.waitText("Session 1 is deleted")
	if list := sessions(t, home); len(list.Sessions) != 1 || !list.Sessions[0].Running {
		t.Errorf("sessions: %+v", list)
	}
	c.press("q")
	c.exit()
	if verdict := look(t, historyOf(home), "PRAGMA integrity_check"); verdict != "ok" {
		t.Errorf("the history: %s", verdict)
	}
}
