package store

import (
	"context"
	"errors"
	"io"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/store/parts"
)

// writeHours records several hours of two counters, and sets the machine's clock to age after the end.
func writeHours(t *testing.T, db *DB, hours int, age time.Duration) (id int64) {
	t.Helper()
	log := writerOf(t, db)
	log.add([]item{{schema: schemaOf(t, 1, 2), inventory: &perf.Inventory{}}})
	for n := range hours * 3600 {
		log.addColumn(column(n, int64(n), int64(7*n)))
	}
	if err := log.finish(db.writer, column(hours*3600).Time); err != nil {
		t.Fatal(err)
	}
	db.now = func() time.Time { return column(hours * 3600).Time.Add(age) }
	return log.session
}

// Tidy does all the work that a running console would do in hours, reports it, and has nothing to do the second time. If it is
// interrupted, the next call finishes the work.
func TestTidy(t *testing.T) {
	t.Parallel()
	db := openQuiet(t, Options{KeepSamples: time.Hour, KeepMinutes: 24 * time.Hour})
	id := writeHours(t, db, 6, 2*time.Hour)
	for stop := range 3 {
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := db.Tidy(ctx, func(done, _ int) {
			if done > stop*30 {
				cancel()
			}
		}); !errors.Is(err, context.Canceled) {
			t.Errorf("interrupted: %v", err)
		}
		cancel()
	}
	before, last := 0, 0
	done, err := db.Tidy(t.Context(), func(done, all int) {
		if done < before || done > all {
			t.Errorf("%d of %d after %d", done, all, before)
		}
		before, last = done, all-done
	})
	if err != nil || done.Reduced <= 0 || done.Removed != "" || last != 0 {
		t.Errorf("%+v, %v, %d windows remain", done, err, last)
	}
	list, err := parts.All(t.Context(), db.reader, id)
	if err != nil {
		t.Fatal(err)
	}
	samples := int64(0)
	for i := range list {
		samples += list[i].Samples
		if list[i].Step == 0 {
			t.Errorf("part %d has its samples", i)
		}
	}
	if samples != 6*3600 {
		t.Errorf("%d samples are aggregated", samples)
	}
	if again, err := db.Tidy(t.Context(), func(int, int) {}); err != nil || again.Reduced != 0 || again.Freed != 0 {
		t.Errorf("again: %+v, %v", again, err)
	}
	readOnly := openAt(t, db.Path(), Options{ReadOnly: true})
	if _, err := readOnly.Tidy(t.Context(), func(int, int) {}); err == nil {
		t.Error("a history that is open for reading was tidied")
	}
}

// counting is a source with many samples of one series.
type counting struct {
	schema *perf.Schema
	at     int
}

const countingSamples = 20_000

func (c *counting) Info() perf.SourceInfo      { return perf.SourceInfo{Kind: perf.LogSource, Name: "log"} }
func (c *counting) Schema() *perf.Schema       { return c.schema }
func (c *counting) Inventory() *perf.Inventory { return &perf.Inventory{} }
func (c *counting) Close() error               { return nil }
func (c *counting) Span() (from, to time.Time) { return start, column(countingSamples - 1).Time }
func (c *counting) Seek(to time.Time) error    { c.at = int(to.Sub(start) / time.Second); return nil }
func (c *counting) Next(_ context.Context, _ time.Duration, into *perf.Column) error {
	if c.at == countingSamples {
		return io.EOF
	}
	*into = *column(c.at, int64(c.at))
	c.at++
	return nil
}

// A source that is faster than the disk is imported completely, however narrow it is.
func TestImportOfANarrowSource(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	imported, err := db.ImportSource(t.Context(), &counting{schema: schemaOf(t, 1, 1)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if session, err := db.Session(t.Context(), imported.ID); err != nil || session.Samples != countingSamples {
		t.Errorf("%d samples, %v", session.Samples, err)
	}
}

// mustHaveHours fails the test unless each sample of the hours exists once, as a sample or aggregated, with its readings.
func mustHaveHours(t *testing.T, db *DB, id int64, hours int) {
	t.Helper()
	checkIntegrity(t, db)
	list, err := parts.All(t.Context(), db.reader, id)
	if err != nil {
		t.Fatal(err)
	}
	samples := int64(0)
	for i := range list {
		samples += list[i].Samples
		if i > 0 && list[i].Started <= list[i-1].Ended {
			t.Errorf("%s: part %d begins before the one before it has ended", db.Path(), i)
		}
	}
	if samples != int64(hours)*3600 {
		t.Errorf("%s: %d samples", db.Path(), samples)
	}
	for _, c := range play(t, replayOf(t, db, id), time.Second) {
		if n := int64(c.Time.Sub(start) / time.Second); c.Cells[0] != n || c.Cells[1] != 7*n {
			t.Fatalf("%s: %v at %s", db.Path(), c.Cells, c.Time)
		}
	}
}
