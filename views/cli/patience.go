package cli

import (
	"fmt"
	"io"
	"os"
	"time"
)

// waitShows is how long a wait lasts before the error stream shows it.
const waitShows = 300 * time.Millisecond

// waitLine shows on the error stream what the program waits for, and the remaining seconds.
type waitLine struct {
	out   io.Writer // nil without a terminal to show it
	what  string
	begun time.Time
	shown bool
}

// newWaitLine makes the line of a wait that begins now; only a terminal shows it.
func (s *session) newWaitLine(what string) *waitLine {
	l := &waitLine{what: what, begun: time.Now()}
	if file, ok := s.streams.Err.(*os.File); ok && isTerminal(file) {
		l.out = file
	}
	return l
}

// show writes the remaining whole seconds: the last one is 1.
func (l *waitLine) show(left time.Duration) {
	if l.out == nil || time.Since(l.begun) < waitShows {
		return
	}
	l.shown = true
	fmt.Fprintf(l.out, "\rWaiting for %s: %d s\x1b[K", l.what, max(int((left+time.Second-1)/time.Second), 0)) //nolint:errcheck // nothing depends on it
}

// end erases the line.
func (l *waitLine) end() {
	if l.shown {
		l.shown = false
		fmt.Fprint(l.out, "\r\x1b[K") //nolint:errcheck // nothing depends on it
	}
}
