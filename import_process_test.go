//go:build unix

package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3" // an independent check

	"cxdeck/store"
)

// otherMachine returns a home with a recorded lab session, large enough for an import to take a moment, and an export of it.
func otherMachine(t *testing.T, duration string) (home, cut string) {
	t.Helper()
	home = t.TempDir()
	if got := ask(t, home, "exec", "advance", duration); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	cut = filepath.Join(home, "cut.db")
	if got := ask(t, home, "sessions", "export", "1", cut); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	return home, cut
}

// killedImport is what an import that was killed had done.
type killedImport int

const (
	// staging is a kill while the file was read and checked: the history had nothing of the session.
	staging killedImport = iota
	// copying is a kill during the transaction: the history's write-ahead log had rows of the session.
	copying
	// committed is a kill after the transaction, which keeps the session.
	committed
	// ended is an import that ended before the kill.
	ended
)

// killImport kills an import after a delay from the moment at which its stage appears, or with inCopy as soon as its transaction
// has written rows.
func killImport(t *testing.T, home, cut, history string, delay time.Duration, inCopy bool) killedImport {
	t.Helper()
	logged := func() (size int64, at time.Time) { // the history's write-ahead log
		if log, err := os.Stat(history + "-wal"); err == nil {
			size, at = log.Size(), log.ModTime()
		}
		return size, at
	}
	stages, err := filepath.Glob(history + ".import-*") // of an earlier kill: this import must make its own
	for _, stage := range stages {
		err = errors.Join(err, os.RemoveAll(stage))
	}
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(binary, "sessions", "import", cut, "--db", history)
	command.Env = environment(home)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(20 * time.Second); !exists(history+".import-*") && time.Now().Before(until); {
		time.Sleep(time.Millisecond)
	}
	_, opened := logged() // a killed import leaves its log
	copies := func() bool {
		const opening = 64 << 10 // more than opening the history writes
		size, at := logged()
		return size > opening && at.After(opened)
	}
	over := make(chan error, 1)
	go func() { over <- command.Wait() }()
	limit := time.After(delay)
	for waiting := true; waiting && (!inCopy || !copies()); {
		select {
		case err := <-over:
			over <- err
			waiting = false
		case <-limit:
			waiting = inCopy
		case <-time.After(100 * time.Microsecond): // the copy takes milliseconds
		}
	}
	_ = command.Process.Kill() // it may have ended
	if <-over == nil {
		return ended
	}
	if copies() {
		return copying // or committed, which the list of sessions tells
	}
	return staging
}

// TestKilledImportIsAllOrNothing kills imports, every other one in its transaction, the rest at random times after the start. A kill
// before the commit leaves nothing of the session, one after it the whole session; the earlier session is unchanged, and no file is
// left behind.
func TestKilledImportIsAllOrNothing(t *testing.T) {
	t.Parallel()
	rounds := 5
	if os.Getenv("CXDECK_LONG") != "" {
		rounds = 20
	}
	_, cut := otherMachine(t, "40m")
	home := t.TempDir()
	history := filepath.Join(home, "h.db")
	if got := ask(t, home, "exec", "--db", history, "advance", "1m"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	before := ask(t, home, "sessions", "show", "1", "--format", "json", "--db", history)
	began := time.Now()
	if got := ask(t, home, "sessions", "import", cut, "--db", filepath.Join(home, "other.db")); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	took, kills := time.Since(began), map[killedImport]int{}
	random := rand.New(rand.NewPCG(14, 20))
	// Only kills before the commit count: the others prove no more than an import that ends.
	for round := 0; kills[staging]+kills[copying] < rounds && round < 4*rounds; round++ {
		kill := killImport(t, home, cut, history, time.Duration(random.Int64N(int64(took)/4)), round%2 == 1)
		var list listed
		if err := json.Unmarshal([]byte(ask(t, home, "sessions", "list", "--format", "json", "--db", history).out), &list); err != nil {
			t.Fatal(err)
		}
		arrived := len(list.Sessions) == 2
		switch {
		case len(list.Sessions) < 1 || len(list.Sessions) > 2, kill == ended && !arrived:
			t.Fatalf("round %d, kill %d: %+v", round, kill, list)
		case kill != ended && arrived:
			kill = committed
		}
		kills[kill]++
		if arrived {
			imported := fmt.Sprint(list.Sessions[0].ID)
			mustBeSound(t, home, history, imported)
			if got := ask(t, home, "sessions", "delete", imported, "--db", history); got.code != 0 {
				t.Fatalf("round %d: %+v", round, got)
			}
		}
	}
	t.Logf("killed before the commit: %d while the file was read, %d in the transaction; %d after the commit, and %d had ended",
		kills[staging], kills[copying], kills[committed], kills[ended])
	long := os.Getenv("CXDECK_LONG") != "" // few kills can all hit one phase on a busy machine
	if long && (kills[staging] == 0 || kills[copying] == 0) || kills[staging]+kills[copying] < rounds {
		t.Errorf("only %d imports of %d were killed before their commit", kills[staging]+kills[copying], 4*rounds)
	}
	if got := ask(t, home, "sessions", "import", cut, "--db", history); got.code != 0 {
		t.Errorf("an import after the kills: %+v", got)
	}
	if after := ask(t, home, "sessions", "show", "1", "--format", "json", "--db", history); after.out != before.out || after.code != 0 {
		t.Errorf("the session was\n%s\nand is\n%s", before.out, after.out)
	}
	integrity(t, history)
	if left, err := filepath.Glob(history + ".*-*"); err != nil || len(left) > 0 {
		t.Errorf("these are left: %v, %v", left, err)
	}
}

// mustBeSound fails the test if a session can't be read to its end.
func mustBeSound(t *testing.T, home, history, session string) {
	t.Helper()
	if got := ask(t, home, "sessions", "export", session, "-", "--format", "csv", "--db", history); got.code != 0 || strings.Count(got.out, "\n") < 300 {
		t.Errorf("session %s can't be read: %d, %s", session, got.code, got.errors)
	}
}

// integrity runs SQLite's integrity check on a history.
func integrity(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite3", "file:"+path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var verdict string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("%s: %s, %v", path, verdict, err)
	}
}

// interrupted runs a command, and sends SIGINT as soon as when returns true.
func interrupted(t *testing.T, home string, when func() bool, arguments ...string) answer {
	t.Helper()
	var out, errs bytes.Buffer
	command := exec.CommandContext(t.Context(), binary, arguments...)
	command.Env = environment(home)
	command.Stdout, command.Stderr = &out, &errs
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(20 * time.Second); !when() && time.Now().Before(until); {
		time.Sleep(time.Millisecond)
	}
	if err := command.Process.Signal(syscall.SIGINT); err != nil {
		t.Errorf("%v: it had ended: %v", arguments, err)
	}
	_ = command.Wait()
	return answer{command.ProcessState.ExitCode(), out.String(), errs.String()}
}

// exists reports whether a file matches a pattern.
func exists(pattern string) bool {
	found, err := filepath.Glob(pattern)
	return err == nil && len(found) > 0
}

// TestInterruptsLeaveNoFiles sends Ctrl-C in the middle of an export and of an import.
func TestInterruptsLeaveNoFiles(t *testing.T) {
	t.Parallel()
	home, cut := otherMachine(t, "40m")
	directory := t.TempDir()
	for _, form := range []string{"csv", "jsonl", "om"} {
		path := filepath.Join(directory, "x."+form)
		got := interrupted(t, home, func() bool { return exists(path + "-*.part") }, "sessions", "export", "1", path)
		got.mustComplain(t, 1, "interrupted: nothing is written")
	}
	history := filepath.Join(directory, "h.db")
	got := interrupted(t, home, func() bool { return exists(history + ".import-*") }, "sessions", "import", cut, "--db", history)
	got.mustComplain(t, 1, "interrupted: nothing is imported")
	if exists(filepath.Join(directory, "*.part")) || exists(filepath.Join(directory, "x.*")) || exists(history+".import-*") {
		files, err := os.ReadDir(directory)
		t.Errorf("these are left: %v, %v", files, err)
	}
	if got := ask(t, home, "sessions", "list", "--db", history); got.code != 0 || !strings.Contains(got.out, "No sessions") {
		t.Errorf("the history has %+v", got)
	}
}

// TestInterruptedPipes ends an export to standard output: Ctrl-C is an error, a closed pipe is none.
func TestInterruptedPipes(t *testing.T) {
	t.Parallel()
	home, _ := otherMachine(t, "30m")
	for _, form := range []string{"csv", "jsonl", "om"} {
		command := exec.CommandContext(t.Context(), binary, "sessions", "export", "1", "-", "--format", form)
		command.Env = environment(home)
		var errs bytes.Buffer
		command.Stderr = &errs
		out, err := command.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		buffer := make([]byte, 10)
		if _, err := out.Read(buffer); err != nil {
			t.Error(err)
		}
		out.Close()
		_ = command.Wait()
		if errs.Len() > 0 {
			t.Errorf("%s to a reader that has enough: %q", form, errs.String())
		}

		command = exec.CommandContext(t.Context(), binary, "sessions", "export", "1", "-", "--format", form)
		command.Env = environment(home)
		errs.Reset()
		command.Stderr = &errs
		if out, err = command.StdoutPipe(); err != nil {
			t.Fatal(err)
		}
		if err := command.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(buffer); err != nil {
			t.Error(err)
		}
		if err := command.Process.Signal(syscall.SIGINT); err != nil {
			t.Error(err)
		}
		for err == nil { // read to the end
			_, err = out.Read(make([]byte, 1<<16))
		}
		_ = command.Wait()
		answer{command.ProcessState.ExitCode(), "", errs.String()}.mustComplain(t, 1, "interrupted: the output is cut short")
	}
}

// TestExportsAndImportsOnAFullDisk limits file sizes: an export and an import that exceed the limit say so, and leave no file behind.
func TestExportsAndImportsOnAFullDisk(t *testing.T) {
	t.Parallel()
	home, cut := otherMachine(t, "20m")
	directory := t.TempDir()
	limited := func(kilobytes int, arguments ...string) answer {
		var out, errs bytes.Buffer
		script := fmt.Sprintf(`ulimit -f %d; exec "$0" "$@"`, kilobytes) // blocks of 512 or 1024 bytes
		command := exec.CommandContext(t.Context(), "sh", append([]string{"-c", script, binary}, arguments...)...)
		command.Env = environment(home)
		command.Stdout, command.Stderr = &out, &errs
		_ = command.Run()
		return answer{command.ProcessState.ExitCode(), out.String(), errs.String()}
	}
	for _, form := range []string{"csv", "jsonl", "om", "db", "html"} {
		limited(100, "sessions", "export", "1", filepath.Join(directory, "x."+form)).mustComplain(t, 1, "can't be written", "the incomplete file was removed")
	}
	if files, err := os.ReadDir(directory); err != nil || len(files) > 0 {
		t.Errorf("these are left: %v, %v", files, err)
	}
	history := filepath.Join(directory, "h.db")
	if got := ask(t, home, "exec", "--db", history, "advance", "1s"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	reason := "file too large"
	if strings.Contains(os.Getenv("CXDECK_TAGS"), "puresqlite") {
		reason = "disk I/O error" // SQLite in Go does not pass on the system's error
	}
	limited(400, "sessions", "import", cut, "--db", history).mustComplain(t, 1, "h.db can't be used", reason)
	if exists(history + ".import-*") {
		t.Error("the import has left something")
	}
	integrity(t, history)
	if got := ask(t, home, "sessions", "import", cut, "--db", history); got.code != 0 {
		t.Errorf("with room: %+v", got)
	}
	if _, err := store.Open(t.Context(), history, store.Options{ReadOnly: true}); err != nil {
		t.Error(err)
	}
}
