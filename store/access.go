package store

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"

	"github.com/mattn/go-sqlite3"

	"cxdeck/store/sqlite"
)

// WithConnection calls use with its own reading connection, after prepare has set it up. The connection is closed afterwards, so
// its settings affect no other caller. The error of use is returned unchanged.
func (db *DB) WithConnection(ctx context.Context, prepare func(*sqlite3.SQLiteConn) error, use func(*sql.Conn) error) error {
	conn, err := db.reader.Conn(ctx)
	if err != nil {
		return db.explain(err)
	}
	defer conn.Close() //nolint:errcheck // nothing was written
	if err := conn.Raw(func(opened any) error { return prepare(sqlite.Underlying(opened)) }); err != nil {
		return db.explain(err)
	}
	defer conn.Raw(func(any) error { return sqldriver.ErrBadConn }) //nolint:errcheck // its settings must not reach another caller
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
