package store

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"os"
	"time"
)

// applicationID marks the file as ours: "cxdk". It is in the file's header, where file(1) sees it too.
const applicationID = 0x6378646b

// schemaVersion is the newest supported version; PRAGMA user_version holds the file's.
const schemaVersion = 8

// levelVersion is the version that brought minutes and hours.
const levelVersion = 8

//go:embed migrations/*.sql
var migrations embed.FS

// fileVersion reads the schema version of the open file.
func fileVersion(ctx context.Context, db *sql.DB) (version int, err error) {
	err = db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version)
	return version, err
}

// migrate applies each migration from the file's version to target in one transaction.
func migrate(ctx context.Context, db *sql.DB, target int) error {
	version, err := fileVersion(ctx, db)
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
	if _, err := tx.ExecContext(ctx, string(script)); err != nil { //nolint:gosec // it is embedded
		return err
	}
	if version == listVersion {
		if err := makeLists(ctx, tx); err != nil {
			return err
		}
	}
	// Pragmas take no parameters; both numbers are our own.
	marks := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, version)
	if _, err := tx.ExecContext(ctx, marks); err != nil { //nolint:gosec // of two numbers of our own
		return err
	}
	return tx.Commit()
}

// backUp copies the open file beside itself before a migration, and returns the copy's name.
func backUp(ctx context.Context, db *sql.DB, path string, version int, now time.Time) (string, error) {
	name, err := unusedName(path, fmt.Sprintf("version%d", version), now)
	if err != nil {
		return "", err
	}
	if err := createEmpty(name); err != nil {
		return "", err
	}
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", name); err != nil {
		_ = os.Remove(name)
		return "", fmt.Errorf("copy the history before changing it: %w", err)
	}
	return name, nil
}

// unusedName returns an unused file name beside path, made of path, a word and the time.
func unusedName(path, word string, now time.Time) (string, error) {
	stem := path + "." + word + "-" + now.Format("20060102-150405")
	name := stem
	for try := 2; try <= 100; try++ {
		if _, err := os.Lstat(name); os.IsNotExist(err) {
			return name, nil
		}
		name = fmt.Sprintf("%s-%d", stem, try)
	}
	return "", fmt.Errorf("there are too many files named %s", stem)
}
