package control

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"github.com/adrg/xdg"

	"cxdeck/perf/regular"
)

// maxPath is the maximum length of a socket's path in bytes: Linux and Windows allow 108 with the terminating byte, other
// systems 104.
const maxPath = 103

// Addresses returns the socket paths for the owner of a history file, the preferred one first: beside the file, or,
// where that path is too long for a socket, in a private directory of the user.
func Addresses(history string) []string {
	absolute, err := filepath.Abs(history)
	if err != nil {
		return nil
	}
	absolute = regular.Target(absolute)
	if beside := absolute + ".sock"; len(beside) <= maxPath {
		return []string{beside}
	}
	if directory, err := filepath.EvalSymlinks(filepath.Dir(absolute)); err == nil {
		absolute = filepath.Join(directory, filepath.Base(absolute))
	}
	if beside := absolute + ".sock"; len(beside) <= maxPath {
		return []string{beside}
	}
	sum := sha256.Sum256([]byte(absolute))
	name := hex.EncodeToString(sum[:12]) + ".sock"
	var list []string
	for _, base := range []string{xdg.RuntimeDir, os.TempDir()} {
		path := filepath.Join(base, "cxdeck-"+strconv.Itoa(os.Getuid()), name)
		if base != "" && len(path) <= maxPath {
			list = append(list, path)
		}
	}
	return list
}

// makePrivate makes the directory of an address that is not beside its history file, or checks that it is private.
func makePrivate(history, address string) error {
	directory := filepath.Dir(address)
	if filepath.Base(address) == filepath.Base(regular.Target(history))+".sock" {
		return nil
	}
	if err := os.Mkdir(directory, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return checkPrivate(directory)
}

// removeStale removes a socket without a listener. Only the holder of the history file's lock calls it.
func removeStale(address string) error {
	info, err := os.Lstat(address)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !isSocket(info):
		return fmt.Errorf("%s exists and is not a socket", address)
	}
	return os.Remove(address)
}
