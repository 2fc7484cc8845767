package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"cxdeck/store/fault"
	"cxdeck/store/lock"
	"cxdeck/store/recovery"
	"cxdeck/store/sqlite"
)

// watchEvery is the interval at which the watch checks that the path of the database still leads to the open file; watchRetry
// is the pause after a failed rescue.
const (
	watchEvery = time.Second
	watchRetry = 10 * time.Second
)

// sideSuffixes end the names of the files that SQLite keeps beside a database.
var sideSuffixes = [...]string{"-wal", "-shm"}

// Rescue reports how the open file was saved after it was removed, replaced or damaged during recording.
type Rescue struct {
	// Gone is the reason why the contents of the open file are not saved yet, one sentence; nil when nothing is wrong.
	Gone error
	// Moved says in one sentence where they were saved; it is empty when they never had to be.
	Moved string
	// Damaged reports that the file was saved because it was damaged, not because it was gone.
	Damaged bool
	// Lost reports that a part of the damaged file could not be saved.
	Lost bool
}

// rescueState is the state of a Rescue; the mutex of DB guards it.
type rescueState struct {
	Rescue
	next time.Time // the earliest time of the next attempt
}

// Rescue returns whether and how the open file was saved after a loss.
func (db *DB) Rescue() Rescue {
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.rescued.Rescue
}

// startWatch starts the goroutine that checks the open files every second.
func (db *DB) startWatch() {
	db.identify()
	db.damaged.Store(false) // the damaged file was replaced
	ctx, cancel := context.WithCancel(context.Background())
	db.stopWatch = cancel
	db.watchDone.Go(func() {
		ticker := time.NewTicker(watchEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				_ = db.checkFile(ctx) // Rescue reports the error
			case <-ctx.Done():
				return
			}
		}
	})
}

// identify remembers which files are open.
func (db *DB) identify() {
	if file, err := db.owner.Data(); err == nil {
		db.target.Identify(file)
	}
	db.sides = map[string]os.FileInfo{}
	db.filesUnchanged()
}

// checkFile takes the lock file again when it was removed, and saves the open database when it was overwritten in place, and when
// it, or a file that SQLite keeps beside it, is no longer at its path.
func (db *DB) checkFile(ctx context.Context) error {
	db.repair.Lock()
	defer db.repair.Unlock()
	if db.owner.Overwritten() {
		db.damaged.Store(true)
	}
	if db.filesUnchanged() && db.damaged.Load() {
		return db.repairOpen(ctx)
	}
	if db.filesUnchanged() {
		if err := db.explain(db.owner.Restore(db.now())); err != nil && !errors.Is(err, fault.ErrInUse) {
			return err // the lock of the database itself holds
		}
		return nil
	}
	db.mu.Lock()
	next := db.rescued.next
	if db.rescued.Gone == nil {
		db.rescued.Gone = &fault.FileError{Path: db.Path(), Reason: fault.ErrGone}
	}
	db.mu.Unlock()
	if db.now().Before(next) {
		return nil
	}
	return db.rescue(ctx)
}

// checkFileOnce is checkFile for Close: it does not wait for the next attempt.
func (db *DB) checkFileOnce() error {
	db.mu.Lock()
	db.rescued.next = time.Time{}
	db.mu.Unlock()
	return db.checkFile(context.Background())
}

// filesUnchanged reports whether the open files are still the database and the files beside it.
func (db *DB) filesUnchanged() bool {
	path := db.Path()
	if !sqlite.Replaceable {
		return true
	}
	if !db.owner.Holds(path) {
		return false
	}
	for _, suffix := range sideSuffixes {
		found, err := os.Lstat(path + suffix)
		open, known := db.sides[suffix]
		switch {
		case !known && err == nil:
			db.sides[suffix] = found // it came with the first connection
		case known && missing(err), known && err == nil && !os.SameFile(found, open):
			return false
		}
	}
	return true
}

// rescue saves the open database into a new file, and continues there.
func (db *DB) rescue(ctx context.Context) error {
	before := db.Path()
	err := db.relocate(ctx)
	db.mu.Lock()
	defer db.mu.Unlock()
	if err != nil {
		if ctx.Err() != nil {
			return nil // the file is being closed, and Close checks it again
		}
		err = fmt.Errorf("%s was removed or replaced during recording, and its contents can't be saved: %w", before, fault.Explain(before, err))
		db.rescued.Gone, db.rescued.next = err, db.now().Add(watchRetry)
		return err
	}
	db.rescued = rescueState{}
	if after := db.Path(); after == before {
		db.rescued.Moved = fmt.Sprintf("%s was removed during recording: all of it was saved there again", before)
	} else {
		db.rescued.Moved = fmt.Sprintf("%s was replaced by another file during recording: all of it was saved in %s, and recording continues there", before, after)
	}
	return nil
}

// relocate copies the open database to a place with room for it, and moves all connections there. Writers wait until then.
func (db *DB) relocate(ctx context.Context) (err error) {
	owner, err := db.findPlace(db.Path())
	if err != nil {
		return err
	}
	defer func() {
		if err != nil && owner != db.owner {
			_ = owner.Release() // the first error is returned
		}
	}()
	// The connection is taken before anything is locked: open connections stay with the removed file.
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // it ends here
	// The removed file may still exist under another name: the contents of its log are moved into it.
	var busy, log, moved int
	_ = conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &log, &moved)
	partial, err := unusedName(owner.Path(), "partial", db.now())
	if err != nil {
		return err
	}
	if err := sqlite.CreateEmpty(partial); err != nil {
		return err
	}
	defer os.Remove(partial) //nolint:errcheck // it was renamed if all went well
	if _, err := conn.ExecContext(ctx, "VACUUM INTO ?", partial); err != nil {
		return err
	}
	if err := sqlite.SetLog(ctx, partial); err != nil {
		return err
	}
	return db.moveTo(owner, partial)
}

// moveTo puts a whole database in its place, and makes all connections lead there.
func (db *DB) moveTo(owner *lock.Lock, whole string) error {
	err := db.target.Move(owner.Path(), func() error {
		for _, suffix := range sideSuffixes {
			if err := os.Remove(owner.Path() + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return os.Rename(whole, owner.Path())
	})
	if err != nil {
		return err
	}
	if db.owner != owner {
		_ = db.owner.Release() // it protects nothing any more
		db.owner = owner
	} else if err := owner.ReleaseData(); err != nil {
		return err
	}
	sqlite.EndIdle(db.reader, sqlite.Readers)
	if err := owner.Hold(); err != nil {
		return fault.Explain(owner.Path(), err)
	}
	db.identify()
	return nil
}

// findPlace finds a place for a database that is no longer at its path: the old path when no file is there and no other console
// has its lock, or else one beside it. The returned lock holds the lock file.
func (db *DB) findPlace(path string) (*lock.Lock, error) {
	if err := os.MkdirAll(filepath.Dir(path), sqlite.DirectoryMode); err != nil {
		return nil, err
	}
	err := fault.Explain(path, db.owner.Restore(db.now()))
	if err == nil && (free(path) || db.owner.Holds(path)) {
		return db.owner, nil
	}
	if err != nil && !errors.Is(err, fault.ErrInUse) {
		return nil, err
	}
	name, err := unusedName(path, "saved", db.now())
	if err != nil {
		return nil, err
	}
	return takeLock(name, db.now())
}

// takeLock takes the lock of a database; it fails with a *FileError of ErrInUse when a running console has it.
func takeLock(path string, now time.Time) (*lock.Lock, error) {
	owner, err := lock.Take(path, now)
	return owner, fault.Explain(path, err)
}

// free reports whether there is nothing at a path.
func free(path string) bool {
	_, err := os.Lstat(path)
	return missing(err)
}

// missing reports whether an error means that there is nothing at a path.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// repairing repeats work that met a damaged page, after the readable part was saved in a new file.
func (db *DB) repairing(work func() error) error {
	err := work()
	if !fault.ReportsDamage(err) || db.stopWatch == nil {
		return err
	}
	db.repair.Lock()
	defer db.repair.Unlock()
	if problem := db.repairOpen(context.Background()); problem != nil {
		return err
	}
	return work()
}

// repairOpen puts a new file in place of a damaged one that is open, with everything that can still be read.
func (db *DB) repairOpen(ctx context.Context) error {
	err := db.replaceOpen(ctx)
	if ctx.Err() != nil {
		return err // the file is being closed
	}
	db.damaged.Store(false)
	db.mu.Lock()
	defer db.mu.Unlock()
	if err != nil {
		err = fmt.Errorf("%s is damaged, and its readable part can't be saved: %w", db.path, fault.Explain(db.path, err))
		db.rescued.Gone, db.rescued.Damaged = err, true
	}
	return err
}

// replaceOpen is replaceDamaged for a file that is open.
func (db *DB) replaceOpen(ctx context.Context) error {
	conn, err := db.writer.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // it ends here
	path := db.Path()
	partial, err := unusedName(path, "partial", db.now())
	if err != nil {
		return err
	}
	defer os.Remove(partial) //nolint:errcheck // it was renamed if all went well
	kept, err := recovery.Save(ctx, path, partial, func(done, all int) {
		db.mu.Lock()
		defer db.mu.Unlock()
		db.rescued.Gone = fmt.Errorf("%s is damaged: its readable part is being saved in a new file, %d%%", path, 100*done/max(1, all))
		db.rescued.Damaged = true
	})
	if err != nil {
		return err
	}
	if err := sqlite.SetLog(ctx, partial); err != nil {
		return err
	}
	name, err := unusedName(path, "damaged", db.now())
	if err != nil {
		return err
	}
	if err := renameAll(path, name); err != nil {
		return err
	}
	if err := db.moveTo(db.owner, partial); err != nil {
		return err
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.rescued = rescueState{Rescue: Rescue{Damaged: true, Lost: !kept.IsComplete(), Moved: fmt.Sprintf("the history was damaged: %s; the damaged file is %s", kept, name)}}
	return nil
}

// renameAll renames a database and the files beside it.
func renameAll(from, to string) error {
	for _, suffix := range append([]string{""}, sideSuffixes[:]...) {
		if err := os.Rename(from+suffix, to+suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}
