package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/registry/edit"
	"cxdeck/perf"
	"cxdeck/store/fault"
	"cxdeck/store/sqlite"
)

// waitStopped waits until a recorder has stopped, and returns its status.
func waitStopped(t *testing.T, recorder *Recorder) RecorderStatus {
	t.Helper()
	<-recorder.done
	return recorder.Status()
}

// scarcity is a history whose disk is nearly full, and a function that frees space.
type scarcity struct {
	db      *DB
	relieve func()
}

// scarcities are ways to run out of space: SQLite's own limit, which gives the same error as a full disk, and a small disk
// where one can be mounted.
func scarcities(t *testing.T) map[string]scarcity {
	t.Helper()
	limited := openNew(t, Options{})
	pages, err := sqlite.Pragma(t.Context(), limited.writer, "page_count")
	if err != nil {
		t.Fatal(err)
	}
	limit := func(pages int64) {
		if _, err := limited.writer.ExecContext(context.Background(), fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
			t.Fatal(err)
		}
	}
	limit(pages + 40)
	ways := map[string]scarcity{"limit": {limited, func() { limit(1 << 30) }}}
	if directory, ok := mountDisk(t, "2m"); ok {
		ballast := filepath.Join(directory, "ballast")
		if err := os.WriteFile(ballast, make([]byte, 1<<20), sqlite.FileMode); err != nil {
			t.Fatal(err)
		}
		ways["disk"] = scarcity{openAt(t, filepath.Join(directory, "cxdeck.db"), Options{}), func() {
			if err := os.Remove(ballast); err != nil {
				t.Fatal(err)
			}
		}}
	}
	return ways
}

func TestFullDiskStopsRecordingOnly(t *testing.T) {
	t.Parallel()
	for name, scarce := range scarcities(t) {
		t.Run(name, func(t *testing.T) { fillUp(t, scarce) })
	}
}

func fillUp(t *testing.T, scarce scarcity) {
	db := scarce.db
	db.commitEvery = time.Millisecond
	recorder := begin(t, db)
	recorder.Schema(schemaOf(t, 1, 500), &perf.Inventory{})
	recorder.Column(column(0, make([]int64, 500)...))
	waitSaved(t, recorder, start)
	traffic := newTraffic(1, 500)
	var status RecorderStatus
	for n := 1; status.Err == nil; n++ {
		for i := range traffic.cells {
			traffic.cells[i] = int64(n*i) * 7919
		}
		recorder.Column(column(n, traffic.cells...))
		for status = recorder.Status(); status.Err == nil && status.Waiting > 100; status = recorder.Status() {
			time.Sleep(time.Millisecond) // the writer is slower; no sample may be lost before the disk is full
		}
	}
	status = waitStopped(t, recorder)
	text := fmt.Sprint(status.Err)
	if !errors.Is(status.Err, fault.ErrFull) || !strings.Contains(text, db.Path()) || !strings.Contains(text, "free some space") ||
		strings.Contains(text, "\n") {
		t.Fatalf("status: %+v", status)
	}
	recorder.Events([]eventlog.Event{{Message: "too late"}})
	recorder.Column(column(1))
	if status := recorder.Status(); status.Waiting != 0 || status.LostEvents == 0 || status.Lost == 0 {
		t.Errorf("samples after the error are not counted: %+v", status)
	}
	if err := recorder.Close(t.Context()); !errors.Is(err, fault.ErrFull) {
		t.Errorf("close: %v", err)
	}
	checkSaved(t, db, status)
	beside := openAt(t, db.Path(), Options{ReadOnly: true})
	checkSaved(t, beside, status)

	scarce.relieve()
	closeRecorder(t, begin(t, db))
	if err := errors.Join(beside.Close(), db.Close()); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, db.Path(), Options{})
	checkSaved(t, again, status)
	if again.Notice() != "" {
		t.Errorf("notice %q", again.Notice())
	}
}

// checkSaved checks that the samples that a stopped recorder reported as saved are in the file.
func checkSaved(t *testing.T, db *DB, status RecorderStatus) {
	t.Helper()
	rows := play(t, replayOf(t, db, status.Session), time.Second)
	if len(rows) == 0 || rows[len(rows)-1].Time.Before(status.SavedThrough) {
		t.Errorf("%d rows are left, saved through %v", len(rows), status.SavedThrough)
	}
	var verdict string
	if err := db.reader.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("integrity check: %s, %v", verdict, err)
	}
}

// On a read-only disk, recording fails with one sentence, and the history can be read.
func TestReadOnlyDisk(t *testing.T) {
	t.Parallel()
	directory, ok := mountDisk(t, "4m")
	if !ok {
		return // TestFileThatCannotBeWritten tests the same without a disk
	}
	path := filepath.Join(directory, "cxdeck.db")
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	fillFixture(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	protectDisk(t, directory)
	if err := openFails(t, path, Options{}, fault.ErrReadOnly); !strings.Contains(err.Error(), "choose another file with --db") {
		t.Errorf("error: %v", err)
	}
	read := openAt(t, path, Options{ReadOnly: true})
	if rows := play(t, replayOf(t, read, 1), time.Second); len(rows) != 3 {
		t.Errorf("%d rows", len(rows))
	}
	if _, err := read.Begin(t.Context(), perf.SourceInfo{}, time.Second); !errors.Is(err, fault.ErrReadOnly) {
		t.Errorf("begin: %v", err)
	}
}

// A history on a full disk can be read, whatever files a killed console left beside it, and recording fails with one sentence.
func TestFullDiskIsRead(t *testing.T) {
	t.Parallel()
	for _, left := range [][]string{nil, {"-wal"}, {"-wal", "-shm"}} {
		directory, ok := mountDisk(t, "2m")
		if !ok {
			return
		}
		path := filepath.Join(directory, "cxdeck.db")
		leaveBehind(t, path, left)
		fillDisk(t, filepath.Join(directory, "ballast"))
		db, err := Open(t.Context(), path, Options{})
		if err == nil {
			_, err = db.Begin(t.Context(), perf.SourceInfo{}, time.Second)
			if err := db.Close(); err != nil {
				t.Errorf("with %v left: close: %v", left, err)
			}
		}
		if !errors.Is(err, fault.ErrFull) || strings.Contains(err.Error(), "\n") {
			t.Errorf("with %v left, recording: %v", left, err)
		}
		read := openAt(t, path, Options{ReadOnly: true})
		if sessions, err := read.Sessions(t.Context()); len(sessions) != 2 || err != nil {
			t.Errorf("with %v left, reading: %d sessions, %v", left, len(sessions), err)
		}
	}
}

// leaveBehind creates a history of two sessions. If left includes a log, the second session is only in the log.
func leaveBehind(t *testing.T, path string, left []string) {
	t.Helper()
	db := openNew(t, Options{})
	closeRecorder(t, begin(t, db))
	if err := sqlite.Checkpoint(t.Context(), db.writer); err != nil {
		t.Fatal(err)
	}
	closeRecorder(t, begin(t, db))
	if !slices.Contains(left, "-wal") {
		if err := sqlite.Checkpoint(t.Context(), db.writer); err != nil {
			t.Fatal(err)
		}
	}
	for _, suffix := range append([]string{""}, left...) {
		if err := copyFile(path+suffix, db.Path()+suffix); err != nil {
			t.Fatal(err)
		}
	}
}

// fillDisk writes a file until the disk has no free byte.
func fillDisk(t *testing.T, ballast string) {
	t.Helper()
	file, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for size := 1 << 16; size > 0; {
		if _, err := file.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
}

// On a full disk saving a draft fails with one sentence and the draft before it stays; once there is space, the draft is saved.
func TestFullDiskKeepsTheDraftBefore(t *testing.T) {
	t.Parallel()
	for name, scarce := range scarcities(t) {
		t.Run(name, func(t *testing.T) {
			draft := Draft{LabHash: "abc", Seed: 7, Name: "registry", Plan: driver.Plan{Title: "a draft"}}
			kept := 0
			var refused error
			for n := 1; refused == nil && n < 100; n++ {
				draft.Plan.Operations = make([]driver.Operation, 300*n)
				for i := range draft.Plan.Operations {
					text := fmt.Sprintf("%d %x", i, sha256.Sum256([]byte{byte(n), byte(i), byte(i >> 8)})) // it can't be compressed
					draft.Plan.Operations[i] = edit.SetValue{Connection: "Ethernet 7", Key: "NetworkAddress", Value: text}
				}
				if refused = scarce.db.SaveDraft(t.Context(), draft); refused == nil {
					kept = len(draft.Plan.Operations)
				}
			}
			text := fmt.Sprint(refused)
			if kept == 0 || !errors.Is(refused, fault.ErrFull) || !strings.Contains(text, "free some space") || strings.Contains(text, "\n") {
				t.Fatalf("after %d changes: %v", kept, refused)
			}
			back, ok, err := scarce.db.Draft(t.Context(), "abc", 7, "registry")
			if !ok || err != nil || len(back.Plan.Operations) != kept {
				t.Errorf("the draft before had %d changes, and has %d, %v, %v", kept, len(back.Plan.Operations), ok, err)
			}
			scarce.relieve()
			if err := scarce.db.SaveDraft(t.Context(), draft); err != nil {
				t.Errorf("with room: %v", err)
			}
			if back, _, err = scarce.db.Draft(t.Context(), "abc", 7, "registry"); err != nil || len(back.Plan.Operations) <= kept {
				t.Errorf("with free space %d changes are saved, %v", len(back.Plan.Operations), err)
			}
		})
	}
}
