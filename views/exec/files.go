package exec

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"cxdeck/driver/script"
	"cxdeck/perf/regular"
)

// Files reads and writes files for commands.
type Files interface {
	// Read returns the contents of a regular file of at most limit bytes.
	Read(path string, limit int64) ([]byte, error)
	// Write writes files that only their owner can read, each completely or not at all. Without replace it fails with
	// fs.ErrExist if one of them exists, and writes none.
	Write(files []script.File, replace bool) error
	// Stream writes one such file with the bytes that write gives to its argument; an error of write leaves no file.
	Stream(path string, replace bool, write func(io.Writer) error) error
	// Folder creates a folder that only its owner can read, and returns its absolute path. It appends a number to a name that
	// exists.
	Folder(name string) (path string, err error)
}

// ErrNoFiles is the error of a runner without Files.
var ErrNoFiles = errors.New("files can't be read or written here")

// errNoName is the error for an empty file name.
var errNoName = Mistake("a file requires a name, and the name given is empty")

// Read returns the contents of a regular file of at most limit bytes.
func (c *Call) Read(path string, limit int64) ([]byte, error) {
	if c.Runner.Files == nil {
		return nil, ErrNoFiles
	}
	if path == "" {
		return nil, errNoName
	}
	data, err := c.Runner.Files.Read(path, limit)
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
	return c.explainWrite(files[0].Path, c.Runner.Files.Write(files, c.Flags["force"] != ""))
}

// Stream writes a file whose content is too large for memory; with --force it replaces an existing file.
func (c *Call) Stream(path string, write func(io.Writer) error) error {
	switch {
	case c.Runner.Files == nil:
		return ErrNoFiles
	case path == "":
		return errNoName
	}
	return c.explainWrite(path, c.Runner.Files.Stream(path, c.Flags["force"] != "", write))
}

// explainWrite returns the error of writing a file in words.
func (c *Call) explainWrite(path string, err error) error {
	var pathError *fs.PathError
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, fs.ErrExist) && errors.As(err, &pathError):
		return fmt.Errorf("the file %s exists already; --force replaces it%w", pathError.Path, silent{fs.ErrExist})
	}
	return fmt.Errorf("can't write %s: %w", path, FailureReason(err))
}

// silent is an error without a text of its own: a sentence around it says it already.
type silent struct{ error }

func (silent) Error() string   { return "" }
func (s silent) Unwrap() error { return s.error }

// Folder creates a folder for the output of a tool, and returns its absolute path.
func (c *Call) Folder(name string) (path string, err error) {
	if c.Runner.Files == nil {
		return "", ErrNoFiles
	}
	if path, err = c.Runner.Files.Folder(name); err != nil {
		return "", fmt.Errorf("can't create the folder %s: %w", name, FailureReason(err))
	}
	return path, nil
}

// FailureReason returns the reason in an error of the operating system, without the file name: the sentence around it names
// the file.
func FailureReason(err error) error {
	return regular.Reason(err)
}
