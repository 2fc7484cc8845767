//go:build unix

package lock

import (
	"errors"
	"os"
	"syscall"

	"cxdeck/perf/regular"
)

// openLock opens or creates the lock file; a symbolic link in its place is an error, so that no other file is written.
func openLock(name string) (*os.File, error) {
	return regular.Update(name, os.O_CREATE|syscall.O_NOFOLLOW)
}

func tryLock(file *os.File) (taken bool, err error) {
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

func unlock(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }
