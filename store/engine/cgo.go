//go:build cgo && !puresqlite

package engine

import (
	"errors"
	"syscall"

	"github.com/mattn/go-sqlite3"
)

// Library is the engine's module.
const Library = "github.com/mattn/go-sqlite3"

// CGO reports whether the engine calls C.
const CGO = true

// Version returns the version of SQLite.
func Version() string {
	version, _, _ := sqlite3.Version()
	return version
}

func open(address string, setup Setup) (Conn, error) {
	opened, err := (&sqlite3.SQLiteDriver{}).Open(address)
	if err != nil {
		return nil, err
	}
	conn := opened.(*sqlite3.SQLiteConn)
	if setup.MaxLength > 0 {
		conn.SetLimit(sqlite3.SQLITE_LIMIT_LENGTH, setup.MaxLength)
	}
	for _, function := range setup.Functions {
		if err := conn.RegisterFunc(function.Name, function.call, true); err != nil {
			_ = conn.Close()
			return nil, err
		}
	}
	return conn, nil
}

func restrict(conn Conn, allow func(action Action, first, second string) bool) error {
	conn.(*sqlite3.SQLiteConn).RegisterAuthorizer(func(action int, first, second, _ string) int {
		if allow(Action(action), first, second) {
			return allowed
		}
		return refused
	})
	return nil
}

// CodeOf returns the result code of an error of SQLite, and the system's error behind it, or 0.
func CodeOf(err error) (code Code, system syscall.Errno, ok bool) {
	var failure sqlite3.Error
	if !errors.As(err, &failure) {
		return 0, 0, false
	}
	return Code(failure.Code), failure.SystemErrno, true
}
