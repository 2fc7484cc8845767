package cli

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"

	"golang.org/x/term"

	"cxdeck/perf/regular"
	"cxdeck/views/exec"
)

// logLimit limits the program's own log in bytes; later lines are dropped, and the last line says so.
const logLimit = 16 << 20

// openLog opens the file of --log. Without the flag nothing is logged; the log never goes to the screen.
func (s *session) openLog() (closeLog func(), err error) {
	s.log = slog.New(slog.DiscardHandler)
	if s.options.logFile == "" {
		return func() {}, nil
	}
	file, err := regular.Append(s.options.logFile)
	if err != nil {
		return nil, mistake("can't write the log %s: %v; choose another file after --log", s.options.logFile, exec.FailureReason(err))
	}
	s.log = slog.New(slog.NewJSONHandler(&boundedWriter{w: file, remaining: logLimit}, nil))
	return func() { file.Close() }, nil //nolint:errcheck // a failed close of the log is not an error
}

// boundedWriter drops data after a number of bytes.
type boundedWriter struct {
	mu        sync.Mutex
	w         io.Writer
	remaining int
}

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

func isTerminal(file *os.File) bool { return term.IsTerminal(int(file.Fd())) }
