package process

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/term"

	"cxdeck/views/exec"
)

// Streams are the inputs and outputs of the process.
type Streams struct {
	In       *os.File
	Out, Err io.Writer
	// Terminal is the output when it is a terminal, else nil.
	Terminal *os.File
	// Environment looks up an environment variable.
	Environment func(string) (string, bool)
	// Exit ends the process if an orderly end takes too long; with nil there is no time limit.
	Exit func(code int)
}

// OwnStreams returns the running process's own streams.
func OwnStreams() Streams {
	s := Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environment: os.LookupEnv, Exit: os.Exit}
	if IsTerminal(os.Stdin) && IsTerminal(os.Stdout) {
		s.Terminal = os.Stdout
	}
	return s
}

// IsTerminal reports whether a file is a terminal.
func IsTerminal(file *os.File) bool { return term.IsTerminal(int(file.Fd())) }

// Complain prints an error as one line without control characters: it may quote names from outside.
func Complain(w io.Writer, err error) {
	fmt.Fprintln(w, "cxdeck: "+exec.Sentence(err.Error())) //nolint:errcheck // there is no other output
}

// ReportedError is a failure that was already reported to the operator.
type ReportedError struct{ Code int }

// Error returns a generic text; Main prints none.
func (e *ReportedError) Error() string { return "a command failed" }
