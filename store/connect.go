package store

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/mattn/go-sqlite3"

	"cxdeck/store/salvage"
)

// access is how a connection uses the file.
type access int

const (
	writing   access = iota
	reading          // beside a writer
	immutable        // nothing else has it open, and its directory can't be written
)

// readers is how many connections read at a time.
const readers = 4

// target is the file that pools of connections lead to. It can be moved to another file while they are used.
type target struct {
	mu   sync.RWMutex
	path string
	// generation counts the moves: a connection of an earlier one ends when its work is done.
	generation uint64
	// identity is the open file, to detect another one at the same path; nil accepts any.
	identity os.FileInfo
}

// current is the path and its generation.
func (t *target) current() (path string, generation uint64) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.path, t.generation
}

// identify remembers which file is open.
func (t *target) identify(file os.FileInfo) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.identity = file
}

// move makes new connections lead to what place puts at path; none is opened until it has.
func (t *target) move(path string, place func() error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := place(); err != nil {
		return err
	}
	t.path, t.identity = path, nil
	t.generation++
	return nil
}

// connector opens connections without a driver registered for the whole program.
type connector struct {
	driver  *sqlite3.SQLiteDriver
	target  *target
	options string
}

// Connect opens a connection to where the target leads now.
func (c connector) Connect(context.Context) (sqldriver.Conn, error) {
	c.target.mu.RLock()
	defer c.target.mu.RUnlock()
	if c.target.identity != nil {
		// Another file at the path is not to be read or written in place of the open one.
		if found, err := os.Stat(c.target.path); err != nil || !os.SameFile(found, c.target.identity) {
			return nil, &FileError{Path: c.target.path, Reason: ErrGone, Err: err}
		}
	}
	slashed := filepath.ToSlash(c.target.path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a Windows drive
	}
	address := url.URL{Scheme: "file", Path: slashed, RawQuery: c.options}
	opened, err := c.driver.Open(address.String())
	if err != nil {
		return nil, err
	}
	return &connection{SQLiteConn: opened.(*sqlite3.SQLiteConn), target: c.target, generation: c.target.generation}, nil
}

// Driver is SQLite.
func (c connector) Driver() sqldriver.Driver { return c.driver }

// connection is a connection that ends when its target has moved.
type connection struct {
	*sqlite3.SQLiteConn
	target     *target
	generation uint64
}

// IsValid says whether the target is where it was.
func (c *connection) IsValid() bool {
	_, generation := c.target.current()
	return generation == c.generation
}

// ResetSession refuses a connection whose target has moved.
func (c *connection) ResetSession(context.Context) error {
	if !c.IsValid() {
		return sqldriver.ErrBadConn
	}
	return nil
}

// connect opens a pool on a file of its own, see target.connect.
func connect(path string, use access) *sql.DB { return (&target{path: path}).connect(use) }

// connect opens a pool on the file, which must exist: nothing here creates it. Every connection has the same pragmas,
// set in this one place.
func (t *target) connect(use access) *sql.DB {
	options := url.Values{"_busy_timeout": {"5000"}, "_foreign_keys": {"0"}}
	connections := readers
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
	driver := &sqlite3.SQLiteDriver{ConnectHook: prepare}
	pool := sql.OpenDB(connector{driver: driver, target: t, options: options.Encode()})
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool
}

// inMemory opens connections to databases in memory, each its own.
type inMemory struct{ driver *sqlite3.SQLiteDriver }

func (m inMemory) Connect(context.Context) (sqldriver.Conn, error) { return m.driver.Open(":memory:") }
func (m inMemory) Driver() sqldriver.Driver                        { return m.driver }

// endIdle closes the idle connections of a pool.
func endIdle(pool *sql.DB, connections int) {
	pool.SetMaxIdleConns(-1)
	pool.SetMaxIdleConns(connections)
}

// prepare protects a new connection against a tampered file: broken pages give errors, and the schema may not call
// functions with effects.
func prepare(conn *sqlite3.SQLiteConn) error {
	conn.SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, salvage.MaxValue)
	_, err := conn.Exec("PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -2048; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 8388608", nil)
	return err
}

// WithConnection gives use a reading connection of its own, after prepare has set it up. It is closed afterwards: whatever was
// set up concerns nobody else. What use returns is returned unchanged.
func (db *DB) WithConnection(ctx context.Context, prepare func(*sqlite3.SQLiteConn) error, use func(*sql.Conn) error) error {
	conn, err := db.reader.Conn(ctx)
	if err != nil {
		return db.explain(err)
	}
	defer conn.Close() //nolint:errcheck // nothing was written
	if err := conn.Raw(func(opened any) error { return prepare(opened.(*connection).SQLiteConn) }); err != nil {
		return db.explain(err)
	}
	defer conn.Raw(func(any) error { return sqldriver.ErrBadConn }) //nolint:errcheck // the connection is of no other use
	return use(conn)
}

// EachRow calls row for each row of a query.
func (db *DB) EachRow(ctx context.Context, query string, arguments []any, row func(*sql.Rows) error) error {
	rows, err := db.reader.QueryContext(ctx, query, arguments...)
	if err != nil {
		return db.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows); err != nil {
			return db.explain(err)
		}
	}
	return db.explain(rows.Err())
}

// Explain turns an error of SQLite or the system about the file into a FileError; other errors pass unchanged.
func (db *DB) Explain(err error) error { return db.explain(err) }
