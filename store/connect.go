package store

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/mattn/go-sqlite3"
)

// access is how a connection uses the file.
type access int

const (
	writing   access = iota
	reading          // beside a writer
	immutable        // nothing else has it open, and its directory can't be written
)

// maximumValue bounds what SQLite hands out of one row, so that a tampered file can't ask for all memory.
const maximumValue = 32 << 20

// connector opens connections without a driver registered for the whole program.
type connector struct {
	driver *sqlite3.SQLiteDriver
	name   string
}

func (c connector) Connect(context.Context) (sqldriver.Conn, error) { return c.driver.Open(c.name) }
func (c connector) Driver() sqldriver.Driver                        { return c.driver }

// connect opens a pool on the file, which must exist: nothing here creates it. Every connection has the same pragmas,
// set in this one place.
func connect(path string, use access) *sql.DB {
	options := url.Values{"_busy_timeout": {"5000"}, "_foreign_keys": {"0"}}
	connections := 4
	switch use {
	case writing:
		options.Set("mode", "rw")
		options.Set("_txlock", "immediate")
		options.Set("_synchronous", "NORMAL")
		connections = 1
	case reading:
		options.Set("mode", "ro")
	case immutable:
		options.Set("mode", "ro")
		options.Set("immutable", "1")
	}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a Windows drive
	}
	address := url.URL{Scheme: "file", Path: slashed, RawQuery: options.Encode()}
	pool := sql.OpenDB(connector{driver: &sqlite3.SQLiteDriver{ConnectHook: prepare}, name: address.String()})
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool
}

// prepare makes a new connection wary of the file: broken pages give errors, and nothing in the schema may call
// functions with effects.
func prepare(conn *sqlite3.SQLiteConn) error {
	conn.SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, maximumValue)
	_, err := conn.Exec("PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -2048; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 8388608", nil)
	return err
}
