package deck_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"cxdeck/driver/script"
	"cxdeck/views/deck"
)

func TestFilesAreWrittenTogetherOrNotAtAll(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	files := []script.File{
		{Path: filepath.Join(directory, "plan.ps1"), Data: []byte("do")},
		{Path: filepath.Join(directory, "plan-undo.ps1"), Data: []byte("undo")},
	}
	if err := os.WriteFile(files[1].Path, []byte("of the operator"), 0o600); err != nil {
		t.Fatal(err)
	}
	err := deck.WriteFiles(files, false)
	var of *fs.PathError
	if !errors.Is(err, fs.ErrExist) || !errors.As(err, &of) || of.Path != files[1].Path {
		t.Errorf("an existing name: %v", err)
	}
	if _, err := os.Stat(files[0].Path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the other file was written: %v", err)
	}
	if err := deck.WriteFiles(files, true); err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		got, err := os.ReadFile(f.Path)
		if err != nil || string(got) != string(f.Data) {
			t.Errorf("%s holds %q: %v", f.Path, got, err)
		}
	}
	if all, err := os.ReadDir(directory); err != nil || len(all) != len(files) {
		t.Errorf("other files are left behind: %v, %v", all, err)
	}
}

func TestAFileThatCannotBeWrittenLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	files := []script.File{{Path: filepath.Join(directory, "a")}, {Path: filepath.Join(directory, "missing", "b")}}
	if err := deck.WriteFiles(files, false); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder: %v", err)
	}
	if all, err := os.ReadDir(directory); err != nil || len(all) != 0 {
		t.Errorf("files are left behind: %v, %v", all, err)
	}
}

// TestMakeFolder checks that a folder gets a number if its name exists, and that only its owner can access it.
func TestMakeFolder(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "dump")
	for _, want := range []string{name, name + "-2", name + "-3"} {
		got, err := deck.MakeFolder(name)
		if err != nil || got != want {
			t.Fatalf("the folder is %q, %v; want %q", got, err, want)
		}
		if info, err := os.Stat(got); err != nil || !info.IsDir() || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", got, info, err)
		}
	}
	if _, err := deck.MakeFolder(filepath.Join(name, "missing", "dump")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("in a missing folder: %v", err)
	}
}
