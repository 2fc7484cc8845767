package store

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"cxdeck/store/fault"
)

// TestOneFileHasOneLockUnderAllItsNames opens a history by links of all kinds: the files beside it belong to the file itself,
// and it does not look replaced under any name.
func TestOneFileHasOneLockUnderAllItsNames(t *testing.T) {
	t.Parallel()
	for name, link := range map[string]func(folder, file string) (string, error){
		"absolute": func(folder, file string) (string, error) {
			path := filepath.Join(folder, "names", "link.db")
			return path, os.Symlink(file, path)
		},
		"relative": func(folder, _ string) (string, error) {
			path := filepath.Join(folder, "names", "link.db")
			return path, os.Symlink("../data/history.db", path)
		},
		"chain through a linked directory": func(folder, _ string) (string, error) {
			path := filepath.Join(folder, "names", "link.db")
			return path, errors.Join(os.Symlink("../data", filepath.Join(folder, "names", "d")),
				os.Symlink("d/history.db", filepath.Join(folder, "names", "between.db")), os.Symlink("between.db", path))
		},
	} {
		for _, exists := range []bool{true, false} {
			folder := t.TempDir()
			file := filepath.Join(folder, "data", "history.db")
			if err := errors.Join(os.Mkdir(filepath.Join(folder, "names"), 0o700), os.Mkdir(filepath.Dir(file), 0o700)); err != nil {
				t.Fatal(err)
			}
			if exists {
				if err := openAt(t, file, Options{}).Close(); err != nil {
					t.Fatal(err)
				}
			}
			path, err := link(folder, file)
			if err != nil {
				t.Fatal(err)
			}
			db := openAt(t, path, Options{})
			session := record(t, db, 3)
			if other, err := Open(t.Context(), file, Options{}); !errors.Is(err, fault.ErrInUse) {
				t.Errorf("%s: the file has a second owner, %v", name, err)
				if err == nil {
					_ = other.Close()
				}
			}
			if err := db.checkFile(t.Context()); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if err := db.Close(); err != nil || db.Rescue().Moved != "" {
				t.Errorf("%s, existing %t: %v, %q", name, exists, err, db.Rescue().Moved)
			}
			again := openAt(t, file, Options{})
			if _, err := again.Session(t.Context(), session); err != nil {
				t.Errorf("%s, existing %t: %v", name, exists, err)
			}
			if info, err := os.Lstat(path); err != nil || info.Mode()&os.ModeSymlink == 0 {
				t.Errorf("%s: the link became %v, %v", name, info, err)
			}
			beside, err := filepath.Glob(filepath.Join(folder, "names", "link.db?*"))
			if err != nil || len(beside) > 0 {
				t.Errorf("%s, existing %t: files beside the link: %v, %v", name, exists, beside, err)
			}
		}
	}
}
