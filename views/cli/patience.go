package cli

import (
	"fmt"
	"io"
	"os"
	"time"
)

// waitShows is for how long something is waited for before the error stream says so.
const waitShows = 300 * time.Millisecond

// waitLine says on the error stream what is waited for, and for how long still at most.
type waitLine struct {
	out   io.Writer // nil where nobody would see it
	what  string
	begun time.Time
	shown bool
}

// newWaitLine makes the line of a wait that begins now; it shows on a terminal alone.
func (s *session) newWaitLine(what string) *waitLine {
	l := &waitLine{what: what, begun: time.Now()}
	if file, ok := s.streams.Err.(*os.File); ok && isTerminal(file) {
		l.out = file
	}
	return l
}

// show writes what is left in whole seconds: the last one is 1.
func (l *waitLine) show(left time.Duration) {
	if l.out == nil || time.Since(l.begun) < waitShows {
		return
	}
	l.shown = true
	fmt.Fprintf(l.out, "\rWaiting for %s: %d s\x1b[K", l.what, max(int((left+time.Second-1)/time.Second), 0)) //nolint:errcheck // nothing depends on it
}

// end takes the line away.
func (l *waitLine) end() {
	if l.shown {
		l.shown = false
		fmt.Fprint(l.out, "\r\x1b[K") //nolint:errcheck // nothing depends on it
	}
}
