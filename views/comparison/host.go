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

// MaxInterruption limits how long a rehearsal waits for drivers and links after a change: a reboot takes longest.
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

// HostAt restores the host of a session as it was at a time: it takes the newest snapshot before that time and advances it, by
// MaxInterruption at most.
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
		host.Advance(min(at.Sub(taken), MaxInterruption))
	}
	return host, nil
}

// interruptionStep is the precision with which the end of an interruption is found.
const interruptionStep = 500 * time.Millisecond

// interruptionEnd returns when, after a change, all drivers of a session's host had started and all links had come up. It
// rehearses this on the snapshot that was taken with the change.
func interruptionEnd(ctx context.Context, db *store.DB, session store.Session, change time.Time, restore Restore) (time.Time, bool, error) {
	if restore == nil || session.Source.LabHash == "" {
		return change, false, nil
	}
	// A snapshot has the time of the change after which it was taken.
	state, taken, ok, err := db.Snapshot(ctx, session.ID, change.Add(interruptionStep))
	if err != nil || !ok || taken.Before(change) {
		return change, false, err
	}
	host, err := restore(session.Source.LabHash, session.Source.Seed, state)
	if err != nil {
		return change, false, nil //nolint:nilerr // without a host the end is not known
	}
	host.SetNow(taken)
	for host.ComingUp() && host.Now().Sub(change) < MaxInterruption && ctx.Err() == nil {
		host.Advance(interruptionStep)
	}
	return host.Now(), true, ctx.Err()
}

// Clause returns an error's text with its first letter in upper case.
func Clause(err error) string {
	text := err.Error()
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
