package cli

import (
	"fmt"
	"io"
	"os"
	"time"
)

// waitLineDelay is the length of a wait from which on the error stream shows it.
const waitLineDelay = 300 * time.Millisecond

// waitLine shows the object of a wait and the remaining seconds on the error stream.
type waitLine struct {
	out    io.Writer // nil without a terminal
	object string
	begun  time.Time
	shown  bool
}

// newWaitLine returns the line of a wait that begins now; only a terminal shows it.
func (s *session) newWaitLine(object string) *waitLine {
	l := &waitLine{object: object, begun: time.Now()}
	if file, ok := s.streams.Err.(*os.File); ok && isTerminal(file) {
		l.out = file
	}
	return l
}

// show writes the remaining seconds, rounded up.
func (l *waitLine) show(left time.Duration) {
	if l.out == nil || time.Since(l.begun) < waitLineDelay {
		return
	}
	l.shown = true
	fmt.Fprintf(l.out, "\rWaiting for %s: %d s\x1b[K", l.object, max(int((left+time.Second-1)/time.Second), 0)) //nolint:errcheck // nothing depends on it
}

// end erases the line.
func (l *waitLine) end() {
	if l.shown {
		l.shown = false
		fmt.Fprint(l.out, "\r\x1b[K") //nolint:errcheck // nothing depends on it
	}
}
