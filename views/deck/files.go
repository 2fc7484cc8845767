package deck

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"cxdeck/driver/script"
	"cxdeck/perf/regular"
)

// ReadFile reads a regular file of at most so many bytes: waiting for a pipe or reading a device would never end.
func ReadFile(path string, most int64) ([]byte, error) {
	return regular.Read(path, most)
}

// WriteFiles writes files for their owner's eyes only. Until one is whole it has another name, and an empty file holds
// its own. Without replace it writes none and fails with fs.ErrExist where there is a file of one of the names.
func WriteFiles(files []script.File, replace bool) error {
	held := 0 // how many names are held by empty files
	release := func(from int) {
		for _, f := range files[from:max(from, held)] {
			_ = os.Remove(f.Path)
		}
	}
	for ; !replace && held < len(files); held++ {
		mark, err := os.OpenFile(files[held].Path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
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

// replaceable refuses to replace anything but a regular file, such as /dev/null.
func replaceable(path string) error {
	err := regular.Check(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// maxFolders is how many folders of one name a folder may hold.
const maxFolders = 10_000

// MakeFolder makes a folder in the current one for its owner's eyes only, and gives its whole path. Where there is
// something of that name already, a number goes behind it: name, name-2, name-3.
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

// writeFile writes the file that a symbolic link leads to; the link stays.
func writeFile(f script.File) error {
	path := regular.Target(f.Path)
	part, err := os.CreateTemp(filepath.Dir(path), ".cxdeck-export-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(part.Name()) //nolint:errcheck // it is gone when all went well
	_, err = part.Write(f.Data)
	if err = errors.Join(err, part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), path)
}
