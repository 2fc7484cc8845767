package process

import (
	"fmt"
	"io"
	"os"
	"time"
)

// waitLineDelay is the length of a wait from which on the error stream shows it.
const waitLineDelay = 300 * time.Millisecond

// WaitLine shows the object of a wait and the remaining seconds on the error stream.
type WaitLine struct {
	out    io.Writer // nil without a terminal
	object string
	begun  time.Time
	shown  bool
}

// NewWaitLine returns the line on out of a wait that begins now; only a terminal shows it.
func NewWaitLine(out io.Writer, object string) *WaitLine {
	l := &WaitLine{object: object, begun: time.Now()}
	if file, ok := out.(*os.File); ok && IsTerminal(file) {
		l.out = file
	}
	return l
}

// Show writes the remaining seconds, rounded up.
func (l *WaitLine) Show(left time.Duration) {
	if l.out == nil || time.Since(l.begun) < waitLineDelay {
		return
	}
	l.shown = true
	fmt.Fprintf(l.out, "\rWaiting for %s: %d s\x1b[K", l.object, max(int((left+time.Second-1)/time.Second), 0)) //nolint:errcheck // nothing depends on it
}

// End erases the line.
func (l *WaitLine) End() {
	if l.shown {
		l.shown = false
		fmt.Fprint(l.out, "\r\x1b[K") //nolint:errcheck // nothing depends on it
	}
}
