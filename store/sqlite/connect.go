package sqlite

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"cxdeck/store/engine"
	"cxdeck/store/fault"
	"cxdeck/store/salvage"
)

// access says how a connection uses the file.
type access int

// Writing opens the file for writing, Reading for reading beside a writer, Immutable for reading where nothing else has it open
// and its directory can't be written.
const (
	Writing access = iota
	Reading
	Immutable
)

// Replaceable reports whether the system lets anybody remove or replace an open database. Windows doesn't, and there a comparison of
// files that SQLite has open may fail.
const Replaceable = runtime.GOOS != "windows"

// Readers is the number of reading connections of a pool.
const Readers = 4

// Target is the file of pools of connections. It can be moved to another file while the pools are in use.
type Target struct {
	mu   sync.RWMutex
	path string
	// generation counts the moves: a connection of an earlier generation ends when its query has ended.
	generation uint64
	// identity is the open file, to detect another one at the same path; nil accepts any.
	identity os.FileInfo
}

// NewTarget returns a target at a path.
func NewTarget(path string) *Target { return &Target{path: path} }

// Current returns the path and its generation.
func (t *Target) Current() (path string, generation uint64) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.path, t.generation
}

// Identify sets the file that new connections must find at the path.
func (t *Target) Identify(file os.FileInfo) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.identity = file
}

// Move calls place, which puts a file at path; new connections wait for it, and open that file.
func (t *Target) Move(path string, place func() error) error {
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
	target  *Target
	options string
	setup   engine.Setup
}

// Connect opens a connection to the target's current file.
func (c connector) Connect(context.Context) (sqldriver.Conn, error) {
	c.target.mu.RLock()
	defer c.target.mu.RUnlock()
	if c.target.identity != nil && Replaceable {
		// Another file at the path must not be used instead of the open one.
		if found, err := os.Stat(c.target.path); err != nil || !os.SameFile(found, c.target.identity) {
			return nil, &fault.FileError{Path: c.target.path, Reason: fault.ErrGone, Err: err}
		}
	}
	slashed := filepath.ToSlash(c.target.path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // a Windows drive
	}
	address := url.URL{Scheme: "file", Path: slashed, RawQuery: c.options}
	opened, err := engine.Open(address.String(), c.setup)
	if err != nil {
		return nil, err
	}
	return &connection{Conn: opened, target: c.target, generation: c.target.generation}, nil
}

// Driver returns the connector itself.
func (c connector) Driver() sqldriver.Driver { return c }

// Open opens a connection to the target, whatever the name.
func (c connector) Open(string) (sqldriver.Conn, error) { return c.Connect(context.Background()) }

// connection is a connection that ends when its target has moved.
type connection struct {
	engine.Conn
	target     *Target
	generation uint64
}

// IsValid reports whether the target has not moved since the connection was opened.
func (c *connection) IsValid() bool {
	_, generation := c.target.Current()
	return generation == c.generation
}

// ResetSession fails with ErrBadConn when the target has moved, so that the pool drops the connection.
func (c *connection) ResetSession(context.Context) error {
	if !c.IsValid() {
		return sqldriver.ErrBadConn
	}
	return nil
}

// Connect opens a pool on a file, see Target.Connect.
func Connect(path string, use access) *sql.DB { return NewTarget(path).Connect(use) }

// Connect opens a pool on the file, which must exist: nothing here creates it. Every connection has the same pragmas,
// set in this one place.
func (t *Target) Connect(use access) *sql.DB {
	options := url.Values{"_busy_timeout": {"5000"}, "_foreign_keys": {"0"}}
	connections := Readers
	switch use {
	case Writing:
		options.Set("mode", "rw")
		options.Set("_txlock", "immediate")
		options.Set("_synchronous", "NORMAL")
		connections = 1
	case Reading:
		options.Set("mode", "ro")
	case Immutable:
		options.Set("mode", "ro")
		options.Set("immutable", "1")
	}
	pool := sql.OpenDB(connector{target: t, options: options.Encode(), setup: engine.Setup{MaxLength: salvage.MaxValue, Statements: pragmas}})
	pool.SetMaxOpenConns(connections)
	pool.SetMaxIdleConns(connections)
	return pool
}

// Prepare returns a pool with a single connection to the database of another pool of this package, with functions, statements and
// restrictions in addition to the usual pragmas.
func Prepare(pool *sql.DB, setup engine.Setup) *sql.DB {
	c := pool.Driver().(connector)
	setup.MaxLength, setup.Statements = c.setup.MaxLength, c.setup.Statements+"; "+setup.Statements
	c.setup = setup
	prepared := sql.OpenDB(c)
	prepared.SetMaxOpenConns(1)
	return prepared
}

// EndIdle closes the idle connections of a pool.
func EndIdle(pool *sql.DB, connections int) {
	pool.SetMaxIdleConns(-1)
	pool.SetMaxIdleConns(connections)
}

// pragmas protect a new connection against a tampered file: broken pages give errors, and the schema may not call functions with
// effects.
const pragmas = "PRAGMA cell_size_check = ON; PRAGMA trusted_schema = OFF; PRAGMA cache_size = -2048; PRAGMA temp_store = MEMORY; PRAGMA journal_size_limit = 8388608"
