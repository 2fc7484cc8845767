package sqlite

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"cxdeck/perf/regular"
)

// CreateEmpty creates an empty private file, because SQLite would create one that other users can read.
func CreateEmpty(path string) error {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, FileMode)
	if err != nil {
		return err
	}
	return file.Close()
}

// SetLog switches a database to a write-ahead log.
func SetLog(ctx context.Context, path string) error {
	pool := Connect(path, Writing)
	var mode string
	err := pool.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode)
	return errors.Join(err, pool.Close())
}

// SyncFile waits until a file is on the disk.
func SyncFile(path string) error {
	file, err := regular.Update(path, 0)
	if err != nil {
		return err
	}
	return errors.Join(file.Sync(), file.Close())
}

// The modes of new files and directories: histories name hosts and addresses, and stay private.
const (
	FileMode      fs.FileMode = 0o600
	DirectoryMode fs.FileMode = 0o700
)
