package comparison

import (
	"context"
	"errors"
	"time"

	"cxdeck/driver"
	"cxdeck/store"
)

// MaxInterruption limits how long that measurement waits for drivers and links after a change; a reboot takes the longest.
const MaxInterruption = 2 * time.Minute

// The reasons why the host of a session can't be restored.
var (
	// ErrNoRegistry is returned for a source without a registry: a log, or this machine.
	ErrNoRegistry = errors.New("this source has no registry and no virtual machines that cxdeck can read")
	// ErrNoState is returned for a session without a snapshot.
	ErrNoState = errors.New("the session has no state of the host: nothing was changed in it, or it was recorded by an older cxdeck")
	// ErrNoLab is returned when the session's lab description is not loaded.
	ErrNoLab = errors.New("the lab description of the session is not loaded: give it with --lab")
)

// HostAt restores the host of a session as it was at a time; see Rebuild.
func HostAt(ctx context.Context, db *store.DB, session store.Session, at time.Time, restore Restore) (*driver.Host, error) {
	journal, err := db.SessionJournal(ctx, session.ID)
	if err != nil {
		return nil, err
	}
	r, err := LoadRebuild(ctx, db, session, journal, at, restore)
	switch {
	case errors.Is(err, ErrNoState) && session.Source.LabHash == "":
		return nil, ErrNoRegistry
	case err != nil:
		return nil, err
	}
	return r.Host, r.MoveTo(ctx, at, nil)
}

// interruptionStep is the precision with which the end of an interruption is found.
const interruptionStep = 500 * time.Millisecond

// interruptionEnd returns when, after a change, all drivers of a session's host had started and all links had come up. It
// measures this on a copy of the host as it was right after the change.
func interruptionEnd(ctx context.Context, db *store.DB, session store.Session, change time.Time, restore Restore) (time.Time, bool, error) {
	if restore == nil || session.Source.LabHash == "" {
		return change, false, nil
	}
	host, err := HostAt(ctx, db, session, change, restore)
	if err != nil {
		return change, false, ctx.Err() // without a host the end is not known
	}
	for host.ComingUp() && host.Now().Sub(change) < MaxInterruption && ctx.Err() == nil {
		host.Advance(interruptionStep)
	}
	if host.Now().Before(change) { // nothing was changed there
		return change, true, ctx.Err()
	}
	return host.Now(), true, ctx.Err()
}
