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
	"cxdeck/store/codec"
	"cxdeck/store/fault"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// record records a session with a number of samples, and ends it.
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

// ids returns the numbers of all sessions, newest first.
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

func TestDeleteAndVacuum(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	kept := record(t, db, 10)
	gone := record(t, db, 2000)
	if _, err := db.writer.Exec("UPDATE event SET message = hex(zeroblob(2 << 20)) WHERE session = ?", gone); err != nil { // several steps
		t.Fatal(err)
	}
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
	if _, err := db.Session(t.Context(), gone); !errors.Is(err, fault.ErrNoSession) {
		t.Errorf("the deleted session: %v", err)
	}
	if err := db.Delete(t.Context(), gone); !errors.Is(err, fault.ErrNoSession) {
		t.Errorf("deleting it again: %v", err)
	}
	if err := sqlite.Checkpoint(t.Context(), db.writer); err != nil {
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
	checkShrunk(t, db)
	if rows := play(t, replayOf(t, db, kept), time.Second); len(rows) != 10 {
		t.Errorf("the other session has %d rows", len(rows))
	}
}

// A deletion whose steps end exactly with the rows of a table leaves no rows.
func TestDeleteInWholeSteps(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	for _, rows := range []int{stepRows - 1, stepRows, stepRows + 1, 2 * stepRows} {
		for _, fill := range []string{
			"INSERT INTO chunk SELECT (SELECT min(id) FROM clock WHERE session = ?1) << 16 | (1000 + value), x'' FROM n",
			"INSERT INTO frame (session, data) SELECT ?1, x'' FROM n",
			"INSERT INTO event (session, sequence, time, key, number, source, channel, severity, adapter, message) SELECT ?1, 0, 0, '', 0, '', '', 0, '', '' FROM n",
			"INSERT INTO journal (session, entry) SELECT ?1, '' FROM n",
			"INSERT INTO generation (session, number, sample, series, cells, inventory) SELECT ?1, 0, 0, 0, 0, x'' FROM n",
		} {
			id := record(t, db, 2*codec.WindowSamples)
			if _, err := db.writer.Exec("DELETE FROM event"); err != nil {
				t.Fatal(err)
			}
			if _, err := db.writer.Exec("WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n LIMIT ?2) "+fill, id, rows); err != nil {
				t.Fatal(err)
			}
			if err := db.Delete(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			for _, table := range []string{"session", "series_list", "generation", "clock", "chunk", "event", "journal", "frame"} {
				if left, err := sqlite.Integers(t.Context(), db.reader, "SELECT count(*) FROM "+table); err != nil || left[0] != 0 {
					t.Fatalf("%s (%d rows): %s has %v rows left, %v", fill, rows, table, left, err)
				}
			}
		}
	}
}

// checkShrunk checks that no page of the file is free.
func checkShrunk(t *testing.T, db *DB) {
	t.Helper()
	if free, err := sqlite.Pragma(t.Context(), db.reader, "freelist_count"); err != nil || free != 0 {
		t.Errorf("%d pages are free, %v", free, err)
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
		t.Errorf("the remaining sessions are %v", left)
	}
	checkShrunk(t, db)
}

// TestRetentionOfAClockThatIsSetForward: only time that passes makes sessions old.
func TestRetentionOfAClockThatIsSetForward(t *testing.T) {
	t.Parallel()
	db := openQuiet(t, Options{MaximumAge: 24 * time.Hour})
	young := record(t, db, 10)
	db.now = func() time.Time { return time.Now().AddDate(10, 0, 0) }
	if err := db.retain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := ids(t, db); len(left) != 1 || left[0] != young {
		t.Errorf("the remaining sessions are %v", left)
	}
	db.steady = func() time.Time { return time.Now().Add(25 * time.Hour) }
	if err := db.retain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := ids(t, db); len(left) != 0 {
		t.Errorf("after 25 hours the remaining sessions are %v", left)
	}
}

func TestRetentionBySizeKeepsTheRunningSession(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	db.stop() // the keeper reads the options, which the test changes
	db.keeperDone.Wait()
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
		t.Errorf("the remaining sessions are %v", left)
	}
	db.options.MaximumBytes = 1
	if err := db.retain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := ids(t, db); len(left) != 2 || left[0] != recorder.Status().Session || left[1] != 4 { // and the last one that ended
		t.Errorf("the remaining sessions are %v", left)
	}
	if err := db.Delete(t.Context(), recorder.Status().Session); !errors.Is(err, ErrRunning) {
		t.Errorf("deleting the running session: %v", err)
	}
	closeRecorder(t, recorder)
}

func TestInterruptedDeleteIsFinishedLater(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	record(t, db, 500)
	record(t, db, 300)
	if _, err := db.writer.Exec("UPDATE session SET state = ?", sessions.Deleting); err != nil {
		t.Fatal(err)
	}
	if left := ids(t, db); len(left) != 0 {
		t.Errorf("a half-deleted session is listed: %v", left)
	}
	if err := db.retain(t.Context()); err != nil {
		t.Fatal(err)
	}
	var rows int
	if err := db.reader.QueryRow("SELECT (SELECT count(*) FROM chunk) + (SELECT count(*) FROM session)").Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows are left, %v", rows, err)
	}
	checkShrunk(t, db)
}

// Without a removal, a few free pages stay for the next samples, and many are returned to the file system.
func TestManyFreePagesAreReturned(t *testing.T) {
	t.Parallel()
	for message, shrinks := range map[string]bool{"hex(zeroblob(16 << 10))": false, "hex(zeroblob(1 << 20))": true} {
		db := openNew(t, Options{})
		record(t, db, 1000)
		for _, statement := range []string{"UPDATE event SET message = " + message, "DELETE FROM event"} {
			if _, err := db.writer.Exec(statement); err != nil {
				t.Fatal(err)
			}
		}
		before, err := sqlite.Pragma(t.Context(), db.reader, "freelist_count")
		if err != nil || before == 0 {
			t.Fatalf("%d pages are free, %v", before, err)
		}
		if err := db.retain(t.Context()); err != nil {
			t.Fatal(err)
		}
		if after, err := sqlite.Pragma(t.Context(), db.reader, "freelist_count"); err != nil || (after < before) != shrinks {
			t.Errorf("messages of %s: %d pages are free, and were %d before, %v", message, after, before, err)
		}
	}
}

func TestFailedRetentionIsReported(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	db.stop() // this test does the keeper's work
	db.keeperDone.Wait()
	record(t, db, 10)
	record(t, db, 10) // the last one stays
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
	if status := recorder.Status(); status.Retention != nil || len(ids(t, db)) != 2 {
		t.Errorf("status %+v, sessions %v", status, ids(t, db))
	}
	closeRecorder(t, recorder)
}

// The number of a deleted session is never used again, even after the file was closed.
func TestSessionNumbersAreNotReused(t *testing.T) {
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
				t.Errorf("session number %d was reused", newest)
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
