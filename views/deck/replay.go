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

// Replay is an open recorded session. It owns one goroutine, which closes the session's source when it ends.
type Replay struct {
	Session store.Session
	Monitor *monitor.Monitor
	// Journal holds the changes that were applied during the recording.
	Journal []driver.Entry

	moments atomic.Pointer[[]Moment]
	notes   atomic.Pointer[[]store.Mark]
	stop    context.CancelFunc
	ended   chan struct{}
}

// LoadReplay opens a session, paused at its end with the last ten minutes in view. It reads the disk: call it outside the
// terminal loop, and pass the replay to ShowReplay, or call its Stop. restore makes hosts from the session's snapshots; nil
// for no hosts.
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
	// The replay outlives the work that opens it, until Stop.
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

// Stop stops the replay's goroutine; Ended is closed when it has ended. It may be called twice.
func (r *Replay) Stop() { r.stop() }

// Ended is closed when the goroutine has ended and the source is closed.
func (r *Replay) Ended() <-chan struct{} { return r.ended }

// replayFeed is the shell's name for the updates of the open session.
const replayFeed = "replay"

// ShowReplay shows a loaded session on the screens, and closes the one that was open; the command makes the shell follow its
// updates.
func (d *Deck) ShowReplay(r *Replay) ui.Cmd {
	d.CloseReplay()
	d.replay, d.Replay = r, r.Monitor
	return ui.Follow(replayFeed, r.Monitor.Updates())
}

// CloseReplay returns the screens to the live source; it does nothing if no session and no past is open. The command makes the shell stop
// following the session's updates.
func (d *Deck) CloseReplay() ui.Cmd {
	if d.replay == nil && d.past == nil && d.goingBack == nil {
		return nil
	}
	d.closePast()
	if d.replay != nil {
		d.replay.Stop()
		d.ending = append(d.ending, d.replay.ended)
		d.replay, d.Replay = nil, nil
	}
	return ui.Batch(ui.Follow(replayFeed, nil), showNow)
}

// showNow makes the screens show another monitor at once: the next sample of a fleet is up to a minute away.
func showNow() ui.Msg { return ui.DataMsg{} }

// ReplaySession returns the open session; ok is false for none.
func (d *Deck) ReplaySession() (session store.Session, ok bool) {
	if d.replay == nil {
		return store.Session{}, false
	}
	return d.replay.Session, true
}

// Opened returns the open replay, nil for none.
func (d *Deck) Opened() *Replay { return d.replay }

// Close stops the replays and waits for them, as long as ctx allows. Close the database after it.
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
