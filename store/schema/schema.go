package schema

import (
	"context"
	"database/sql"
	"embed"
	"fmt"

	"cxdeck/store/sqlite"
)

// ApplicationID marks the file as ours: "cxdk". It is in the file's header, where file(1) sees it too.
const ApplicationID = 0x6378646b

// Newest is the newest supported version; PRAGMA user_version holds the version of a file.
const Newest = 9

// LevelVersion is the version that introduced minutes and hours.
const LevelVersion = 8

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate applies each migration from the file's version to target in one transaction.
func Migrate(ctx context.Context, db *sql.DB, target int) error {
	version, err := sqlite.FileVersion(ctx, db)
	if err != nil {
		return err
	}
	for next := version + 1; next <= target; next++ {
		if err := migrateTo(ctx, db, next); err != nil {
			return fmt.Errorf("change the history to schema version %d: %w", next, err)
		}
	}
	return nil
}

func migrateTo(ctx context.Context, db *sql.DB, version int) error {
	script, err := migrations.ReadFile(fmt.Sprintf("migrations/%d.sql", version))
	if err != nil {
		return err
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, string(script)); err != nil {
		return err
	}
	if version == ListVersion {
		if err := makeLists(ctx, tx); err != nil {
			return err
		}
	}
	// Pragmas take no parameters; both numbers are our own.
	marks := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", ApplicationID, version)
	if _, err := tx.ExecContext(ctx, marks); err != nil {
		return err
	}
	return tx.Commit()
}
