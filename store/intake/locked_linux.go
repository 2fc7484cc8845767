package intake

import (
	"io"
	"os"
	"syscall"
)

// The bytes on which SQLite locks a database against readers, and the byte of the recorder's own lock at the end.
const (
	openFileGetLock = 36
	firstLockByte   = 1 << 30
	lockBytes       = 4096 + 1
)

// locked reports whether another program has locked a database to write to it. On a file system without these locks it is
// false.
func locked(file *os.File) bool {
	lock := syscall.Flock_t{Type: syscall.F_RDLCK, Whence: io.SeekStart, Start: firstLockByte, Len: lockBytes}
	err := syscall.FcntlFlock(file.Fd(), openFileGetLock, &lock)
	return err == nil && lock.Type != syscall.F_UNLCK
}
