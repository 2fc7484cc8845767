package cli

import (
	"context"
	"errors"
	"log/slog"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/store"
)

// hostSaver writes a running host to the history. Whoever owns the host never waits for the disk: of states that come
// faster than they can be written, the newest counts.
type hostSaver struct {
	db    *store.DB
	log   *slog.Logger
	state chan store.HostState // one at most, the newest
	ended chan error
}

func newHostSaver(ctx context.Context, db *store.DB, log *slog.Logger) *hostSaver {
	h := &hostSaver{db: db, log: log, state: make(chan store.HostState, 1), ended: make(chan error, 1)}
	go func() {
		var problem error // that of the newest state
		for state := range h.state {
			if problem = db.SaveHost(ctx, state); problem != nil {
				log.Error("host", "error", problem.Error())
			}
		}
		h.ended <- problem
	}()
	return h
}

// save takes the state of a host. Only the host's owner calls it.
func (h *hostSaver) save(host *driver.Host) {
	state, err := stateOf(host)
	if err != nil {
		h.log.Error("host", "error", err.Error())
		return
	}
	select {
	case <-h.state: // older
	default:
	}
	h.state <- state
}

// close writes what is left, and gives the reason when the last state could not be written. Nothing may be saved after it.
func (h *hostSaver) close() error {
	close(h.state)
	return <-h.ended
}

// scribe keeps what the commands of an exec do: the host's state, and a session of the history with the changes and what
// followed from them. A run that changes nothing leaves no session.
type scribe struct {
	ctx      context.Context
	db       *store.DB
	source   *perf.Lab
	recorder *store.Recorder
	column   perf.Column
	problem  error
}

// sessionName is what a session of exec has for its source's name.
const sessionName = "exec"

// begin starts the session.
func (k *scribe) begin() bool {
	if k.recorder != nil || k.problem != nil {
		return k.recorder != nil
	}
	info := k.source.Info()
	info.Name, info.Started = sessionName, k.source.Host().Now()
	if k.recorder, k.problem = k.db.Begin(k.ctx, info, perf.LongestInterval); k.problem != nil {
		k.recorder = nil
		return false
	}
	k.recorder.Schema(k.source.Schema(), k.source.Inventory())
	k.sample()
	return true
}

// sample records the counters as they are.
func (k *scribe) sample() {
	last := k.column.Time
	if err := k.source.Next(k.ctx, 0, &k.column); err == nil && k.column.Time.After(last) {
		k.recorder.Column(&k.column)
	}
}

// Journal records a change.
func (k *scribe) Journal(entry driver.Entry) {
	if k.begin() {
		k.recorder.Journal(entry)
	}
}

// Events records what followed.
func (k *scribe) Events(events []driver.Event) {
	if k.recorder != nil {
		k.recorder.Events(events)
	}
}

// Save writes the host's state.
func (k *scribe) Save(host *driver.Host) error {
	state, err := stateOf(host)
	if err != nil {
		return err
	}
	return k.db.SaveHost(k.ctx, state)
}

// close ends the session and gives the first problem.
func (k *scribe) close(ctx context.Context) error {
	if k.recorder == nil {
		return k.problem
	}
	k.sample()
	return errors.Join(k.problem, k.recorder.Close(ctx))
}
