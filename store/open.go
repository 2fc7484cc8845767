package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"cxdeck/perf/regular"
	"cxdeck/store/engine"
	"cxdeck/store/fault"
	"cxdeck/store/lock"
	"cxdeck/store/recovery"
	"cxdeck/store/salvage"
	"cxdeck/store/schema"
	"cxdeck/store/sqlite"
	"cxdeck/store/transfer"
)

// Open opens or creates the file, mode 0600, in a directory of mode 0700. An error about the file is a *fault.FileError: one
// sentence that says what to do.
//
// Opening for recording, in steps: take the lock; look at the file's header; create the file when there is none; replace
// it when it is damaged; copy and migrate it when it is older; end the sessions of consoles that were killed.
func Open(ctx context.Context, path string, options Options) (*DB, error) {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("find the directory of %s: %w", path, err)
	}
	absolute = regular.Target(absolute) // one lock per file, under each of its names
	db := &DB{path: absolute, target: sqlite.NewTarget(absolute), options: options, now: time.Now, steady: steadyClock(),
		commitEvery: commitEvery, trimmed: make(chan struct{}, 1)}
	if options.ReadOnly {
		err = db.openToRead(ctx)
	} else {
		err = db.openToRecord(ctx)
	}
	if err != nil {
		db.abandon()
		return nil, fault.Explain(absolute, err)
	}
	return db, nil
}

// abandon releases what a failed Open holds: connections, lock and scratch directory.
func (db *DB) abandon() {
	for _, pool := range []*sql.DB{db.reader, db.writer} {
		if pool != nil {
			_ = pool.Close() // Open's own error is returned
		}
	}
	if db.owner != nil {
		_ = db.owner.Release()
	}
	_ = db.removeScratch()
}

func (db *DB) openToRead(ctx context.Context) error {
	if err := db.recognise(ctx); errors.Is(err, errEmpty) {
		return &fault.FileError{Path: db.Path(), Reason: fault.ErrNoFile}
	} else if errors.Is(err, fault.ErrDamaged) {
		return db.readSalvaged(ctx)
	} else if err != nil {
		return err
	}
	err := db.openReader(ctx)
	if errors.Is(db.explain(err), fault.ErrDamaged) {
		if db.reader != nil {
			_ = db.reader.Close() // the file is damaged
			db.reader = nil
		}
		return db.readSalvaged(ctx)
	}
	return err
}

// openReader opens the file for reading, without changing it.
func (db *DB) openReader(ctx context.Context) error {
	db.reader = db.target.Connect(sqlite.Reading)
	version, err := sqlite.FileVersion(ctx, db.reader)
	if reason := fault.ReasonOf(err); errors.Is(reason, fault.ErrAccess) || errors.Is(reason, fault.ErrReadOnly) || errors.Is(reason, fault.ErrFull) {
		// SQLite needs a file beside the database even to read it. Where it can't create one, no process can write to the database
		// either.
		_ = db.reader.Close() // it could not read
		db.reader = nil
		if err := db.readUnwritable(ctx); err != nil {
			return err
		}
		version, err = sqlite.FileVersion(ctx, db.reader)
	}
	switch {
	case err != nil:
		return err
	case version > schema.Newest:
		return &fault.FileError{Path: db.Path(), Reason: fault.ErrNewer, Version: version, Supported: schema.Newest}
	case version < 1:
		return &fault.FileError{Path: db.Path(), Reason: fault.ErrOlder, Version: version, Supported: schema.Newest}
	case version < schema.Newest:
		_ = db.reader.Close() // a copy is read in its place
		db.reader = nil
		if err := db.readOlder(ctx, version); err != nil {
			return err
		}
	}
	if err := db.check(ctx, db.reader); err != nil {
		return err
	}
	return db.checkPages(ctx, db.reader, readThroughBytes)
}

func (db *DB) openToRecord(ctx context.Context) (err error) {
	damaged := false
	if err := db.recognise(ctx); errors.Is(err, fault.ErrDamaged) {
		damaged = true
	} else if err != nil && !errors.Is(err, fault.ErrNoFile) && !errors.Is(err, errEmpty) {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(db.Path()), sqlite.DirectoryMode); err != nil {
		return err
	}
	if db.owner, err = takeLock(db.Path(), db.now()); err != nil {
		return err
	}
	transfer.RemoveStages(db.Path())
	if !damaged {
		err = db.openWriter(ctx)
		damaged = errors.Is(db.explain(err), fault.ErrDamaged)
		if err != nil && !damaged {
			return err
		}
	}
	if damaged && db.options.LeaveDamaged {
		return &fault.FileError{Path: db.Path(), Reason: fault.ErrDamaged, Err: err}
	}
	if damaged {
		if err := db.replaceDamaged(ctx); err != nil {
			return err
		}
		if err := db.openWriter(ctx); err != nil {
			return err
		}
	}
	db.reader = db.target.Connect(sqlite.Reading)
	db.startWatch()
	db.startKeeper()
	return nil
}

// openWriter opens the file for writing, brings it to the newest schema and ends the sessions of killed consoles.
func (db *DB) openWriter(ctx context.Context) (err error) {
	if err := db.create(); err != nil {
		return err
	}
	if err := db.owner.Hold(); err != nil {
		return db.explain(err)
	}
	err = db.inspect()
	fresh := errors.Is(err, errEmpty)
	if err != nil && !fresh {
		return err
	}
	db.writer = db.target.Connect(sqlite.Writing)
	defer func() {
		// The file was opened for writing above, so it is the log beside it that can't be opened.
		if code, _, ok := engine.CodeOf(err); ok && code == engine.CantOpen {
			err = &fault.FileError{Path: db.Path(), Reason: fault.ErrReadOnly, Err: err}
		}
	}()
	if fresh {
		// It must precede the first table. It lets deleted sessions free their space step by step.
		if _, err := db.writer.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL"); err != nil {
			return err
		}
	}
	version, err := sqlite.FileVersion(ctx, db.writer)
	switch {
	case err != nil:
		return err
	case version > schema.Newest:
		return &fault.FileError{Path: db.Path(), Reason: fault.ErrNewer, Version: version, Supported: schema.Newest}
	case version > 0 && version < schema.Newest:
		copied, err := backUp(ctx, db.writer, db.Path(), version, db.now())
		if err != nil {
			return err
		}
		db.note(fmt.Sprintf("the history was brought up to date; a copy of the old file is %s", copied))
	}
	// A new file gets its tables before it gets a write-ahead log, so that its header always has the application id.
	if err := schema.Migrate(ctx, db.writer, schema.Newest); err != nil {
		return err
	}
	var mode string
	if err := db.writer.QueryRowContext(ctx, "PRAGMA journal_mode = WAL").Scan(&mode); err != nil {
		return err
	}
	if err := db.check(ctx, db.writer); err != nil {
		return err
	}
	if err := db.checkPages(ctx, db.writer, startThroughBytes); err != nil {
		return err
	}
	return db.recover(ctx)
}

// create creates the file if there is none, and makes it private.
func (db *DB) create() error {
	file, err := regular.Update(db.Path(), os.O_CREATE)
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	status, err := file.Stat()
	if err != nil {
		return err
	}
	if status.Mode().IsRegular() && status.Mode().Perm() != sqlite.FileMode {
		if err := file.Chmod(sqlite.FileMode); err != nil {
			return err
		}
	}
	// A reader without the right to write leaves the files beside the database with the database's former permissions.
	for _, suffix := range sideSuffixes {
		path := db.Path() + suffix
		if side, err := os.Lstat(path); err == nil && side.Mode().IsRegular() && side.Mode().Perm()&sqlite.FileMode != sqlite.FileMode {
			if err := os.Chmod(path, sqlite.FileMode); err != nil {
				return err
			}
		}
	}
	return nil
}

// replaceDamaged puts a new file in place of a damaged one, with everything that can still be read. The damaged
// file and its log are renamed; nothing is deleted, as other tools may still read it.
func (db *DB) replaceDamaged(ctx context.Context) error {
	if db.writer != nil {
		// A program with a transaction, such as one that repairs the file, would go on in the renamed file.
		err := db.writeOnce(ctx, db.writer, func(*sql.Tx) error { return nil })
		if errors.Is(err, fault.ErrLocked) {
			return err
		}
		_ = db.writer.Close() // the file is damaged
		db.writer = nil
	}
	partial, err := unusedName(db.Path(), "partial", db.now())
	if err != nil {
		return err
	}
	defer os.Remove(partial) //nolint:errcheck // it is renamed on success
	kept, err := recovery.Save(ctx, db.Path(), partial, db.options.Progress)
	if err != nil && (ctx.Err() != nil || fault.ReasonOf(err) != nil && !errors.Is(fault.ReasonOf(err), fault.ErrDamaged)) {
		return err // the disk is full, for example: the damaged file stays where it is
	}
	unreadable := err != nil
	if err := db.owner.ReleaseData(); err != nil {
		return err
	}
	name, err := unusedName(db.Path(), "damaged", db.now())
	if err != nil {
		return err
	}
	if err := renameAll(db.Path(), name); err != nil {
		return err
	}
	if unreadable {
		db.note(fmt.Sprintf("the history was damaged, and nothing in it could be read: a new one was created; the damaged file is %s", name))
		return nil
	}
	db.note(fmt.Sprintf("the history was damaged: %s; the damaged file is %s", kept, name))
	return os.Rename(partial, db.Path())
}

func (db *DB) note(sentence string) {
	db.notice = strings.TrimPrefix(db.notice+"; "+sentence, "; ")
}

// errEmpty reports a new, empty file.
var errEmpty = errors.New("the file is empty")

// Offsets of more fields in a SQLite header that identify the file.
const (
	headerFormat      = 18 // 1 without a write-ahead log
	headerPages       = 28
	headerCookie      = 40
	headerApplication = 68
)

// inspect checks the file before SQLite opens it, so that foreign files are never touched.
func (db *DB) inspect() error {
	path := db.Path()
	for _, suffix := range []string{"", lock.Suffix, "-wal", "-shm", "-journal"} {
		var kind *regular.KindError
		if errors.As(regular.Check(path+suffix), &kind) {
			return &fault.FileError{Path: path + suffix, Reason: fault.ErrNotFile, Err: kind}
		}
	}
	file, err := regular.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &fault.FileError{Path: path, Reason: fault.ErrNoFile, Err: err}
	}
	if errors.Is(err, fs.ErrPermission) {
		return &fault.FileError{Path: path, Reason: fault.ErrUnreadable, Err: err}
	}
	if err != nil {
		return err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	var header [salvage.HeaderSize]byte
	n, err := io.ReadFull(file, header[:])
	switch {
	case n == 0 && errors.Is(err, io.EOF) && hasLog(path): // SQLite would delete the log, and all that is in it
		return &fault.FileError{Path: path, Reason: fault.ErrDamaged}
	case n == 0 && errors.Is(err, io.EOF):
		return errEmpty
	case n < salvage.HeaderSize && err != nil && !errors.Is(err, io.ErrUnexpectedEOF):
		return err // it can't be read; a directory, for example
	case n < salvage.HeaderSize, string(header[:len(salvage.HeaderMagic)]) != salvage.HeaderMagic:
		return &fault.FileError{Path: path, Reason: fault.ErrNotDatabase}
	case blank(&header):
		return errEmpty
	case binary.BigEndian.Uint32(header[headerApplication:]) != schema.ApplicationID:
		return &fault.FileError{Path: path, Reason: fault.ErrForeign}
	}
	return nil
}

// recognise inspects the file, and also distinguishes a history with a damaged header from a foreign file.
func (db *DB) recognise(ctx context.Context) error {
	err := db.inspect()
	if (errors.Is(err, fault.ErrNotDatabase) || errors.Is(err, fault.ErrForeign)) && looksLikeHistory(ctx, db.Path()) {
		return &fault.FileError{Path: db.Path(), Reason: fault.ErrDamaged, Err: err}
	}
	return err
}

// blank reports whether a database is and always was empty: one page, no table ever made, no application id. A console that
// ended while it created its file leaves a blank one. A file with a write-ahead log is not blank: its tables may be in the log
// only.
func blank(header *[salvage.HeaderSize]byte) bool {
	number := func(at int) uint32 { return binary.BigEndian.Uint32(header[at:]) }
	return header[headerFormat] == 1 && number(headerPages) == 1 && number(headerCookie) == 0 && number(salvage.HeaderVersion) == 0 && number(headerApplication) == 0
}

// checks are the queries that reading and recording need: each table, all rows of the tables that find sessions, and of
// the other tables the indexes that lead to a session's rows. A damaged page elsewhere costs only its own rows, and
// shows when they are read.
var checks = [...]string{
	"SELECT count(*) FROM session", "SELECT count(*) FROM series_list NOT INDEXED", "SELECT count(*) FROM layout",
	"SELECT count(*) FROM setting", "SELECT count(*) FROM host NOT INDEXED", "SELECT count(*) FROM draft",
	"SELECT count(*) FROM profile", "SELECT count(*) FROM favourite", "SELECT count(*) FROM begun",
	"SELECT 1 FROM generation NOT INDEXED LIMIT 1", "SELECT 1 FROM clock NOT INDEXED LIMIT 1",
	"SELECT 1 FROM chunk NOT INDEXED LIMIT 1", "SELECT 1 FROM frame NOT INDEXED LIMIT 1",
	"SELECT 1 FROM event NOT INDEXED LIMIT 1", "SELECT 1 FROM journal NOT INDEXED LIMIT 1",
	"SELECT count(*) FROM clock INDEXED BY clock_of_session", "SELECT count(*) FROM generation INDEXED BY generation_of_session",
	"SELECT count(*) FROM event INDEXED BY event_of_session", "SELECT count(*) FROM journal INDEXED BY journal_of_session",
	"SELECT count(*) FROM host INDEXED BY host_saved", "SELECT count(*) FROM series_list WHERE hash >= x''",
	"SELECT count(*) FROM host WHERE lab_hash >= ''", "SELECT count(*) FROM kept_host",
	"SELECT count(*) FROM tag", "SELECT count(*) FROM mark INDEXED BY mark_of_session", "SELECT 1 FROM mark NOT INDEXED LIMIT 1",
	"SELECT count(*) FROM snapshot INDEXED BY snapshot_of_session", "SELECT 1 FROM snapshot NOT INDEXED LIMIT 1",
	"SELECT count(*) FROM level INDEXED BY level_of_session", "SELECT 1 FROM level NOT INDEXED LIMIT 1",
	"SELECT 1 FROM summary NOT INDEXED LIMIT 1",
}

// check reads from each table. It returns an ErrDamaged when one is missing or can't be read; a lock of another program or a lack
// of memory is not damage.
func (db *DB) check(ctx context.Context, pool *sql.DB) error {
	var result any
	err := pool.QueryRowContext(ctx, "SELECT max(("+strings.Join(checks[:], "), (")+"))").Scan(&result) // one query takes half the time
	if code, _, ok := engine.CodeOf(err); ok && code == engine.Failed && ctx.Err() == nil {             // "no such table"
		return &fault.FileError{Path: db.Path(), Reason: fault.ErrDamaged, Err: err}
	}
	return err
}
