package process

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"cxdeck/views/exec"
)

// endTimeout limits an orderly end; after it, parts that hang are abandoned.
const endTimeout = 1800 * time.Millisecond

// writeTimeout limits writing the last message and removing unfinished files, because stream and disk may hang, too.
const writeTimeout = 100 * time.Millisecond

// Ending ends the program on request, even if something hangs, after it has restored the terminal.
type Ending struct {
	streams Streams
	version string
	signals chan os.Signal
	over    chan struct{}

	mu sync.Mutex // guards the fields below
	// restore restores the terminal. It may be called at any time and never blocks.
	restore func()
	// directory is the directory of crash files.
	directory string
	timer     *time.Timer
	// hindrance returns why the end may wait, nil for nothing known; it must return soon.
	hindrance func() error
	// unfinished has the paths of files that are being written, to be removed if they stay incomplete.
	unfinished map[string]bool
}

// WatchEnding handles signals until close is called. Without an Exit function it does nothing.
func WatchEnding(version string, streams Streams) *Ending {
	e := &Ending{streams: streams, version: version, signals: make(chan os.Signal, 4), over: make(chan struct{}), directory: os.TempDir()}
	if streams.Exit == nil {
		return e
	}
	signal.Notify(e.signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT)
	go e.watch()
	return e
}

func (e *Ending) watch() {
	for requests := 0; ; {
		select {
		case <-e.over:
			return
		case sig := <-e.signals:
			if sig == syscall.SIGQUIT || sig == syscall.SIGABRT {
				e.dump(sig)
				return
			}
			if requests++; requests == 1 {
				e.Begin()
				continue
			}
			e.exit("ended at once, on the second request")
			return
		}
	}
}

// Begin starts endTimeout; further calls have no effect.
func (e *Ending) Begin() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.streams.Exit != nil && e.timer == nil {
		e.timer = time.AfterFunc(endTimeout, func() {
			e.exit("ended without waiting longer: unsaved data is lost" + e.reason())
		})
	}
}

// SetBlocker sets the function that says why the end may wait.
func (e *Ending) SetBlocker(hindrance func() error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.hindrance = hindrance
}

// reason returns why the end waits, as the rest of a sentence; it is empty if that is not known in writeTimeout.
func (e *Ending) reason() string {
	e.mu.Lock()
	hindrance := e.hindrance
	e.mu.Unlock()
	if hindrance == nil {
		return ""
	}
	found := make(chan string, 1)
	go func() {
		text := ""
		if err := hindrance(); err != nil {
			text = ", because " + err.Error()
		}
		found <- text
	}()
	select {
	case text := <-found:
		return text
	case <-time.After(writeTimeout):
		return ""
	}
}

// OnTerminal sets the function that restores the terminal.
func (e *Ending) OnTerminal(restore func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.restore = restore
}

// SetCrashFolder sets the directory of crash files.
func (e *Ending) SetCrashFolder(directory string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.directory = directory
}

// Writing notes files that an end at once removes, because they are not whole, until done is called.
func (e *Ending) Writing(paths ...string) (done func()) {
	note := func(unfinished bool) {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.unfinished == nil {
			e.unfinished = map[string]bool{}
		}
		for _, path := range paths {
			e.unfinished[path] = unfinished
		}
	}
	note(true)
	return func() { note(false) }
}

// removeUnfinished removes the files that are not whole.
func (e *Ending) removeUnfinished() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for path, unfinished := range e.unfinished {
		if unfinished {
			_ = os.Remove(path) // it may not be there yet
		}
	}
}

// dump writes the stacks to a crash file and ends the program.
func (e *Ending) dump(sig os.Signal) {
	e.restoreTerminal()
	e.mu.Lock()
	directory := e.directory
	e.mu.Unlock()
	path := WriteCrash(directory, e.version, "signal: "+sig.String(), stacks())
	if path == "" {
		e.exit(fmt.Sprintf("ended by a signal (%s); the crash file could not be written", sig))
		return
	}
	e.exit(fmt.Sprintf("ended by a signal (%s); see the report %s", sig, path))
}

func (e *Ending) restoreTerminal() {
	e.mu.Lock()
	restore := e.restore
	e.mu.Unlock()
	if restore != nil {
		restore()
	}
}

// exit restores the terminal, prints the reason, removes unfinished files, and ends the program.
func (e *Ending) exit(why string) {
	e.restoreTerminal()
	written := make(chan struct{})
	go func() {
		Complain(e.streams.Err, errors.New(why))
		e.removeUnfinished()
		close(written)
	}()
	select {
	case <-written:
	case <-time.After(writeTimeout):
	}
	e.streams.Exit(int(exec.Failed))
}

// Close stops handling signals, because the program ends by itself.
func (e *Ending) Close() {
	signal.Stop(e.signals)
	close(e.over)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.timer != nil {
		e.timer.Stop()
	}
}
