package engine_test

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"cxdeck/store/engine"
)

// connector opens connections with a set-up.
type connector struct {
	address string
	setup   engine.Setup
}

func (c connector) Connect(context.Context) (sqldriver.Conn, error) {
	return engine.Open(c.address, c.setup)
}
func (c connector) Driver() sqldriver.Driver { return nil }

func pool(t *testing.T, setup engine.Setup) *sql.DB {
	t.Helper()
	db := sql.OpenDB(connector{":memory:", setup})
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func TestFunctions(t *testing.T) {
	t.Parallel()
	broken := errors.New("out of numbers")
	db := pool(t, engine.Setup{Functions: []engine.Function{
		{Name: "joined", Arguments: 2, Call: func(a []int64) (string, error) { return strings.Repeat("x", int(a[0]+a[1])), nil }},
		{Name: "broken", Arguments: 1, Call: func([]int64) (string, error) { return "", broken }},
	}})
	var text string
	if err := db.QueryRow("SELECT joined(1, 2)").Scan(&text); err != nil || text != "xxx" {
		t.Errorf("%q, %v", text, err)
	}
	for query, want := range map[string]string{
		"SELECT joined(1)": "wrong number of arguments", "SELECT joined(1, 2, 3)": "wrong number of arguments",
		"SELECT broken(1)": broken.Error(),
	} {
		if err := db.QueryRow(query).Scan(&text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", query, err)
		}
	}
	for _, query := range []string{"SELECT joined('a', 2)", "SELECT joined(NULL, 2)", "SELECT joined(1.5, 2)"} {
		if err := db.QueryRow(query).Scan(&text); err == nil {
			t.Errorf("%s returned %q", query, text)
		}
	}
}

func TestRestrictions(t *testing.T) {
	t.Parallel()
	db := pool(t, engine.Setup{MaxLength: 1000, Statements: "CREATE TABLE t (a); INSERT INTO t VALUES (7)",
		Allow: func(action engine.Action, _, second string) bool {
			return action == engine.ActionSelect || action == engine.ActionRead || action == engine.ActionRecurse || action == engine.ActionCall && second != "abs"
		}})
	var n int
	for _, query := range []string{"SELECT a FROM t", "WITH RECURSIVE r(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM r WHERE i < 9) SELECT max(i) FROM r"} {
		if err := db.QueryRow(query).Scan(&n); err != nil {
			t.Errorf("%s: %v", query, err)
		}
	}
	for _, query := range []string{"INSERT INTO t VALUES (8)", "PRAGMA user_version", "SELECT abs(a) FROM t", "ATTACH ':memory:' AS other"} {
		_, err := db.Exec(query)
		if code, _, ok := engine.CodeOf(err); !ok || code != engine.Auth && code != engine.Failed {
			t.Errorf("%s: %v", query, err)
		}
	}
	if err := db.QueryRow("SELECT length(zeroblob(5000))").Scan(&n); err == nil {
		t.Errorf("a value of %d bytes was accepted", n)
	}
}

func TestCodes(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	text := filepath.Join(folder, "text.db")
	if err := os.WriteFile(text, []byte(strings.Repeat("no database ", 200)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		address, statement string
		want               engine.Code
	}{
		"no database":  {"file:" + text, "SELECT * FROM sqlite_schema", engine.NotADB},
		"no folder":    {"file:" + folder + "/none/x.db?mode=rw", "SELECT * FROM sqlite_schema", engine.CantOpen},
		"no table":     {":memory:", "SELECT * FROM nothing", engine.Failed},
		"a constraint": {":memory:", "CREATE TABLE t (a UNIQUE); INSERT INTO t VALUES (1), (1)", engine.Constraint},
	} {
		db := engine.OpenPool(c.address)
		_, err := db.Exec(c.statement)
		if code, _, ok := engine.CodeOf(err); !ok || code != c.want {
			t.Errorf("%s: %v has code %d, not %d", name, err, code, c.want)
		}
		_ = db.Close()
	}
	if _, _, ok := engine.CodeOf(errors.New("something else")); ok {
		t.Error("another error has a code of SQLite")
	}
}

// TestMemoryIsEmptyEachTime: a database in memory is not shared.
func TestMemoryIsEmptyEachTime(t *testing.T) {
	t.Parallel()
	for range 2 {
		db := engine.OpenMemory()
		if _, err := db.Exec("CREATE TABLE t (a)"); err != nil {
			t.Error(err)
		}
		_ = db.Close()
	}
}
