package store

import (
	"context"
	"database/sql"

	"github.com/mattn/go-sqlite3"

	"cxdeck/store/salvage"
)

// looksOurs says whether there are rows of sessions or their windows in the first pages of a file whose header is not,
// or no longer, that of a history.
func looksOurs(ctx context.Context, path string) bool {
	tables, err := newestTables(ctx)
	return err == nil && salvage.HasRows(path, tables, "session", "clock")
}

func newestTables(ctx context.Context) ([]*salvage.Table, error) {
	memory := sql.OpenDB(inMemory{&sqlite3.SQLiteDriver{}})
	defer memory.Close() //nolint:errcheck // nothing is kept there
	memory.SetMaxOpenConns(1)
	if err := migrate(ctx, memory, schemaVersion); err != nil {
		return nil, err
	}
	return salvage.ReadTables(ctx, memory)
}
