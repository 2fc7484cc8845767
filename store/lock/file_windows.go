//go:build windows

package lock

import (
	"errors"
	"os"
	"syscall"
	"unsafe"

	"cxdeck/perf/regular"
)

// openLock opens or creates the lock file.
func openLock(name string) (*os.File, error) {
	return regular.Update(name, os.O_CREATE)
}

// LockFileEx and its flags, as the Windows headers have them.
const (
	lockFailImmediately = 1
	lockExclusive       = 2
	errorLockViolation  = syscall.Errno(33)
)

// tryLock locks one byte far behind the text, so that other processes can still read who holds the lock.
func tryLock(file *os.File) (taken bool, err error) {
	lockFileEx := syscall.NewLazyDLL("kernel32.dll").NewProc("LockFileEx")
	place := syscall.Overlapped{Offset: 1 << 30}
	done, _, err := lockFileEx.Call(file.Fd(), lockFailImmediately|lockExclusive, 0, 1, 0, uintptr(unsafe.Pointer(&place)))
	if done != 0 {
		return true, nil
	}
	if errors.Is(err, errorLockViolation) || errors.Is(err, syscall.ERROR_IO_PENDING) {
		return false, nil
	}
	return false, err
}

// unlock does nothing: closing the file releases the lock, as child processes do not inherit the handle.
func unlock(*os.File) error { return nil }
