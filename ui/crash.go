package ui

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// CrashError reports that cxdeck panicked. The terminal has been restored and a report written when Run returns it.
type CrashError struct {
	// Panic is the value of the panic, Where the work during which it occurred.
	Panic any
	Where string
	// Stack is the stack of the goroutine that panicked.
	Stack []byte
	// Report is the path of the report file, empty when it could not be written.
	Report string
}

// Error returns one sentence that names the report.
func (e *CrashError) Error() string {
	if e.Report == "" {
		return fmt.Sprintf("the console stopped because of a bug in cxdeck, while %s: %v; the report could not be written",
			e.Where, e.Panic)
	}
	return fmt.Sprintf("the console stopped because of a bug in cxdeck; please send the report %s to its developers", e.Report)
}

// asCrash returns a CrashError for a recovered panic; call it in the function that recovers.
func asCrash(thrown any, where string) *CrashError {
	if crash, ok := thrown.(*CrashError); ok {
		return crash
	}
	return &CrashError{Panic: thrown, Where: where, Stack: debug.Stack()}
}

// writeReport writes the report file into a directory, with mode 0600.
func (e *CrashError) writeReport(directory, version string, at time.Time, steps *trail) {
	if directory == "" {
		directory = os.TempDir()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "cxdeck %s crashed at %s\n%s %s/%s\n\npanic while %s: %v\n\n%s\nLast actions:\n", version,
		at.Format(time.RFC3339), runtime.Version(), runtime.GOOS, runtime.GOARCH, e.Where, e.Panic, e.Stack)
	steps.write(&b)
	if os.MkdirAll(directory, 0o700) != nil {
		return
	}
	path := filepath.Join(directory, fmt.Sprintf("crash-%s-%d.txt", at.Format("20060102-150405"), os.Getpid()))
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // no existing file, nor a link to one
	if err != nil {
		return
	}
	_, err = file.WriteString(b.String())
	if file.Close() == nil && err == nil {
		e.Report = path
	}
}
