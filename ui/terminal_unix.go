//go:build unix

package ui

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// suspendRefusal returns the reason why the console can't be suspended; empty when it can. In the process group of the session
// leader there is no shell that could resume it, and the system ignores the stop.
func suspendRefusal() string {
	if session, err := unix.Getsid(0); err == nil && session == unix.Getpgrp() {
		return "cxdeck was not started from a shell with job control"
	}
	return ""
}

// savedModes are the modes of the terminal before the console changed them.
type savedModes struct{ input *term.State }

// setRaw sets the terminal to single keys and returns the previous modes.
func setRaw(in, _ *os.File) (*savedModes, error) {
	state, err := term.MakeRaw(in.Fd())
	if err != nil {
		return nil, err
	}
	return &savedModes{state}, nil
}

func (m *savedModes) restore(in, _ *os.File) {
	_ = term.Restore(in.Fd(), m.input) // the terminal may be closed; nobody can see an error
}

// watch waits for signals about the terminal. It receives signals from newWatch on.
type watch struct{ signals chan os.Signal }

func newWatch(*terminal) *watch {
	w := &watch{make(chan os.Signal, 8)}
	signal.Notify(w.signals, syscall.SIGWINCH, syscall.SIGCONT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	return w
}

// run calls resized when the window changes its size, resumed when the process is continued after a stop, and ended when it
// receives a signal to end. It returns when ctx ends.
func (w *watch) run(ctx context.Context, resized, resumed, ended func()) {
	for {
		select {
		case <-ctx.Done():
			return
		case sig := <-w.signals:
			switch sig {
			case syscall.SIGWINCH:
				resized()
			case syscall.SIGCONT:
				resumed()
			default:
				ended()
			}
		}
	}
}

// stop returns the signals to the system.
func (w *watch) stop() { signal.Stop(w.signals) }
