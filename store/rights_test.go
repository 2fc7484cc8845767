//go:build unix

package store

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// nobody is a user without rights to what root owns.
const nobody = 65534

// openWithoutRights runs openAndReport in a process that may not write what it does not own. Root may write
// everything, so root runs a copy of the test binary as nobody.
func openWithoutRights(t *testing.T, directory, path string) string {
	t.Helper()
	helper := exec.Command(os.Args[0], path)
	if os.Geteuid() == 0 {
		program, err := os.ReadFile(os.Args[0])
		if err != nil {
			t.Fatal(err)
		}
		helper.Path = filepath.Join(directory, "helper")
		if err := os.WriteFile(helper.Path, program, 0o755); err != nil {
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

func TestFileThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	for _, one := range []string{filepath.Dir(directory), directory} {
		if err := os.Chmod(one, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	closed := filepath.Join(directory, "closed")
	path := filepath.Join(closed, "cxdeck.db")
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	closeRecorder(t, begin(t, db))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{path: 0o444, closed: 0o555} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(closed, 0o755) })
	out := openWithoutRights(t, directory, path)
	lines := strings.Split(out, "\n")
	if len(lines) < 2 || !strings.Contains(lines[0], "can't be written: make the file and its directory writable") {
		t.Errorf("recording: %s", out)
	}
	if len(lines) < 2 || lines[1] != "sessions: 1 <nil>" {
		t.Errorf("reading: %s", out)
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
