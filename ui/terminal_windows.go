package ui

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/windows"
)

// suspendRefusal returns why the console can't be suspended here.
func suspendRefusal() string { return "Windows can't suspend a program" }

// savedModes are the modes of the console before cxdeck changed them.
type savedModes struct{ input, output *term.State }

// setRaw sets the console to single keys and escape sequences, and returns the previous modes.
func setRaw(in, out *os.File) (*savedModes, error) {
	output, err := term.GetState(out.Fd())
	if err != nil {
		return nil, err
	}
	input, err := term.MakeRaw(in.Fd())
	if err != nil {
		return nil, err
	}
	saved := &savedModes{input, output}
	if err := addMode(in, windows.ENABLE_VIRTUAL_TERMINAL_INPUT); err != nil {
		saved.restore(in, out)
		return nil, err
	}
	if err := addMode(out, windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING); err != nil {
		saved.restore(in, out)
		return nil, err
	}
	return saved, nil
}

func addMode(file *os.File, bit uint32) error {
	var mode uint32
	if err := windows.GetConsoleMode(windows.Handle(file.Fd()), &mode); err != nil {
		return err
	}
	return windows.SetConsoleMode(windows.Handle(file.Fd()), mode|bit)
}

func (m *savedModes) restore(in, out *os.File) {
	_ = term.Restore(in.Fd(), m.input) // the console may be closed; nobody can see an error
	_ = term.Restore(out.Fd(), m.output)
}

// sizeInterval is the interval at which the size of the window is checked: the console sends no signal.
const sizeInterval = 100 * time.Millisecond

// watch waits for signals about the terminal.
type watch struct {
	terminal      *terminal
	width, height int
	signals       chan os.Signal
}

func newWatch(t *terminal) *watch {
	w := &watch{terminal: t, signals: make(chan os.Signal, 1)}
	w.width, w.height = t.size()
	signal.Notify(w.signals, os.Interrupt, syscall.SIGTERM)
	return w
}

// run calls resized when the window changes its size and ended when the process receives a signal to end; Windows never stops
// and resumes a process. It returns when ctx ends.
func (w *watch) run(ctx context.Context, resized, _, ended func()) {
	ticker := time.NewTicker(sizeInterval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
			if width, height := w.terminal.size(); width != w.width || height != w.height {
				w.width, w.height = width, height
				resized()
			}
		case <-w.signals:
			ended()
		}
	}
}

// stop returns the signals to the system.
func (w *watch) stop() { signal.Stop(w.signals) }
