package cli

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// newQuerier returns a function that runs cxdeck sql on a history of 150 s with two changes.
func newQuerier(t *testing.T) func(arguments ...string) result {
	t.Helper()
	directory := t.TempDir()
	execIn(t, directory, "advance 130s\nreg set \"Ethernet 7\" *JumboPacket 4096\nadapter restart \"Ethernet 7\"\nadvance 20s\n").want(t, exitDone)
	return func(arguments ...string) result {
		settings := []string{"sql", "--config", filepath.Join(directory, "config.toml"), "--db", historyIn(directory)}
		return runLine(t, slices.Concat(settings, arguments)...)
	}
}

// TestDocumentedQueries: all queries in docs/database.md return rows.
func TestDocumentedQueries(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	page, err := os.ReadFile("../../docs/database.md")
	if err != nil {
		t.Fatal(err)
	}
	queries := regexp.MustCompile("(?s)```sql\n(.*?)```").FindAllStringSubmatch(string(page), -1)
	if len(queries) != 6 {
		t.Fatalf("there are %d queries", len(queries))
	}
	ask := newQuerier(t)
	for i, query := range queries {
		got := ask(query[1], "--format", "csv")
		got.want(t, exitDone)
		rows, err := csv.NewReader(strings.NewReader(got.out)).ReadAll()
		if err != nil || len(rows) < 2 || slices.Contains(rows[1], "") {
			t.Errorf("%v, %d rows of\n%s\n%s", err, len(rows), query[1], got.out)
		}
		if minutes := (len(rows) - 1) / 8; i == 0 && (len(rows)%8 != 1 || minutes < 3 || minutes > 4) {
			t.Errorf("%d rows for the minutes and 8 interfaces:\n%s", len(rows), got.out)
		}
	}
}

// TestSQL checks the views of samples and series, the limit of rows, and control characters.
func TestSQL(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	ask := newQuerier(t)
	const counter = `\Network Interface(Mellanox ConnectX-5 Ex Ethernet Adapter)\Packets/sec`
	got := ask("SELECT count(*), min(value) > 0, typeof(value), count(DISTINCT time), unit FROM sample WHERE session = 1 AND path = '"+counter+"'", "--format", "json")
	got.want(t, exitDone)
	var answer struct {
		Schema  int
		Columns []string
		Rows    [][]any
	}
	if err := json.Unmarshal([]byte(got.out), &answer); err != nil || answer.Schema != 1 || len(answer.Columns) != 5 || len(answer.Rows) != 1 ||
		answer.Rows[0][0] != answer.Rows[0][3] || answer.Rows[0][0].(float64) < 130 || answer.Rows[0][2] != "real" {
		t.Errorf("%v: %s", err, got.out)
	}
	if got := ask("SELECT number FROM series WHERE session = 1"); got.code != exitDone || strings.Count(got.out, "\n") != 1001 ||
		!strings.Contains(got.err, "more than 1000 rows") {
		t.Errorf("%d, %q, %d lines", got.code, got.err, strings.Count(got.out, "\n"))
	}
	if got := ask("SELECT number FROM series", "--count", "3"); strings.Count(got.out, "\n") != 4 || got.err != "" {
		t.Errorf("%q, %q", got.out, got.err)
	}
	if got := ask("SELECT char(27) || '[2J' AS a, x'1b' AS b, NULL AS c"); strings.Contains(got.out, "\x1b") || !strings.Contains(got.out, "1b") {
		t.Errorf("%q", got.out)
	}
}

// TestSQLOfLevels compares sample_minute and sample_hour with the samples.
func TestSQLOfLevels(t *testing.T) {
	if testing.Short() {
		t.Skip("many cases in one goroutine: run it without -short")
	}
	t.Parallel()
	ask := newQuerier(t)
	for view, step := range map[string]string{"sample_minute": "60000000000", "sample_hour": "3600000000000"} {
		query := strings.ReplaceAll(strings.ReplaceAll(`WITH one AS (SELECT time / STEP * STEP AS at, min(value) AS least, avg(value) AS mean, max(value) AS most,
			count(*) AS samples FROM sample WHERE session = 1 AND path = 'PATH' GROUP BY at)
			SELECT count(*), sum(samples), max(abs(minimum - least)), max(abs(average - mean) / mean), max(abs(maximum - most)), sum(count <> samples)
			FROM one JOIN VIEW ON VIEW.session = 1 AND VIEW.path = 'PATH' AND VIEW.time = one.at`, "STEP", step), "VIEW", view)
		got := ask(strings.ReplaceAll(query, "PATH", `\Network Interface(Mellanox ConnectX-5 Ex Ethernet Adapter)\Packets/sec`), "--format", "csv")
		got.want(t, exitDone)
		rows, err := csv.NewReader(strings.NewReader(got.out)).ReadAll()
		if err != nil || len(rows) != 2 {
			t.Fatalf("%v: %s", err, got.out)
		}
		if rows[1][0] == "0" || len(rows[1][1]) < 3 || rows[1][5] != "0" {
			t.Errorf("%s: %v", view, rows[1])
		}
		for _, difference := range rows[1][2:5] {
			if value, err := strconv.ParseFloat(difference, 64); err != nil || value > 0.002 {
				t.Errorf("%s differs by %s: %v", view, difference, rows[1])
			}
		}
	}
}

// TestSQLOnlyReads: statements that are not queries are refused with one sentence, and write nothing.
func TestSQLOnlyReads(t *testing.T) {
	t.Parallel()
	ask := newQuerier(t)
	before := ask("SELECT count(*), (SELECT count(*) FROM event) FROM session").out
	other := filepath.Join(t.TempDir(), "other.db")
	for _, query := range []string{
		"DELETE FROM session", "SELECT 1; DELETE FROM session", "WITH x AS (SELECT 1) DELETE FROM event", "UPDATE session SET note = 'x'",
		"INSERT INTO setting VALUES ('a', 'b')", "DROP TABLE session", "DROP VIEW sample", "CREATE TABLE x (a)", "CREATE TEMP TABLE x (a)",
		"CREATE TEMP TRIGGER x AFTER INSERT ON session BEGIN SELECT 1; END", "ATTACH '" + other + "' AS other", "DETACH main", "VACUUM",
		"VACUUM INTO '" + other + "'", "PRAGMA query_only = OFF", "PRAGMA writable_schema = ON", "PRAGMA user_version = 9",
		"PRAGMA journal_mode = DELETE", "SELECT load_extension('x')", "BEGIN IMMEDIATE", "REINDEX", "ANALYZE", "ALTER TABLE session ADD x",
		"SELECT writefile('" + other + "', 'x')", "SELECT * FROM nothing", "SELECT", "", "SELECT cxdeck_values(9, 0, 0)",
		"SELECT cxdeck_values(1, -1, 0)", "SELECT cxdeck_values(1, 99999999, 0)", "SELECT cxdeck_series('x', 1)",
	} {
		got := ask(query)
		if got.code != exitFailed || strings.Count(got.err, "\n") != 1 || got.out != "" {
			t.Errorf("%s: %d, %q, %q", query, got.code, got.err, got.out)
		}
	}
	if after := ask("SELECT count(*), (SELECT count(*) FROM event) FROM session").out; after != before {
		t.Errorf("%s became %s", before, after)
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("a query created a file")
	}
	if got := ask(); got.code != exitMistake {
		t.Errorf("without a query: %d", got.code)
	}
}
