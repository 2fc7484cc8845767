package store

import (
	"os"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/store/sqlite"
)

// logBound limits the size of the write-ahead log while no reader holds it: SQLite folds it into the file at 4 MB, and a commit
// of wide columns may add as much again.
const logBound = 12 << 20

// logSize returns the size of a history's write-ahead log, in bytes.
func logSize(t testing.TB, db *DB) int64 {
	t.Helper()
	file, err := os.Stat(db.Path() + "-wal")
	if err != nil {
		t.Fatal(err)
	}
	return file.Size()
}

// committer starts a session that the test writes, and returns a function that commits one sample.
func committer(t testing.TB, db *DB, cells int) (step func()) {
	t.Helper()
	log := writerOf(t, db)
	log.add([]item{{schema: schemaOf(t, 1, cells), inventory: &perf.Inventory{}}})
	traffic := newTraffic(1, cells)
	n := 0
	return func() {
		traffic.step()
		log.addColumn(column(n, traffic.cells...))
		n++
		if err := log.commit(db.writer, start); err != nil {
			t.Fatal(err)
		}
	}
}

// The log stays small while readers come and go. A reader that stays makes it grow, because it still needs the old pages; once
// it has ended, the log is small again.
func TestLogStaysSmall(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	step := committer(t, db, 4000)
	step()
	source := replayOf(t, db, 1).(perf.RangeReader)
	for n := range 400 {
		step()
		if n%20 == 0 {
			if _, err := source.ReadRange(t.Context(), 7, start, start.Add(time.Hour), nil); err != nil {
				t.Fatal(err)
			}
		}
		if size := logSize(t, db); size > logBound {
			t.Fatalf("the log has %d bytes", size)
		}
	}
	tx, err := db.reader.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback()
	if _, err := sqlite.Integers(t.Context(), tx, "SELECT id FROM session"); err != nil {
		t.Fatal(err)
	}
	for range 600 {
		step()
	}
	if size := logSize(t, db); size <= logBound {
		t.Fatalf("the reader holds nothing: the log has %d bytes", size)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		step()
	}
	if size := logSize(t, db); size > logBound {
		t.Errorf("the reader has gone, and the log has %d bytes", size)
	}
}
