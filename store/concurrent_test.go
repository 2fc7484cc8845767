package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
)

// A recorder, readers, layouts, notes, deletions and the keeper work at the same time.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	db.commitEvery = time.Millisecond
	old := record(t, db, 300)
	record(t, db, 300)
	recorder := begin(t, db)
	ctx := context.Background()
	var all sync.WaitGroup
	problems := make(chan error, 100)
	repeat := func(work func(i int) error) {
		all.Go(func() {
			for i := range 15 {
				if err := work(i); err != nil {
					problems <- err
					return
				}
			}
		})
	}
	repeat(func(i int) error {
		if i == 0 {
			recorder.Schema(schemaOf(t, 1, 300), &perf.Inventory{})
		}
		for n := range 40 {
			recorder.Column(column(40*i+n, make([]int64, 300)...))
		}
		recorder.Events([]eventlog.Event{{Message: "tick"}})
		return recorder.Status().Err
	})
	repeat(func(i int) error {
		return db.SaveLayout(ctx, Layout{Screen: "counters", Name: fmt.Sprint(i % 3), Data: []byte("{}")})
	})
	repeat(func(int) error { return db.SetNote(ctx, 2, "busy") })
	repeat(func(int) error {
		_, err := db.Sessions(ctx)
		return err
	})
	repeat(func(int) error {
		source, err := db.Replay(ctx, 2)
		if err != nil {
			return err
		}
		defer source.Close()
		_, err = source.(perf.RangeReader).ReadRange(ctx, 7, start, start.Add(time.Hour), nil)
		return err
	})
	repeat(func(i int) error {
		if i > 0 {
			return db.retain(ctx)
		}
		_, err := db.Vacuum(ctx)
		return errors.Join(db.Delete(ctx, old), err)
	})
	all.Wait()
	closeRecorder(t, recorder)
	close(problems)
	for err := range problems {
		t.Error(err)
	}
	s, err := db.Session(ctx, recorder.Status().Session)
	if err != nil || s.Samples != 600 || s.Events != 15 {
		t.Errorf("session %+v, %v", s, err)
	}
}

// TestSessionsBeginBesideTheKeeper: a session begins while the keeper has the connection for writing, and its transaction goes on.
func TestSessionsBeginBesideTheKeeper(t *testing.T) {
	t.Parallel()
	db := openQuiet(t, Options{})
	old := record(t, db, 300)
	begun := make(chan error, 1)
	added := make(chan error, 1)
	waited := db.writer.Stats().WaitCount
	go func() {
		added <- db.write(t.Context(), func(tx *sql.Tx) error {
			go func() {
				recorder, err := db.Begin(t.Context(), perf.SourceInfo{Kind: perf.LabSource, Name: "LAB-N4", Started: start}, time.Second)
				if err == nil {
					err = recorder.Close(t.Context())
				}
				begun <- err
			}()
			for db.writer.Stats().WaitCount == waited {
				time.Sleep(time.Millisecond)
			}
			return db.addBytes(t.Context(), tx, old, 1)
		})
	}()
	for what, done := range map[string]chan error{"the keeper's transaction": added, "the beginning of a session": begun} {
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("%s: %v", what, err)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s never ends", what)
		}
	}
}

// A recorder that is not closed in time keeps the samples that it reported as saved, and the next start ends its session.
func TestCloseDoesNotWaitForever(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	recorder := begin(t, db)
	tx, err := db.writer.Begin() // another transaction holds the only writing connection
	if err != nil {
		t.Fatal(err)
	}
	recorder.Column(column(0, 1))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := recorder.Close(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("close: %v", err)
	}
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	waitStopped(t, recorder)
}
