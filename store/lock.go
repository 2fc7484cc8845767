package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// ownership is the lock file beside the database: whoever holds its lock records. The lock is the system's and goes
// with the process, so a killed console leaves nothing to clean up. The file tells others who holds it.
type ownership struct{ file *os.File }

// own takes the lock; it gives a *FileError with ErrInUse when a running console has it.
func own(path string, now time.Time) (*ownership, error) {
	name := path + ".lock"
	file, err := openLock(name)
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
	return &ownership{file: file}, nil
}

// owned says whether a running console holds the lock of the file.
func owned(path string) bool {
	file, err := os.Open(path + ".lock")
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

// release gives the lock back. The file stays: removing it could take it from under a process that just opened it. The
// lock is given back by name, not by closing alone: a process that is being started right now has the file open too,
// for a moment.
func (o *ownership) release() error { return errors.Join(unlock(o.file), o.file.Close()) }

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
