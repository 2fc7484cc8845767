package intake

import (
	"io"
	"os"
	"syscall"
)

// The bytes on which SQLite locks a database against readers, and the recorder its own a little behind them.
const (
	openFileGetLock = 36
	firstLockByte   = 1 << 30
	lockBytes       = 4096 + 1
)

// locked asks whether another program has locked a database to write to it. A file system without such locks has none.
func locked(file *os.File) bool {
	lock := syscall.Flock_t{Type: syscall.F_RDLCK, Whence: io.SeekStart, Start: firstLockByte, Len: lockBytes}
	err := syscall.FcntlFlock(file.Fd(), openFileGetLock, &lock)
	return err == nil && lock.Type != syscall.F_UNLCK
}
