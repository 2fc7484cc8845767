package store

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"cxdeck/store/fault"
	"cxdeck/store/lock"
	"cxdeck/store/sqlite"
)

// A second console can't record at the path of the first, whichever side files are removed.
func TestLockHoldsWithoutItsFile(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs processes: run it without -short")
	}
	t.Parallel()
	for _, names := range [][]string{{".lock"}, {".lock", "-wal", "-shm"}, {"-wal"}, {"-shm"}} {
		db := openNew(t, Options{})
		begin(t, db)
		for range 3 { // each attempt creates a lock file, which is removed again
			for _, suffix := range names {
				if err := os.Remove(db.Path() + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Fatal(err)
				}
			}
			if out := helperOutput(t, "open", db.Path()); !strings.Contains(out, "is in use") {
				t.Errorf("without %v another process: %s", names, out)
			}
			if err := db.checkFile(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if !lock.Held(db.Path()) {
			t.Errorf("without %v the lock file was not restored", names)
		}
	}
}

// Close reports a lock file that can't be restored.
func TestLockFileThatCannotBeRestored(t *testing.T) {
	t.Parallel()
	db, err := Open(t.Context(), t.TempDir()+"/cxdeck.db", Options{})
	if err != nil {
		t.Fatal(err)
	}
	lockFile := db.Path() + lock.Suffix
	if err := os.Remove(lockFile); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(lockFile, sqlite.DirectoryMode); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err == nil {
		t.Error("Close reported no error")
	}
}

// A valid lock file names the owner; an invalid one names no process.
func TestOwnerOfInvalidLockFile(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	for text, want := range map[string]fault.FileError{
		"17 2026-03-02T08:00:00Z\n": {PID: 17, Since: start},
		"1 2026-03-02T08:00:00Z":    {PID: 1, Since: start},
		"17 yesterday":              {PID: 17},
		"0 2026-03-02T08:00:00Z":    {},
		"-5 2026-03-02T08:00:00Z":   {},
		"17":                        {},
		"":                          {},
		"nobody":                    {},
		strings.Repeat("9", 1000):   {},
	} {
		if err := os.WriteFile(db.Path()+lock.Suffix, []byte(text), sqlite.FileMode); err != nil {
			t.Fatal(err)
		}
		if got := openFails(t, db.Path(), Options{}, fault.ErrInUse); got.PID != want.PID || !got.Since.Equal(want.Since) {
			t.Errorf("%q: process %d since %v", text, got.PID, got.Since.Format(time.RFC3339))
		}
	}
}
