package cli

import (
	"bytes"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	_ "github.com/mattn/go-sqlite3" // it makes what no history is

	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/views/sessions"
)

// historyOf creates a history with a session for each list of counters, of 60 samples; a session without counters has none.
func historyOf(t *testing.T, path string, lists ...[]string) {
	t.Helper()
	db, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	began := time.Date(2026, 3, 2, 14, 0, 0, 0, time.UTC)
	for _, counters := range lists {
		var series []perf.Series
		for i, counter := range counters {
			series = append(series, perf.Series{Set: "Port", Instance: "Ethernet 7", Counter: counter, Kind: perf.Cumulative, Unit: perf.Packets, Cell: i})
		}
		schema, err := perf.NewSchema(1, len(series), series)
		if err != nil {
			t.Fatal(err)
		}
		recorder, err := db.Begin(t.Context(), perf.SourceInfo{Kind: perf.LabSource, Name: "LAB", Host: "H", Started: began}, time.Second)
		if err != nil {
			t.Fatal(err)
		}
		recorder.Schema(schema, &perf.Inventory{})
		for i := range 60 * min(1, len(counters)) {
			cells := make([]int64, len(counters))
			for at := range cells {
				cells[at] = int64(i * at)
			}
			recorder.Column(&perf.Column{Time: began.Add(time.Duration(i) * time.Second), Cells: cells})
		}
		if err := recorder.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// noSettings creates an empty configuration file, and returns its path.
func noSettings(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.toml")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// execSQL runs a statement on a database file.
func execSQL(t *testing.T, path, text string) {
	t.Helper()
	db, err := sql.Open("sqlite3", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(text); err != nil {
		t.Fatal(err)
	}
}

// historyCommands returns the commands that use a history, with arguments for a history with session 1. OUT is replaced by a file
// to write, IN by a file to import.
func historyCommands(t *testing.T) map[string][]string {
	t.Helper()
	commands := map[string][]string{"report": {"1"}, "sql": {"SELECT * FROM session"}}
	arguments := map[string][]string{
		"list": nil, "show": {"1"}, "delete": {"1"}, "pin": {"1"}, "unpin": {"1"}, "note": {"1", "text"}, "unnote": {"1"}, "edit-note": {"1", "text"},
		"tag": {"1", "x"}, "untag": {"1", "x"}, "search": {"link"}, "changed": {"1"}, "compare": {"1", "1"}, "export": {"1", "OUT"},
		"import": {"IN"}, "vacuum": nil, "change": {"1", "1"},
	}
	for _, verb := range sessions.Names() {
		with, ok := arguments[verb]
		if !ok {
			t.Errorf("add arguments for sessions %s to this test", verb)
		}
		commands["sessions "+verb] = with
	}
	return commands
}

// TestBadHistories: each command that uses a history refuses a file that is no history with one sentence, and changes neither
// the file nor its directory.
func TestBadHistories(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	made := t.TempDir()
	whole := filepath.Join(made, "whole.db")
	historyOf(t, whole, []string{"Packets", "Drops"})
	good, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]struct {
		make func(path string) error
		want string
	}{
		"absent":    {func(string) error { return nil }, "there is no history"},
		"text":      {func(path string) error { return os.WriteFile(path, []byte("minutes of monday"), 0o600) }, "is not a database"},
		"noise":     {func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte{7, 99}, 5000), 0o600) }, "is not a database"},
		"directory": {func(path string) error { return os.Mkdir(path, 0o700) }, "it is a directory"},
		"FIFO":      {makeFIFO, "it is a FIFO"},
		"foreign":   {func(path string) error { execSQL(t, path, "CREATE TABLE a (b)"); return nil }, "a database of another program"},
		"newer": {func(path string) error {
			err := os.WriteFile(path, good, 0o600)
			execSQL(t, path, "PRAGMA user_version = 99")
			return err
		}, "written by a newer cxdeck (schema version 99"},
		"a link to nothing": {func(path string) error { return os.Symlink(filepath.Join(made, "gone.db"), path) }, ""},
	}
	for kind, file := range files {
		for command, arguments := range historyCommands(t) {
			directory := t.TempDir()
			path := filepath.Join(directory, "h.db")
			if err := file.make(path); errors.Is(err, errors.ErrUnsupported) {
				continue
			} else if err != nil {
				t.Fatal(err)
			}
			if command == "sessions import" && (kind == "absent" || kind == "a link to nothing") {
				continue // import creates the history
			}
			before := fingerprint(t, directory)
			got := runHistory(t, directory, path, whole, command, arguments)
			if got.code != exitFailed || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, file.want) || got.out != "" {
				t.Errorf("%s with %s: %+v", command, kind, got)
			}
			if after := fingerprint(t, directory); after != before {
				t.Errorf("%s with %s has changed\n%s to\n%s", command, kind, before, after)
			}
		}
	}
}

// runHistory runs a command on a history.
func runHistory(t *testing.T, directory, history, whole, command string, arguments []string) result {
	t.Helper()
	words := strings.Fields(command)
	for _, argument := range arguments {
		words = append(words, strings.NewReplacer("OUT", filepath.Join(directory, "out.csv"), "IN", whole).Replace(argument))
	}
	return runLine(t, slices.Concat(words, []string{"--config", noSettings(t), "--db", history})...)
}

// fingerprint returns names, types and hashes of the files in a directory, without lock files and SQLite's files beside the
// database.
func fingerprint(t *testing.T, directory string) string {
	t.Helper()
	entries, err := os.ReadDir(directory)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, entry := range entries {
		if slices.Contains([]string{".lock", "-wal", "-shm"}, strings.TrimPrefix(entry.Name(), "h.db")) {
			continue
		}
		line := entry.Name() + " " + entry.Type().String()
		if entry.Type().IsRegular() {
			content, err := os.ReadFile(filepath.Join(directory, entry.Name()))
			if err != nil {
				t.Fatal(err)
			}
			line += fmt.Sprintf(" %x", sha256.Sum256(content))
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// TestHistoryInUse: commands that change a history refuse one that another cxdeck records to; other commands read it.
func TestHistoryInUse(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	path, whole := filepath.Join(directory, "h.db"), filepath.Join(directory, "whole.db")
	historyOf(t, whole, []string{"Packets", "Drops"})
	historyOf(t, path, []string{"Packets", "Drops"})
	db, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for command, arguments := range historyCommands(t) {
		verb, _ := sessions.Find(strings.TrimPrefix(command, "sessions "))
		got := runHistory(t, t.TempDir(), path, whole, command, arguments)
		if verb.Changes {
			if got.code != exitFailed || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, "in use by a running cxdeck") {
				t.Errorf("%s: %+v", command, got)
			}
		} else if strings.Contains(got.err, "in use") {
			t.Errorf("%s: %+v", command, got)
		}
	}
	if got := runLine(t, "sessions", "import", path, "--config", noSettings(t), "--db", filepath.Join(directory, "other.db")); got.code != exitFailed ||
		!strings.Contains(got.err, "a running cxdeck records into it") {
		t.Errorf("import of a history in use: %+v", got)
	}
}

// TestBadSessionsAndRanges: missing, deleted and empty sessions, ranges without samples, and sessions without common counters
// give one sentence and a non-zero exit code, and nothing is written.
func TestBadSessionsAndRanges(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	path := filepath.Join(directory, "h.db")
	historyOf(t, path, []string{"Packets", "Drops"}, []string{"Packets"}, nil, []string{"Other"})
	ask := func(words ...string) result {
		return runLine(t, slices.Concat(words, []string{"--config", noSettings(t), "--db", path})...)
	}
	ask("sessions", "delete", "2").want(t, exitDone)
	out := filepath.Join(directory, "out")
	for _, c := range []struct {
		words []string
		code  int
		want  string
	}{
		{[]string{"changed", "1", "--from", "+20500ms", "--to", "+20600ms"}, exitFailed, "has no samples from"},
		{[]string{"changed", "1", "--from", "+0s"}, exitFailed, "no samples before the range"},
		{[]string{"changed", "1", "--from", "+10h"}, exitMistake, "the recording ends at"},
		{[]string{"changed", "1", "--from", "x"}, exitMistake, "write a time as"},
		{[]string{"changed", "3"}, exitFailed, "has no samples"},
		{[]string{"compare", "1", "4"}, exitFailed, "no counter in common"},
		{[]string{"compare", "1", "3"}, exitFailed, "has no samples"},
		{[]string{"export", "1", out + ".csv", "--from", "+10h"}, exitMistake, "the recording ends at"},
		{[]string{"export", "1", out + ".db", "--from", "+10h"}, exitMistake, "the recording ends at"},
		{[]string{"export", "1", out + ".csv", "--from", "+1500ms", "--to", "+1600ms"}, exitFailed, "has no samples from"},
		{[]string{"export", "1", out + ".db", "--from", "+1500ms", "--to", "+1600ms"}, exitFailed, "session 1 has no samples from"},
		{[]string{"export", "1", out + ".html", "--from", "+1500ms", "--to", "+1600ms"}, exitFailed, "session 1 has no samples from"},
		{[]string{"export", "3", out + ".csv"}, exitFailed, "has no samples"},
		{[]string{"export", "3", out + ".html"}, exitFailed, "has no samples"},
		{[]string{"export", "1", out + ".reg"}, exitFailed, "no changes"},
		{[]string{"export", "1", out + ".doc"}, exitMistake, "the format of"},
		{[]string{"export", "1", out + ".csv", `\No(*)\Such`}, exitFailed, "No"},
		{[]string{"export", "1", filepath.Join(directory, "no", "out.csv")}, exitFailed, "no such file"},
		{[]string{"import", filepath.Join(directory, "gone.db")}, exitFailed, "there is no such file"},
		{[]string{"import", path}, exitFailed, "it is the history that it would be imported into"},
		{[]string{"import", "-"}, exitMistake, "name a file"},
		{[]string{"unnote", "77"}, exitFailed, "note 77"},
		{[]string{"search", "nothing-like-it > 5"}, exitMistake, "nothing-like-it"},
		{[]string{"note", "1", "x", "--from", "+10h"}, exitMistake, "the recording ends at"},
	} {
		got := ask(append([]string{"sessions"}, c.words...)...)
		if got.code != c.code || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, c.want) {
			t.Errorf("%q: %+v", c.words, got)
		}
	}
	for command, arguments := range historyCommands(t) {
		if len(arguments) == 0 || arguments[0] != "1" || command == "sessions unnote" || command == "sessions edit-note" {
			continue
		}
		for _, gone := range []string{"2", "9", "0", strconv.FormatInt(1<<62, 10)} {
			words := slices.Clone(arguments)
			words[0] = gone
			got := runHistory(t, directory, path, "", command, words)
			if got.code != exitFailed || strings.Count(got.err, "\n") != 1 || !strings.Contains(got.err, "there is no such session") || got.out != "" {
				t.Errorf("%s %q: %+v", command, words, got)
			}
		}
	}
	other, err := store.Open(t.Context(), path, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for command, elsewhere := range map[string]bool{"import": false, "pin": true} { // History does not import
		got := ask("sessions", command, "1")
		if got.code != exitFailed || !strings.Contains(got.err, "requires exclusive use") || strings.Contains(got.err, "History screen") != elsewhere {
			t.Errorf("%s beside a console: %+v", command, got)
		}
	}
	if got := ask("report", "3"); got.code != exitFailed || !strings.Contains(got.err, "no samples") || got.out != "" {
		t.Errorf("a report without samples: %+v", got)
	}
	if got := ask("report", "1", "--from", "+1500ms", "--to", "+1600ms"); got.code != exitFailed || strings.Count(got.err, "\n") != 1 || got.out != "" ||
		!strings.Contains(got.err, "session 1 has no samples from") {
		t.Errorf("a report of a range without samples: %+v", got)
	}
	if left, err := filepath.Glob(out + "*"); err != nil || len(left) > 0 {
		t.Errorf("files were left behind: %v, %v", left, err)
	}
}

// TestDamagedHistoryIsRead: the readable part of a damaged history is used, and the damage is reported.
func TestDamagedHistoryIsRead(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	for command, arguments := range historyCommands(t) {
		directory := t.TempDir()
		path, whole := filepath.Join(directory, "h.db"), filepath.Join(t.TempDir(), "whole.db")
		historyOf(t, whole, []string{"Packets", "Drops"})
		historyOf(t, path, []string{"Packets", "Drops"})
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := 4096 * 3; i < 4096*4; i++ {
			content[i] ^= 0x5a
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		got := runHistory(t, directory, path, whole, command, arguments)
		if lines := strings.Count(got.err, "\n"); lines < 1 || lines > 2 || !strings.Contains(got.err, "damaged") {
			t.Errorf("%s: %+v", command, got)
		}
		if strings.Contains(got.err, "panic") || got.code > exitFailed {
			t.Errorf("%s: %+v", command, got)
		}
	}
}

// TestSessionsDocuments: verbs that list print documents with --format json, and all verbs are in the help.
func TestSessionsDocuments(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "h.db")
	historyOf(t, path, []string{"Packets", "Drops"}, []string{"Packets", "Drops"})
	for _, words := range [][]string{
		{"sessions", "list"}, {"sessions", "show", "1"}, {"sessions", "search", "LAB"}, {"sessions", "search", "drops > 5"}, {"sessions", "changed", "1"},
		{"sessions", "compare", "1", "2"}, {"sql", "SELECT * FROM session"}, {"host", "list"},
	} {
		got := runLine(t, slices.Concat(words, []string{"--format", "json", "--config", noSettings(t), "--db", path})...)
		var document struct{ Schema int }
		if err := json.Unmarshal([]byte(got.out), &document); got.code != exitDone || err != nil || document.Schema != 1 {
			t.Errorf("%q: %v, %+v", words, err, got)
		}
	}
	help := runLine(t, "sessions", "--help")
	for _, verb := range sessions.Verbs() {
		if !strings.Contains(help.out, strings.TrimSpace("cxdeck sessions "+verb.Name+" "+verb.Arguments)) {
			t.Errorf("the help lacks sessions %s %s", verb.Name, verb.Arguments)
		}
	}
}
