package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"time"

	"cxdeck/store/sqlite"
)

// backUp copies the open file beside itself before a migration, and returns the copy's name.
func backUp(ctx context.Context, db *sql.DB, path string, version int, now time.Time) (string, error) {
	name, err := unusedName(path, fmt.Sprintf("version%d", version), now)
	if err != nil {
		return "", err
	}
	if err := sqlite.CreateEmpty(name); err != nil {
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
