package comparison

import (
	"context"
	"errors"
	"fmt"
	"time"
	"unicode"
	"unicode/utf8"

	"cxdeck/driver"
	"cxdeck/store"
)

// Settling is how long a host takes at most until a change has had its effect: a reboot is the longest.
const Settling = 2 * time.Minute

// Why the host of a session is not known. Each is a clause without its end.
var (
	// ErrNoRegistry is a source that has none: a log, or this machine.
	ErrNoRegistry = errors.New("the source has no registry and no virtual machines that cxdeck could read")
	// ErrNoState is a session without a snapshot.
	ErrNoState = errors.New("the session has no state of the host: nothing was changed in it, or it was recorded by an older cxdeck")
	// ErrNoLab is a lab that is not known.
	ErrNoLab = errors.New("the description of the lab is not known here: give it with --lab")
)

// HostAt is the host of a session as it was at a time: the newest snapshot before it, and what the host then did by itself
// until it had settled.
func HostAt(ctx context.Context, db *store.DB, session store.Session, at time.Time, restore Restore) (*driver.Host, error) {
	state, taken, ok, err := db.Snapshot(ctx, session.ID, at)
	switch {
	case err != nil:
		return nil, err
	case !ok && session.Source.LabHash == "":
		return nil, ErrNoRegistry
	case !ok:
		return nil, ErrNoState
	case restore == nil:
		return nil, ErrNoLab
	}
	host, err := restore(session.Source.LabHash, session.Source.Seed, state)
	if err != nil {
		return nil, fmt.Errorf("the state of the host can't be read: %w", err)
	}
	host.SetNow(taken)
	if at.After(taken) {
		host.Advance(min(at.Sub(taken), Settling))
	}
	return host, nil
}

// settleStep is how exactly the end of an interruption is found.
const settleStep = 500 * time.Millisecond

// settled is when no driver of a session's host was starting and no link coming up any more after a change. It rehearses
// that on the snapshot that was taken with the change.
func settled(ctx context.Context, db *store.DB, session store.Session, change time.Time, restore Restore) (time.Time, bool, error) {
	if restore == nil || session.Source.LabHash == "" {
		return change, false, nil
	}
	// A snapshot has the time of the change after which it was taken.
	state, taken, ok, err := db.Snapshot(ctx, session.ID, change.Add(settleStep))
	if err != nil || !ok || taken.Before(change) {
		return change, false, err
	}
	host, err := restore(session.Source.LabHash, session.Source.Seed, state)
	if err != nil {
		return change, false, nil //nolint:nilerr // without a host the end is not known
	}
	host.SetNow(taken)
	for host.ComingUp() && host.Now().Sub(change) < Settling && ctx.Err() == nil {
		host.Advance(settleStep)
	}
	return host.Now(), true, ctx.Err()
}

// Clause is why something is not known, with its first letter in upper case.
func Clause(err error) string {
	text := err.Error()
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
