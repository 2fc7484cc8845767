package lock

import (
	"errors"
	"io"
	"os"
	"syscall"
)

// The lock of the database itself belongs to an open file (F_OFD_SETLK), not to the process: closing another file of the
// process on the same database does not release it. It is on a byte that SQLite does not use.
const (
	openFileSetLock = 37
	dataLockByte    = 1<<30 + 4096
)

// lockData takes the lock of the database; false means that a running console has it. On file systems without these locks only
// the lock file protects the database.
func lockData(file *os.File) bool {
	lock := syscall.Flock_t{Type: syscall.F_WRLCK, Whence: io.SeekStart, Start: dataLockByte, Len: 1}
	err := syscall.FcntlFlock(file.Fd(), openFileSetLock, &lock)
	return !errors.Is(err, syscall.EAGAIN) && !errors.Is(err, syscall.EACCES)
}

// unlockData releases the lock of the database. On other systems, closing the file is enough.
func unlockData(file *os.File) {
	lock := syscall.Flock_t{Type: syscall.F_UNLCK, Whence: io.SeekStart, Start: dataLockByte, Len: 1}
	_ = syscall.FcntlFlock(file.Fd(), openFileSetLock, &lock)
}
