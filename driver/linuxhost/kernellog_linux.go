package linuxhost

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// KernelLog reads the messages of mlx4 and mlx5 drivers from the kernel log.
type KernelLog struct{ file *os.File }

// OpenKernelLog opens the kernel log; the messages since the boot come first. Many systems allow it to root only.
func OpenKernelLog() (*KernelLog, error) {
	file, err := os.OpenFile(filepath.Join("/dev", "kmsg"), os.O_RDONLY|openNoWait, 0)
	if err != nil {
		return nil, err
	}
	return &KernelLog{file}, nil
}

// recordLimit is the size of the kernel's longest record; readLimit the number of records that one call reads.
const (
	recordLimit = 8192
	readLimit   = 20_000
)

// Messages returns the messages since the last call.
func (l *KernelLog) Messages() (all []Message) {
	raw, err := l.file.SyscallConn()
	if err != nil {
		return nil
	}
	buffer := make([]byte, recordLimit)
	err = raw.Read(func(descriptor uintptr) bool {
		for range readLimit {
			n, err := unix.Read(int(descriptor), buffer)
			if errors.Is(err, unix.EPIPE) || errors.Is(err, unix.EINTR) {
				continue // messages were overwritten before they were read
			}
			if err != nil || n <= 0 {
				return true
			}
			if m, ok := ParseMessage(string(buffer[:n])); ok && len(all) < listLimit {
				all = append(all, m)
			}
		}
		return true
	})
	if err != nil {
		return nil
	}
	return all
}

// Close closes the log.
func (l *KernelLog) Close() error { return l.file.Close() }
