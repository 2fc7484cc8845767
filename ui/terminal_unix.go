//go:build unix

package ui

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/charmbracelet/x/term"
)

// suspendRefusal is why the console can't be suspended here.
const suspendRefusal = ""

// savedModes are the modes of the terminal before the console changed them.
type savedModes struct{ input *term.State }

// setRaw makes the terminal give single keys and gives the modes from before.
func setRaw(in, _ *os.File) (*savedModes, error) {
	state, err := term.MakeRaw(in.Fd())
	if err != nil {
		return nil, err
	}
	return &savedModes{state}, nil
}

func (m *savedModes) restore(in, _ *os.File) {
	_ = term.Restore(in.Fd(), m.input) // the terminal may be gone; there is no one left to tell
}

// watchTerminal calls resized when the window changes its size, resumed when the process is continued after a stop, and
// ended when it is asked to end. It returns when ctx ends.
func watchTerminal(ctx context.Context, _ *terminal, resized, resumed, ended func()) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGWINCH, syscall.SIGCONT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	defer signal.Stop(signals)
	for {
		select {
		case <-ctx.Done():
			return
		case sig := <-signals:
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
