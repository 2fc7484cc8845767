// Package regular opens files that the operator names: only regular files, without ever waiting for a FIFO or a device. It
// checks a size limit before it reads. It does not depend on their contents.
package regular

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// KindError reports a path to something other than a regular file.
type KindError struct{ Mode fs.FileMode }

// Error returns a clause: "it is a FIFO, not a regular file".
func (e *KindError) Error() string {
	return "it is " + kindOf(e.Mode) + ", not a regular file"
}

func kindOf(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a directory"
	case mode&fs.ModeNamedPipe != 0:
		return "a FIFO"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

// SizeError reports a file above the size limit, in bytes.
type SizeError struct{ Limit int64 }

// Error returns a clause with the limit.
func (e *SizeError) Error() string {
	if e.Limit < 1<<20 {
		return fmt.Sprintf("it is larger than %d KiB", e.Limit>>10)
	}
	return fmt.Sprintf("it is larger than %d MiB", e.Limit>>20)
}

// Reason returns the error of a file without the file's name and the system call, for sentences that name the file already.
func Reason(err error) error {
	var pathError *fs.PathError
	var linkError *os.LinkError
	switch {
	case errors.As(err, &pathError):
		return pathError.Err
	case errors.As(err, &linkError):
		return linkError.Err
	}
	return err
}

// maxLinks is the maximum number of symbolic links that Target follows, the limit of Linux.
const maxLinks = 40

// Target follows the symbolic links of a file and returns the path at their end, which need not exist yet. Files beside that
// path, such as a lock, then belong to the file and not to one of its names. It returns the path unchanged if it is not a link,
// or leads to something other than a regular file.
func Target(path string) string {
	exists := Check(path)
	if exists != nil && !os.IsNotExist(exists) {
		return path
	}
	end := path
	for range maxLinks {
		next, err := os.Readlink(end)
		if err != nil {
			break // it is not a link
		}
		if !filepath.IsAbs(next) {
			directory, err := filepath.EvalSymlinks(filepath.Dir(end))
			if err != nil {
				return path
			}
			next = filepath.Join(directory, next)
		}
		end = next
	}
	if end != path && exists == nil && !sameFile(path, end) {
		return path // a link to an open file in /proc
	}
	return end
}

// sameFile reports whether two paths lead to the same file.
func sameFile(path, other string) bool {
	a, err := os.Stat(path)
	if err != nil {
		return false
	}
	b, err := os.Stat(other)
	return err == nil && os.SameFile(a, b)
}

// Check checks the kind of a file without opening it, because opening a device may have effects. It fails with an
// *fs.PathError, whose cause is a *KindError if the file is not regular.
func Check(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	return check(path, info)
}

func check(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	return &fs.PathError{Op: "open", Path: path, Err: &KindError{info.Mode()}}
}

// Open opens a regular file for reading. It fails like Check.
func Open(path string) (*os.File, error) {
	if err := Check(path); err != nil {
		return nil, err
	}
	return open(path, os.O_RDONLY, 0)
}

// Append opens a regular file for appending, or creates it with mode 0600. It fails like Check.
func Append(path string) (*os.File, error) {
	if err := Check(path); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return open(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
}

// Update opens a regular file for reading and writing, with further flags of os.OpenFile; os.O_CREATE creates it with mode
// 0600. It fails like Check.
func Update(path string, flags int) (*os.File, error) {
	if err := Check(path); err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	return open(path, os.O_RDWR|flags, 0o600)
}

// open opens a path after Check, and checks the opened file again, because the path may have changed in between.
func open(path string, flags int, mode fs.FileMode) (*os.File, error) {
	file, err := os.OpenFile(path, flags|nonBlocking, mode)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil {
		err = check(path, info)
	}
	if err != nil {
		_ = file.Close() // nothing was written
		return nil, err
	}
	return file, nil
}

// Read reads a regular file of at most limit bytes. It fails like Check, or with an *fs.PathError whose cause is a *SizeError.
func Read(path string, limit int64) ([]byte, error) {
	file, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close() //nolint:errcheck // nothing was written
	tooLarge := &fs.PathError{Op: "read", Path: path, Err: &SizeError{limit}}
	if info, err := file.Stat(); err != nil || info.Size() > limit {
		if err == nil {
			err = tooLarge
		}
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(file, limit+1)) // it may grow
	if err == nil && int64(len(data)) > limit {
		return nil, tooLarge
	}
	return data, err
}
