package store

import (
	"errors"
	"strings"
	"testing"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/store/codec"
	"cxdeck/store/fault"
)

// The limit of size removes old sessions, then the oldest samples of the running one, but no pinned session and no sample of
// the newest hour, and the status reports it. The remaining samples are unchanged.
func TestRetentionBoundsTheRunningSession(t *testing.T) {
	t.Parallel()
	const hours = 3
	db := openNew(t, Options{})
	db.commitEvery = time.Millisecond
	db.stop() // this test does the keeper's work
	db.keeperDone.Wait()
	old, pinned := record(t, db, 300), record(t, db, 300)
	if err := db.SetPinned(t.Context(), pinned, true); err != nil {
		t.Fatal(err)
	}
	recorder := begin(t, db)
	load := newTraffic(1, 40)
	rows := map[int64][]int64{}
	for n := range hours * 3600 {
		if n%1000 == 0 {
			recorder.Schema(schemaOf(t, uint64(n/1000+1), 40), &perf.Inventory{Host: time.Duration(n * int(time.Second)).String()})
			recorder.Events([]eventlog.Event{{Time: column(n).Time, Message: "at " + column(n).Time.String()}})
		}
		load.step()
		c := column(n, load.cells...)
		rows[c.Time.UnixNano()] = append([]int64(nil), load.cells...)
		recorder.Column(c)
		if n%500 == 0 { // within the capacity of the queue
			waitSaved(t, recorder, c.Time)
		}
	}
	newest := column(hours*3600 - 1).Time
	waitSaved(t, recorder, newest)
	db.options.MaximumBytes = 1
	if err := db.retain(t.Context()); err != nil {
		t.Fatal(err)
	}
	for status := recorder.Status(); status.Err == nil && !strings.Contains(status.Removed, "the first 1h"); status = recorder.Status() {
		time.Sleep(time.Millisecond)
	}
	if got := recorder.Status().Removed; !strings.Contains(got, "session 1, and the first 1h") {
		t.Errorf("the status says %q", got)
	}
	if left := ids(t, db); len(left) != 2 || left[1] != pinned {
		t.Errorf("of %d, %d and the running one %v are left", old, pinned, left)
	}
	if err := db.Delete(t.Context(), pinned); !errors.Is(err, ErrPinned) {
		t.Errorf("deleting a pinned session: %v", err)
	}
	for n := range 300 {
		c := column(hours*3600+n, load.cells...)
		rows[c.Time.UnixNano()] = load.cells
		recorder.Column(c)
	}
	closeRecorder(t, recorder)

	id := recorder.Status().Session
	source := replayOf(t, db, id)
	var first time.Time
	count := 0
	for {
		var c perf.Column
		if source.Next(t.Context(), time.Second, &c) != nil {
			break
		}
		if count == 0 {
			first = c.Time
		}
		count++
		want := rows[c.Time.UnixNano()]
		for i := range want {
			if c.Cells[i] != want[i] {
				t.Fatalf("the row of %v has %v, want %v", c.Time, c.Cells, want)
			}
		}
		at := int(c.Time.Sub(start)/time.Second) / 1000 * 1000
		if at < hours*3600 && source.Inventory().Host != time.Duration(at*int(time.Second)).String() {
			t.Fatalf("at %v the inventory of %s holds", c.Time.Sub(start), source.Inventory().Host)
		}
	}
	if age := newest.Sub(first); age < untrimmed || age > untrimmed+10*time.Minute {
		t.Errorf("the newest %s are left", age)
	}
	s, err := db.Session(t.Context(), id)
	if err != nil || s.Samples != int64(count) || !s.Started.Equal(first) || s.Bytes <= 0 {
		t.Errorf("session %+v, %d rows from %v on, %v", s, count, first, err)
	}
	events, err := db.SessionEvents(t.Context(), id)
	if err != nil || len(events) == 0 || events[0].Time.Before(first) || s.Events != len(events) {
		t.Errorf("%d events from %v on, %d are counted, %v", len(events), events[0].Time, s.Events, err)
	}
}

// At the start of a console, the last session is an ended one. The limit of size removes its oldest samples, but not its newest hour,
// however short the present session is; an older session goes whole only once it has nothing but its newest hour.
func TestRetentionKeepsTheNewestHourOfTheLastSession(t *testing.T) {
	t.Parallel()
	const hours = 3
	db := openNew(t, Options{})
	db.commitEvery = time.Millisecond
	db.stop() // this test does the keeper's work
	db.keeperDone.Wait()
	older, last := recordHours(t, db, hours), recordHours(t, db, hours)
	recorder := begin(t, db)
	whole, err := db.used(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	db.options.MaximumBytes = whole - 4096
	if err := db.retain(t.Context()); err != nil {
		t.Fatal(err)
	}
	s, err := db.Session(t.Context(), older)
	if err != nil || s.Samples >= hours*3600 || s.Samples <= 3600 {
		t.Errorf("of the older session, %d samples are left, %v", s.Samples, err)
	}
	if got := recorder.Status().Removed; !strings.Contains(got, "of session 1") || strings.Contains(got, " and ") {
		t.Errorf("the status says %q", got)
	}
	db.options.MaximumBytes = 1
	for range 2 { // the second time, there is nothing more to remove
		if err := db.retain(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if left := ids(t, db); len(left) != 2 || left[1] != last {
		t.Fatalf("the sessions %v are left", left)
	}
	if got := recorder.Status().Removed; !strings.Contains(got, "session 1, and the first 1h") || !strings.HasSuffix(got, "of session 2") {
		t.Errorf("the status says %q", got)
	}
	s, err = db.Session(t.Context(), last)
	rows := play(t, replayOf(t, db, last), time.Second)
	if err != nil || int(s.Samples) != len(rows) || !s.Started.Equal(rows[0].Time) || s.Bytes <= 0 {
		t.Errorf("session %+v has %d rows from %v on, %v", s, len(rows), rows[0].Time, err)
	}
	if age := s.Ended.Sub(rows[0].Time); age < untrimmed || age > untrimmed+10*time.Minute {
		t.Errorf("the newest %s are left", age)
	}
	events, err := db.SessionEvents(t.Context(), last)
	if err != nil || len(events) == 0 || events[0].Time.Before(s.Started) || s.Events != len(events) {
		t.Errorf("%d events are left, %d are counted, %v", len(events), s.Events, err)
	}
	closeRecorder(t, recorder)
}

// recordHours records and ends a session with a sample a second and an event every 1,000 seconds, and returns its number.
func recordHours(t *testing.T, db *DB, hours int) int64 {
	t.Helper()
	recorder := begin(t, db)
	recorder.Schema(schemaOf(t, 1, 40), &perf.Inventory{})
	load := newTraffic(1, 40)
	for n := range hours * 3600 {
		load.step()
		c := column(n, load.cells...)
		if n%1000 == 0 {
			recorder.Events([]eventlog.Event{{Time: c.Time, Message: "at " + c.Time.String()}})
		}
		recorder.Column(c)
		if n%500 == 0 { // within the capacity of the queue
			waitSaved(t, recorder, c.Time)
		}
	}
	closeRecorder(t, recorder)
	return recorder.Status().Session
}

// The recorder wakes the keeper only after it removed something; otherwise the two would wake each other forever.
func TestTrimWithoutRemovalDoesNotWakeTheKeeper(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	db.stop() // the keeper would take the token that this test reads
	db.keeperDone.Wait()
	r := &Recorder{db: db, log: writerOf(t, db)}
	r.log.add([]item{{schema: schemaOf(t, 1, 3), inventory: &perf.Inventory{}}})
	for n := range int(untrimmed/time.Second) + 2*codec.WindowSamples {
		r.log.addColumn(column(n, int64(n), 5, 7))
	}
	if err := r.log.commit(db.writer, start); err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct {
		woken   int
		removed bool
	}{{1, true}, {0, true}} {
		r.trim(1 << 40)
		if woken := len(db.trimmed); woken != want.woken || (db.removed.running > 0) != want.removed {
			t.Errorf("the keeper is woken %d times, want %d; removed %q", woken, want.woken, db.removed)
		}
		if want.woken > 0 {
			<-db.trimmed
		}
	}
}

func TestPinnedSessionOutlivesItsAge(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{MaximumAge: time.Hour})
	kept, gone := record(t, db, 10), record(t, db, 10)
	if err := db.SetPinned(t.Context(), kept, true); err != nil {
		t.Fatal(err)
	}
	if _, err := db.writer.Exec("UPDATE session SET saved = saved - ?", int64(2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if err := db.retain(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := ids(t, db); len(left) != 1 || left[0] != kept {
		t.Errorf("of %d and %d %v are left", kept, gone, left)
	}
	if s, err := db.Session(t.Context(), kept); err != nil || !s.Pinned {
		t.Errorf("session %+v, %v", s, err)
	}
	if err := errors.Join(db.SetPinned(t.Context(), kept, false), db.retain(t.Context())); err != nil || len(ids(t, db)) != 0 {
		t.Errorf("unpinned: %v, %v", ids(t, db), err)
	}
	if err := db.SetPinned(t.Context(), 99, true); !errors.Is(err, fault.ErrNoSession) {
		t.Errorf("a missing session: %v", err)
	}
}
