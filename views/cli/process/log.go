package process

import (
	"fmt"
	"io"
	"log/slog"
	"sync"

	"cxdeck/perf/regular"
	"cxdeck/views/exec"
)

// logLimit limits the program's own log in bytes; later lines are dropped, and the last line says so.
const logLimit = 16 << 20

// OpenLog opens the file of --log, and returns the log that is written there. With an empty path nothing is logged; the log never goes to the screen.
func OpenLog(path string) (log *slog.Logger, closeLog func(), err error) {
	if path == "" {
		return slog.New(slog.DiscardHandler), func() {}, nil
	}
	file, err := regular.Append(path)
	if err != nil {
		return nil, nil, exec.Mistake("can't write the log %s: %v; choose another file after --log", path, exec.FailureReason(err))
	}
	log = slog.New(slog.NewJSONHandler(&boundedWriter{w: file, remaining: logLimit}, nil))
	return log, func() { file.Close() }, nil //nolint:errcheck // a failed close of the log is not an error
}

// boundedWriter drops data after a number of bytes.
type boundedWriter struct {
	mu        sync.Mutex
	w         io.Writer
	remaining int
}

// Write drops what exceeds the limit, without an error.
func (b *boundedWriter) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.remaining <= 0 {
		return len(p), nil
	}
	b.remaining -= len(p)
	if b.remaining <= 0 {
		fmt.Fprintln(b.w, `{"level":"WARN","msg":"the log is full; nothing more is written"}`) //nolint:errcheck // as below
		return len(p), nil
	}
	return b.w.Write(p)
}
