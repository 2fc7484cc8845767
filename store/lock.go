package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"cxdeck/perf/regular"
)

// ownership is the right to record into a database. It rests on two locks of the system, which end with the process, so
// that a killed console leaves nothing to clean up: one on the lock file beside the database, which names the owner,
// and one on the database itself, which still holds when somebody removes the lock file.
type ownership struct {
	path string
	lock *os.File
	// data is the database; it is nil until hold.
	data *os.File
}

const lockSuffix = ".lock"

// own takes the lock file; it gives a *FileError with ErrInUse when a running console has it.
func own(path string, now time.Time) (*ownership, error) {
	lock, err := takeLock(path, now)
	if err != nil {
		return nil, err
	}
	return &ownership{path: path, lock: lock}, nil
}

func takeLock(path string, now time.Time) (*os.File, error) {
	file, err := openLock(path + lockSuffix)
	if err != nil {
		return nil, explain(path, err)
	}
	taken, err := tryLock(file)
	if err != nil || !taken {
		defer file.Close() //nolint:errcheck // nothing was written
		if err != nil {
			return nil, explain(path, err)
		}
		pid, since := owner(file)
		return nil, &FileError{Path: path, Reason: ErrInUse, PID: pid, Since: since}
	}
	if err := writeOwner(file, now); err != nil {
		_ = file.Close() // the error before it counts
		return nil, explain(path, err)
	}
	return file, nil
}

// hold takes the lock of the database itself, which must exist.
func (o *ownership) hold() error {
	file, err := regular.Update(o.path, 0)
	if err != nil {
		return err
	}
	if !lockData(file) {
		_ = file.Close() // nothing was written
		return &FileError{Path: o.path, Reason: ErrInUse}
	}
	o.data = file
	return nil
}

// releaseData gives the lock of the database back. Closing the file releases SQLite's locks on it too: no connection may be
// in use.
func (o *ownership) releaseData() error {
	if o.data == nil {
		return nil
	}
	file := o.data
	o.data = nil
	return file.Close()
}

// restore takes a new lock file when the one that is held is no longer at its path.
func (o *ownership) restore(now time.Time) error {
	if leadsTo(o.path+lockSuffix, o.lock) {
		return nil
	}
	lock, err := takeLock(o.path, now)
	if err != nil {
		return err
	}
	_ = o.lock.Close() // its name is gone
	o.lock = lock
	return nil
}

// leadsTo says whether a path leads to an open file.
func leadsTo(path string, file *os.File) bool {
	found, err := os.Lstat(path)
	if err != nil {
		return !missing(err) // a file that can't be read counts as unchanged
	}
	open, err := file.Stat()
	return err != nil || os.SameFile(found, open)
}

// owned says whether a running console holds the lock of the file.
func owned(path string) bool {
	file, err := regular.Open(path + lockSuffix)
	if err != nil {
		return false
	}
	defer file.Close() //nolint:errcheck // nothing was written
	taken, err := tryLock(file)
	if taken {
		_ = unlock(file) // as closing it does, but at once
	}
	return err == nil && !taken
}

// release releases both locks. The lock file stays: removing it could take it from under a process that just opened it.
// It unlocks explicitly before closing: a process that starts right now inherits the open file for a moment.
func (o *ownership) release() error {
	return errors.Join(o.releaseData(), unlock(o.lock), o.lock.Close())
}

func writeOwner(file *os.File, now time.Time) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt(fmt.Appendf(nil, "%d %s\n", os.Getpid(), now.UTC().Format(time.RFC3339)), 0)
	return err
}

// owner reads who holds the lock; the file may say anything.
func owner(file *os.File) (pid int, since time.Time) {
	text, err := io.ReadAll(io.NewSectionReader(file, 0, 64))
	if err != nil {
		return 0, time.Time{}
	}
	var stamp string
	if _, err := fmt.Sscanf(strings.TrimSpace(string(text)), "%d %s", &pid, &stamp); err != nil || pid <= 0 {
		return 0, time.Time{}
	}
	since, _ = time.Parse(time.RFC3339, stamp)
	return pid, since
}
