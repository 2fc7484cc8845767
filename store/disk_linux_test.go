package store

import (
	"syscall"
	"testing"
)

// mountDisk mounts a small disk on a temporary directory. It is false when the test has no right to.
func mountDisk(t *testing.T, size string) (directory string, ok bool) {
	t.Helper()
	directory = t.TempDir()
	if syscall.Mount("cxdeck", directory, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, "size="+size+",mode=0700") != nil {
		return "", false
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(directory, syscall.MNT_DETACH); err != nil {
			t.Errorf("unmount %s: %v", directory, err)
		}
	})
	return directory, true
}

// protectDisk remounts a disk of mountDisk read-only.
func protectDisk(t *testing.T, directory string) {
	t.Helper()
	if err := syscall.Mount("", directory, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
}
