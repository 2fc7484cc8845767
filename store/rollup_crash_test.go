package store

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/store/parts"
	"cxdeck/store/rollup"
)

// rollUpKills is the number of times that the test kills a keeper that aggregates: 20 with CXDECK_LONG.
func rollUpKills() int {
	if os.Getenv("CXDECK_LONG") != "" {
		return 20
	}
	return 6
}

const (
	crashHours = 5
	crashLast  = crashHours*3600 - 1
)

// levelsUntilKilled aggregates and reduces session 1 at full speed, and prints each step.
func levelsUntilKilled(path string) int {
	ctx := context.Background()
	db, err := Open(ctx, path, Options{KeepSamples: time.Hour, KeepMinutes: 24 * time.Hour})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	db.now = func() time.Time { return column(crashLast).Time.Add(2 * time.Hour) }
	fmt.Println("open")
	cells := &rollup.Cells{}
	for steps := 0; ; steps++ {
		session, err := db.Session(ctx, 1)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		done, err := db.levelKeeper().Step(ctx, session, cells)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		if !done {
			fmt.Println("done")
			select {} // until it is killed
		}
		fmt.Println(steps)
	}
}

// A keeper that is killed while it aggregates loses no samples and leaves the file intact: each sample exists once, as a sample or
// in a minute.
func TestKilledRollUpLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("its goroutines run in another process: run it without -short")
	}
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	random := rand.New(rand.NewPCG(9, 9))
	done, cut, kills := true, 0, rollUpKills()
	for round := 0; cut < kills && round < 4*kills; round++ { // some finish before they are killed
		if done {
			writeCrashSession(t, path)
		}
		done = rollUpAndKill(t, path, time.Duration(random.IntN(250_000))*time.Microsecond)
		if !done {
			cut++
		}
		checkLevels(t, path, round)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d kills came before the work was done", cut)
	if cut < kills {
		t.Errorf("only %d of %d kills came before the work was done", cut, 4*kills)
	}
}

func writeCrashSession(t *testing.T, path string) {
	t.Helper()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(path + suffix)
	}
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	log := writerOf(t, db)
	log.add([]item{{schema: schemaOf(t, 1, crashCells), inventory: &perf.Inventory{}}})
	for n := range crashLast + 1 {
		log.addColumn(crashColumn(n))
	}
	if err := log.finish(db.writer, column(crashLast).Time); err != nil {
		t.Fatal(err)
	}
	log.close()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// rollUpAndKill runs a keeper and kills it some time after its start; done reports that it finished first.
func rollUpAndKill(t *testing.T, path string, after time.Duration) (done bool) {
	t.Helper()
	helper := exec.Command(os.Args[0], path)
	helper.Env = append(os.Environ(), helperVariable+"=levels")
	helper.Stderr = os.Stderr
	out, err := helper.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := helper.Start(); err != nil {
		t.Fatal(err)
	}
	var killer *time.Timer
	for lines := bufio.NewScanner(out); lines.Scan(); {
		done = done || lines.Text() == "done"
		if killer == nil {
			killer = time.AfterFunc(after, func() { helper.Process.Kill() })
		}
	}
	if err := helper.Wait(); err == nil || killer == nil {
		t.Fatalf("the keeper was not killed: %v", err)
	}
	return done
}

func checkLevels(t *testing.T, path string, round int) {
	t.Helper()
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatalf("round %d: open after the kill: %v", round, err)
	}
	defer db.Close()
	checkIntegrity(t, db)
	list, err := parts.All(t.Context(), db.reader, 1)
	if err != nil {
		t.Fatal(err)
	}
	samples := int64(0)
	for i, part := range list {
		if i > 0 && part.Started <= list[i-1].Ended {
			t.Errorf("round %d: part %d begins before the one before it has ended", round, i)
		}
		samples += part.Samples
	}
	if samples != crashLast+1 {
		t.Errorf("round %d: %d samples, want %d", round, samples, crashLast+1)
	}
	source := replayOf(t, db, 1)
	var before *perf.Column
	for {
		var c perf.Column
		if source.Next(t.Context(), time.Second, &c) != nil {
			break
		}
		n := int(c.Time.Sub(start) / time.Second)
		for cell, want := range crashColumn(n).Cells {
			if c.Cells[cell] != want {
				t.Fatalf("round %d: cell %d of sample %d is %d, want %d", round, cell, n, c.Cells[cell], want)
			}
		}
		if before != nil && !c.Time.After(before.Time) {
			t.Fatalf("round %d: %v follows %v", round, c.Time, before.Time)
		}
		before = &perf.Column{Time: c.Time}
	}
	if before == nil || !before.Time.Equal(column(crashLast).Time) {
		t.Errorf("round %d: the last sample is %v", round, before)
	}
}
