//go:build unix

package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"cxdeck/perf"
)

// waysToGo lists ways to remove an open file; beside reports that recording can't continue at its path.
func waysToGo(t *testing.T) map[string]struct {
	remove func(t *testing.T, path string)
	beside bool
} {
	t.Helper()
	type way = struct {
		remove func(t *testing.T, path string)
		beside bool
	}
	suffixes := func(list ...string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			t.Helper()
			for _, suffix := range list {
				if err := os.Remove(path + suffix); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	return map[string]way{
		"everything":       {suffixes("", "-wal", "-shm", ".lock"), false},
		"the database":     {suffixes(""), false},
		"the log":          {suffixes("-wal"), false},
		"the index of log": {suffixes("-shm"), false},
		"both side files":  {suffixes("-wal", "-shm"), false},
		"the directory": {func(t *testing.T, path string) {
			t.Helper()
			if err := os.RemoveAll(filepath.Dir(path)); err != nil {
				t.Fatal(err)
			}
		}, false},
		"moved": {func(t *testing.T, path string) {
			t.Helper()
			if err := os.Rename(path, path+".old"); err != nil {
				t.Fatal(err)
			}
		}, false},
		"replaced": {func(t *testing.T, path string) {
			t.Helper()
			suffixes("", "-wal", "-shm", ".lock")(t, path)
			if err := os.WriteFile(path, []byte("minutes of monday"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, true},
		"another console": {func(t *testing.T, path string) {
			t.Helper()
			suffixes("", "-wal", "-shm", ".lock")(t, path)
			begin(t, openAt(t, path, Options{}))
		}, true},
	}
}

// However the file is removed, all samples from before and after are in the file at DB.Path.
func TestRemovedFileIsSaved(t *testing.T) {
	t.Parallel()
	for name, way := range waysToGo(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "d", "cxdeck.db")
			db, err := Open(t.Context(), path, Options{})
			if err != nil {
				t.Fatal(err)
			}
			db.commitEvery = time.Millisecond
			before := record(t, db, 300)
			recorder := begin(t, db)
			recorder.Schema(schemaOf(t, 1, 2), &perf.Inventory{})
			for n := range 200 {
				recorder.Column(column(n, int64(n), 5))
			}
			waitSaved(t, recorder, column(199).Time)
			way.remove(t, path)
			recorder.Column(column(200, 200, 5))
			deadline := time.Now().Add(2 * time.Second)
			for db.Rescue() == (Rescue{}) && time.Now().Before(deadline) {
				time.Sleep(10 * time.Millisecond)
			}
			if db.Rescue() == (Rescue{}) {
				t.Error("the loss was not noticed within 2 s")
			}
			for db.Rescue().Gone != nil && time.Now().Before(deadline.Add(time.Second)) {
				time.Sleep(10 * time.Millisecond)
			}
			if r := db.Rescue(); r.Gone != nil || !strings.Contains(r.Moved, db.Path()) || (db.Path() == path) == way.beside {
				t.Errorf("%+v, at %s", r, db.Path())
			}
			saved, err := os.Stat(db.Path())
			if err != nil {
				t.Fatal(err)
			}
			if err := db.checkFile(t.Context()); err != nil {
				t.Errorf("the next check: %v", err)
			}
			if still, err := os.Stat(db.Path()); err != nil || !os.SameFile(saved, still) {
				t.Errorf("the file was saved once more: %v", err)
			}
			recorder.Column(column(201, 201, 5))
			waitSaved(t, recorder, column(201).Time)
			if rows := play(t, replayOf(t, db, before), time.Second); len(rows) != 300 {
				t.Errorf("the session before has %d rows while recording continues", len(rows))
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			again := openAt(t, db.Path(), Options{ReadOnly: true})
			if rows := play(t, replayOf(t, again, before), time.Second); len(rows) != 300 {
				t.Errorf("the session before has %d rows", len(rows))
			}
			if rows := play(t, replayOf(t, again, recorder.Status().Session), time.Second); len(rows) != 202 {
				t.Errorf("the session has %d rows", len(rows))
			}
			if left, err := filepath.Glob(path + "*partial*"); len(left) > 0 || err != nil {
				t.Errorf("left are %v, %v", left, err)
			}
		})
	}
}

// A file that is removed shortly before Close is saved by Close.
func TestFileRemovedBeforeClose(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "d", "cxdeck.db")
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	id := record(t, db, 10)
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil || db.Rescue().Moved == "" {
		t.Errorf("close: %v, %+v", err, db.Rescue())
	}
	if rows := play(t, replayOf(t, openAt(t, path, Options{ReadOnly: true}), id), time.Second); len(rows) != 10 {
		t.Errorf("%d rows", len(rows))
	}
}

// When there is no place to save the file, Close reports that it is lost.
func TestRemovedFileThatCannotBeSaved(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "d", "cxdeck.db")
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	record(t, db, 10)
	if err := os.RemoveAll(filepath.Dir(path)); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Dir(path), nil, 0o600); err != nil { // prevents a new directory
		t.Fatal(err)
	}
	if err := db.Close(); err == nil || !strings.Contains(err.Error(), "can't be saved") || strings.Contains(err.Error(), "\n") {
		t.Errorf("close: %v", err)
	}
}

// TestOverwrittenFileIsSaved empties or overwrites the open file in place, which leaves it at its path: the watch notices it, and
// the session continues in a new file.
func TestOverwrittenFileIsSaved(t *testing.T) {
	t.Parallel()
	for name, overwrite := range map[string]func(path string) error{
		"emptied":       func(path string) error { return os.Truncate(path, 0) },
		"cut":           func(path string) error { return os.Truncate(path, 10) },
		"another file":  func(path string) error { return os.WriteFile(path, []byte("minutes of monday"), 0o600) },
		"copied zeroes": func(path string) error { return overwriteStart(path, make([]byte, 4096)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "cxdeck.db")
			db := openAt(t, path, Options{})
			db.commitEvery = time.Millisecond
			recorder := begin(t, db)
			recorder.Schema(schemaOf(t, 1, 2), &perf.Inventory{})
			recorder.Column(column(0, 0, 5))
			waitSaved(t, recorder, column(0).Time)
			if err := db.checkFile(t.Context()); err != nil || db.Rescue() != (Rescue{}) {
				t.Fatalf("before it is touched: %v, %+v", err, db.Rescue())
			}
			if err := overwrite(path); err != nil {
				t.Fatal(err)
			}
			if err := db.checkFile(t.Context()); err != nil {
				t.Fatal(err)
			}
			if r := db.Rescue(); !r.Damaged || r.Gone != nil || !strings.Contains(r.Moved, "was damaged") {
				t.Errorf("%+v", r)
			}
			recorder.Column(column(1, 1, 6))
			waitSaved(t, recorder, column(1).Time)
			closeRecorder(t, recorder)
			id := recorder.Status().Session
			if rows := play(t, replayOf(t, db, id), time.Second); len(rows) != 2 {
				t.Errorf("%d rows are recorded", len(rows))
			}
			if err := db.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// overwriteStart writes data at the beginning of a file.
func overwriteStart(path string, data []byte) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = file.WriteAt(data, 0)
	return errors.Join(err, file.Close())
}

// When the file is moved while its samples are aggregated, the open database is saved at the old path, the work continues there,
// and no sample is lost. The moved file is complete, too.
func TestFileThatMovesWhileItIsSummedUp(t *testing.T) {
	t.Parallel()
	for name, way := range waysToGo(t) {
		if name == "another console" {
			continue // another file with its own session takes the path; it is not checked
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const hours = 5
			path := filepath.Join(t.TempDir(), "d", "cxdeck.db")
			db := openAt(t, path, Options{KeepSamples: time.Hour, KeepMinutes: 24 * time.Hour})
			db.stop()
			db.keeperDone.Wait()
			db.stopWatch()
			db.watchDone.Wait()
			id := writeHours(t, db, hours, 2*time.Hour)
			var looking sync.WaitGroup
			var looked error
			moved := false
			_, err := db.Tidy(t.Context(), func(done, all int) {
				if done*2 >= all && !moved {
					moved = true
					way.remove(t, path)
					looking.Go(func() { looked = db.checkFile(t.Context()) }) // concurrently with the next steps
				}
			})
			looking.Wait()
			if err != nil {
				t.Logf("aggregated: %v", err) // for example, the size of a missing file
			}
			if looked != nil || !moved || db.Rescue().Moved == "" || (db.Path() == path) == way.beside {
				t.Fatalf("%v, %+v", looked, db.Rescue())
			}
			if _, err := db.Tidy(t.Context(), func(int, int) {}); err != nil {
				t.Errorf("aggregated after the move: %v", err)
			}
			mustHaveHours(t, db, id, hours)
			if old := path + ".old"; name == "moved" {
				if _, err := os.Stat(old); err != nil {
					t.Fatal(err)
				}
				mustHaveHours(t, openAt(t, old, Options{ReadOnly: true}), id, hours)
			}
		})
	}
}
