package store

import (
	"context"
	"database/sql"

	"cxdeck/store/engine"
	"cxdeck/store/sqlite"
)

// WithConnection calls use with a reading connection of its own, set up as given, and closes it afterwards. The error of use is
// returned unchanged.
func (db *DB) WithConnection(ctx context.Context, setup engine.Setup, use func(*sql.Conn) error) error {
	pool := sqlite.Prepare(db.reader, setup)
	defer pool.Close() //nolint:errcheck // nothing was written
	conn, err := pool.Conn(ctx)
	if err != nil {
		return db.explain(err)
	}
	defer conn.Close() //nolint:errcheck // the same
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
