package store

import (
	"errors"
	"os"
	"strings"
	"testing"
)

// Whatever side file is removed, a second console can't record at the path of the first.
func TestLockHoldsWithoutItsFile(t *testing.T) {
	t.Parallel()
	for _, names := range [][]string{{".lock"}, {".lock", "-wal", "-shm"}, {"-wal"}, {"-shm"}} {
		db := openNew(t, Options{})
		begin(t, db)
		for range 3 { // whoever comes makes a lock file, which is removed again
			for _, suffix := range names {
				if err := os.Remove(db.Path() + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Fatal(err)
				}
			}
			if out := helperOutput(t, "open", db.Path()); !strings.Contains(out, "is in use") {
				t.Errorf("without %v another process: %s", names, out)
			}
			if err := db.look(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if !owned(db.Path()) {
			t.Errorf("without %v the lock file was not taken again", names)
		}
	}
}
