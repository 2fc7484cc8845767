package threshold

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"
	"unicode"

	"cxdeck/driver/eventlog"
)

const (
	// programLimit is the maximum run time of a threshold's program.
	programLimit = 30 * time.Second
	// programGrace is the time that a stopped program has to close its output.
	programGrace = time.Second
	// stderrLimit limits the part of a program's error output in the event, in bytes.
	stderrLimit = 200
)

// ProgramStart is a program that a threshold started.
type ProgramStart struct {
	// At is the time of the source at which the alarm started.
	At time.Time
	// Alarm is the message of the alarm's event.
	Alarm string
	// Arguments are the program and its arguments.
	Arguments []string
}

// startLimit is the maximum number of starts that are kept until they are read; further ones are not reported.
const startLimit = 1000

// Runner starts the programs of thresholds, at most one at a time per threshold. It belongs to the owner of a monitor; only the
// goroutines that run programs use it, too.
type Runner struct {
	// Failures are the events of programs that could not be started, failed, or ran too long.
	Failures chan eventlog.Event
	group    *sync.WaitGroup
	mutex    *sync.Mutex
	running  map[string]bool
	starts   *[]ProgramStart
}

// NewRunner returns a Runner; no program is running yet.
func NewRunner() Runner {
	return Runner{
		Failures: make(chan eventlog.Event),
		group:    new(sync.WaitGroup),
		mutex:    new(sync.Mutex),
		running:  make(map[string]bool),
		starts:   new([]ProgramStart),
	}
}

// Start runs the program of an alarm in the background; it ends with ctx. It is false when the threshold's previous program is
// still running.
func (r *Runner) Start(ctx context.Context, alarm Alarm) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if r.running[alarm.key] {
		return false
	}
	r.running[alarm.key] = true
	if len(*r.starts) < startLimit {
		*r.starts = append(*r.starts, ProgramStart{alarm.Event.Time, alarm.Event.Message, alarm.Program})
	}
	r.group.Go(func() {
		err := run(ctx, alarm.Program)
		r.mutex.Lock()
		delete(r.running, alarm.key)
		r.mutex.Unlock()
		if err == nil {
			return
		}
		failure := eventlog.Event{
			Time: alarm.Event.Time, Source: EventSource, Severity: eventlog.Warning, Adapter: alarm.Event.Adapter,
			Message: fmt.Sprintf("the program %s of a threshold failed: %v", alarm.Program[0], err),
		}
		select {
		case r.Failures <- failure:
		case <-ctx.Done():
		}
	})
	return true
}

// Started returns the programs that were started since the last call, oldest first.
func (r *Runner) Started() []ProgramStart {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	starts := *r.starts
	*r.starts = nil
	return starts
}

// Wait waits for the programs after their context ended.
func (r *Runner) Wait() { r.group.Wait() }

// run runs a program with its arguments, without a shell and without input; its output is discarded.
func run(ctx context.Context, program []string) error {
	limited, cancel := context.WithTimeout(ctx, programLimit)
	defer cancel()
	var stderr limitedOutput
	command := exec.CommandContext(limited, program[0], program[1:]...) //nolint:gosec // the operator's own settings name the program
	command.Stderr = &stderr
	command.WaitDelay = programGrace
	err := command.Run()
	switch {
	case err == nil:
		return nil
	case errors.Is(limited.Err(), context.DeadlineExceeded):
		return fmt.Errorf("it was stopped after %s", programLimit)
	case stderr.Len() > 0:
		return fmt.Errorf("%w: %s", err, stderr.line())
	}
	return err
}

// limitedOutput keeps the first stderrLimit bytes that are written to it.
type limitedOutput struct{ strings.Builder }

// Write accepts all data.
func (h *limitedOutput) Write(data []byte) (int, error) {
	if free := stderrLimit - h.Len(); free > 0 {
		h.Builder.Write(data[:min(free, len(data))])
	}
	return len(data), nil
}

// line returns the kept output on one line.
func (h *limitedOutput) line() string {
	clean := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(h.String(), ""))
	return strings.Join(strings.Fields(clean), " ")
}
