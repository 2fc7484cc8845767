package lock

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// The lock of the database itself is one of an open file (F_OFD_SETLK), not of the process: other files of the process
// on the same database may be closed without losing it. It lies on a byte that SQLite has no use for.
const (
	openFileSetLock = 37
	dataLockByte    = 1<<30 + 4096
)

// lockData takes the lock of the database; false means that a running console has it. On file systems without such locks only the
// lock file counts.
func lockData(file *os.File) bool {
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: dataLockByte, Len: 1}
	err := syscall.FcntlFlock(file.Fd(), openFileSetLock, &lock)
	return !errors.Is(err, syscall.EAGAIN) && !errors.Is(err, syscall.EACCES)
}

// unlockData releases the lock of the database. Where there is none, closing the file is enough.
func unlockData(file *os.File) {
	lock := syscall.Flock_t{Type: syscall.F_UNLCK, Whence: io.SeekStart, Start: dataLockByte, Len: 1}
	_ = syscall.FcntlFlock(file.Fd(), openFileSetLock, &lock)
}
