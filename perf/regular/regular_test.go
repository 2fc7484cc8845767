//go:build unix

package regular

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// within fails the test when do takes much longer than opening a file.
func within(t *testing.T, what string, do func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatalf("%s waits", what)
	}
}

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	t.Parallel()
	folder, err := os.MkdirTemp("", "r")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	fifo, socket, link := filepath.Join(folder, "fifo"), filepath.Join(folder, "s"), filepath.Join(folder, "link")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if err := os.Symlink(fifo, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		fifo: "a FIFO", link: "a FIFO", socket: "a socket", folder: "a directory", "/dev/zero": "a device", "/dev/null": "a device",
	} {
		within(t, path, func() {
			var of *fs.PathError
			_, read := Read(path, 10)
			_, appended := Append(path)
			_, updated := Update(path, 0)
			for _, err := range []error{read, appended, updated} {
				var kind *KindError
				if !errors.As(err, &kind) || !errors.As(err, &of) || !strings.Contains(err.Error(), want) {
					t.Errorf("%s: %v, want %s", path, err, want)
				}
			}
		})
	}
	if _, err := Read(filepath.Join(folder, "none"), 10); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestOpenDoesNotWaitForANewFIFO swaps a file and a FIFO while they are opened.
func TestOpenDoesNotWaitForANewFIFO(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, file, fifo := filepath.Join(folder, "x"), filepath.Join(folder, "file"), filepath.Join(folder, "fifo")
	swap := func(create func(string) error, with string) {
		if err := create(with); err != nil {
			t.Error(err)
		}
		if err := os.Rename(with, path); err != nil {
			t.Error(err)
		}
	}
	text := func(name string) error { return os.WriteFile(name, []byte("x"), 0o600) }
	pipe := func(name string) error { return syscall.Mkfifo(name, 0o600) }
	swap(text, file)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				swap(pipe, fifo)
				swap(text, file)
			}
		}
	}()
	within(t, "opening", func() {
		for end := time.Now().Add(200 * time.Millisecond); time.Now().Before(end); {
			if data, err := Read(path, 10); err == nil && string(data) != "x" {
				t.Errorf("read %q", data)
			}
		}
	})
	close(stop)
	<-stopped
}

func TestReadIsLimited(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := Read(path, 10); err != nil || len(data) != 10 {
		t.Errorf("%q, %v", data, err)
	}
	var size *SizeError
	if _, err := Read(path, 9); !errors.As(err, &size) {
		t.Error(err)
	}
	if err := os.Truncate(path, 1<<40); err != nil { // a sparse file
		t.Skipf("the file system of %s has no sparse files: %v", path, err)
	}
	if _, err := Read(path, 1<<20); !errors.As(err, &size) || !strings.Contains(err.Error(), "larger than 1 MiB") {
		t.Error(err)
	}
	// The kernel reports no size for such files.
	if _, err := Read("/proc/kallsyms", 100); err == nil {
		t.Error("a file without a size was read beyond the limit")
	}
}

func TestTargetIsTheEndOfLinks(t *testing.T) {
	t.Parallel()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) string { return filepath.Join(folder, name) }
	if err := errors.Join(os.Mkdir(at("sub"), 0o700), os.WriteFile(at("sub/file"), nil, 0o600), syscall.Mkfifo(at("fifo"), 0o600)); err != nil {
		t.Fatal(err)
	}
	for link, to := range map[string]string{
		"absolute": at("sub/file"), "relative": "sub/file", "chain": "relative", "directory": "sub", "over": "directory/../sub/file",
		"new": "sub/new", "newer": "new", "nowhere": "none/new", "loop": "loop", "pipe": "fifo",
	} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		"sub/file": "sub/file", "absolute": "sub/file", "relative": "sub/file", "chain": "sub/file", "over": "sub/file",
		"directory/file": "directory/file", "new": "sub/new", "newer": "sub/new", "none": "none", "nowhere": "none/new",
		"loop": "loop", "pipe": "pipe", "sub": "sub", "directory": "directory",
	} {
		if got := Target(at(path)); got != at(want) {
			t.Errorf("%s leads to %s, want %s", path, got, at(want))
		}
	}
}
