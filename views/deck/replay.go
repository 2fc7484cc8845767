package deck

import (
	"context"
	"fmt"
	"sync/atomic"

	"cxdeck/driver"
	"cxdeck/perf/monitor"
	"cxdeck/store"
	"cxdeck/ui"
)

// Replay is a recorded session that plays. It owns one goroutine, which closes the session's source when it ends.
type Replay struct {
	Session store.Session
	Monitor *monitor.Monitor
	// Journal are the changes that were applied while it was recorded.
	Journal []driver.Entry

	moments atomic.Pointer[[]Moment]
	notes   atomic.Pointer[[]store.Mark]
	stop    context.CancelFunc
	ended   chan struct{}
}

// LoadReplay opens a session, paused at its end with the last ten minutes in view. It reads the disk: call it beside
// the terminal loop, and give what it returns to ShowReplay or Stop.
// restore makes the hosts of its snapshots; with nil the session has none.
func LoadReplay(ctx context.Context, db *store.DB, id int64, restore Restore) (*Replay, error) {
	session, err := db.Session(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("session %d can't be opened: %w", id, err)
	}
	if session.Samples == 0 {
		return nil, fmt.Errorf("session %d can't be opened: it ended before its first sample was saved", id)
	}
	journal, err := db.SessionJournal(ctx, id)
	if err != nil {
		return nil, fmt.Errorf("session %d can't be opened: %w", id, err)
	}
	// The session plays on after the work that opened it has ended, until Stop.
	run, stop := context.WithCancel(context.WithoutCancel(ctx))
	source, err := db.Replay(run, id)
	if err != nil {
		stop()
		return nil, fmt.Errorf("session %d can't be opened: %w", id, err)
	}
	monitor, err := monitor.New(source, monitor.Options{
		Interval: session.Interval, Speed: 1, Past: (&past{db: db, session: session, journal: journal, restore: restore}).hostAt,
	})
	if err != nil {
		stop()
		_ = source.Close()
		return nil, fmt.Errorf("session %d can't be opened: %w", id, err)
	}
	r := &Replay{Session: session, Monitor: monitor, Journal: journal, stop: stop, ended: make(chan struct{})}
	err = monitor.SetPaused(true)
	go func() {
		defer close(r.ended)
		_ = monitor.Run(run) // its error shows in the monitor's status
	}()
	if err == nil {
		if _, to, ok := monitor.Seekable(); ok {
			err = monitor.Seek(ctx, to)
		}
	}
	if err != nil {
		r.Stop()
		return nil, fmt.Errorf("session %d can't be opened: %w", id, err)
	}
	_ = r.readMoments(ctx, db) // without them the session has no marks to go to
	return r, nil
}

// Stop ends the replay's goroutine; Ended is closed when it is gone. It may be called twice.
func (r *Replay) Stop() { r.stop() }

// Ended is closed when the goroutine is gone and the source is closed.
func (r *Replay) Ended() <-chan struct{} { return r.ended }

// replayFeed is the shell's name for the updates of the open session.
const replayFeed = "replay"

// ShowReplay makes a loaded session what the screens show, in place of the one that was open; the command makes the
// shell follow its updates.
func (d *Deck) ShowReplay(r *Replay) ui.Cmd {
	d.CloseReplay()
	d.replay, d.Replay = r, r.Monitor
	return ui.Follow(replayFeed, r.Monitor.Updates())
}

// CloseReplay brings the screens back to the live source; it does nothing when no session is open. The command makes the shell stop
// following the session's updates.
func (d *Deck) CloseReplay() ui.Cmd {
	if d.replay == nil {
		return nil
	}
	d.replay.Stop()
	d.ending = append(d.ending, d.replay.ended)
	d.replay, d.Replay = nil, nil
	return ui.Follow(replayFeed, nil)
}

// ReplaySession returns the session that is open; ok is false when none is.
func (d *Deck) ReplaySession() (session store.Session, ok bool) {
	if d.replay == nil {
		return store.Session{}, false
	}
	return d.replay.Session, true
}

// Opened returns the session that is open, nil when none is.
func (d *Deck) Opened() *Replay { return d.replay }

// Close ends what the deck started and waits for it, as long as ctx allows. The database may be closed after it.
func (d *Deck) Close(ctx context.Context) error {
	d.CloseReplay()
	for _, ended := range d.ending {
		select {
		case <-ended:
		case <-ctx.Done():
			return fmt.Errorf("close the open session: %w", ctx.Err())
		}
	}
	d.ending = nil
	return nil
}
