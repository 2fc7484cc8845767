package driver

import (
	"fmt"
	"time"
)

// AdapterState is how the driver of a connection is.
type AdapterState uint8

// The states.
const (
	Running AdapterState = iota
	Stopped
	Restarting // it starts, after a stop or a restart
	Failed
)

// String is the state as a word.
func (s AdapterState) String() string {
	return [...]string{"running", "stopped", "restarting", "failed"}[s]
}

// How long the driver takes.
const (
	stopTime  = 400 * time.Millisecond
	startTime = 1600 * time.Millisecond
)

// miniport is the driver's instance for one port.
type miniport struct {
	state AdapterState
	// due is when the restart is over, counted from the lab's start.
	due time.Duration
}

// nextDue is the port whose restart is over first, -1 for none.
func (h *Host) nextDue() (due time.Duration, port int) {
	port = -1
	for i, m := range h.miniports {
		if m.state == Restarting && (port < 0 || m.due < due) {
			due, port = m.due, i
		}
	}
	return due, port
}

// finish ends the restart of a port.
func (h *Host) finish(port int) {
	h.miniports[port].state = Running
	h.noteLife(h.lab.Elapsed(), port, onStarted)
	h.must(h.lab.SetEnabled(port, true))
}

// stop stops the driver of a port. Its counters stay: hardware keeps them.
func (h *Host) stop(port int, next AdapterState, until time.Duration) {
	h.must(h.lab.SetEnabled(port, false))
	h.noteLinks()
	h.noteLife(h.lab.Elapsed(), port, onStopped)
	h.miniports[port] = miniport{state: next, due: h.lab.Elapsed() + until}
}

// must stops on an error that the lab gives only for a port that it does not have.
func (h *Host) must(err error) {
	if err != nil {
		panic("driver: " + err.Error())
	}
}

// port finds the port of a connection by its name.
func (h *Host) port(connection string) (int, error) {
	for i := range h.miniports {
		if d, _, _ := h.lab.Port(i); d.Connection == connection {
			return i, nil
		}
	}
	return 0, &UnknownConnectionError{connection}
}

// UnknownConnectionError is a connection that the host does not have.
type UnknownConnectionError struct{ Connection string }

// Error says which, and what to do.
func (e *UnknownConnectionError) Error() string {
	return fmt.Sprintf("no adapter is called %q; use a name that the Overview shows, such as \"Ethernet 7\"", e.Connection)
}

// State is how the driver of a port is. Ports are numbered as the lab does.
func (h *Host) State(port int) AdapterState { return h.miniports[port].state }
