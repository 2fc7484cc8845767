package saving

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync/atomic"
	"time"

	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/store/fault"
)

// Background writes a running host to the history in the background. If states arrive faster than they can be written, it writes
// the newest.
type Background struct {
	db      *store.DB
	log     *slog.Logger
	info    perf.SourceInfo
	state   chan savedHost  // the newest unwritten state
	over    chan int64      // ids of completed changes
	flushed chan chan error // requests to wait until states are written
	ended   chan error
	gone    chan struct{}
	// Kept is the newest journal entry on disk; Failing reports that a newer state could not be written.
	Kept    atomic.Uint64
	Failing atomic.Bool
}

// savedHost is a host's state and the newest entry of its journal.
type savedHost struct {
	State
	newest uint64
}

// NewBackground starts a saver for the host with the info; Close ends it.
func NewBackground(ctx context.Context, db *store.DB, log *slog.Logger, info perf.SourceInfo) *Background {
	h := &Background{
		db: db, log: log, info: info, state: make(chan savedHost, 1), over: make(chan int64),
		flushed: make(chan chan error), ended: make(chan error, 1), gone: make(chan struct{}),
	}
	go h.run(ctx)
	return h
}

// lockedPause is the pause after a write that failed because another program had a lock on the history.
const lockedPause = time.Second

// run writes states, and ends the changes that they contain. While another program has a lock on the history, it tries again.
func (h *Background) run(ctx context.Context) {
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
		if problem = state.Write(ctx, h.db); problem != nil {
			h.log.Error("host", "error", problem.Error())
		} else {
			h.Kept.Store(state.newest)
		}
		if errors.Is(problem, fault.ErrLocked) {
			newest = state
			retry.Reset(lockedPause)
		}
		h.Failing.Store(problem != nil)
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

// Flush waits until the newest saved state is on disk, or returns the error of writing it.
func (h *Background) Flush(ctx context.Context) error {
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
func (h *Background) Begin(ctx context.Context, plan driver.Plan, newest uint64) (end func() error, err error) {
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

// Save queues the state of a host for writing, and never returns an error; Flush does.
func (h *Background) Save(host *driver.Host) error {
	state, err := StateOf(host)
	if err != nil {
		h.Failing.Store(true)
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

// Close writes the pending state, and returns the error. Save must not be called after it.
func (h *Background) Close() error {
	close(h.state)
	return <-h.ended
}
