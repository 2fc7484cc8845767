package exec

import (
	"errors"
	"fmt"
	"io/fs"

	"cxdeck/driver/script"
	"cxdeck/perf/regular"
)

// Files are the files that commands read and write.
type Files interface {
	// Read returns a regular file of at most so many bytes.
	Read(path string, most int64) ([]byte, error)
	// Write writes files for their owner alone, each wholly or not at all. Without replace it writes none and fails
	// with fs.ErrExist where there is one already.
	Write(files []script.File, replace bool) error
	// Folder makes a folder for its owner alone and returns its whole path; a number is appended to a name that is taken.
	Folder(name string) (path string, err error)
}

// ErrNoFiles is a runner without files.
var ErrNoFiles = errors.New("files can't be read or written here")

// errNoName is an empty name of a file.
var errNoName = Mistake("a file requires a name, and the name given is empty")

// Read reads a file of the machine, up to a number of bytes.
func (c *Call) Read(path string, most int64) ([]byte, error) {
	if c.Runner.Files == nil {
		return nil, ErrNoFiles
	}
	if path == "" {
		return nil, errNoName
	}
	data, err := c.Runner.Files.Read(path, most)
	if err != nil {
		return nil, fmt.Errorf("can't read %s: %w", path, FailureReason(err))
	}
	return data, nil
}

// Write writes files; with --force it replaces existing files.
func (c *Call) Write(files []script.File) error {
	if c.Runner.Files == nil {
		return ErrNoFiles
	}
	for _, f := range files {
		if f.Path == "" {
			return errNoName
		}
	}
	err := c.Runner.Files.Write(files, c.Flags["force"] != "")
	if err == nil {
		return nil
	}
	var of *fs.PathError
	if errors.Is(err, fs.ErrExist) && errors.As(err, &of) {
		return fmt.Errorf("the file %s exists already; --force replaces it", of.Path)
	}
	return fmt.Errorf("can't write %s: %w", files[0].Path, FailureReason(err))
}

// Folder makes a folder for the output of a tool.
func (c *Call) Folder(name string) (path string, err error) {
	if c.Runner.Files == nil {
		return "", ErrNoFiles
	}
	if path, err = c.Runner.Files.Folder(name); err != nil {
		return "", fmt.Errorf("can't create the folder %s: %w", name, FailureReason(err))
	}
	return path, nil
}

// FailureReason returns an error of the system without the name of the file, which the sentence has.
func FailureReason(err error) error {
	return regular.Reason(err)
}
