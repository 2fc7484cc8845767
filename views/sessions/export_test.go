package sessions

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/pdh"
	"cxdeck/store"
	"cxdeck/store/intake"
	"cxdeck/views/exec"
)

// points reads the points of all series of a source between two times.
func points(t *testing.T, source perf.Source, from, to time.Time) map[string][]perf.Point {
	t.Helper()
	all := map[string][]perf.Point{}
	var column, before perf.Column
	for began := false; ; began = true {
		column, before = before, column
		err := source.Next(t.Context(), 0, &column)
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if column.Time.Before(from) || column.Time.After(to) {
			continue
		}
		for i := range source.Schema().Series {
			s := &source.Schema().Series[i]
			previous := &before
			if !began {
				previous = nil
			}
			value, ok := s.Value(previous, &column)
			if !ok {
				value = math.NaN()
			}
			all[s.Path()] = append(all[s.Path()], perf.Point{Time: column.Time.UnixNano(), Value: value})
		}
	}
}

func same(t *testing.T, got, want map[string][]perf.Point) {
	t.Helper()
	if len(got) != len(want) || len(want) == 0 {
		t.Fatalf("%d series, want %d", len(got), len(want))
	}
	for path, list := range want {
		if len(got[path]) != len(list) {
			t.Fatalf("%s has %d points, want %d", path, len(got[path]), len(list))
		}
		for i, point := range list {
			other := got[path][i]
			if other.Time != point.Time || other.Value != point.Value && !(math.IsNaN(other.Value) && math.IsNaN(point.Value)) {
				t.Fatalf("%s: point %d is %v, want %v", path, i, other, point)
			}
		}
	}
}

// TestExportedSamplesAreEqual checks that an exported log and an exported history have the values of the session, or of the range.
func TestExportedSamplesAreEqual(t *testing.T) {
	t.Parallel()
	db, directory := history(t), t.TempDir()
	for _, c := range []struct {
		name, from, to string
		first, last    time.Duration
	}{
		{"whole", "", "", 0, time.Hour},
		{"part", "+130s", "+170s", 130 * time.Second, 170 * time.Second},
	} {
		call := Call{From: c.from, To: c.to}
		log, cut := filepath.Join(directory, c.name+".csv"), filepath.Join(directory, c.name+".db")
		for _, file := range []string{log, cut} {
			said, err := run(t, db, call, "export", "2", file)
			if err != nil {
				t.Fatal(err)
			}
			wants(t, said, "Session 2 is in ", c.name)
		}
		recorded, err := db.Replay(t.Context(), 2)
		if err != nil {
			t.Fatal(err)
		}
		want := points(t, recorded, began.Add(c.first), began.Add(c.last))
		read, err := pdh.Open(log)
		if err != nil {
			t.Fatal(err)
		}
		defer read.Close()
		logged := points(t, read, began, began.Add(time.Hour))
		same(t, logged, want)

		other, err := store.Open(t.Context(), cut, store.Options{ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer other.Close()
		session, err := other.Session(t.Context(), 2)
		if err != nil || session.Running || session.Series != 2 {
			t.Fatalf("%+v, %v", session, err)
		}
		replay, err := other.Replay(t.Context(), 2)
		if err != nil {
			t.Fatal(err)
		}
		same(t, points(t, replay, began.Add(c.first), began.Add(c.last)), want)
		events, err := other.SessionEvents(t.Context(), 2)
		if want := map[string]int{"whole": 2, "part": 0}[c.name]; err != nil || len(events) != want || session.Events != want {
			t.Errorf("%s: %d events, %v", c.name, len(events), err)
		}
		if c.name == "part" && session.Samples != 120 { // the window that the range lies in
			t.Errorf("the part has %d samples", session.Samples)
		}
	}
	if left, err := filepath.Glob(filepath.Join(directory, "*part")); err != nil || len(left) > 0 {
		t.Errorf("these are left: %v, %v", left, err)
	}
}

func TestExportForms(t *testing.T) {
	t.Parallel()
	db, directory := history(t), t.TempDir()
	for format, part := range map[string]string{
		"csv": "(PDH-CSV 4.0)", "jsonl": `{"schema":1,"time":"2026-03-02T14:00:00Z"`, "om": "# EOF", "html": "<!doctype html>", "md": "# H",
	} {
		got, err := run(t, db, Call{Format: format}, "export", "2", "-")
		if err != nil {
			t.Errorf("%s: %v", format, err)
		}
		wants(t, got, part)
		file := filepath.Join(directory, "x."+format)
		if _, err := run(t, db, Call{}, "export", "2", file); err != nil {
			t.Errorf("%s: %v", format, err)
		}
		written, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(written), part) {
			t.Errorf("%s: %v, %.80q", format, err, written)
		}
	}
	got, err := run(t, db, Call{Format: "csv"}, "export", "2", "-", `\Port(*)\Dr*`)
	if err != nil || strings.Contains(got, "Packets") || !strings.Contains(got, "Drops") {
		t.Errorf("%v: %.200q", err, got)
	}
}

// TestRefusedExports checks that a refused export returns an error of one line, and writes no file.
func TestRefusedExports(t *testing.T) {
	t.Parallel()
	db, directory := history(t), t.TempDir()
	there := filepath.Join(directory, "there.csv")
	if err := os.WriteFile(there, []byte("kept"), 0o600); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(directory, name) }
	for _, c := range []struct {
		call  Call
		words []string
		want  string
	}{
		{Call{}, []string{"1", in("x.doc")}, "the format of"},
		{Call{Format: "table"}, []string{"1", in("x.csv")}, "can't write table"},
		{Call{}, []string{"1", "-"}, "requires --format"},
		{Call{Format: "db"}, []string{"1", "-"}, "name a file"},
		{Call{}, []string{"1", in("x.db"), `\Port(*)\*`}, "no counters to choose"},
		{Call{}, []string{"1", in("x.csv"), `\Nothing(*)\*`}, "Nothing"},
		{Call{}, []string{"3", in("x.csv")}, "no samples"},
		{Call{}, []string{"9", in("x.csv")}, "no such session"},
		{Call{From: "noon"}, []string{"1", in("x.csv")}, "write a time as"},
		{Call{}, []string{"1", there}, "exists already"},
		{Call{}, []string{"1", in("none/x.csv")}, "no such file"},
		{Call{}, []string{"1", in("x.ps1")}, "no changes"},
		{Call{}, []string{"1", in("x.reg")}, "no changes"},
	} {
		_, err := run(t, db, c.call, append([]string{"export"}, c.words...)...)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", c.words, err)
		}
	}
	files, err := os.ReadDir(directory)
	if kept, _ := os.ReadFile(there); err != nil || len(files) != 1 || string(kept) != "kept" {
		t.Errorf("%v, %v, %q", files, err, kept)
	}
	var mistake *exec.MistakeError
	if _, err := run(t, db, Call{}, "export", "1"); !errors.As(err, &mistake) {
		t.Errorf("without a file: %v", err)
	}
}

// TestInterruptedExport checks that an interrupted export leaves no file.
func TestInterruptedExport(t *testing.T) {
	t.Parallel()
	db, directory := history(t), t.TempDir()
	for _, name := range []string{"x.csv", "x.jsonl", "x.om", "x.db"} {
		ctx, cancel := context.WithCancel(t.Context())
		call := &Call{Ctx: ctx, DB: db, Arguments: []string{"2", filepath.Join(directory, name)}, Out: io.Discard,
			Progress: func(string) func(int, int) { return func(int, int) { cancel() } }}
		if err := export(call); !errors.Is(err, errInterrupted) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if files, err := os.ReadDir(directory); err != nil || len(files) > 0 {
		t.Errorf("%v, %v", files, err)
	}
}

// TestImport imports an exported session once, and uses it like any other session.
func TestImport(t *testing.T) {
	t.Parallel()
	db, directory := history(t), t.TempDir()
	cut := filepath.Join(directory, "cut.db")
	if _, err := run(t, db, Call{}, "export", "2", cut); err != nil {
		t.Fatal(err)
	}
	// The fixture's names contain control characters, which the import refuses.
	var refused *intake.Error
	if _, err := run(t, db, Call{}, "import", cut); !errors.As(err, &refused) || !strings.Contains(err.Error(), "control characters") {
		t.Fatalf("control characters: %v", err)
	}
	plain := named(t, "H", "link down")
	cut = filepath.Join(directory, "plain.db")
	if _, err := run(t, plain, Call{}, "export", "2", cut); err != nil {
		t.Fatal(err)
	}
	got, err := run(t, db, Call{}, "import", cut)
	if err != nil {
		t.Fatal(err)
	}
	wants(t, got, "Session 2 of "+cut+" is imported as session 5.")
	got, err = run(t, db, Call{JSON: true}, "import", cut, "2")
	var document struct{ Sessions []importedJSON }
	if err != nil || json.Unmarshal([]byte(got), &document) != nil || !slices.Equal(document.Sessions, []importedJSON{{2, 5, true}}) {
		t.Errorf("%v: %s", err, got)
	}
	for _, c := range []struct {
		words []string
		want  string
	}{
		{[]string{"list"}, "imported: session 2 of H"},
		{[]string{"show", "5"}, "imported"},
		{[]string{"compare", "1", "5"}, "Ethernet 7 Drops went from 0 to 5."},
		{[]string{"changed", "5"}, `\Port(Ethernet 7)\Drops`},
		{[]string{"search", "imported:", "session"}, "5"},
		{[]string{"search", "drops on Ethernet 7 > 5 for 30s"}, "5 "},
		{[]string{"export", "5", filepath.Join(directory, "again.db")}, "Session 5 is in"},
		{[]string{"export", "5", filepath.Join(directory, "again.csv")}, "300 samples of 2 counters"},
		{[]string{"tag", "5", "monday"}, "imported, monday"},
		{[]string{"delete", "5"}, "Session 5 is deleted."},
		{[]string{"import", filepath.Join(directory, "again.db")}, "is imported as session 6."},
	} {
		got, err := run(t, db, Call{}, c.words...)
		if err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%q: %v\n%s", c.words, err, got)
		}
	}
	var mistake *exec.MistakeError
	for _, words := range [][]string{{"import"}, {"import", "-"}, {"import", cut, "x"}, {"import", cut, "0"}} {
		if _, err := run(t, db, Call{}, words...); !errors.As(err, &mistake) {
			t.Errorf("%q: %v", words, err)
		}
	}
}

// TestImportOfALog imports a log once: its export must equal the log, and an interrupted import must leave no session.
func TestImportOfALog(t *testing.T) {
	t.Parallel()
	db, directory := named(t, "H", "link down"), t.TempDir()
	log, again := filepath.Join(directory, "monday.csv"), filepath.Join(directory, "again.csv")
	if _, err := run(t, db, Call{}, "export", "2", log); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	call := &Call{Ctx: ctx, DB: db, Arguments: []string{log}, Out: io.Discard,
		Progress: func(string) func(int, int) { return func(int, int) { cancel() } }}
	if err := importFile(call); !errors.Is(err, errImportInterrupted) {
		t.Errorf("an interrupt: %v", err)
	}
	for _, c := range []struct {
		call  Call
		words []string
		want  string
	}{
		{Call{}, []string{"import", log}, log + " is imported as session 5."},
		{Call{}, []string{"import", log}, log + " is in the history already, as session 5."},
		{Call{JSON: true}, []string{"import", log}, `"known": true`},
		{Call{}, []string{"list"}, "imported: log monday.csv"},
		{Call{}, []string{"search", "drops on Ethernet 7 > 5"}, "5 "},
		{Call{}, []string{"changed", "5"}, "Drops"},
		{Call{}, []string{"export", "5", again}, "300 samples of 2 counters"},
	} {
		got, err := run(t, db, c.call, c.words...)
		if err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%q: %v\n%s", c.words, err, got)
		}
	}
	first, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := os.ReadFile(again); err != nil || string(second) != string(first) {
		t.Errorf("the exported log differs, %v:\n%.300s", err, second)
	}
	if err := os.WriteFile(again, []byte("minutes of monday\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{again: "not the header of a Performance Monitor log", filepath.Join(directory, "no.csv"): "no such file"} {
		if _, err := run(t, db, Call{}, "import", path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", path, err)
		}
	}
	var mistake *exec.MistakeError
	if _, err := run(t, db, Call{}, "import", log, "3"); !errors.As(err, &mistake) {
		t.Errorf("a session of a log: %v", err)
	}
	if left, err := filepath.Glob(db.Path() + ".import-*"); err != nil || len(left) > 0 {
		t.Errorf("these are left: %v, %v", left, err)
	}
}
