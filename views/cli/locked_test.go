package cli

import (
	"database/sql"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/store"
	"cxdeck/store/engine"
	"cxdeck/views/cli/saving"
	"cxdeck/views/viewtest"
)

func newHistory(t *testing.T) *store.DB {
	t.Helper()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "cxdeck.db"), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// lockHistory begins a transaction of another program that writes.
func lockHistory(t *testing.T, db *store.DB) *sql.DB {
	t.Helper()
	other := engine.OpenPool(db.Path())
	t.Cleanup(func() { _ = other.Close() })
	other.SetMaxOpenConns(1)
	if _, err := other.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return other
}

// TestChangesWaitForALock: the state of a host that can't be written because another program has locked the history is written
// when the lock is released.
func TestChangesWaitForALock(t *testing.T) {
	t.Parallel()
	db := newHistory(t)
	source := viewtest.Lab(t)
	saver := saving.NewBackground(t.Context(), db, slog.New(slog.DiscardHandler), source.Info())
	end, err := saver.Begin(t.Context(), driver.Plan{Title: "Pull"}, 0)
	if err != nil {
		t.Fatal(err)
	}
	other := lockHistory(t, db)
	if err := saver.Save(source.Host()); err != nil {
		t.Fatal(err)
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	if err := saver.Flush(t.Context()); err == nil || !saver.Failing.Load() {
		t.Errorf("a locked history was written: %v", err)
	}
	if _, err := other.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := saver.Close(); err != nil || saver.Failing.Load() {
		t.Errorf("after the lock: %v", err)
	}
	info := source.Info()
	if state, ok, err := db.Host(t.Context(), info.LabHash, info.Seed); err != nil || !ok || state.LabHash == "" {
		t.Errorf("the host is not saved: %v, %v", ok, err)
	}
	if begun, err := db.BegunChanges(t.Context(), info.LabHash, info.Seed); err != nil || len(begun) > 0 {
		t.Errorf("changes without an end: %v, %v", begun, err)
	}
}

// TestQuittingWhileLocked: q asks before samples are lost that wait for a locked history.
func TestQuittingWhileLocked(t *testing.T) {
	t.Parallel()
	db := newHistory(t)
	d := viewtest.WatchLab(t, 1, nil)
	d.DB = db
	var err error
	if d.Recorder, err = db.Begin(t.Context(), d.Live.Status().Info, time.Second); err != nil {
		t.Fatal(err)
	}
	c := &console{session: &session{ctx: t.Context()}, deck: d, saver: &saving.Background{}}
	if c.askBeforeLoss() != nil {
		t.Error("it asks although nothing is lost")
	}
	lockHistory(t, db)
	d.Recorder.Events([]eventlog.Event{{Message: "waits"}})
	for until := time.Now().Add(20 * time.Second); d.Recorder.Status().Locked == nil && time.Now().Before(until); {
		time.Sleep(10 * time.Millisecond)
	}
	if c.askBeforeLoss() == nil {
		t.Error("it does not ask")
	}
	if notes := d.StorageNotes(); len(notes) != 1 || !strings.Contains(notes[0], "is locked by another program") {
		t.Errorf("History says %q", notes)
	}
}
