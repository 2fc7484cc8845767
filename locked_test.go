//go:build unix

package main

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/mattn/go-sqlite3" // another program
)

// TestCommandsOnALockedHistory: every command says once which file another program has locked, and what to do; the history is
// unchanged.
func TestCommandsOnALockedHistory(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	history, state := filepath.Join(home, "h.db"), filepath.Join(home, "host.json")
	_, other := otherMachine(t, "1m")
	for _, prepare := range [][]string{{"exec", "advance", "20s"}, {"host", "save", state}} {
		if got := ask(t, home, append(prepare, "--db", history)...); got.code != 0 {
			t.Fatalf("%v: %+v", prepare, got)
		}
	}
	before := ask(t, home, "sessions", "list", "--format", "json", "--db", history)
	locker, err := sql.Open("sqlite3", history)
	if err != nil {
		t.Fatal(err)
	}
	defer locker.Close()
	locker.SetMaxOpenConns(1)
	if _, err := locker.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	mustSayLock := func(t *testing.T, got answer) {
		t.Helper()
		got.mustComplain(t, 1, history+" is locked by another program: close that program or end its transaction, and try again")
		if strings.Count(got.errors, "is locked") != 1 {
			t.Errorf("it is said more than once: %q", got.errors)
		}
	}
	for _, command := range [][]string{
		{"sessions", "note", "1", "x"}, {"sessions", "import", other}, {"host", "load", state},
		{"exec", "adapter", "disable", "Ethernet 7"},
	} {
		mustSayLock(t, ask(t, home, append(command, "--db", history)...)) // one after the other: they need the recorder's lock
	}
	// One of two simultaneous commands runs in the process of the other.
	answers := make(chan answer)
	for range 2 {
		go func() { answers <- ask(t, home, "exec", "advance", "1s", "--db", history) }()
	}
	mustSayLock(t, <-answers)
	mustSayLock(t, <-answers)
	if after := ask(t, home, "sessions", "list", "--format", "json", "--db", history); after.out != before.out || after.code != 0 {
		t.Errorf("the history was\n%s\nand is\n%+v", before.out, after)
	}
}
