package process

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// WriteCrash writes stacks to a new file that only its owner can read, in directory or else in the temporary directory. It
// returns the path, which is empty if no file could be written.
func WriteCrash(directory, version, reason string, stack []byte) string {
	now := time.Now()
	name := fmt.Sprintf("crash-%s-%d.txt", now.Format("20060102-150405.000"), os.Getpid())
	for _, directory := range []string{directory, os.TempDir()} {
		if os.MkdirAll(directory, 0o700) != nil {
			continue
		}
		path := filepath.Join(directory, name)
		file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if err != nil {
			continue
		}
		_, err = fmt.Fprintf(file, "cxdeck %s, %s\n%s %s/%s\n%s\n\n%s", version, now.Format(time.RFC3339), runtime.Version(), runtime.GOOS,
			runtime.GOARCH, reason, stack)
		if file.Close() == nil && err == nil {
			return path
		}
	}
	return ""
}

// maxStacks limits the stacks of a crash file, in bytes.
const maxStacks = 8 << 20

// stacks returns the stacks of all goroutines.
func stacks() []byte {
	buffer := make([]byte, maxStacks)
	return buffer[:runtime.Stack(buffer, true)]
}
