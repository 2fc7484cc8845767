package cli

import (
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// endTime is how long the program may take to end in order once it was asked to: what hangs then is left behind.
const endTime = 1800 * time.Millisecond

// sayTime is how long a sentence may take at the end: the stream that it goes to may hang, too.
const sayTime = 100 * time.Millisecond

// ending sees to it that the program ends when it is asked to, whatever hangs, and that the terminal is given back first.
type ending struct {
	streams Streams
	version string
	signals chan os.Signal
	over    chan struct{}

	mu sync.Mutex // guards what follows
	// restore gives the terminal back; it may be called at any time, and does not hang.
	restore func()
	// directory is where crash files go.
	directory string
	timer     *time.Timer
}

// watchEnding watches for signals until close is called. Without an Exit function it only does nothing.
func watchEnding(version string, streams Streams) *ending {
	e := &ending{streams: streams, version: version, signals: make(chan os.Signal, 4), over: make(chan struct{}), directory: os.TempDir()}
	if streams.Exit == nil {
		return e
	}
	signal.Notify(e.signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT)
	go e.watch()
	return e
}

func (e *ending) watch() {
	for asked := 0; ; {
		select {
		case <-e.over:
			return
		case sig := <-e.signals:
			if sig == syscall.SIGQUIT || sig == syscall.SIGABRT {
				e.dump(sig)
				return
			}
			if asked++; asked == 1 {
				e.begin()
				continue
			}
			e.give("ended at once, as it was asked to twice")
			return
		}
	}
}

// begin starts the time in which the program has to end. It may be called again.
func (e *ending) begin() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.streams.Exit != nil && e.timer == nil {
		e.timer = time.AfterFunc(endTime, func() {
			e.give("something hangs and was left behind: what was not saved yet is lost")
		})
	}
}

// onTerminal notes how the terminal is given back.
func (e *ending) onTerminal(restore func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.restore = restore
}

// crashesTo notes where crash files go.
func (e *ending) crashesTo(directory string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.directory = directory
}

// dump writes the stacks to a crash file and ends the program.
func (e *ending) dump(sig os.Signal) {
	e.giveBack()
	e.mu.Lock()
	directory := e.directory
	e.mu.Unlock()
	path := writeCrash(directory, e.version, "signal: "+sig.String(), stacks())
	if path == "" {
		e.give(fmt.Sprintf("ended by a signal (%s); the crash file could not be written", sig))
		return
	}
	e.give(fmt.Sprintf("ended by a signal (%s); what it was doing is in %s", sig, path))
}

// giveBack gives the terminal back.
func (e *ending) giveBack() {
	e.mu.Lock()
	restore := e.restore
	e.mu.Unlock()
	if restore != nil {
		restore()
	}
}

// give gives the terminal back and ends the program.
func (e *ending) give(why string) {
	e.giveBack()
	said := make(chan struct{})
	go func() {
		complain(e.streams.Err, fmt.Errorf("%s", why))
		close(said)
	}()
	select {
	case <-said:
	case <-time.After(sayTime):
	}
	e.streams.Exit(exitFailed)
}

// close ends the watch: the program ends by itself.
func (e *ending) close() {
	signal.Stop(e.signals)
	close(e.over)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.timer != nil {
		e.timer.Stop()
	}
}
