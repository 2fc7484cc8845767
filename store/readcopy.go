package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"cxdeck/perf/regular"
	"cxdeck/store/fault"
	"cxdeck/store/recovery"
	"cxdeck/store/schema"
	"cxdeck/store/sqlite"
)

// hasLog reports whether a database has a write-ahead log that is not empty.
func hasLog(path string) bool {
	log, err := os.Stat(path + "-wal")
	return err == nil && log.Size() > 0
}

// readUnwritable reads a database beside which no file can be created. When it has a log with data that is not in the file yet, it
// reads a copy of both in the directory of temporary files instead.
func (db *DB) readUnwritable(ctx context.Context) error {
	if !hasLog(db.Path()) {
		db.reader = db.target.Connect(sqlite.Immutable)
		return nil
	}
	copied, err := db.copyWhole()
	if err != nil {
		return err
	}
	writer := sqlite.Connect(copied, sqlite.Writing)
	err = errors.Join(sqlite.Checkpoint(ctx, writer), writer.Close())
	db.reader = sqlite.Connect(copied, sqlite.Reading)
	return err
}

// readOlder reads a database of an earlier version from a copy that is brought up to date: a reader leaves the file
// unchanged.
func (db *DB) readOlder(ctx context.Context, version int) error {
	copied := filepath.Join(db.scratch, filepath.Base(db.Path()))
	if db.scratch == "" {
		var err error
		if copied, err = db.copyWhole(); err != nil {
			return err
		}
	}
	writer := sqlite.Connect(copied, sqlite.Writing)
	if err := errors.Join(schema.Migrate(ctx, writer, schema.Newest), writer.Close()); err != nil {
		return fmt.Errorf("read a history of version %d: %w", version, err)
	}
	db.reader = sqlite.Connect(copied, sqlite.Reading)
	return nil
}

// copyWhole copies the database and its log.
func (db *DB) copyWhole() (copied string, err error) {
	if copied, err = db.makeScratch(); err != nil {
		return "", err
	}
	for _, suffix := range []string{"", "-wal"} {
		if err := copyFile(copied+suffix, db.Path()+suffix); err != nil && (suffix == "" || !missing(err)) {
			return "", err
		}
	}
	return copied, nil
}

// readSalvaged reads a copy of the readable part of a damaged file: a reader leaves the file where it is.
func (db *DB) readSalvaged(ctx context.Context) error {
	copied, err := db.makeScratch()
	if err != nil {
		return err
	}
	kept, err := recovery.Save(ctx, db.Path(), copied, db.options.Progress)
	if err != nil {
		return &fault.FileError{Path: db.Path(), Reason: fault.ErrDamaged, Err: err}
	}
	if kept.IsEmpty() {
		return &fault.FileError{Path: db.Path(), Reason: fault.ErrDamaged, Err: fault.ErrNothing}
	}
	writer := sqlite.Connect(copied, sqlite.Writing)
	if err := errors.Join(schema.Migrate(ctx, writer, schema.Newest), writer.Close()); err != nil {
		return err
	}
	db.note(fmt.Sprintf("%s is damaged: %s; the next start that records saves them in a new file", db.Path(), kept))
	db.reader = sqlite.Connect(copied, sqlite.Reading)
	return db.check(ctx, db.reader)
}

// makeScratch makes a private directory for a copy, and returns the copy's name.
func (db *DB) makeScratch() (copied string, err error) {
	if db.scratch, err = os.MkdirTemp("", "cxdeck-copy-*"); err != nil { // mode 0700
		return "", err
	}
	return filepath.Join(db.scratch, filepath.Base(db.Path())), nil
}

func (db *DB) removeScratch() error { return os.RemoveAll(db.scratch) } // an empty name removes nothing

// copyFile copies a file to a new private one.
func copyFile(to, from string) error {
	source, err := regular.Open(from)
	if err != nil {
		return err
	}
	defer source.Close() //nolint:errcheck // nothing was written
	copied, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, sqlite.FileMode)
	if err != nil {
		return err
	}
	_, err = io.Copy(copied, source)
	return errors.Join(err, copied.Close())
}
