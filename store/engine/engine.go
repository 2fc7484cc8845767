// Package engine opens SQLite databases: through cgo (github.com/mattn/go-sqlite3), or in a build without cgo or with the tag
// puresqlite through SQLite translated to Go (modernc.org/sqlite). Both read and write the same files. What the two name or report
// differently is here; it knows nothing of the history.
package engine

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"fmt"
)

// Conn is a connection of either engine.
type Conn interface {
	sqldriver.Conn
	sqldriver.ConnBeginTx
	sqldriver.ConnPrepareContext
	sqldriver.ExecerContext
	sqldriver.QueryerContext
}

// Function is a deterministic function for SQL whose arguments are integers.
type Function struct {
	Name      string
	Arguments int
	Call      func(arguments []int64) (string, error)
}

// call checks the number of arguments, because not every engine does.
func (f Function) call(arguments ...int64) (string, error) {
	if len(arguments) != f.Arguments {
		return "", fmt.Errorf("wrong number of arguments to function %s()", f.Name)
	}
	return f.Call(arguments)
}

// Action is what a statement would do, by SQLite's own number.
type Action int

// The actions that only read.
const (
	ActionPragma  Action = 19
	ActionRead    Action = 20
	ActionSelect  Action = 21
	ActionCall    Action = 31
	ActionRecurse Action = 33
)

// The answers of an authorizer.
const allowed, refused = 0, 1

// Setup is what a connection has in addition to SQLite's defaults.
type Setup struct {
	// MaxLength is the maximum length of a value in bytes; 0 keeps SQLite's own.
	MaxLength int
	Functions []Function
	// Statements are run once, before Allow restricts the connection; empty for none.
	Statements string
	// Allow reports whether a statement may carry out an action; nil allows all. The meaning of first and second depends on the
	// action, as for sqlite3_set_authorizer.
	Allow func(action Action, first, second string) bool
}

// Open opens a database by its URI, with the parameters of github.com/mattn/go-sqlite3.
func Open(address string, setup Setup) (Conn, error) {
	conn, err := open(address, setup)
	if err != nil {
		return nil, err
	}
	if setup.Statements != "" {
		if _, err := conn.ExecContext(context.Background(), setup.Statements, nil); err != nil {
			_ = conn.Close() // the first error says more
			return nil, err
		}
	}
	if setup.Allow != nil {
		if err := restrict(conn, setup.Allow); err != nil {
			_ = conn.Close()
			return nil, err
		}
	}
	return conn, nil
}

// OpenPool opens a pool on a database by its path or URI, with SQLite's defaults.
func OpenPool(address string) *sql.DB { return sql.OpenDB(plain{address}) }

// OpenMemory opens an empty database in memory.
func OpenMemory() *sql.DB {
	pool := OpenPool(":memory:")
	pool.SetMaxOpenConns(1) // each connection has a database of its own
	return pool
}

// plain is a connector without a set-up.
type plain struct{ address string }

func (p plain) Connect(context.Context) (sqldriver.Conn, error) { return Open(p.address, Setup{}) }
func (p plain) Driver() sqldriver.Driver                        { return p }
func (plain) Open(address string) (sqldriver.Conn, error)       { return Open(address, Setup{}) }

// Code is a primary result code of SQLite.
type Code int

// The result codes that the history distinguishes.
const (
	Failed     Code = 1
	Perm       Code = 3
	Busy       Code = 5
	Locked     Code = 6
	ReadOnly   Code = 8
	IO         Code = 10
	Corrupt    Code = 11
	Full       Code = 13
	CantOpen   Code = 14
	Constraint Code = 19
	Auth       Code = 23
	NotADB     Code = 26
)
