package store

import (
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hardware"
	"cxdeck/perf"
	"cxdeck/store/codec"
	"cxdeck/store/fault"
	"cxdeck/store/schema"
	"cxdeck/store/sqlite"
)

// writeFixture makes a database file from the SQL of an older version.
func writeFixture(t *testing.T, version int) string {
	t.Helper()
	script, err := os.ReadFile(fmt.Sprintf("testdata/version%d.sql", version))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	run(t, path, string(script))
	return path
}

// hostVersion is the schema version that introduced hosts; fixtures from this version on have one.
const hostVersion = 4

// Each older version has a fixture, the dump of a file of that version: one session of 3 samples of 2 cells, one event, one
// change and one layout.
func TestEveryOlderVersionMigrates(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	for version := 1; version < schema.Newest; version++ {
		path := writeFixture(t, version)
		before, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		read, err := Open(t.Context(), path, Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		if rows := play(t, replayOf(t, read, 1), time.Second); len(rows) != 3 {
			t.Errorf("version %d, reading: %d rows", version, len(rows))
		}
		if err := read.Close(); err != nil {
			t.Error(err)
		}
		checkUntouched(t, path, before)
		if _, err := os.Stat(read.scratch); read.scratch == "" || !os.IsNotExist(err) {
			t.Errorf("version %d: the temporary copy in %q: %v", version, read.scratch, err)
		}
		db := openAt(t, path, Options{})
		if got, err := sqlite.FileVersion(t.Context(), db.reader); err != nil || got != schema.Newest {
			t.Errorf("version %d became %d, %v", version, got, err)
		}
		checkMigrated(t, db)
		if host, ok, err := db.Host(t.Context(), "abc", 7); ok != (version >= hostVersion) || err != nil || ok && string(host.Data) != "state" {
			t.Errorf("version %d: host %+v, %v", version, host, err)
		}
		checkPlanTables(t, db)
		copies, err := filepath.Glob(fmt.Sprintf("%s.version%d-*", path, version))
		if err != nil || len(copies) != 1 || !strings.Contains(db.Notice(), copies[0]) {
			t.Fatalf("copies %v, %v; notice %q", copies, err, db.Notice())
		}
		if status, err := os.Stat(copies[0]); err != nil || status.Mode().Perm() != sqlite.FileMode {
			t.Errorf("the copy: %v, %v", status, err)
		}
		old := sqlite.Connect(copies[0], sqlite.Immutable)
		if got, err := sqlite.FileVersion(t.Context(), old); err != nil || got != version {
			t.Errorf("the copy has version %d, %v", got, err)
		}
		old.Close()
	}
}

// The session of a killed console of an older version is migrated and then ended, with the samples of its last window, and
// sessions with the same series share one list. A tampered session does not prevent the migration.
func TestOlderSessionsOfAllKindsMigrate(t *testing.T) {
	t.Parallel()
	var e codec.Encoder
	for version := 1; version < schema.ListVersion; version++ {
		path := writeFixture(t, version)
		run(t, path,
			"CREATE TEMP TABLE copy AS SELECT * FROM session",
			"UPDATE copy SET id = 2, state = 1", "INSERT INTO session SELECT * FROM copy",
			"UPDATE copy SET id = 3, state = 0", "INSERT INTO session SELECT * FROM copy",
			`INSERT INTO series SELECT 2, number, set_name, instance, counter, kind, unit, cell, scale, width, line, total
				FROM series WHERE session = 1`,
			`INSERT INTO series SELECT 3, number, set_name, instance, counter, 999, unit, cell, scale, width, line, total
				FROM series WHERE session = 1`,
			`INSERT INTO generation (session, number, sample, series, cells, inventory)
				SELECT column1, number, sample, series, cells, inventory FROM generation, (VALUES (2), (3)) WHERE session = 1`,
			fmt.Sprintf("INSERT INTO frame (session, data) VALUES (2, x'%x')", e.Append(nil, []int64{7, 8}, start.UnixNano(), 0)),
		)
		e = codec.Encoder{}
		db := openAt(t, path, Options{})
		first, second := replayOf(t, db, 1), replayOf(t, db, 2)
		if got, want := second.Schema().Series, first.Schema().Series; len(want) != 2 || !slices.Equal(got, want) {
			t.Errorf("version %d: series %v and %v", version, got, want)
		}
		equalColumns(t, play(t, second, time.Second), []perf.Column{*column(0, 7, 8)})
		if _, err := db.Replay(t.Context(), 3); !errors.Is(err, fault.ErrDamaged) {
			t.Errorf("version %d: the tampered session: %v", version, err)
		}
		var lists int
		if err := db.reader.QueryRow("SELECT count(*) FROM series_list").Scan(&lists); err != nil || lists != 1 {
			t.Errorf("version %d: %d lists, %v", version, lists, err)
		}
	}
}

// A series with numbers at the limits of their ranges is migrated; with numbers beyond them, its session gets no series.
func TestOldSeriesAtTheLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	for column, limit := range map[string]int{"kind": math.MaxUint8, "width": math.MaxUint8, "cell": codec.MaximumCells - 1} {
		for value, kept := range map[int]bool{-1: false, 0: true, limit: true, limit + 1: false} {
			path := writeFixture(t, 2)
			run(t, path, fmt.Sprintf("UPDATE series SET %s = %d WHERE number = 1", column, value))
			db := openAt(t, path, Options{})
			if list, err := sqlite.Integers(t.Context(), db.reader, "SELECT list FROM session"); err != nil || (list[0] != 0) != kept {
				t.Errorf("%s %d: list %v, %v", column, value, list, err)
			}
		}
	}
}

func checkMigrated(t *testing.T, db *DB) {
	t.Helper()
	sessions, err := db.Sessions(t.Context())
	if err != nil || len(sessions) != 1 || sessions[0].Samples != 3 || sessions[0].Note != "" {
		t.Fatalf("sessions %+v, %v", sessions, err)
	}
	id := sessions[0].ID
	source := replayOf(t, db, id)
	if got, want := source.Schema().Series, schemaOf(t, 1, 2).Series; !slices.Equal(got, want) {
		t.Errorf("series %v, want %v", got, want)
	}
	if got := source.Inventory().Host; got != "lab" {
		t.Errorf("inventory of host %q", got)
	}
	equalColumns(t, play(t, source, time.Second), []perf.Column{*column(0, 1, 10), *column(1, 2, 20), *column(2, 3, 30)})
	if events, err := db.SessionEvents(t.Context(), id); err != nil || len(events) != 1 || events[0].Severity != eventlog.Warning {
		t.Errorf("events %+v, %v", events, err)
	}
	if entries, err := db.SessionJournal(t.Context(), id); err != nil || len(entries) != 1 || len(entries[0].Plan.Operations) != 1 {
		t.Errorf("journal %+v, %v", entries, err)
	}
	if layouts, err := db.Layouts(t.Context(), "counters"); err != nil || len(layouts) != 1 || string(layouts[0].Data) != `{"a":1}` {
		t.Errorf("layouts %+v, %v", layouts, err)
	}
	if err := db.SetNote(t.Context(), id, "kept"); err != nil {
		t.Errorf("note: %v", err)
	}
}

// A failed migration leaves the file unchanged.
func TestFailedMigrationChangesNothing(t *testing.T) {
	t.Parallel()
	path := writeFixture(t, 1)
	run(t, path, "CREATE INDEX journal_of_session ON journal (session)") // conflicts with version 2
	if db, err := Open(t.Context(), path, Options{}); err == nil {
		db.Close()
		t.Fatal("the migration succeeded")
	}
	pool := sqlite.Connect(path, sqlite.Reading)
	defer pool.Close()
	if version, err := sqlite.FileVersion(t.Context(), pool); err != nil || version != 1 {
		t.Errorf("version %d, %v", version, err)
	}
	var columns int
	if err := pool.QueryRow("SELECT count(*) FROM pragma_table_info('session') WHERE name = 'note'").Scan(&columns); err != nil || columns != 0 {
		t.Errorf("part of the migration was committed: %d, %v", columns, err)
	}
}

// fillFixture fills a history with the contents of the fixtures.
func fillFixture(t *testing.T, db *DB) {
	t.Helper()
	recorder := begin(t, db)
	recorder.Schema(schemaOf(t, 1, 2), &perf.Inventory{Host: "lab"})
	for n := range 3 {
		recorder.Column(column(n, int64(n+1), int64(10*n+10)))
	}
	recorder.Events([]eventlog.Event{{Sequence: 1, Time: start, Source: "mlx5", Severity: eventlog.Warning, Message: "link down"}})
	recorder.Journal(driver.Entry{Sequence: 1, Time: start, Plan: driver.Plan{
		Title: "Pull the cable of Ethernet 7", Operations: []driver.Operation{hardware.PullCable{Connection: "Ethernet 7"}},
	}})
	closeRecorder(t, recorder)
	if err := db.SaveLayout(t.Context(), Layout{Screen: "counters", Name: "mine", Data: []byte(`{"a":1}`), Saved: start}); err != nil {
		t.Fatal(err)
	}
}

// A history of the newest version passes the same check, so that the next version's fixture can be dumped from it.
func TestNewestVersionNeedsNoMigration(t *testing.T) {
	t.Parallel()
	db := openNew(t, Options{})
	fillFixture(t, db)
	checkMigrated(t, db)
	var verdict string
	err := db.reader.QueryRow("PRAGMA integrity_check").Scan(&verdict)
	if err != nil && err != sql.ErrNoRows || verdict != "ok" || db.Notice() != "" {
		t.Errorf("integrity %s, %v; notice %q", verdict, err, db.Notice())
	}
}
