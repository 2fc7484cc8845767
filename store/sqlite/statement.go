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
		var one int64
		if err := rows.Scan(&one); err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, rows.Err()
}

// RowQuerier is a connection pool or a transaction.
type RowQuerier interface {
	QueryRowContext(ctx context.Context, query string, arguments ...any) *sql.Row
}

// Affected returns how many rows a statement changed; it takes what Exec returns.
func Affected(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// ShrinkStep cuts off some pages. The pragma works a page for each empty row that is read from it, so it is read to its
// end.
func ShrinkStep(ctx context.Context, writer *sql.DB) error {
	rows, err := writer.QueryContext(ctx, "PRAGMA incremental_vacuum(256)")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() { // each step is the work
	}
	return rows.Err()
}

// Checkpoint folds the log into the file. A reader that still needs the log makes it partial, which is not an error.
func Checkpoint(ctx context.Context, writer *sql.DB) error {
	var busy, log, moved int
	return writer.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &moved)
}

// Pragma reads a pragma that is a number. The name is never an operator's.
func Pragma(ctx context.Context, pool *sql.DB, name string) (value int64, err error) {
	err = pool.QueryRowContext(ctx, "PRAGMA "+name).Scan(&value)
	return value, err
}

// First returns the first of a list, 0 where it is empty.
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
