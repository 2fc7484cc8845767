package store

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hardware"
	"cxdeck/perf"
	"cxdeck/store/fault"
	"cxdeck/store/recovery"
	"cxdeck/store/salvage"
	"cxdeck/store/schema"
	"cxdeck/store/sqlite"
)

// richFile creates a small history with rows in every table: sessions of several sizes, a deleted one, a host of several pages.
func richFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var gone []int64
	for n := range 12 {
		recorder := begin(t, db)
		recorder.Schema(schemaOf(t, 1, 20+n%3), &perf.Inventory{Host: fmt.Sprintf("host %d", n)})
		load := newTraffic(uint64(n), 20+n%3)
		for at := range 20 + 150*(n%4) {
			load.step()
			recorder.Column(column(at, load.cells...))
		}
		for i := range 5 + n%7 {
			recorder.Events([]eventlog.Event{{Sequence: uint64(i), Time: start, Source: "mlx5", Message: strings.Repeat("link down ", 1+3*n)}})
		}
		recorder.Journal(driver.Entry{Sequence: uint64(n), Time: start, Plan: driver.Plan{
			Title: strings.Repeat("Pull the cable ", 30*n), Operations: []driver.Operation{hardware.PullCable{Connection: "Ethernet 7"}},
		}})
		closeRecorder(t, recorder)
		if n%5 == 3 {
			gone = append(gone, recorder.Status().Session)
		}
	}
	for _, id := range gone {
		if err := db.Delete(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	noise := make([]byte, 20_000)
	for i := range noise {
		noise[i] = byte(i * i >> 3)
	}
	ctx := t.Context()
	err = errors.Join(
		db.SaveHost(ctx, HostState{LabHash: "abc", Seed: 7, Name: "LAB", Data: noise}),
		db.SaveLayout(ctx, Layout{Screen: "counters", Name: "mine", Data: []byte(`{"a":1}`)}),
		db.SaveDraft(ctx, Draft{LabHash: "abc", Plan: driver.Plan{Title: "a draft"}}),
		db.SaveSetting(ctx, "screen", "counters"),
		db.Close(),
	)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// harvested returns the rows of a file by table and number.
func harvested(t *testing.T, path string) map[string]string {
	t.Helper()
	schema, err := schema.At(t.Context(), schema.Newest)
	if err != nil {
		t.Fatal(err)
	}
	all := schema.Tables
	pages, err := salvage.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer pages.Close()
	rows := map[string]string{}
	h := salvage.Harvest{Pages: pages, Tables: all, Lost: func(*salvage.Table, int64, int64) {}, Row: func(s *salvage.Table, key int64, values []any) error {
		rows[rowName(s, key, values)] = fmt.Sprint(values...)
		return nil
	}}
	if err := h.Run(); err != nil {
		t.Fatal(err)
	}
	return rows
}

func rowName(s *salvage.Table, key int64, values []any) string {
	if s.Ordered {
		return fmt.Sprint(s.Name, " ", values[:min(len(values), 2)])
	}
	return fmt.Sprint(s.Name, " ", key)
}

// From an undamaged file, it reads the same rows as SQLite.
func TestHarvestMatchesSQLite(t *testing.T) {
	t.Parallel()
	path := richFile(t)
	rows := harvested(t, path)
	tables := map[string]int{}
	for name := range rows {
		table, _, _ := strings.Cut(name, " ")
		tables[table]++
	}
	db := openAt(t, path, Options{ReadOnly: true})
	schema, err := schema.At(t.Context(), schema.Newest)
	if err != nil {
		t.Fatal(err)
	}
	all := schema.Tables
	for _, s := range all {
		n, err := sqlite.Integers(t.Context(), db.reader, "SELECT count(*) FROM "+s.Name)
		if err != nil || int64(tables[s.Name]) != n[0] {
			t.Errorf("%s: %d rows, SQLite has %v, %v", s.Name, tables[s.Name], n, err)
		}
	}
	if tables["chunk"] < 10 || tables["setting"] < 2 || tables["host"] != 1 {
		t.Errorf("the file has too few rows for the test: %v", tables)
	}
}

// damages are ways to damage a page.
var damages = map[string]func(page []byte){
	"turned": func(page []byte) {
		for i := range page {
			page[i] ^= 0x5a
		}
	},
	"empty": func(page []byte) { clear(page) },
	"half":  func(page []byte) { copy(page, page[len(page)/2:]) },
}

// damagePages damages each page of a copy of a file in turn, and restores it afterwards.
func damagePages(t *testing.T, path string, each func(page int, damaged string)) {
	t.Helper()
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damaged := filepath.Join(t.TempDir(), "cxdeck.db")
	for at := 0; at < len(whole); at += salvage.DefaultPage {
		for name, damage := range damages {
			if name != "turned" && os.Getenv("CXDECK_LONG") == "" {
				continue
			}
			content := slices.Clone(whole)
			damage(content[at : at+salvage.DefaultPage])
			if err := os.WriteFile(damaged, content, 0o600); err != nil {
				t.Fatal(err)
			}
			each(at/salvage.DefaultPage+1, damaged)
		}
	}
}

// rowsOn returns the number of rows on a page of an undamaged file; overflow reports that the page has only a part of one row.
func rowsOn(t *testing.T, pages *salvage.File, number int) (count int, overflow bool) {
	t.Helper()
	kind, _, ok := pages.Owner(number)
	if ok && (kind == salvage.MapOverflow1 || kind == salvage.MapOverflow2) {
		return 1, true
	}
	if ok && kind == salvage.MapFree || !ok && number != 1 {
		return 0, false
	}
	n, err := pages.Node(number)
	if err != nil || n.Kind == salvage.TableInterior || number == 1 {
		return 0, false
	}
	return len(n.Cells), false
}

// Whichever page is damaged, all rows on other pages are found.
func TestDamagedPageLosesOnlyItsOwnRows(t *testing.T) {
	t.Parallel()
	path := richFile(t)
	whole := harvested(t, path)
	pages, err := salvage.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer pages.Close()
	lost := 0
	damagePages(t, path, func(number int, damaged string) {
		rows := harvested(t, damaged)
		missing := 0
		for name, row := range whole {
			if found, ok := rows[name]; !ok {
				missing++
			} else if found != row {
				missing++ // its end is on the page
			}
		}
		if on, _ := rowsOn(t, pages, number); missing > on {
			t.Errorf("page %d: %d rows are missing, and there are %d on it", number, missing, on)
		}
		lost += missing
	})
	if lost == 0 {
		t.Error("nothing was lost: the test damages nothing")
	}
}

// TestDamagedMapLosesNothing damages the pointer map, which has no rows: with random bytes, flipped kinds, and wrong kinds only.
// Rows with overflow pages are found without the map.
func TestDamagedMapLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	path := richFile(t)
	whole := harvested(t, path)
	const mapPage, size = 2, salvage.DefaultPage
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string]func(page []byte){}
	for kind := range byte(7) {
		ways[fmt.Sprintf("kind %d", kind)] = func(page []byte) {
			for i := 0; i+5 <= len(page); i += 5 {
				page[i] = kind
			}
		}
	}
	for seed := range uint64(20) {
		noise := rand.New(rand.NewPCG(seed, 1))
		ways[fmt.Sprintf("noise %d", seed)] = func(page []byte) {
			for i := range page {
				page[i] = byte(noise.Uint32())
			}
		}
		ways[fmt.Sprintf("flips %d", seed)] = func(page []byte) {
			for i := 0; i+5 <= len(page); i += 5 {
				page[i] = byte(noise.Uint32N(6))
			}
		}
	}
	damaged := filepath.Join(t.TempDir(), "cxdeck.db")
	for name, damage := range ways {
		copied := slices.Clone(file)
		damage(copied[(mapPage-1)*size : mapPage*size])
		if err := os.WriteFile(damaged, copied, 0o600); err != nil {
			t.Fatal(err)
		}
		rows, missing := harvested(t, damaged), 0
		for row, values := range whole {
			if rows[row] != values {
				missing++
			}
		}
		if missing > 0 {
			t.Errorf("%s: %d rows of %d are missing", name, missing, len(whole))
		}
	}
}

// sessionContents returns all data of a session as text.
func sessionContents(db *DB, id int64) (text string, err error) {
	ctx := context.Background()
	events, err := db.SessionEvents(ctx, id)
	if err != nil {
		return "", err
	}
	journal, err := db.SessionJournal(ctx, id)
	if err != nil {
		return "", err
	}
	source, err := db.Replay(ctx, id)
	if err != nil {
		return "", err
	}
	defer source.Close()
	var b strings.Builder
	fmt.Fprint(&b, len(source.Schema().Series), source.Inventory().Host, events, len(journal))
	for {
		var c perf.Column
		if err := source.Next(ctx, time.Second, &c); errors.Is(err, io.EOF) {
			return b.String(), nil
		} else if err != nil {
			return "", err
		}
		fmt.Fprint(&b, c.Time, c.Cells)
	}
}

// sessionsOn returns a function that finds the sessions with rows on a page of an undamaged file.
func sessionsOn(t *testing.T, path string) func(number int) map[int64]bool {
	t.Helper()
	pages, err := salvage.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pages.Close() })
	db := openAt(t, path, Options{ReadOnly: true})
	return func(number int) map[int64]bool {
		touched := map[int64]bool{}
		kind, parent, ok := pages.Owner(number)
		for ok && (kind == salvage.MapOverflow1 || kind == salvage.MapOverflow2) {
			number = parent
			kind, parent, ok = pages.Owner(number)
		}
		h := salvage.Harvest{Pages: pages}
		n, err := pages.Node(number)
		if err != nil || number == 1 || ok && kind == salvage.MapFree {
			return touched
		}
		var table string
		if err := db.reader.QueryRow("SELECT name FROM sqlite_schema WHERE rootpage = ?", h.RootOf(number)).Scan(&table); err != nil {
			return touched
		}
		query := map[string]string{
			"session": "SELECT id FROM session WHERE id = ?", "series_list": "SELECT id FROM session WHERE list = ?",
			"clock": "SELECT session FROM clock WHERE id = ?", "chunk": "SELECT session FROM clock WHERE id = ? >> 16",
			"event": "SELECT session FROM event WHERE id = ?", "journal": "SELECT session FROM journal WHERE id = ?",
			"generation": "SELECT session FROM generation WHERE id = ?",
		}[table]
		for i := range n.Cells {
			c, err := pages.Cell(n, i)
			if query == "" || n.Kind != salvage.TableLeaf || err != nil {
				continue
			}
			ids, err := sqlite.Integers(t.Context(), db.reader, query, c.Key)
			if err != nil {
				t.Fatal(err)
			}
			for _, id := range ids {
				touched[id] = true
			}
		}
		return touched
	}
}

// Whichever page is damaged, opening the file for recording and for reading gives all sessions without rows on it.
func TestDamagedPageLeavesTheOtherSessions(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	path := richFile(t)
	touches := sessionsOn(t, path)
	db := openAt(t, path, Options{ReadOnly: true})
	whole := map[int64]string{}
	for _, id := range ids(t, db) {
		text, err := sessionContents(db, id)
		if err != nil {
			t.Fatal(err)
		}
		whole[id] = text
	}
	every := 5
	if os.Getenv("CXDECK_LONG") != "" {
		every = 1
	}
	notices := map[bool]int{}
	damagePages(t, path, func(number int, damaged string) {
		if number > 30 && number%every != 0 { // the first pages are roots
			return
		}
		touched := touches(number)
		for _, readOnly := range []bool{true, false} {
			before, err := os.ReadFile(damaged)
			if err != nil {
				t.Fatal(err)
			}
			db, err := Open(t.Context(), damaged, Options{ReadOnly: readOnly})
			if err != nil {
				t.Errorf("page %d, reading only %v: %v", number, readOnly, err)
				continue
			}
			if db.Notice() != "" {
				notices[readOnly]++
			}
			for _, id := range slices.Sorted(maps.Keys(whole)) {
				text, err := sessionContents(db, id)
				if err != nil && (strings.Contains(err.Error(), "next start") || strings.Contains(err.Error(), "\n")) {
					t.Errorf("page %d, reading only %v: session %d after its readable part was saved: %v", number, readOnly, id, err)
				}
				if !touched[id] && (err != nil || text != whole[id]) {
					t.Errorf("page %d, reading only %v: session %d has changed: %v", number, readOnly, id, err)
				}
			}
			if err := db.Close(); err != nil {
				t.Errorf("page %d, reading only %v: close: %v", number, readOnly, err)
			}
			if after, err := os.ReadFile(damaged); readOnly && (err != nil || string(after) != string(before)) {
				t.Errorf("page %d: reading changed the file: %v", number, err)
			}
		}
		beside, err := filepath.Glob(damaged + "?*")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range beside {
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
		}
	})
	if notices[true] == 0 || notices[false] == 0 {
		t.Errorf("salvaged %v: the test damages nothing", notices)
	}
}

// When a page is damaged while the file is open, the next reader or writer detects it, and recording continues in a new file
// with all other data.
func TestPageDamagedWhileRecording(t *testing.T) {
	t.Parallel()
	path := richFile(t)
	pages, err := salvage.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer pages.Close()
	before := harvested(t, path)
	for _, table := range []string{"event", "journal", "clock", "chunk", "session"} {
		copied := filepath.Join(t.TempDir(), "cxdeck.db")
		if err := copyFile(copied, path); err != nil {
			t.Fatal(err)
		}
		db := openAt(t, copied, Options{})
		db.commitEvery = time.Millisecond
		recorder := begin(t, db)
		recorder.Schema(schemaOf(t, 1, 2), &perf.Inventory{})
		recorder.Column(column(0, 0, 5))
		waitSaved(t, recorder, column(0).Time)
		if err := sqlite.Checkpoint(t.Context(), db.writer); err != nil {
			t.Fatal(err)
		}
		damageTable(t, db, table)
		for n := 1; n < 300; n++ {
			recorder.Column(column(n, int64(n), 5))
			recorder.Events([]eventlog.Event{{Sequence: uint64(n), Message: "after it"}})
			recorder.Journal(driver.Entry{Sequence: uint64(n), Plan: driver.Plan{Title: "after it"}})
		}
		waitSaved(t, recorder, column(299).Time)
		closeRecorder(t, recorder)
		id := recorder.Status().Session
		if text, err := sessionContents(db, id); err != nil || !strings.Contains(text, "after it") {
			t.Errorf("%s: the session: %v", table, err)
		}
		if rows := play(t, replayOf(t, db, id), time.Second); len(rows) != 300 {
			t.Errorf("%s: %d rows are recorded", table, len(rows))
		}
		journal, err := db.SessionJournal(t.Context(), id)
		if err != nil || len(journal) != 299 {
			t.Errorf("%s: %d changes are recorded, %v", table, len(journal), err)
		}
		if r := db.Rescue(); !r.Damaged || r.Gone != nil || !strings.Contains(r.Moved, "sessions") {
			t.Errorf("%s: %+v", table, r)
		} else if partial := regexp.MustCompile("in part| lost|incomplete").MatchString(r.Moved); partial != r.Lost {
			t.Errorf("%s: lost is %t, and the sentence is %s", table, r.Lost, r.Moved)
		}
		if err := db.Close(); err != nil {
			t.Errorf("%s: close: %v", table, err)
		}
		after := harvested(t, copied)
		missing := 0
		for name := range before {
			if _, ok := after[name]; !ok && !strings.HasPrefix(name, "frame") {
				missing++
			}
		}
		if missing > 60 {
			t.Errorf("%s: %d of %d rows are missing", table, missing, len(before))
		}
	}
}

// damageTable damages the last page of a table in an open database, where new rows go.
func damageTable(t *testing.T, db *DB, table string) {
	t.Helper()
	var root int
	if err := db.reader.QueryRow("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?", table).Scan(&root); err != nil {
		t.Fatal(err)
	}
	pages, err := salvage.Open(db.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer pages.Close()
	for {
		n, err := pages.Node(root)
		if err != nil {
			t.Fatal(err)
		}
		if n.Leaf() {
			break
		}
		root = n.Right
	}
	file, err := os.OpenFile(db.Path(), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	noise := make([]byte, salvage.DefaultPage)
	damages["turned"](noise)
	if _, err := file.WriteAt(noise, int64(root-1)*salvage.DefaultPage); err != nil {
		t.Fatal(err)
	}
	sqlite.EndIdle(db.writer, 1) // drops the cached page
	sqlite.EndIdle(db.reader, sqlite.Readers)
}

// A damaged file of each older version is salvaged, and then migrated.
func TestDamagedFileOfAnOlderVersion(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	for version := 1; version < schema.Newest; version++ {
		path := writeFixture(t, version)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		root := rootOf(t, path, "setting")
		damages["turned"](content[(root-1)*salvage.DefaultPage : root*salvage.DefaultPage])
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, readOnly := range []bool{true, false} {
			db := openAt(t, path, Options{ReadOnly: readOnly})
			if !readOnly {
				checkMigrated(t, db)
			} else if rows := play(t, replayOf(t, db, 1), time.Second); len(rows) != 3 {
				t.Errorf("version %d, reading: %d rows", version, len(rows))
			}
			if !strings.Contains(db.Notice(), "1 of 1 sessions, journal and host kept") {
				t.Errorf("version %d, reading only %v: notice %q", version, readOnly, db.Notice())
			}
		}
	}
}

func rootOf(t *testing.T, path, table string) (root int) {
	t.Helper()
	pool := sqlite.Connect(path, sqlite.Reading)
	defer pool.Close()
	if err := pool.QueryRow("SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = ?", table).Scan(&root); err != nil {
		t.Fatal(err)
	}
	return root
}

// A list of series on a damaged page is restored for all its sessions by the next session with the same series.
func TestDamagedListIsRestored(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	db, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	whole := map[int64]string{}
	record(t, db, 3) // its list has another number
	for range 3 {
		id := recordWide(t, db)
		if whole[id], err = sessionContents(db, id); err != nil {
			t.Fatal(err)
		}
	}
	recorder := begin(t, db) // so that no other list gets the number of the damaged one
	recorder.Schema(schemaOf(t, 1, 5), &perf.Inventory{})
	closeRecorder(t, recorder)
	pages := closedPages(t, db)
	last := 0
	for number := 1; number <= pages.Count; number++ {
		kind, parent, _ := pages.Owner(number)
		if kind == salvage.MapOverflow1 && parent == rootOf(t, path, "series_list") {
			last = number
		}
	}
	if last == 0 {
		t.Fatal("the list has no page of its own: the test proves nothing")
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	damages["turned"](content[(last-1)*salvage.DefaultPage : last*salvage.DefaultPage])
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	kept, err := recovery.Save(t.Context(), path, path+".new", nil)
	if err != nil || !strings.Contains(kept.String(), "2 of 5 sessions, journal and host kept, sessions 2, 3, 4 in part") {
		t.Fatalf("%s, %v", kept, err)
	}
	again := openAt(t, path+".new", Options{})
	if _, err := sessionContents(again, 2); !errors.Is(err, fault.ErrDamaged) {
		t.Errorf("without its list: %v", err)
	}
	recordWide(t, again)
	for id, want := range whole {
		if text, err := sessionContents(again, id); err != nil || text != want {
			t.Errorf("session %d: %v", id, err)
		}
	}
}

// closedPages closes a database, and opens the pages of its file.
func closedPages(t *testing.T, db *DB) *salvage.File {
	t.Helper()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	pages, err := salvage.Open(db.Path())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { pages.Close() })
	return pages
}

// recordWide records a short session with so many series that their list has several pages.
func recordWide(t *testing.T, db *DB) int64 {
	t.Helper()
	recorder := begin(t, db)
	schema := schemaOf(t, 1, 2000)
	for i := range schema.Series {
		schema.Series[i].Instance = fmt.Sprintf("%x", sha256.Sum256([]byte{byte(i), byte(i >> 8)}))
	}
	recorder.Schema(schema, &perf.Inventory{})
	for n := range 3 {
		recorder.Column(column(n, newTraffic(1, 2000).cells...))
	}
	closeRecorder(t, recorder)
	return recorder.Status().Session
}

// TestMissingTablesAreNamed drops a table: the sentence of the salvage does not count its rows as kept, and sessions are recreated
// from their samples.
func TestMissingTablesAreNamed(t *testing.T) {
	t.Parallel()
	for table, notice := range map[string]string{
		"host":    "1 of 1 sessions and journal kept, incomplete: host;",
		"journal": "1 of 1 sessions and host kept, incomplete: journal;",
		"layout":  "1 of 1 sessions, journal and host kept, incomplete: layout;",
		"session": "0 of 1 sessions, journal and host kept, session 1 in part;",
	} {
		path := damagedFile(t, true, func([]byte) {})
		run(t, path, "DROP TABLE "+table)
		db := openAt(t, path, Options{})
		if !strings.Contains(db.Notice(), notice) {
			t.Errorf("without %s: %q", table, db.Notice())
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestLogOfAnEmptiedFileIsKept empties the file of a killed console, beside a log with all its data: the log is salvaged, where
// SQLite would delete it.
func TestLogOfAnEmptiedFileIsKept(t *testing.T) {
	t.Parallel()
	source := damagedFile(t, true, func([]byte) {})
	path := filepath.Join(t.TempDir(), "cxdeck.db")
	writer := sqlite.Connect(source, sqlite.Writing)
	if _, err := writer.ExecContext(t.Context(), "PRAGMA wal_autocheckpoint = 0; VACUUM"); err != nil { // all pages go to the log
		t.Fatal(err)
	}
	log, err := os.ReadFile(source + "-wal")
	if err != nil || len(log) == 0 {
		t.Fatalf("the log has %d bytes: %v", len(log), err)
	}
	if err := errors.Join(writer.Close(), os.WriteFile(path, nil, 0o600), os.WriteFile(path+"-wal", log, 0o600)); err != nil {
		t.Fatal(err)
	}
	read := openAt(t, path, Options{ReadOnly: true})
	if sessions, err := read.Sessions(t.Context()); err != nil || len(sessions) != 1 {
		t.Errorf("reading: %v, %v", sessions, err)
	}
	db := openAt(t, path, Options{})
	if sessions, err := db.Sessions(t.Context()); err != nil || len(sessions) != 1 || sessions[0].Samples != 1000 {
		t.Errorf("%v, %v; notice %q", sessions, err, db.Notice())
	}
	if moved, err := filepath.Glob(path + ".damaged-*"); err != nil || len(moved) != 2 {
		t.Errorf("moved to %v, %v", moved, err)
	}
}
