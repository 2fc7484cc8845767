package store

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mattn/go-sqlite3"

	"cxdeck/driver"
	"cxdeck/perf"
)

// waitStopped waits until a recorder has given up.
func waitStopped(t *testing.T, recorder *Recorder) RecorderStatus {
	t.Helper()
	select {
	case <-recorder.done:
	case <-time.After(20 * time.Second):
		t.Fatal("the recorder goes on")
	}
	return recorder.Status()
}

func TestFullDiskStopsRecordingOnly(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	db.commitEvery = time.Millisecond
	recorder := begin(t, db)
	recorder.Schema(schemaOf(t, 1, 500), &perf.Inventory{})
	recorder.Column(column(0, make([]int64, 500)...))
	waitSaved(t, recorder, start)
	saved := recorder.Status().SavedThrough
	// SQLite says the same when its own limit is reached as when the disk is full.
	pages, err := pragma(t.Context(), db.writer, "page_count")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.writer.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages+4)); err != nil {
		t.Fatal(err)
	}
	traffic := newTraffic(1, 500)
	for n := 1; recorder.Status().Err == nil && n < 100_000; n++ {
		for i := range traffic.cells {
			traffic.cells[i] = int64(n*i) * 7919
		}
		recorder.Column(column(n, traffic.cells...))
		if n%100 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	status := waitStopped(t, recorder)
	if !errors.Is(status.Err, ErrFull) || !strings.Contains(status.Err.Error(), "free some space") {
		t.Fatalf("status: %+v", status)
	}
	recorder.Events([]driver.Event{{Message: "too late"}})
	recorder.Column(column(1))
	if status := recorder.Status(); status.Waiting != 0 || status.LostEvents == 0 || status.Lost == 0 {
		t.Errorf("what came after is not counted: %+v", status)
	}
	if err := recorder.Close(t.Context()); !errors.Is(err, ErrFull) {
		t.Errorf("close: %v", err)
	}
	rows := play(t, replayOf(t, db, 1), time.Second)
	if len(rows) == 0 || rows[len(rows)-1].Time.Before(saved) {
		t.Errorf("%d rows are left, %v was shown as saved", len(rows), saved)
	}
}

func TestWhatTheDatabaseSaysBecomesASentence(t *testing.T) {
	t.Parallel()
	for code, want := range map[sqlite3.ErrNo]string{
		sqlite3.ErrFull:     "is full: recording has stopped; free some space",
		sqlite3.ErrReadonly: "can't be written: make the file",
		sqlite3.ErrCorrupt:  "is damaged",
		sqlite3.ErrNotADB:   "is damaged",
		sqlite3.ErrIoErr:    "can't be used: disk I/O error",
		sqlite3.ErrCantOpen: "can't be used",
	} {
		err := explain("/x/cxdeck.db", fmt.Errorf("insert: %w", sqlite3.Error{Code: code}))
		var file *FileError
		if !errors.As(err, &file) || !strings.Contains(err.Error(), want) && code != sqlite3.ErrIoErr {
			t.Errorf("%v: %v", code, err)
		}
	}
	other := errors.New("something else")
	if !errors.Is(explain("/x", other), other) || explain("/x", nil) != nil {
		t.Error("an error that is not about the file was changed")
	}
}
