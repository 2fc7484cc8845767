//go:build unix

package control

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// restrict makes a new socket private before it is bound, where the system takes the mode from it.
func restrict(_, _ string, raw syscall.RawConn) error {
	return raw.Control(func(fd uintptr) {
		_ = syscall.Fchmod(int(fd), 0o600) // other systems refuse it; bind sets the file's mode afterwards
	})
}

func isSocket(info fs.FileInfo) bool { return info.Mode().Type() == fs.ModeSocket }

// checkPrivate returns why a directory is not private.
func checkPrivate(directory string) error {
	info, err := os.Lstat(directory)
	if err != nil {
		return err
	}
	status, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || !ok || int(status.Uid) != os.Geteuid() || info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("%s is not a private directory of this user", directory)
	}
	return nil
}
