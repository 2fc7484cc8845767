//go:build unix

package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// withMachine returns a home whose history has one change by exec.
func withMachine(t *testing.T) (home, path string) {
	t.Helper()
	home = t.TempDir()
	if got := ask(t, home, "exec", "vm", "create", "before"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	return home, historyOf(home)
}

// bytesOf returns the contents of a file.
func bytesOf(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestExecMovesADamagedHistoryAside: commands that read leave a damaged history unchanged. The first change moves it aside, and a new file
// has the journal and the change.
func TestExecMovesADamagedHistoryAside(t *testing.T) {
	t.Parallel()
	home, path := withMachine(t)
	data := bytesOf(t, path)
	copy(data[4096:], bytes.Repeat([]byte{0xa5}, 8*4096))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, home, "exec", "vm", "list"); got.code != 0 || !strings.Contains(got.out, "before") {
		t.Errorf("reading: %+v", got)
	} else {
		got.mustComplain(t, 0, path, "is damaged", "journal and host kept", "the next start that records")
	}
	if !bytes.Equal(bytesOf(t, path), data) {
		t.Error("a command that reads has changed the damaged file")
	}
	got := ask(t, home, "exec", "vm", "create", "after")
	got.mustComplain(t, 0, "the history was damaged", "the damaged file is "+path+".damaged-")
	aside, _ := filepath.Glob(path + ".damaged-*")
	if len(aside) == 0 || !bytes.Equal(bytesOf(t, aside[0]), data) {
		t.Errorf("the damaged file is not kept: %q", aside)
	}
	if verdict := look(t, path, "PRAGMA integrity_check"); verdict != "ok" {
		t.Errorf("the new history: %s", verdict)
	}
	got = ask(t, home, "exec", "journal")
	if got.code != 0 || got.errors != "" || !strings.Contains(got.out, "machine before ") || !strings.Contains(got.out, "machine after ") {
		t.Errorf("the new journal: %+v", got)
	}
}

// TestExecRejectsAForeignFile: a file that is no history is not changed, and nothing is done.
func TestExecRejectsAForeignFile(t *testing.T) {
	t.Parallel()
	home, path := withMachine(t)
	text := []byte(strings.Repeat("somebody's own text\n", 100))
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"vm", "list"}, {"vm", "create", "after"}} {
		got := ask(t, home, append([]string{"exec"}, command...)...)
		got.mustComplain(t, 1, path, "is not a database", "choose another file with --db")
		if got.out != "" {
			t.Errorf("%v printed %q", command, got.out)
		}
	}
	if !bytes.Equal(bytesOf(t, path), text) {
		t.Error("the file was changed")
	}
}

// TestExecOnAnUnwritableHistory: an unwritable history is read, and changes are refused.
func TestExecOnAnUnwritableHistory(t *testing.T) {
	t.Parallel()
	for name, protect := range map[string]func(path string) error{
		"file": func(path string) error { return os.Chmod(path, 0o400) },
		"directory": func(path string) error {
			return errors.Join(os.Remove(path+".lock"), os.Chmod(filepath.Dir(path), 0o500))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home, path := withMachine(t)
			if err := protect(path); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = os.Chmod(filepath.Dir(path), 0o700) })
			data := bytesOf(t, path)
			got := askWithoutRights(t, home, "exec", "vm", "list")
			got.mustComplain(t, 0, path, "can't be written: make the file")
			if !strings.Contains(got.out, "before") {
				t.Errorf("reading: %+v", got)
			}
			got = askWithoutRights(t, home, "exec", "vm", "create", "after")
			got.mustComplain(t, 1, path, "can't be written: make the file", "choose another file with --db")
			if got.out != "" {
				t.Errorf("a refused change printed %q", got.out)
			}
			got = askWithoutRights(t, home, "exec", "journal")
			if !strings.Contains(got.out, "machine before ") || strings.Contains(got.out, "after") {
				t.Errorf("the journal: %+v", got)
			}
			if !bytes.Equal(bytesOf(t, path), data) {
				t.Error("the file was changed")
			}
		})
	}
}

// askWithoutRights is ask as an ordinary user: file modes do not restrict root.
func askWithoutRights(t *testing.T, home string, arguments ...string) answer {
	t.Helper()
	command := exec.CommandContext(t.Context(), binary, arguments...)
	command.Env = environment(home)
	if os.Geteuid() == 0 {
		command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		err := filepath.WalkDir(home, func(name string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(name, nobody, nobody))
		})
		if err = errors.Join(err, os.Chmod(filepath.Dir(home), 0o755)); err != nil {
			t.Fatal(err)
		}
	}
	var out, errs bytes.Buffer
	command.Stdout, command.Stderr = &out, &errs
	_ = command.Run()
	return answer{command.ProcessState.ExitCode(), out.String(), errs.String()}
}
