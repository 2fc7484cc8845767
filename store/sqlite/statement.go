package sqlite

import (
	"context"
	"database/sql"
	"errors"
)

// RowReader is a connection pool or a transaction.
type RowReader interface {
	QueryContext(ctx context.Context, query string, arguments ...any) (*sql.Rows, error)
}

// Integers returns the first column of a query.
func Integers(ctx context.Context, from RowReader, query string, arguments ...any) (list []int64, err error) {
	rows, err := from.QueryContext(ctx, query, arguments...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var number int64
		if err := rows.Scan(&number); err != nil {
			return nil, err
		}
		list = append(list, number)
	}
	return list, rows.Err()
}

// RowQuerier is a connection pool or a transaction.
type RowQuerier interface {
	QueryRowContext(ctx context.Context, query string, arguments ...any) *sql.Row
}

// Affected returns the number of rows that a statement changed; its parameters are the results of Exec.
func Affected(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// ShrinkStep cuts up to 256 free pages off the file. The pragma frees one page for each empty row that is read from it, so all
// rows are read.
func ShrinkStep(ctx context.Context, writer *sql.DB) error {
	rows, err := writer.QueryContext(ctx, "PRAGMA incremental_vacuum(256)")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() { // reading the row frees a page
	}
	return rows.Err()
}

// Checkpoint folds the log into the file. A reader that still needs the log makes it partial, which is not an error.
func Checkpoint(ctx context.Context, writer *sql.DB) error {
	var busy, log, moved int
	return writer.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &moved)
}

// Pragma reads a numeric pragma. The name must not come from outside: it is not escaped.
func Pragma(ctx context.Context, pool *sql.DB, name string) (value int64, err error) {
	err = pool.QueryRowContext(ctx, "PRAGMA "+name).Scan(&value)
	return value, err
}

// First returns the first number of a list, 0 for an empty list.
func First(list []int64) int64 {
	if len(list) == 0 {
		return 0
	}
	return list[0]
}

// FileVersion reads the schema version of the open file.
func FileVersion(ctx context.Context, db *sql.DB) (version int, err error) {
	err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	return version, err
}
