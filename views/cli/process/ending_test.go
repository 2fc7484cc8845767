package process

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"cxdeck/views/exec"
)

// A program that ends at once, because something hangs or at the second request, removes the files that it had not finished, and no
// others.
func TestAnEndAtOnceLeavesNoHalfFile(t *testing.T) {
	t.Parallel()
	directory := t.TempDir()
	file := func(name string) string {
		path := filepath.Join(directory, name)
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	half, whole, other := file("half.part"), file("whole.csv"), file("other.csv")
	code := -1
	e := &Ending{streams: Streams{Err: io.Discard, Exit: func(with int) { code = with }}, directory: directory}
	e.Writing(half, filepath.Join(directory, "half.part-journal"))
	e.Writing(whole)()
	e.exit("ended")
	if _, err := os.Stat(half); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("half a file is left: %v", err)
	}
	for _, path := range []string{whole, other} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	if code != int(exec.Failed) {
		t.Errorf("exit code %d", code)
	}
}
