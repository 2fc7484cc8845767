package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hardware"
	"cxdeck/perf"
	"cxdeck/store/fault"
	"cxdeck/store/intake"
	"cxdeck/store/parts"
	"cxdeck/store/salvage"
	"cxdeck/store/schema"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
	"cxdeck/store/transfer"
)

// recorded returns a history of another machine: three sessions with rows in every table, the second one longer.
func recorded(t testing.TB, path string) *DB {
	t.Helper()
	db := openAt(t, path, Options{Version: "1.2"})
	ctx := context.Background()
	for n := range 3 {
		recorder := begin(t, db)
		recorder.Schema(schemaOf(t, 1, 270+n%2), &perf.Inventory{Host: fmt.Sprintf("host %d", n)})
		load := newTraffic(uint64(n), 270+n%2)
		for at := range 40 + 400*(n%2) {
			load.step()
			recorder.Column(column(at, load.cells...))
		}
		recorder.Events([]eventlog.Event{{Sequence: uint64(n), Time: start, Source: "mlx5", Message: fmt.Sprintf("link %d down", n)}})
		recorder.Journal(driver.Entry{Sequence: uint64(n), Time: start, Plan: driver.Plan{
			Title: "Pull the cable", Operations: []driver.Operation{hardware.PullCable{Connection: "Ethernet 7"}},
		}})
		for at := range 2 {
			host := HostState{LabHash: "abc", Seed: 1<<63 + 7, Name: "LAB", Time: start.Add(time.Duration(at) * time.Second), Data: []byte(`{"a":1}`)}
			if err := db.SaveHost(ctx, host); err != nil {
				t.Fatal(err)
			}
		}
		closeRecorder(t, recorder)
		id := recorder.Status().Session
		keepAllLevels(t, db, id)
		_, err := db.AddMark(ctx, sessions.Mark{Session: id, From: start, To: start.Add(time.Second), Text: "cable pulled"})
		if err := errors.Join(err, db.Tag(ctx, id, []string{"storage"}, nil)); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.SetNote(ctx, 2, "bad hour"); err != nil {
		t.Fatal(err)
	}
	return db
}

// extracted returns a file with the second session of a recorded history.
func extracted(t testing.TB) (path string) {
	t.Helper()
	directory := t.TempDir()
	db, err := Open(context.Background(), filepath.Join(directory, "other.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	path = filepath.Join(directory, "cut.db")
	if err := sqlite.CreateEmpty(path); err != nil {
		t.Fatal(err)
	}
	if err := recorded(t, filepath.Join(directory, "other.db")).Extract(context.Background(), 2, time.Time{}, time.Time{}, path, nil); err != nil {
		t.Fatal(err)
	}
	return path
}

// rowsOf returns the number of rows of a session in each table.
func rowsOf(t *testing.T, db *DB, session int64) map[string]int64 {
	t.Helper()
	counts := map[string]int64{}
	for _, table := range schema.SessionTables {
		query := "SELECT count(*) FROM " + table.Name + " WHERE session = ?"
		if table.Of != "" {
			query = "SELECT count(*) FROM " + table.Name + " WHERE place >> 16 IN (SELECT id FROM " + table.Of + " WHERE session = ?)"
		}
		n, err := sqlite.Integers(t.Context(), db.reader, query, session)
		if err != nil {
			t.Fatal(err)
		}
		counts[table.Name] = n[0]
	}
	return counts
}

// everything returns all data of a session that an import must keep.
func everything(t *testing.T, db *DB, id int64) string {
	t.Helper()
	text, err := sessionContents(db, id)
	if err != nil {
		t.Fatal(err)
	}
	s, err := db.Session(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	marks, err := db.Marks(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	for i := range marks {
		marks[i].ID, marks[i].Session = 0, 0
	}
	state, taken, _, err := db.Snapshot(t.Context(), id, s.Ended)
	if err != nil {
		t.Fatal(err)
	}
	s.ID, s.Saved, s.Note, s.Tags, s.Bytes = 0, time.Time{}, "", nil, 0
	return fmt.Sprint(text, s, marks, string(state), taken)
}

// Extracted sessions and whole histories are imported unchanged, beside the existing sessions, under new numbers, and only
// once.
func TestImportedSessionsAreTheSame(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	other := recorded(t, filepath.Join(directory, "other.db"))
	cut := filepath.Join(directory, "cut.db")
	if err := sqlite.CreateEmpty(cut); err != nil {
		t.Fatal(err)
	}
	if err := other.Extract(t.Context(), 2, time.Time{}, time.Time{}, cut, nil); err != nil {
		t.Fatal(err)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	other = openAt(t, other.Path(), Options{ReadOnly: true})
	db := openAt(t, filepath.Join(directory, "cxdeck.db"), Options{})
	own := record(t, db, 30)
	before := everything(t, db, own)

	got, err := db.Import(t.Context(), cut, transfer.Options{})
	if want := []transfer.Imported{{Original: 2, ID: own + 1}}; err != nil || !slices.Equal(got, want) {
		t.Fatalf("the cut: %+v, %v", got, err)
	}
	if got, want := everything(t, db, own+1), everything(t, other, 2); got != want {
		t.Errorf("the session is\n%.400s\nand was\n%.400s", got, want)
	}
	s, err := db.Session(t.Context(), own+1)
	if err != nil || s.Note != "bad hour; imported: session 2 of lab" || !slices.Equal(s.Tags, []string{transfer.ImportedTag, "storage"}) || s.Running {
		t.Errorf("%+v, %v", s, err)
	}
	if age := time.Since(s.Saved); age < 0 || age > time.Hour {
		t.Errorf("the limit of age applies from %v", s.Saved)
	}
	if had, has := rowsOf(t, other, 2), rowsOf(t, db, own+1); fmt.Sprint(has) == fmt.Sprint(had) || has["tag"] != had["tag"]+1 {
		t.Errorf("%v rows became %v", had, has)
	} else {
		for table, n := range had {
			if table != "frame" && n == 0 || table != "tag" && has[table] != n {
				t.Errorf("%s had %d rows and has %d", table, n, has[table])
			}
		}
	}

	got, err = db.Import(t.Context(), other.Path(), transfer.Options{Sessions: []int64{3, 2}})
	if want := []transfer.Imported{{Original: 2, ID: own + 1, Known: true}, {Original: 3, ID: own + 2}}; err != nil || !slices.Equal(got, want) {
		t.Fatalf("two of the history: %+v, %v", got, err)
	}
	got, err = db.Import(t.Context(), other.Path(), transfer.Options{})
	if err != nil || len(got) != 3 || got[0] != (transfer.Imported{Original: 1, ID: own + 3}) || !got[1].Known || !got[2].Known {
		t.Fatalf("the history: %+v, %v", got, err)
	}
	for original, id := range map[int64]int64{1: own + 3, 3: own + 2} {
		if got, want := everything(t, db, id), everything(t, other, original); got != want {
			t.Errorf("session %d is\n%.400s\nand was\n%.400s", original, got, want)
		}
	}
	if after := everything(t, db, own); after != before {
		t.Error("an import has changed an existing session")
	}
	if hosts, err := db.Hosts(t.Context()); err != nil || len(hosts) != 0 {
		t.Errorf("hosts were imported: %v, %v", hosts, err)
	}
	checkImported(t, db, own+1)
	if left := stagesBeside(t, db.Path()); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
}

// checkImported checks the file, and that no row of a session is left after its deletion.
func checkImported(t *testing.T, db *DB, id int64) {
	t.Helper()
	var verdict string
	if err := db.reader.QueryRow("PRAGMA integrity_check").Scan(&verdict); err != nil || verdict != "ok" {
		t.Errorf("integrity: %s, %v", verdict, err)
	}
	places := map[string][]int64{}
	for _, table := range schema.SessionTables {
		if table.Of == "" {
			continue
		}
		numbers, err := sqlite.Integers(t.Context(), db.reader, "SELECT id FROM "+table.Of+" WHERE session = ?", id)
		if err != nil || len(numbers) == 0 {
			t.Fatalf("%v has %v, %v", table.Of, numbers, err)
		}
		places[table.Name] = numbers
	}
	if err := db.Delete(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	for table, n := range rowsOf(t, db, id) {
		if n != 0 {
			t.Errorf("%s has %d rows of a deleted session", table, n)
		}
	}
	for table, numbers := range places {
		for _, number := range numbers {
			n, err := sqlite.Integers(t.Context(), db.reader, "SELECT count(*) FROM "+table+" WHERE place >= ? AND place < ?", parts.Key(number, 0), parts.Key(number+1, 0))
			if err != nil || n[0] != 0 {
				t.Errorf("%s has %v rows of a deleted session, %v", table, n, err)
			}
		}
	}
}

func stagesBeside(t *testing.T, path string) []string {
	t.Helper()
	left, err := filepath.Glob(path + ".import-" + "*")
	if err != nil {
		t.Fatal(err)
	}
	return left
}

// Histories of all older versions can be imported, also with the session of a killed cxdeck.
func TestImportOfOlderVersions(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	for version := 1; version < schema.Newest; version++ {
		path := writeFixture(t, version)
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		db := openNew(t, Options{})
		got, err := db.Import(t.Context(), path, transfer.Options{})
		if err != nil || len(got) != 1 {
			t.Errorf("version %d: %v, %v", version, got, err)
			continue
		}
		if err := db.SaveLayout(t.Context(), Layout{Screen: "counters", Name: "mine", Data: []byte(`{"a":1}`), Saved: start}); err != nil {
			t.Fatal(err)
		}
		if err := db.SetNote(t.Context(), got[0].ID, ""); err != nil {
			t.Fatal(err)
		}
		checkMigrated(t, db)
		if after, err := os.ReadFile(path); err != nil || string(after) != string(whole) {
			t.Errorf("version %d: the file was changed: %v", version, err)
		}
	}
}

// The newest samples of a killed cxdeck are in the log and in frames; they are imported, too.
func TestImportAfterAKill(t *testing.T) {
	t.Parallel()
	other, err := Open(t.Context(), filepath.Join(t.TempDir(), "other.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	other.commitEvery = time.Millisecond
	recorder := begin(t, other)
	recorder.Schema(schemaOf(t, 1, 2), &perf.Inventory{})
	for n := range 150 {
		recorder.Column(column(n, int64(n), 5))
	}
	waitSaved(t, recorder, column(149).Time)
	copied := filepath.Join(t.TempDir(), "copied.db")
	if err := errors.Join(copyFile(copied, other.Path()), copyFile(copied+"-wal", other.Path()+"-wal")); err != nil {
		t.Fatal(err)
	}
	db := openNew(t, Options{})
	var refused *intake.Error
	if _, err := db.Import(t.Context(), other.Path(), transfer.Options{}); !errors.As(err, &refused) || !strings.Contains(err.Error(), "a running cxdeck records into it") {
		t.Errorf("while it is recorded: %v", err)
	}
	closeRecorder(t, recorder)
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := db.Import(t.Context(), copied, transfer.Options{})
	if err != nil || len(got) != 1 {
		t.Fatalf("%v, %v", got, err)
	}
	if rows := play(t, replayOf(t, db, got[0].ID), time.Second); len(rows) != 150 {
		t.Errorf("%d rows of 150", len(rows))
	}
}

// hostile lists changes of a session file, and a part of the expected error for each.
var hostile = []struct {
	name, statement, want string
}{
	{"a trigger", "CREATE TRIGGER evil AFTER INSERT ON session BEGIN INSERT INTO setting VALUES ('mark', 'x'); END", `the trigger "evil"`},
	{"a trigger on a view", "CREATE VIEW v AS SELECT 1 AS a; CREATE TRIGGER evil INSTEAD OF INSERT ON v BEGIN DELETE FROM session; END", "which no history has"},
	{"a view", "CREATE VIEW evil AS SELECT * FROM session", `the view "evil"`},
	{"a view in the place of a table", "DROP TABLE tag; CREATE VIEW tag AS SELECT 2 AS session, 'x' AS name", `the view "tag"`},
	{"a table", "CREATE TABLE evil (a)", `the table "evil"`},
	{"an index on an expression", "CREATE INDEX evil ON event (upper(message))", `the index "evil"`},
	{"a virtual table", `PRAGMA writable_schema = ON;
		INSERT INTO sqlite_schema VALUES ('table', 'evil', 'evil', 0, 'CREATE VIRTUAL TABLE evil USING fts5(x)')`, `the virtual table "evil"`},
	{"a generated column", "ALTER TABLE event ADD COLUMN evil TEXT GENERATED ALWAYS AS (upper(message)) VIRTUAL", `table "event" differs from the one that cxdeck creates`},
	{"a default that is an expression", `PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET sql = replace(sql, 'DEFAULT 0', 'DEFAULT (random())') WHERE name = 'session'`, `table "session" differs from the one that cxdeck creates`},
	{"a check", `PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET sql = replace(sql, ') STRICT', ', CHECK (load_extension(''x''))) STRICT') WHERE name = 'journal'`, `table "journal" differs from the one that cxdeck creates`},
	{"no types", `PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET sql = replace(sql, ' STRICT', '') WHERE name = 'event'`, `table "event" differs from the one that cxdeck creates`},
	{"a missing table", "DROP TABLE mark", `it lacks the table "mark"`},
	{"a missing index", "DROP INDEX clock_of_session", `it lacks the index "clock_of_session"`},
	{"two tables on one page", `PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'event') WHERE name = 'journal'`, "are on the same page"},
	{"a table on no page", "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET rootpage = 99999 WHERE name = 'event'", "is on page 99999"},
	{"a newer schema", "PRAGMA user_version = 99", "written by a newer cxdeck (schema version 99"},
	{"no schema version", "PRAGMA user_version = 0", "the schema version 0"},
	{"an older version than its tables", "PRAGMA user_version = 2", "differs from the one that cxdeck creates"},
	{"another program", "PRAGMA application_id = 77", "a database of another program"},
	{"control characters in an event", "UPDATE event SET message = char(27) || '[2J'", `"event" has a text with control characters`},
	{"control characters in the host's name", "UPDATE session SET host = 'a' || char(155) || 'b'", `"session" has a text with control characters`},
	{"control characters in a mark", "UPDATE mark SET text = 'a' || char(10)", `"mark" has a text with control characters`},
	{"a text that is not UTF-8", "UPDATE event SET message = CAST(x'ff41' AS TEXT)", "is not UTF-8"},
	{"an invalid tag", "UPDATE tag SET name = 'a b'", "invalid tag"},
	{"an unknown source", "UPDATE session SET kind = 'shell'", "a source of an unknown kind"},
	{"an interval of 0", "UPDATE session SET interval = 0", "an invalid interval"},
	{"an interval of centuries", "UPDATE session SET interval = 9e18", "an invalid interval"},
	{"a time below 0", "UPDATE session SET started = -5", "an invalid time"},
	{"a time in 290 years", "UPDATE session SET ended = 9223372036854775807", "an invalid time"},
	{"more samples than there are", "UPDATE session SET samples = 1000000000", "lacks 999999560 of 1000000000 samples"},
	{"more events than there are", "UPDATE session SET events = 7", "lacks 6 of 7 events"},
	{"more changes than there are", "UPDATE session SET changes = 7", "lacks 6 of 7 changes"},
	{"a negative count", "UPDATE session SET samples = -1", "a count below 0"},
	{"an invalid number", "UPDATE session SET id = -1", "an invalid number"},
	{"no list of counters", "DELETE FROM series_list", "a list of counters that can't be read"},
	{"a truncated list of counters", "UPDATE series_list SET data = substr(data, 1, 40)", "a list of counters that can't be read"},
	{"a list of zeroes", "UPDATE series_list SET data = zeroblob(3000000)", "a list of counters that can't be read"},
	{"a window of a billion samples", "UPDATE clock SET samples = 1000000000", "a window of samples that can't be read"},
	{"a window of a billion cells", "UPDATE clock SET cells = 1000000000", "a window of samples that can't be read"},
	{"a window with the number 0", "UPDATE clock SET id = 0 WHERE id = (SELECT min(id) FROM clock)", "invalid numbers in its table"},
	{"a window with a huge number", "UPDATE clock SET id = 9000000000000000000 WHERE id = (SELECT max(id) FROM clock)", "invalid numbers in its table"},
	{"invalid times", "UPDATE clock SET times = x'ffffffffffffffffff01'", "samples that can't be read"},
	{"huge times", "UPDATE clock SET times = zeroblob(20000000)", "samples that can't be read"},
	{"other times than the window", "UPDATE clock SET started = started - 5", "differ from the table clock"},
	{"an invalid group", "UPDATE chunk SET data = x'ffffffffffffffff7f'", "samples that can't be read"},
	{"a truncated group", "UPDATE chunk SET data = substr(data, 1, length(data) / 2)", "samples that can't be read"},
	{"a group with trailing bytes", "UPDATE chunk SET data = CAST(data || x'00' AS BLOB)", "1 bytes after the samples"},
	{"a huge group", "UPDATE chunk SET data = zeroblob(30000000) WHERE place = (SELECT min(place) FROM chunk)", "samples for counters that it does not list"},
	{"a cell that refers to itself", "UPDATE chunk SET data = x'0100' WHERE place & 65535 = 0", "refers to one without samples"},
	{"a group behind the last cell", "INSERT INTO chunk SELECT max(place) + 60, x'00' FROM chunk", "samples for counters that it does not list"},
	{"a block of no rows", "UPDATE level SET rows = x''", "minutes or hours that can't be read"},
	{"a block of invalid rows", "UPDATE level SET rows = x'00'", "minutes or hours that can't be read"},
	{"a block of a step of days", "UPDATE level SET step = 86400000000000", "a block of minutes or hours that can't be read"},
	{"a block of a billion cells", "UPDATE level SET cells = 1000000000", "a block of minutes or hours that can't be read"},
	{"a block of no samples", "UPDATE level SET samples = 0", "a block of minutes or hours that can't be read"},
	{"a block of more samples", "UPDATE level SET samples = samples + 5", "minutes or hours"},
	{"a block of other times", "UPDATE level SET ended = ended + 5", "minutes or hours whose times differ from the table level"},
	{"a block of distant windows", "UPDATE level SET next_window = 9000000000000000000", "invalid numbers in its table"},
	{"a block with a distant parent", "UPDATE level SET parent = 9000000000000000000", "invalid numbers in its table"},
	{"invalid sums", "UPDATE summary SET data = x'ffffffffffffffff7f'", "minutes or hours that can't be read"},
	{"truncated sums", "UPDATE summary SET data = substr(data, 1, length(data) / 2)", "minutes or hours"},
	{"sums of missing cells", "INSERT INTO summary SELECT max(place) + 60, x'00' FROM summary", "hour"},
	{"an invalid inventory", "UPDATE generation SET inventory = x'00'", "an inventory that can't be read"},
	{"another number of counters", "UPDATE generation SET series = 5", "a list of counters that can't be read"},
	{"a billion cells", "UPDATE generation SET cells = 1000000000000", "a list of counters that can't be read"},
	{"an event of an unknown severity", "UPDATE event SET severity = 77", "an event of severity 77"},
	{"an event before 1970", "UPDATE event SET time = -1", "an event with an invalid time"},
	{"a huge event", "UPDATE event SET message = printf('%.*c', 3000000, 'x')", "an event with a text of 3000000 bytes"},
	{"an invalid change", "UPDATE journal SET entry = '{'", "a change that can't be read"},
	{"a change of a million parts", "UPDATE journal SET entry = '[' || printf('%.*c', 2000000, ',') || ']'", "a change that can't be read"},
	{"a long mark", "UPDATE mark SET text = printf('%.*c', 5000, 'x')", "a note of 5000 characters"},
	{"a long note", "UPDATE session SET note = printf('%.*c', 50000, 'x')", "a note of 50000 bytes"},
	{"an invalid state of the host", "UPDATE snapshot SET state = x'00'", "a state of its host that can't be read"},
	{"a state of the host that is not JSON", "UPDATE snapshot SET state = x'4b4c4a0600'", "a state of its host that can't be read"},
	{"no sessions", "DELETE FROM session", "it has no sessions"},
}

// A file that cxdeck would not write is rejected with one sentence; no SQL of it ever runs, and neither file nor history
// changes.
func TestHostileFilesAreRejected(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	whole, err := os.ReadFile(extracted(t))
	if err != nil {
		t.Fatal(err)
	}
	db := openNew(t, Options{})
	for _, c := range hostile {
		path := filepath.Join(t.TempDir(), "hostile.db")
		if err := os.WriteFile(path, whole, sqlite.FileMode); err != nil {
			t.Fatal(err)
		}
		run(t, path, c.statement)
		mustReject(t, db, path, c.name, c.want)
	}
	if list := ids(t, db); len(list) > 0 {
		t.Errorf("sessions were imported: %v", list)
	}
}

// mustReject fails the test unless a file is rejected with a sentence, stays unchanged, and leaves no files behind.
func mustReject(t *testing.T, db *DB, path, name, want string) {
	t.Helper()
	before, _ := os.ReadFile(path) // a device or directory can't be read
	_, err := db.Import(t.Context(), path, transfer.Options{})
	var refused *intake.Error
	if !errors.As(err, &refused) || !strings.Contains(err.Error(), want) || strings.ContainsFunc(err.Error(), unicode.IsControl) ||
		!strings.HasPrefix(err.Error(), path+" can't be imported: ") || len(err.Error()) > len(path)+400 {
		t.Errorf("%s: %v", name, err)
	}
	after, _ := os.ReadFile(path)
	if sha256.Sum256(before) != sha256.Sum256(after) {
		t.Errorf("%s: the file was changed", name)
	}
	beside, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(beside) > 1 {
		t.Errorf("%s: beside the file are %v, %v", name, beside, err)
	}
	if left := stagesBeside(t, db.Path()); len(left) > 0 {
		t.Errorf("%s: files are left: %v", name, left)
	}
}

// A file that is not a database, or not a complete one, is rejected with a sentence, too.
func TestFilesThatAreNotHistories(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	whole, err := os.ReadFile(extracted(t))
	if err != nil {
		t.Fatal(err)
	}
	turned := func(from, to int) []byte {
		content := slices.Clone(whole)
		damages["turned"](content[from:to])
		return content
	}
	header := func(at int, value byte) []byte {
		content := slices.Clone(whole)
		content[at] = value
		return content
	}
	root := func(table string) (begin, end int) {
		path := filepath.Join(t.TempDir(), "whole.db")
		if err := os.WriteFile(path, whole, sqlite.FileMode); err != nil {
			t.Fatal(err)
		}
		at := rootOf(t, path, table)
		return (at - 1) * salvage.DefaultPage, at * salvage.DefaultPage
	}
	// A table whose only page is its own first child.
	loop := slices.Clone(whole)
	begin, _ := root("event")
	clear(loop[begin : begin+salvage.DefaultPage])
	loop[begin] = salvage.TableInterior
	binary.BigEndian.PutUint32(loop[begin+8:], uint32(begin/salvage.DefaultPage+1))
	for _, c := range []struct {
		name    string
		content []byte
		want    string
	}{
		{"empty", nil, "it is empty"},
		{"short", []byte("SQLite format 3\x00"), "it is not a database"},
		{"text", []byte(strings.Repeat("minutes of monday\n", 400)), "it is not a database"},
		{"cut short", whole[:len(whole)-salvage.DefaultPage], "it is truncated"},
		{"cut within a page", whole[:len(whole)-100], "it is truncated"},
		{"a header alone", whole[:salvage.HeaderSize], "it is truncated"},
		{"pages of 3 bytes", header(17, 3), "its pages have"},
		{"a newer form of database", header(18, 9), "a database format that cxdeck never writes"},
		{"UTF-16", header(59, 2), "its texts are not UTF-8"},
		{"its first page", turned(salvage.HeaderSize, salvage.DefaultPage), "its list of tables can't be read"},
		{"the events", turned(root("event")), `a part of its table "event" can't be read`},
		{"the sessions", turned(root("session")), `a part of its table "session" can't be read`},
		{"the samples", turned(root("chunk")), `a part of its table "chunk" can't be read`},
		{"a page under itself", loop, `a part of its table "event" can't be read`},
	} {
		db := openNew(t, Options{})
		path := filepath.Join(t.TempDir(), "broken.db")
		if err := os.WriteFile(path, c.content, sqlite.FileMode); err != nil {
			t.Fatal(err)
		}
		mustReject(t, db, path, c.name, c.want)
	}
	db := openNew(t, Options{})
	mustReject(t, db, filepath.Join(t.TempDir(), "absent.db"), "absent", "there is no such file")
	directory := filepath.Join(t.TempDir(), "a.db")
	if err := os.Mkdir(directory, 0o700); err != nil {
		t.Fatal(err)
	}
	mustReject(t, db, directory, "a directory", "it is a directory, not a regular file")
	path := filepath.Join(t.TempDir(), "whole.db")
	if err := os.WriteFile(path, whole, sqlite.FileMode); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Import(t.Context(), path, transfer.Options{Sessions: []int64{2, 7}}); err == nil || !strings.Contains(err.Error(), "it has no session 7") {
		t.Errorf("a missing session: %v", err)
	}
	if _, err := db.Import(t.Context(), db.Path(), transfer.Options{}); err == nil || !strings.Contains(err.Error(), "it is the history that it would be imported into") {
		t.Errorf("itself: %v", err)
	}
	if err := os.WriteFile(path+"-journal", make([]byte, 512), sqlite.FileMode); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Import(t.Context(), path, transfer.Options{}); err == nil || !strings.Contains(err.Error(), "a change of it is incomplete") {
		t.Errorf("beside a journal: %v", err)
	}
	reader := openAt(t, db.Path(), Options{ReadOnly: true})
	if _, err := reader.Import(t.Context(), path, transfer.Options{}); !errors.Is(err, fault.ErrReadOnly) {
		t.Errorf("into a read-only history: %v", err)
	}
}

// An import that is interrupted at any time leaves no sessions and no files.
func TestInterruptedImport(t *testing.T) {
	t.Parallel()
	path := extracted(t)
	db := openNew(t, Options{})
	for _, stop := range []string{"Reading the file", "Checking the sessions", "Importing"} {
		ctx, cancel := context.WithCancel(t.Context())
		_, err := db.Import(ctx, path, transfer.Options{Progress: func(title string) func(int, int) {
			return func(int, int) {
				if title == stop {
					cancel()
				}
			}
		}})
		if !errors.Is(err, context.Canceled) && !strings.Contains(fmt.Sprint(err), "interrupted") {
			t.Errorf("%s: %v", stop, err)
		}
		if list := ids(t, db); len(list) > 0 || len(stagesBeside(t, db.Path())) > 0 {
			t.Errorf("%s: sessions %v, and %v are left", stop, list, stagesBeside(t, db.Path()))
		}
		cancel()
	}
	if _, err := db.Import(t.Context(), path, transfer.Options{}); err != nil {
		t.Errorf("the next import: %v", err)
	}
}

// The next start removes the directories of killed imports, and nothing else.
func TestLeftoversOfImportsAreRemoved(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	for _, name := range []string{path + ".import-" + "123", path + ".import-" + "mine", path + ".import-"} {
		if err := os.MkdirAll(filepath.Join(name, "x"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	openAt(t, path, Options{})
	if left := stagesBeside(t, path); len(left) != 2 {
		t.Errorf("files are left: %v", left)
	}
}

// An import that fills the disk fails with one sentence, and leaves the history unchanged.
func TestFullDiskInAnImport(t *testing.T) {
	t.Parallel()
	path := extracted(t)
	for name, scarce := range scarcities(t) {
		if name == "limit" {
			if _, err := scarce.db.writer.Exec("PRAGMA max_page_count = 1"); err != nil { // the current number
				t.Fatal(err)
			}
		} else {
			directory := filepath.Dir(scarce.db.Path())
			if err := os.WriteFile(filepath.Join(directory, "more"), make([]byte, 700<<10), sqlite.FileMode); err != nil {
				t.Fatal(err)
			}
		}
		_, err := scarce.db.Import(t.Context(), path, transfer.Options{})
		if !errors.Is(err, fault.ErrFull) {
			t.Errorf("%s: %v", name, err)
		}
		if list := ids(t, scarce.db); len(list) > 0 || len(stagesBeside(t, scarce.db.Path())) > 0 {
			t.Errorf("%s: sessions %v, and %v are left", name, list, stagesBeside(t, scarce.db.Path()))
		}
		scarce.relieve()
	}
}

// A session file with random changes of bytes and values is rejected or imported; an imported session can be read to its end.
func FuzzImport(f *testing.F) {
	whole, err := os.ReadFile(extracted(f))
	if err != nil {
		f.Fatal(err)
	}
	columns := []string{
		"session.id", "session.state", "session.started", "session.interval", "session.series", "session.samples", "session.list",
		"series_list.data", "generation.sample", "generation.series", "generation.cells", "generation.inventory",
		"clock.id", "clock.session", "clock.started", "clock.samples", "clock.cells", "clock.times", "clock.missed",
		"chunk.place", "chunk.data", "event.session", "event.time", "event.severity", "event.message", "journal.entry",
		"mark.started", "mark.text", "tag.name", "snapshot.time", "snapshot.state", "twin.host", "twin.assumed",
		"level.id", "level.step", "level.started", "level.samples", "level.cells", "level.first_window", "level.next_row", "level.finer",
		"level.parent", "level.rows", "summary.place", "summary.data",
	}
	f.Add(uint32(0), byte(0), uint8(0), int64(0), []byte{})
	f.Add(uint32(100), byte(0xff), uint8(3), int64(-1), []byte("x"))
	for i := range columns {
		f.Add(uint32(0), byte(0), uint8(i), int64(1)<<40, []byte("\x1b\x00\xff"))
	}
	directory := f.TempDir()
	db := openAt(f, filepath.Join(directory, "cxdeck.db"), Options{})
	f.Fuzz(func(t *testing.T, at uint32, turn byte, column uint8, number int64, bytes []byte) {
		path := filepath.Join(directory, "fuzzed.db")
		if err := os.WriteFile(path, whole, sqlite.FileMode); err != nil {
			t.Fatal(err)
		}
		if number != 0 || len(bytes) > 0 {
			table, name, _ := strings.Cut(columns[int(column)%len(columns)], ".")
			pool := sqlite.Connect(path, sqlite.Writing)
			// The table itself rejects a value of a wrong type.
			for _, value := range []any{number, bytes, string(bytes)} {
				_, _ = pool.Exec(fmt.Sprintf("UPDATE %s SET %s = ? WHERE rowid = (SELECT max(rowid) FROM %s)", table, name, table), value)
			}
			pool.Close()
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		content[int(at)%len(content)] ^= turn
		if err := os.WriteFile(path, content, sqlite.FileMode); err != nil {
			t.Fatal(err)
		}
		got, err := db.Import(t.Context(), path, transfer.Options{})
		if err != nil {
			var refused *intake.Error
			if !errors.As(err, &refused) || strings.ContainsFunc(err.Error(), unicode.IsControl) {
				t.Fatalf("no sentence: %v", err)
			}
			return
		}
		for _, imported := range got {
			if err := errors.Join(useAll(db, imported.ID)...); err != nil {
				t.Errorf("imported session %d can't be read: %v", imported.Original, err)
			}
			if err := db.Delete(t.Context(), imported.ID); err != nil {
				t.Fatal(err)
			}
		}
	})
}
