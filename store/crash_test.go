package store

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
)

// kills is the number of times that the crash test kills a recorder.
const kills = 50

// crashCells is the length of the columns; their values follow from the number of the sample.
const crashCells = 200

func crashColumn(n int) *perf.Column {
	c := column(n)
	c.Grow(crashCells)
	for i := range c.Cells {
		c.Cells[i] = int64(i) * int64(n) * int64(n%7)
	}
	return c
}

// recordUntilKilled records at full speed, and prints each time that it reports as saved. It also deletes old sessions, so that
// a kill can interrupt a deletion too.
func recordUntilKilled(path string) int {
	ctx := context.Background()
	db, err := Open(ctx, path, Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	db.commitEvery = 3 * time.Millisecond
	recorder, err := db.Begin(ctx, perf.SourceInfo{Started: start}, time.Second)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	series := make([]perf.Series, crashCells)
	for i := range series {
		series[i] = perf.Series{Set: "S", Counter: fmt.Sprint(i), Cell: i}
	}
	schema, err := perf.NewSchema(1, crashCells, series)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	recorder.Schema(schema, &perf.Inventory{})
	if sessions, err := db.Sessions(ctx); err == nil && len(sessions) > 4 {
		go db.Delete(ctx, sessions[len(sessions)-1].ID)
	}
	tick := time.NewTicker(time.Millisecond)
	var shown time.Time
	for n := 0; ; {
		<-tick.C
		for range 9 { // nine samples a millisecond: a window every 13
			recorder.Column(crashColumn(n))
			n++
		}
		recorder.Events([]eventlog.Event{{Sequence: uint64(n), Time: start, Message: "tick"}})
		status := recorder.Status()
		if status.Err != nil || status.Lost > 0 {
			fmt.Fprintln(os.Stderr, status)
			return 1
		}
		if status.SavedThrough.After(shown) {
			shown = status.SavedThrough
			fmt.Println(status.Session, shown.Format(time.RFC3339))
		}
	}
}

func TestKilledRecorderKeepsSavedSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("its goroutines run in another process: run it without -short")
	}
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	random := rand.New(rand.NewPCG(7, 7))
	for round := range kills {
		session, saved := recordAndKill(t, path, time.Duration(random.IntN(40_000))*time.Microsecond)
		db, err := Open(t.Context(), path, Options{})
		if err != nil {
			t.Fatalf("round %d: open after the kill: %v", round, err)
		}
		checkAfterKill(t, db, round, session, saved)
		if err := db.Close(); err != nil {
			t.Fatalf("round %d: close: %v", round, err)
		}
		if t.Failed() {
			return
		}
	}
}

// recordAndKill runs a recorder, kills it some time after its first report of saved samples, and returns the last reported
// time.
func recordAndKill(t *testing.T, path string, after time.Duration) (session int64, saved time.Time) {
	t.Helper()
	helper := exec.Command(os.Args[0], path)
	helper.Env = append(os.Environ(), helperVariable+"=record")
	helper.Stderr = os.Stderr
	out, err := helper.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := helper.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	var killer *time.Timer
	for lines.Scan() {
		var stamp string
		if _, err := fmt.Sscan(lines.Text(), &session, &stamp); err != nil {
			break // the kill cut a line short
		}
		at, err := time.Parse(time.RFC3339, stamp)
		if err != nil {
			break
		}
		saved = at
		if killer == nil {
			killer = time.AfterFunc(after, func() { helper.Process.Kill() })
		}
	}
	if killer == nil {
		helper.Wait()
		t.Fatal("the recorder ended before it saved anything")
	}
	var exit *exec.ExitError
	if err := helper.Wait(); !errors.As(err, &exit) || exit.ExitCode() != -1 {
		t.Fatalf("the recorder was not killed: %v", err)
	}
	return session, saved
}

func checkAfterKill(t *testing.T, db *DB, round int, session int64, saved time.Time) {
	t.Helper()
	if db.Notice() != "" {
		t.Errorf("round %d: notice %q", round, db.Notice())
	}
	var verdict string
	if err := db.reader.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("round %d: integrity check: %s, %v", round, verdict, err)
	}
	about, err := db.Session(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	rows := play(t, replayOf(t, db, session), time.Second)
	if about.Running || about.Samples != int64(len(rows)) || about.Ended.Before(saved) {
		t.Errorf("round %d: %d rows, reported as saved through %v: %+v", round, len(rows), saved, about)
	}
	for n := range rows {
		if want := crashColumn(n); !rows[n].Time.Equal(want.Time) || !slices.Equal(rows[n].Cells, want.Cells) {
			t.Fatalf("round %d: row %d differs from the recorded one", round, n)
		}
	}
}
