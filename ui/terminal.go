package ui

import (
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/term"
)

// The sequences sent to the terminal at the start and at the end. None of them is a query: a terminal that answers no query starts
// at once.
const (
	enterScreen = "\x1b[?1049h" + // the alternate screen
		"\x1b[?7l" + // no wrapping at the right edge
		"\x1b[?2004h" + // pasted text comes in brackets
		hideCursor
	leaveScreen = "\x1b[?2026l\x1b[?1006l\x1b[?1002l\x1b[?2004l\x1b[?7h\x1b[m\x1b[?25h\x1b[?1049l"
	mouseOn     = "\x1b[?1002h\x1b[?1006h"
	mouseOff    = "\x1b[?1006l\x1b[?1002l"
)

// terminal is the device that the console runs on, with its size, its modes, and the saved modes to restore.
type terminal struct {
	in, out *os.File

	saved atomic.Pointer[savedModes] // the modes before the console

	mu     sync.Mutex // guards writing and the fields below
	inside bool
}

// openTerminal checks that input and output are a terminal and changes nothing yet.
func openTerminal(in, out *os.File) (*terminal, error) {
	if in == nil {
		in = os.Stdin
	}
	if out == nil {
		out = os.Stdout
	}
	if !term.IsTerminal(in.Fd()) || !term.IsTerminal(out.Fd()) {
		return nil, ErrNoTerminal
	}
	return &terminal{in: in, out: out}, nil
}

// size returns the size in cells; 80x24 when the terminal does not report it.
func (t *terminal) size() (width, height int) {
	width, height, err := term.GetSize(t.out.Fd())
	if err != nil || width <= 0 || height <= 0 {
		return 80, 24
	}
	// No real terminal is larger; a wrong answer must not take all memory.
	return min(width, 2000), min(height, 1000)
}

// enter takes over the terminal. Calling it again restores the modes after another program changed them.
func (t *terminal) enter() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	saved, err := setRaw(t.in, t.out)
	if err != nil {
		return fmt.Errorf("the terminal can't be set up for single keys: %w", err)
	}
	t.saved.CompareAndSwap(nil, saved)
	t.inside = true
	if _, err := io.WriteString(t.out, enterScreen); err != nil {
		return fmt.Errorf("can't write to the terminal: %w", err)
	}
	return nil
}

// Write writes a frame; after leave it writes nothing.
func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.inside {
		return len(p), nil
	}
	return t.out.Write(p)
}

// leaveTimeout is the time that leave waits for a terminal that accepts no bytes.
const leaveTimeout = 200 * time.Millisecond

// leave restores the terminal. It may be called any number of times, from any goroutine, and does not hang on a terminal that
// accepts no bytes: the modes are restored anyway.
func (t *terminal) leave() {
	written := make(chan struct{})
	go func() {
		defer close(written)
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.inside {
			t.inside = false
			_, _ = io.WriteString(t.out, leaveScreen) // nobody can see an error
		}
		t.restoreModes()
	}()
	timer := time.NewTimer(leaveTimeout)
	defer timer.Stop()
	select {
	case <-written:
	case <-timer.C:
		t.restoreModes()
	}
}

func (t *terminal) restoreModes() {
	if saved := t.saved.Load(); saved != nil {
		saved.restore(t.in, t.out)
	}
}
