package deck

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"cxdeck/driver/script"
	"cxdeck/perf/regular"
)

// ReadFile reads a regular file of at most limit bytes. It refuses pipes and devices, which may never end.
func ReadFile(path string, limit int64) ([]byte, error) {
	return regular.Read(path, limit)
}

// WriteFiles writes files with mode 0600. It writes each to a temporary file and renames that at the end. Without replace, it
// reserves the names with empty files first; if one of them exists, it writes no file and returns fs.ErrExist.
func WriteFiles(files []script.File, replace bool) error {
	reserved := 0 // the number of names that are reserved by empty files
	release := func(from int) {
		for _, f := range files[from:max(from, reserved)] {
			_ = os.Remove(f.Path)
		}
	}
	for ; !replace && reserved < len(files); reserved++ {
		mark, err := os.OpenFile(files[reserved].Path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err == nil {
			err = mark.Close()
		}
		if err != nil {
			release(0)
			return err
		}
	}
	for i, f := range files {
		if err := replaceable(f.Path); err != nil {
			release(i)
			return err
		}
		if err := writeFile(f); err != nil {
			release(i)
			return err
		}
	}
	return nil
}

// StreamFile writes a file like WriteFiles, with the bytes that write gives to its argument: the file needs no memory of its size. An
// error of write leaves no file.
func StreamFile(path string, replace bool, write func(io.Writer) error) error {
	if !replace {
		if err := WriteFiles([]script.File{{Path: path}}, false); err != nil { // reserves the name
			return err
		}
	} else if err := replaceable(path); err != nil {
		return err
	}
	err := writeStream(path, write)
	if err != nil && !replace {
		_ = os.Remove(path)
	}
	return err
}

// replaceable refuses to replace anything but a regular file, such as /dev/null.
func replaceable(path string) error {
	err := regular.Check(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// maxFolders is the largest number that MakeFolder appends.
const maxFolders = 10_000

// MakeFolder makes a folder with mode 0700 in the current one, and returns its absolute path. If the name exists, it appends
// a number: name-2, name-3.
func MakeFolder(name string) (path string, err error) {
	for number := 1; ; number++ {
		try := name
		if number > 1 {
			try = fmt.Sprintf("%s-%d", name, number)
		}
		err := os.Mkdir(try, 0o700)
		if err == nil {
			return filepath.Abs(try)
		}
		if !errors.Is(err, fs.ErrExist) || number == maxFolders {
			return "", err
		}
	}
}

// writeFile writes a file; see writeStream.
func writeFile(f script.File) error {
	return writeStream(f.Path, func(w io.Writer) error {
		_, err := w.Write(f.Data)
		return err
	})
}

// writeStream writes a file; through a symbolic link it writes the link's target.
func writeStream(path string, write func(io.Writer) error) error {
	path = regular.Target(path)
	part, err := os.CreateTemp(filepath.Dir(path), ".cxdeck-export-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) //nolint:errcheck // after the rename there is no such file
	if err = errors.Join(write(part), part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}
