//go:build !cgo || puresqlite

package engine

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"syscall"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"
)

// Library is the engine's module.
const Library = "modernc.org/sqlite"

// CGO reports whether the engine calls C.
const CGO = false

// Version returns the version of SQLite.
func Version() string { return lib.SQLITE_VERSION }

func open(address string, setup Setup) (Conn, error) {
	driver := &sqlite.Driver{}
	for _, function := range setup.Functions {
		if err := driver.RegisterDeterministicScalarFunction(function.Name, int32(function.Arguments), callback(function)); err != nil {
			return nil, err
		}
	}
	opened, err := driver.Open(address)
	if err != nil {
		return nil, err
	}
	conn := opened.(Conn)
	if setup.MaxLength > 0 {
		if err := limitLength(conn, setup.MaxLength); err != nil {
			_ = conn.Close()
			return nil, err
		}
	}
	return conn, nil
}

func callback(function Function) func(*sqlite.FunctionContext, []sqldriver.Value) (sqldriver.Value, error) {
	return func(_ *sqlite.FunctionContext, values []sqldriver.Value) (sqldriver.Value, error) {
		arguments := make([]int64, len(values))
		for i, value := range values {
			number, ok := value.(int64)
			if !ok {
				return nil, fmt.Errorf("argument %d of function %s() must be an INTEGER", i+1, function.Name)
			}
			arguments[i] = number
		}
		return function.call(arguments...)
	}
}

// limitLength sets the limit through a pool, because the library takes a connection of a pool only. The pool is closed while the
// connection is in use, and therefore leaves it open.
func limitLength(conn Conn, length int) error {
	pool := sql.OpenDB(opened{conn})
	pooled, err := pool.Conn(context.Background())
	if err != nil {
		return err
	}
	_, err = sqlite.Limit(pooled, lib.SQLITE_LIMIT_LENGTH, length)
	return errors.Join(err, pool.Close())
}

// opened is a connector that returns an open connection.
type opened struct{ conn Conn }

func (o opened) Connect(context.Context) (sqldriver.Conn, error) { return o.conn, nil }
func (o opened) Driver() sqldriver.Driver                        { return &sqlite.Driver{} }

func restrict(conn Conn, allow func(action Action, first, second string) bool) error {
	return conn.(sqlite.AuthorizerRegisterer).RegisterAuthorizer(func(action sqlite.AuthorizerActionCode, first, second, _, _ string) sqlite.AuthorizerReturnCode {
		if allow(Action(action), first, second) {
			return allowed
		}
		return refused
	})
}

// CodeOf returns the result code of an error of SQLite. This engine reports no error of the system.
func CodeOf(err error) (code Code, system syscall.Errno, ok bool) {
	var failure *sqlite.Error
	if !errors.As(err, &failure) {
		return 0, 0, false
	}
	return Code(failure.Code() & 0xff), 0, true // the upper bits extend the code
}
