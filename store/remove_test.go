package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
)

// record makes an ended session of some size.
func record(t *testing.T, db *DB, samples int) int64 {
	t.Helper()
	recorder := begin(t, db)
	recorder.Schema(schemaOf(t, 1, 300), &perf.Inventory{})
	traffic := newTraffic(1, 300)
	for n := range samples {
		for i := range traffic.cells {
			traffic.cells[i] += int64(n*i) * 7919 % 1_000_003
		}
		recorder.Column(column(n, traffic.cells...))
	}
	recorder.Events([]eventlog.Event{{Message: "one"}, {Message: "two"}})
	closeRecorder(t, recorder)
	return recorder.Status().Session
}

// ids are the sessions there are, newest first.
func ids(t *testing.T, db *DB) (list []int64) {
	t.Helper()
	sessions, err := db.Sessions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sessions {
		list = append(list, s.ID)
	}
	return list
}

func TestDeleteLeavesNothingAndVacuumGivesTheSpaceBack(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	kept := record(t, db, 10)
	gone := record(t, db, 2000)
	if err := db.Delete(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM session": 1, "SELECT count(*) FROM series_list": 1, "SELECT count(*) FROM generation": 1,
		"SELECT count(*) FROM clock": 1, "SELECT count(DISTINCT place >> 16) FROM chunk": 1, "SELECT count(*) FROM event": 2,
		"SELECT count(*) FROM frame": 0,
	} {
		var got int
		if err := db.reader.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %d, %v; want %d", query, got, err, want)
		}
	}
	if _, err := db.Session(t.Context(), gone); !errors.Is(err, ErrNoSession) {
		t.Errorf("the deleted session: %v", err)
	}
	if err := db.Delete(t.Context(), gone); !errors.Is(err, ErrNoSession) {
		t.Errorf("deleting it again: %v", err)
	}
	if err := checkpoint(t.Context(), db.writer); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(db.Path())
	if err != nil {
		t.Fatal(err)
	}
	freed, err := db.Vacuum(t.Context())
	after, statErr := os.Stat(db.Path())
	if err != nil || statErr != nil || freed != before.Size()-after.Size() || freed < before.Size()/2 {
		t.Errorf("freed %d: from %d to %d, %v", freed, before.Size(), after.Size(), err)
	}
	if rows := play(t, replayOf(t, db, kept), time.Second); len(rows) != 10 {
		t.Errorf("the other session has %d rows", len(rows))
	}
}

func TestRetentionByAge(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{MaximumAge: 24 * time.Hour})
	old := record(t, db, 10)
	young := record(t, db, 10)
	if _, err := db.writer.Exec("UPDATE session SET saved = saved - ? WHERE id = ?", int64(25*time.Hour), old); err != nil {
		t.Fatal(err)
	}
	if err := db.retain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := ids(t, db); len(left) != 1 || left[0] != young {
		t.Errorf("left are %v", left)
	}
}

func TestRetentionBySizeKeepsTheRunningSession(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	db.stop() // the keeper reads the options that the test is going to change
	db.kept.Wait()
	for range 4 {
		record(t, db, 600)
	}
	used, err := db.used(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	recorder := begin(t, db)
	db.options.MaximumBytes = used / 2
	if err := db.retain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := ids(t, db); len(left) > 3 || len(left) < 2 || left[0] != recorder.Status().Session {
		t.Errorf("left are %v", left)
	}
	db.options.MaximumBytes = 1
	if err := db.retain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := ids(t, db); len(left) != 1 || left[0] != recorder.Status().Session {
		t.Errorf("left are %v", left)
	}
	if err := db.Delete(t.Context(), recorder.Status().Session); !errors.Is(err, ErrRunning) {
		t.Errorf("deleting the running session: %v", err)
	}
	closeRecorder(t, recorder)
}

func TestInterruptedDeleteIsFinishedLater(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	id := record(t, db, 500)
	if _, err := db.writer.Exec("UPDATE session SET state = ? WHERE id = ?", stateDeleting, id); err != nil {
		t.Fatal(err)
	}
	if left := ids(t, db); len(left) != 0 {
		t.Errorf("a half deleted session shows: %v", left)
	}
	if err := db.retain(t.Context()); err != nil {
		t.Fatal(err)
	}
	var rows int
	if err := db.reader.QueryRow("SELECT (SELECT count(*) FROM chunk) + (SELECT count(*) FROM session)").Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows are left, %v", rows, err)
	}
}

func TestRetentionThatFailsIsTold(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	db.stop() // this test does the keeper's work
	db.kept.Wait()
	record(t, db, 10)
	db.options.MaximumBytes = 1
	recorder := begin(t, db)
	if _, err := db.writer.ExecContext(t.Context(), "CREATE TRIGGER stay BEFORE DELETE ON chunk BEGIN SELECT RAISE(ABORT, 'stays'); END"); err != nil {
		t.Fatal(err)
	}
	db.reportRetention(t.Context(), db.retain(t.Context()))
	if status := recorder.Status(); status.Err != nil || status.Retention == nil || !strings.Contains(status.Retention.Error(), "old sessions can't be removed") {
		t.Errorf("status %+v", status)
	}
	if _, err := db.writer.ExecContext(t.Context(), "DROP TRIGGER stay"); err != nil {
		t.Fatal(err)
	}
	db.reportRetention(t.Context(), db.retain(t.Context()))
	if status := recorder.Status(); status.Retention != nil || len(ids(t, db)) != 1 {
		t.Errorf("status %+v, sessions %v", status, ids(t, db))
	}
	closeRecorder(t, recorder)
}

// The number of a session that was deleted is nobody's any more, also after the file was closed.
func TestNumbersOfSessionsAreNotUsedAgain(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	taken := map[int64]bool{}
	for range 3 {
		db := openAt(t, path, Options{})
		for range 2 {
			closeRecorder(t, begin(t, db))
			sessions, err := db.Sessions(t.Context())
			if err != nil || len(sessions) == 0 {
				t.Fatalf("%d sessions, %v", len(sessions), err)
			}
			newest := sessions[0].ID
			if taken[newest] {
				t.Errorf("session %d was another one before", newest)
			}
			taken[newest] = true
			if err := db.Delete(t.Context(), newest); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
