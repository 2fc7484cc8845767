package cli

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/store"
	"cxdeck/store/fault"
)

// hostSaver writes a running host to the history in the background. If states arrive faster than they can be written, it writes
// the newest.
type hostSaver struct {
	db      *store.DB
	log     *slog.Logger
	info    perf.SourceInfo
	state   chan savedHost  // the newest unwritten state
	over    chan int64      // ids of completed changes
	flushed chan chan error // requests to wait until states are written
	ended   chan error
	gone    chan struct{}
	// kept is the newest journal entry on disk; failing reports that a newer state could not be written.
	kept    atomic.Uint64
	failing atomic.Bool
}

// savedHost is a host's state and the newest entry of its journal.
type savedHost struct {
	hostState
	newest uint64
}

func newHostSaver(ctx context.Context, db *store.DB, log *slog.Logger, info perf.SourceInfo) *hostSaver {
	h := &hostSaver{
		db: db, log: log, info: info, state: make(chan savedHost, 1), over: make(chan int64),
		flushed: make(chan chan error), ended: make(chan error, 1), gone: make(chan struct{}),
	}
	go h.run(ctx)
	return h
}

// lockedPause is the pause after a write that failed because another program had a lock on the history.
const lockedPause = time.Second

// run writes states, and ends the changes that they contain. While another program has a lock on the history, it tries again.
func (h *hostSaver) run(ctx context.Context) {
	defer close(h.gone)
	var (
		problem error     // from writing the newest state
		newest  savedHost // kept while it can't be written
		over    []int64   // completed changes that the history has as begun
	)
	retry := time.NewTimer(lockedPause)
	defer retry.Stop()
	endChanges := func() {
		for problem == nil && len(over) > 0 { // otherwise the next start reports them
			err := h.db.EndChange(ctx, over[0])
			if err != nil {
				h.log.Error("host", "error", err.Error())
			}
			if errors.Is(err, fault.ErrLocked) {
				retry.Reset(lockedPause)
				return
			}
			over = over[1:]
		}
	}
	write := func(state savedHost) {
		newest = savedHost{}
		if problem = state.write(ctx, h.db); problem != nil {
			h.log.Error("host", "error", problem.Error())
		} else {
			h.kept.Store(state.newest)
		}
		if errors.Is(problem, fault.ErrLocked) {
			newest = state
			retry.Reset(lockedPause)
		}
		h.failing.Store(problem != nil)
		endChanges()
		debug.FreeOSMemory() // a second host was restored to read the state back
	}
	writeAgain := func() {
		if errors.Is(problem, fault.ErrLocked) {
			write(newest)
		} else {
			endChanges()
		}
	}
	end := func() {
		writeAgain()
		h.ended <- problem
	}
	writePending := func() (open bool) {
		select {
		case state, open := <-h.state:
			if !open {
				end()
				return false
			}
			write(state)
		default:
		}
		return true
	}
	for {
		select {
		case state, open := <-h.state:
			if !open {
				end()
				return
			}
			write(state)
		case id := <-h.over:
			over = append(over, id)
			if !writePending() { // the newest state contains the change
				return
			}
			endChanges()
		case <-retry.C:
			writeAgain()
		case answer := <-h.flushed:
			if !writePending() {
				return
			}
			answer <- problem
		}
	}
}

// flush waits until the newest saved state is on disk, or returns the error of writing it.
func (h *hostSaver) flush(ctx context.Context) error {
	answer := make(chan error, 1)
	select {
	case h.flushed <- answer:
	case <-h.gone:
		return errors.New("the console has ended")
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-answer:
		return err
	case <-h.gone:
		return errors.New("the console has ended")
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Begin records that a change of the host begins. If that fails, the change is still made.
func (h *hostSaver) Begin(ctx context.Context, plan driver.Plan, newest uint64) (end func() error, err error) {
	id, err := h.db.BeginChange(ctx, beginChange(h.info, plan, newest))
	if err != nil {
		h.log.Error("host", "error", err.Error())
		return func() error { return nil }, nil
	}
	return func() error {
		select {
		case h.over <- id:
		case <-h.gone:
		}
		return nil
	}, nil
}

// Save queues the state of a host for writing, and never returns an error; flush does.
func (h *hostSaver) Save(host *driver.Host) error {
	state, err := stateOf(host)
	if err != nil {
		h.failing.Store(true)
		h.log.Error("host", "error", err.Error())
		return nil
	}
	select {
	case <-h.state: // drop the older state
	default:
	}
	h.state <- savedHost{state, host.Changes()}
	return nil
}

// close writes the pending state, and returns the error. Save must not be called after it.
func (h *hostSaver) close() error {
	close(h.state)
	return <-h.ended
}

// execSaver saves the host of an exec, and records its changes, events and samples as a session. A run that only reads records no
// session.
type execSaver struct {
	ctx      context.Context
	db       *store.DB
	source   *lab.Source
	recorder *store.Recorder
	column   perf.Column // buffer for samples
	recorded time.Time   // time of the newest recorded sample
	// schema and inventory are the ones of the newest recorded sample.
	schema    *perf.Schema
	inventory *perf.Inventory
	problem   error
}

// sessionName is the source name of exec's sessions.
const sessionName = "exec"

// begin starts the session.
func (k *execSaver) begin() bool {
	if k.recorder != nil || k.problem != nil {
		return k.recorder != nil
	}
	info := k.source.Info()
	info.Name, info.Started = sessionName, k.source.Host().Now()
	if k.recorder, k.problem = k.db.Begin(k.ctx, info, time.Second); k.problem != nil {
		k.recorder = nil
		return false
	}
	k.sample()
	// The host was saved before the session began.
	state, err := stateOf(k.source.Host())
	if err == nil {
		err = state.write(k.ctx, k.db)
	}
	k.problem = err
	return err == nil
}

// sample records the current counters.
func (k *execSaver) sample() {
	if err := k.source.Next(k.ctx, 0, &k.column); err == nil {
		k.record(&k.column)
	}
}

// Column records a sample.
func (k *execSaver) Column(column *perf.Column) {
	if k.begin() {
		k.record(column)
	}
}

// record records a sample that is newer than the last one. It waits for the disk, so that no sample is lost.
func (k *execSaver) record(column *perf.Column) {
	const maxWaiting, pause = 32, 5 * time.Millisecond
	if !column.Time.After(k.recorded) {
		return
	}
	if schema, inventory := k.source.Schema(), k.source.Inventory(); schema != k.schema || inventory != k.inventory {
		k.schema, k.inventory = schema, inventory
		k.recorder.Schema(schema, inventory)
	}
	for status := k.recorder.Status(); status.Err == nil && status.Waiting > maxWaiting; status = k.recorder.Status() {
		time.Sleep(pause)
	}
	k.recorder.Column(column)
	k.recorded = column.Time
}

// Journal records a change.
func (k *execSaver) Journal(entry driver.Entry) {
	if k.begin() {
		k.recorder.Journal(entry)
	}
}

func (k *execSaver) Events(events []eventlog.Event) {
	if k.recorder != nil {
		k.recorder.Events(events)
	}
}

// Begin records that a change begins. The returned function records its end.
func (k *execSaver) Begin(_ context.Context, plan driver.Plan, newest uint64) (end func() error, err error) {
	id, err := k.db.BeginChange(k.ctx, beginChange(k.source.Info(), plan, newest))
	return func() error { return k.db.EndChange(k.ctx, id) }, err
}

// Save writes the host's state.
func (k *execSaver) Save(host *driver.Host) error {
	state, err := stateOf(host)
	if err != nil {
		return err
	}
	return state.write(k.ctx, k.db)
}

// close ends the session and returns its problems.
func (k *execSaver) close(ctx context.Context) error {
	if k.recorder == nil {
		return k.problem
	}
	k.sample()
	return joinDistinct(k.problem, k.recorder.Close(ctx))
}
