//go:build unix

package store

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is the number of a user without rights to root's files.
const nobody = 65534

// openWithoutRights runs openAndReport in a process that can't write files of other users. Root can write all files, so root
// runs a copy of the test binary as nobody.
func openWithoutRights(t *testing.T, directory, path string) string {
	t.Helper()
	helper := exec.Command(os.Args[0], path)
	if os.Geteuid() == 0 {
		program, err := os.ReadFile(os.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		helper.Path = filepath.Join(directory, "helper")
		// A process that another test starts meanwhile would inherit the open file, and a program that is open for
		// writing can't be run.
		syscall.ForkLock.RLock()
		err = os.WriteFile(helper.Path, program, 0o755)
		syscall.ForkLock.RUnlock()
		if err != nil {
			t.Fatal(err)
		}
		helper.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	helper.Dir = directory
	helper.Env = append(os.Environ(), helperVariable+"=open")
	out, err := helper.CombinedOutput()
	if err != nil {
		t.Fatalf("helper: %v\n%s", err, out)
	}
	return string(out)
}

// A file that can't be written can be read; a file that can't be read gives an error that says so.
func TestFileThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	const unwritable, unreadable = "can't be written: make the file and its directory writable", "can't be read (permission denied): change its permissions"
	for name, c := range map[string]struct {
		file, directory os.FileMode
		// leave lists the suffixes of other files beside the database.
		leave []string
		// recording and reading are the expected output of opening for each.
		recording, reading string
		// version is the schema version of a fixture; 0 for a file of this version.
		version int
	}{
		"file and directory":            {0o444, 0o555, nil, unwritable, "sessions: 2 <nil>", 0},
		"file":                          {0o444, 0o777, nil, unwritable, "sessions: 2 <nil>", 0},
		"directory":                     {0o666, 0o555, nil, unwritable, "sessions: 2 <nil>", 0},
		"directory with a lock":         {0o666, 0o555, []string{".lock"}, unwritable, "sessions: 2 <nil>", 0},
		"log of a killed console":       {0o444, 0o555, []string{"-wal"}, unwritable, "sessions: 2 <nil>", 0},
		"all files of a killed console": {0o444, 0o555, []string{"-wal", "-shm"}, unwritable, "sessions: 2 <nil>", 0},
		"file that can't be read":       {0o000, 0o777, nil, unreadable, unreadable, 0},
		"directory that can't be read":  {0o666, 0o000, nil, unreadable, unreadable, 0},
		"file that can only be written": {0o222, 0o777, nil, unreadable, unreadable, 0},
		"older version":                 {0o444, 0o555, nil, unwritable, "sessions: 1 <nil>", 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			directory := t.TempDir()
			for _, parent := range []string{filepath.Dir(directory), directory} {
				if err := os.Chmod(parent, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			closed := filepath.Join(directory, "closed")
			path := filepath.Join(closed, "cxdeck.db")
			if err := os.Mkdir(closed, 0o755); err != nil {
				t.Fatal(err)
			}
			if c.version == 0 {
				leaveBehind(t, path, c.leave)
			} else {
				older := writeFixture(t, c.version)
				run(t, older, "PRAGMA journal_mode = WAL")
				if err := copyFile(path, older); err != nil {
					t.Fatal(err)
				}
			}
			for _, suffix := range append([]string{""}, c.leave...) {
				if err := os.Chmod(path+suffix, c.file); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Chmod(closed, c.directory); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { os.Chmod(closed, 0o755) })
			out := openWithoutRights(t, directory, path)
			lines := strings.Split(out, "\n")
			if len(lines) < 2 || !strings.Contains(lines[0], c.recording) || !strings.Contains(lines[1], c.reading) {
				t.Errorf("recording and reading: %s", out)
			}
			if c.leave != nil || c.version != 0 {
				return
			}
			// The operator follows the advice of the error.
			if err := errors.Join(os.Chmod(closed, 0o777), os.Chmod(path, 0o644)); err != nil {
				t.Fatal(err)
			}
			if os.Geteuid() == 0 {
				if err := os.Chown(path, nobody, nobody); err != nil {
					t.Fatal(err)
				}
			}
			if out := openWithoutRights(t, directory, path); !strings.HasPrefix(out, "sessions: 2 <nil>\n") {
				t.Errorf("after the file and its directory were made writable: %s", out)
			}
		})
	}
}

func TestFilesArePrivate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "state", "cxdeck.db")
	db := openAt(t, path, Options{})
	closeRecorder(t, begin(t, db))
	want := map[string]os.FileMode{filepath.Dir(path): 0o700, path: 0o600, path + ".lock": 0o600, path + "-wal": 0o600, path + "-shm": 0o600}
	for name, mode := range want {
		status, err := os.Stat(name)
		if err != nil {
			t.Error(err)
			continue
		}
		if status.Mode().Perm() != mode {
			t.Errorf("%s has mode %o, want %o", name, status.Mode().Perm(), mode)
		}
	}
}

func TestOpenMakesAnOldFilePrivate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	if err := openAt(t, path, Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	openAt(t, path, Options{})
	if status, err := os.Stat(path); err != nil || status.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", status.Mode(), err)
	}
}

func TestLockIsNoSymbolicLink(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, path+".lock"); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path, Options{}); err == nil {
		t.Error("the link was followed")
	}
	if text, _ := os.ReadFile(victim); string(text) != "precious" {
		t.Errorf("the file behind the link became %q", text)
	}
}
