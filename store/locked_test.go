package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/store/engine"
	"cxdeck/store/fault"
	"cxdeck/store/sqlite"
)

// lockFile locks a history as another program does; the returned function releases the lock.
func lockFile(t *testing.T, path string, statements ...string) (release func()) {
	t.Helper()
	other := engine.OpenPool(path)
	t.Cleanup(func() { other.Close() })
	other.SetMaxOpenConns(1)
	for _, statement := range statements {
		if _, err := other.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	return func() {
		if err := other.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestLockedHistory: a history that another program has locked is neither read nor changed, and never called damaged.
func TestLockedHistory(t *testing.T) {
	t.Parallel()
	exclusive := []string{"PRAGMA locking_mode = EXCLUSIVE", "BEGIN EXCLUSIVE"}
	for name, try := range map[string]func(t *testing.T, path string) error{
		"record": func(t *testing.T, path string) error { return openFails(t, path, Options{}, fault.ErrLocked) },
		"read": func(t *testing.T, path string) error {
			return openFails(t, path, Options{ReadOnly: true}, fault.ErrLocked)
		},
		// The lock may also come between two steps of opening.
		"check": func(t *testing.T, path string) error {
			db := &DB{path: path, target: sqlite.NewTarget(path)}
			pool := db.target.Connect(sqlite.Reading)
			defer pool.Close()
			return db.explain(db.check(t.Context(), pool))
		},
		"save the readable part": func(t *testing.T, path string) error {
			db := &DB{path: path, target: sqlite.NewTarget(path), now: time.Now}
			db.writer = db.target.Connect(sqlite.Writing)
			defer db.writer.Close()
			return db.replaceDamaged(t.Context())
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "cxdeck.db")
			db := openAt(t, path, Options{})
			record(t, db, 10)
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			release := lockFile(t, path, exclusive...)
			err := try(t, path)
			if !errors.Is(err, fault.ErrLocked) || errors.Is(err, fault.ErrDamaged) || !strings.Contains(err.Error(), "close that program or end its transaction") {
				t.Errorf("%v", err)
			}
			release()
			if others, err := filepath.Glob(path + ".[dps]*"); err != nil || len(others) > 0 {
				t.Errorf("these files appeared: %v, %v", others, err)
			}
			db = openAt(t, path, Options{})
			if list, err := db.Sessions(t.Context()); err != nil || len(list) != 1 || list[0].Samples != 10 || db.Notice() != "" {
				t.Errorf("the history has %v, %v, %q", list, err, db.Notice())
			}
		})
	}
}

// TestRecordingWaitsForALock: a recorder says that another program has locked the file, and writes all samples when it is released.
func TestRecordingWaitsForALock(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	db := openAt(t, path, Options{})
	db.commitEvery = time.Millisecond
	recorder := begin(t, db)
	release := lockFile(t, path, "BEGIN IMMEDIATE")
	if err := db.SetNote(t.Context(), recorder.Status().Session, "locked"); !errors.Is(err, fault.ErrLocked) {
		t.Errorf("a note: %v", err)
	}
	if err := db.Locked(t.Context()); !errors.Is(err, fault.ErrLocked) {
		t.Errorf("the lock is not found: %v", err)
	}
	recorder.Schema(schemaOf(t, 1, 2), &perf.Inventory{})
	recorder.Column(column(0, 1, 2))
	wait := func(what string, is func(RecorderStatus) bool) {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		for !is(recorder.Status()) {
			if err := waitBetweenSteps(ctx); err != nil {
				t.Fatalf("%s: %+v", what, recorder.Status())
			}
		}
	}
	wait("the lock is reported", func(s RecorderStatus) bool { return s.Locked != nil })
	if status := recorder.Status(); status.Err != nil || !strings.HasPrefix(status.Locked.Error(), path+" is locked by another program") {
		t.Errorf("%+v", status)
	}
	recorder.Column(column(1, 3, 4))
	release()
	wait("all is saved", func(s RecorderStatus) bool { return s.Locked == nil && s.SavedThrough.Equal(column(1).Time) })
	if err := db.Locked(t.Context()); err != nil {
		t.Errorf("after the lock: %v", err)
	}
	closeRecorder(t, recorder)
	if session, err := db.Session(t.Context(), recorder.Status().Session); err != nil || session.Samples != 2 {
		t.Errorf("the session has %+v, %v", session, err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}
