package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/store/fault"
	"cxdeck/store/series"
	"cxdeck/store/sqlite"
)

// useAll reads all data of a session like the console; it must return errors, and never panic or take all memory.
func useAll(db *DB, id int64) (problems []error) {
	ctx := context.Background()
	_, err := db.Sessions(ctx)
	problems = append(problems, err)
	_, err = db.SessionEvents(ctx, id)
	problems = append(problems, err)
	_, err = db.SessionJournal(ctx, id)
	problems = append(problems, err)
	source, err := db.Replay(ctx, id)
	if err != nil {
		return append(problems, err)
	}
	defer source.Close()
	var c perf.Column
	for range 1000 {
		if err := source.Next(ctx, time.Second, &c); err != nil {
			if !errors.Is(err, io.EOF) {
				problems = append(problems, err)
			}
			break
		}
		source.(perf.Eventer).Events()
	}
	problems = append(problems, source.(perf.Seeker).Seek(start.Add(time.Minute)))
	for i := range min(4, len(source.Schema().Series)) {
		_, err := source.(perf.RangeReader).ReadRange(ctx, i*71%len(source.Schema().Series), start, start.Add(time.Hour), nil)
		problems = append(problems, err)
	}
	return problems
}

func TestTamperedValuesGiveErrors(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	whole := filepath.Join(t.TempDir(), "cxdeck.db")
	db, err := Open(t.Context(), whole, Options{})
	if err != nil {
		t.Fatal(err)
	}
	fillFixture(t, db)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"UPDATE clock SET samples = 1000000000",
		"UPDATE clock SET samples = -1",
		"UPDATE clock SET samples = 0",
		"UPDATE clock SET id = 0", // the number of the window that is not full yet
		"UPDATE clock SET samples = samples - 1",
		"UPDATE clock SET cells = 1000000000",
		"UPDATE clock SET times = x'ffffffffffffffffff01'",
		"UPDATE clock SET times = zeroblob(20000000)",
		"UPDATE clock SET missed = x''",
		"UPDATE chunk SET data = x'ffffffffffffffff7f'",
		"UPDATE chunk SET data = x'01'",
		"UPDATE chunk SET data = x'0100' WHERE place & 65535 = 0", // the first cell refers to itself
		"UPDATE chunk SET data = zeroblob(length(data))",
		"UPDATE chunk SET data = substr(data, 1, length(data) / 2)",
		"UPDATE generation SET cells = 1000000000000",
		"UPDATE generation SET cells = 1",
		"UPDATE generation SET series = -5",
		"UPDATE generation SET inventory = x'00'",
		"UPDATE series_list SET data = x''",
		"UPDATE series_list SET data = x'00'",
		"UPDATE series_list SET data = substr(data, 1, length(data) - 9)",
		"DELETE FROM series_list",
		"UPDATE session SET list = 99",
		"UPDATE session SET list = 0",
		"DROP TABLE event",
	} {
		path := filepath.Join(t.TempDir(), "cxdeck.db")
		if err := os.WriteFile(path, content, sqlite.FileMode); err != nil {
			t.Fatal(err)
		}
		db := openAt(t, path, Options{})
		if _, err := db.writer.Exec(statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		if err := errors.Join(useAll(db, 1)...); err == nil {
			t.Errorf("%s: no error", statement)
		}
	}
}

func TestTamperedInventoryGivesErrors(t *testing.T) {
	t.Parallel()
	for _, inventory := range []*perf.Inventory{
		{Receive: []int{5}}, {Drops: []int{-1}},
		{Nodes: []perf.Node{{Parent: 0}}}, {Nodes: []perf.Node{{Parent: -2}}}, {Nodes: []perf.Node{{Parent: -1, Send: []int{2}}}},
	} {
		packed, err := series.PackInventory(inventory)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := series.UnpackInventory(packed, 2); !errors.Is(err, fault.ErrDamaged) {
			t.Errorf("%+v: %v", inventory, err)
		}
	}
}

// Flipped bytes anywhere in packed data give errors or wrong numbers, but no panic.
func TestFlippedBytesGiveErrors(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	id := record(t, db, 200)
	random := rand.New(rand.NewPCG(3, 3))
	for range 60 {
		column := []string{"chunk.data", "clock.times", "clock.missed", "generation.inventory"}[random.IntN(4)]
		table, name, _ := strings.Cut(column, ".")
		var row int64
		var data []byte
		err := db.reader.QueryRow(fmt.Sprintf("SELECT rowid, %s FROM %s ORDER BY random() LIMIT 1", name, table)).Scan(&row, &data)
		if err != nil {
			t.Fatal(err)
		}
		broken := append([]byte(nil), data...)
		for range 1 + random.IntN(4) {
			broken[random.IntN(len(broken))] ^= byte(1 + random.IntN(255))
		}
		update := fmt.Sprintf("UPDATE %s SET %s = ? WHERE rowid = ?", table, name)
		if _, err := db.writer.Exec(update, broken, row); err != nil {
			t.Fatal(err)
		}
		useAll(db, id)
		if _, err := db.writer.Exec(update, data, row); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(useAll(db, id)...); err != nil {
		t.Errorf("after all bytes were restored: %v", err)
	}
}

// Of a killed session with an unreadable frame, the samples before the frame are kept and the rest is lost.
func TestUnreadableFramesEndASession(t *testing.T) {
	t.Parallel()
	path := t.TempDir() + "/cxdeck.db"
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	db.commitEvery = time.Millisecond
	recorder := begin(t, db)
	recorder.Schema(schemaOf(t, 1, 2), &perf.Inventory{})
	for n := range 20 {
		recorder.Column(column(n, int64(n), 5))
	}
	waitSaved(t, recorder, column(19).Time)
	if _, err := db.writer.Exec("UPDATE frame SET data = x'ffff' WHERE id = (SELECT min(id) + 12 FROM frame)"); err != nil {
		t.Fatal(err)
	}
	// Stop like a killed console, without ending the session.
	close(recorder.abandoned)
	<-recorder.done
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	again := openAt(t, path, Options{})
	s, err := again.Session(t.Context(), 1)
	if rows := play(t, replayOf(t, again, 1), time.Second); len(rows) != 12 || err != nil || s.Samples != 12 {
		t.Errorf("%d rows are left of 20, session %+v, %v", len(rows), s, err)
	}
}
