package sessions

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"cxdeck/store/fault"
	"cxdeck/views/exec"
)

// writeWhole writes a new file with mode 0600. It writes to a temporary file in the same directory, which it syncs and renames at
// the end: a failure or an interrupt leaves no file, a kill at most FILE-*.part.
func (c *Call) writeWhole(path string, write func(part *os.File) error) (err error) {
	if path == "" {
		return exec.Mistake("a file requires a name, and the name given is empty")
	}
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if err == nil {
			return fmt.Errorf("%s exists already: choose another name", path)
		}
		return explainWrite(path, "", err)
	}
	part, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*.part") // mode 0600
	if err != nil {
		return explainWrite(path, "", err)
	}
	journal := part.Name() + "-journal"
	if c.Writing != nil {
		defer c.Writing(part.Name(), journal)()
	}
	defer func() {
		if err != nil {
			_ = os.Remove(part.Name())
			_ = os.Remove(journal)
		}
	}()
	err = write(part)
	if err == nil {
		err = part.Sync()
	}
	if closed := part.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	return explainWrite(path, part.Name(), err)
}

// explainWrite adds to an error of writing a file why it failed, and whether the incomplete file was removed.
func explainWrite(path, part string, err error) error {
	var file *fault.FileError
	switch {
	case errors.Is(err, fault.ErrFull), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%s can't be written: the disk is full; the incomplete file was removed; free some space, or choose another disk", path)
	case errors.Is(err, syscall.EFBIG):
		return fmt.Errorf("%s can't be written: it exceeds the largest file size here; the incomplete file was removed", path)
	case errors.As(err, &file) && filepath.Base(file.Path) == filepath.Base(part):
		return fmt.Errorf("%s can't be written, and the incomplete file was removed: %w", path, file.Err)
	case exec.FailureReason(err) != err: //nolint:errorlint // does the error name a file?
		return fmt.Errorf("%s can't be written: %w", path, exec.FailureReason(err))
	}
	return err
}
