// Package lock holds the right to record into a database: two locks of the system, which end with the process. It does not read the
// database.
package lock

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"time"

	"cxdeck/perf/regular"
)

// Lock is the right to record into a database. A killed console leaves nothing to clean up: one of the two locks is on
// the lock file beside the database, which names the owner, and one on the database itself, which still holds when
// somebody removes the lock file.
type Lock struct {
	path string
	file *os.File
	// data is the database; it is nil until Hold.
	data *os.File
}

// Suffix of the lock file's name, after the database's name.
const Suffix = ".lock"

// InUseError is a database that a running console records into.
type InUseError struct {
	// PID and Since describe the owner, from the lock file; they are 0 when it is empty or invalid.
	PID   int
	Since time.Time
}

// Error names the process.
func (e *InUseError) Error() string { return fmt.Sprintf("locked by process %d", e.PID) }

// Take takes the lock file of a database; it fails with an *InUseError when a running console has it.
func Take(path string, now time.Time) (*Lock, error) {
	file, err := take(path, now)
	if err != nil {
		return nil, err
	}
	return &Lock{path: path, file: file}, nil
}

// Path returns the database's name.
func (l *Lock) Path() string { return l.path }

func take(path string, now time.Time) (*os.File, error) {
	file, err := openLock(path + Suffix)
	if err != nil {
		return nil, err
	}
	taken, err := tryLock(file)
	if err != nil || !taken {
		defer file.Close() //nolint:errcheck // nothing was written
		if err != nil {
			return nil, err
		}
		pid, since := owner(file)
		return nil, &InUseError{PID: pid, Since: since}
	}
	if err := writeOwner(file, now); err != nil {
		_ = file.Close() // the error of writeOwner is returned
		return nil, err
	}
	return file, nil
}

// Hold takes the lock of the database itself, which must exist.
func (l *Lock) Hold() error {
	file, err := regular.Update(l.path, 0)
	if err != nil {
		return err
	}
	if !lockData(file) {
		_ = file.Close() // nothing was written
		return &InUseError{}
	}
	l.data = file
	return nil
}

// ReleaseData releases the lock of the database. Closing the file releases SQLite's locks on it too: no connection may be
// in use.
func (l *Lock) ReleaseData() error {
	if l.data == nil {
		return nil
	}
	file := l.data
	l.data = nil
	unlockData(file) // a process that is being started may hold a copy of the open file for a moment
	return file.Close()
}

// Restore takes a new lock file when the one that is held is no longer at its path.
func (l *Lock) Restore(now time.Time) error {
	if isOpenFile(l.path+Suffix, l.file) {
		return nil
	}
	file, err := take(l.path, now)
	if err != nil {
		return err
	}
	_ = l.file.Close() // its name is gone
	l.file = file
	return nil
}

// Data describes the held database as it was opened.
func (l *Lock) Data() (os.FileInfo, error) { return l.data.Stat() }

// Holds reports whether a path leads to the held database.
func (l *Lock) Holds(path string) bool { return isOpenFile(path, l.data) }

// databaseMagic begins each SQLite database.
const databaseMagic = "SQLite format 3\x00"

// Overwritten reports whether the held file no longer begins like a database: another program has emptied or overwritten it in
// place.
func (l *Lock) Overwritten() bool {
	start := make([]byte, len(databaseMagic))
	n, err := l.data.ReadAt(start, 0)
	return (err == nil || errors.Is(err, io.EOF)) && string(start[:n]) != databaseMagic
}

// isOpenFile reports whether a path leads to an open file.
func isOpenFile(path string, file *os.File) bool {
	found, err := os.Lstat(path)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) // an unreadable file is taken as unchanged
	}
	open, err := file.Stat()
	return err != nil || os.SameFile(found, open)
}

// Held reports whether a running console holds the lock of the file.
func Held(path string) bool {
	file, err := regular.Open(path + Suffix)
	if err != nil {
		return false
	}
	defer file.Close() //nolint:errcheck // nothing was written
	taken, err := tryLock(file)
	if taken {
		_ = unlock(file) // closing releases it too, but not before a child process closes its copy
	}
	return err == nil && !taken
}

// Release releases both locks. The lock file stays: removing it could break the lock of a process that has just opened it. Like
// ReleaseData, it unlocks before it closes.
func (l *Lock) Release() error {
	return errors.Join(l.ReleaseData(), unlock(l.file), l.file.Close())
}

func writeOwner(file *os.File, now time.Time) error {
	if err := file.Truncate(0); err != nil {
		return err
	}
	_, err := file.WriteAt(fmt.Appendf(nil, "%d %s\n", os.Getpid(), now.UTC().Format(time.RFC3339)), 0)
	return err
}

// owner reads the process number and start time of the lock's holder; it returns zeroes for an invalid file.
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
