package comparison

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cxdeck/driver"
	"cxdeck/store"
)

// Rebuild restores the host of a session for ascending times: it starts from a snapshot and applies the later changes again.
// Few snapshots are kept of a session with very many changes.
type Rebuild struct {
	// Host is the host at the time of the last MoveTo.
	Host *driver.Host
	// Taken is the time of the snapshot.
	Taken time.Time

	changed time.Time // of the newest applied change, or of the snapshot
	later   []driver.Entry
	step    time.Duration
}

// LoadRebuild loads the newest snapshot of a session at or before a time, with the later entries of the session's journal.
// Its errors are the reasons why the host can't be restored.
func LoadRebuild(ctx context.Context, db *store.DB, session store.Session, journal []driver.Entry, at time.Time, restore Restore) (*Rebuild, error) {
	state, taken, ok, err := db.Snapshot(ctx, session.ID, at)
	switch {
	case err != nil:
		return nil, err
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
	r := &Rebuild{Host: host, Taken: taken, changed: taken, step: session.Interval}
	if r.step <= 0 {
		r.step = time.Second
	}
	last := host.Changes()
	for i := range journal {
		if journal[i].Sequence > last || journal[i].Unread != "" && journal[i].Time.After(taken) {
			r.later = append(r.later, journal[i])
		}
	}
	return r, nil
}

// errBack is returned for a time before the host's: a rebuilt host only moves forward.
var errBack = errors.New("the host is past that time")

// Reaches reports whether MoveTo can go to a time: the host has no later change, and is not past it.
func (r *Rebuild) Reaches(at time.Time) bool {
	return !at.Before(r.changed) && !r.Host.Now().After(r.endOfAdvance(at))
}

// maxAdvance limits how far a host is simulated from its snapshot or newest change, to at most two seconds of work. The
// console takes a snapshot every five minutes; the kept snapshots of a session of a month are at most half an hour apart.
const maxAdvance = 31 * time.Minute

// endOfAdvance returns the time up to which the host is simulated to show a time.
func (r *Rebuild) endOfAdvance(at time.Time) time.Time {
	if end := r.changed.Add(maxAdvance); at.After(end) {
		return end
	}
	return at
}

// MoveTo moves the host to a time of the session: it applies the changes up to then, each at its own time, and simulates the
// host between them. A gap longer than maxAdvance is not simulated in full; the host's clock is then behind. look, which may
// be nil, is called after each step of the session's interval, and with jumped after the clock was set forward.
func (r *Rebuild) MoveTo(ctx context.Context, at time.Time, look func(jumped bool)) error {
	if !r.Reaches(at) {
		return errBack
	}
	for len(r.later) > 0 && !r.later[0].Time.After(at) {
		entry := r.later[0]
		r.advance(ctx, r.endOfAdvance(entry.Time), look)
		if err := ctx.Err(); err != nil {
			return err
		}
		if r.Host.Now().Before(entry.Time) {
			r.Host.SetNow(entry.Time)
			if look != nil {
				look(true)
			}
		}
		if err := r.Host.Reapply(entry); err != nil {
			return err
		}
		r.changed, r.later = entry.Time, r.later[1:]
	}
	r.advance(ctx, r.endOfAdvance(at), look)
	return ctx.Err()
}

// advance simulates the host in the recording's interval, so that the host's own events have the recorded times.
func (r *Rebuild) advance(ctx context.Context, until time.Time, look func(jumped bool)) {
	for left := until.Sub(r.Host.Now()); left > 0 && ctx.Err() == nil; left = until.Sub(r.Host.Now()) {
		r.Host.Advance(min(left, r.step))
		if look != nil {
			look(false)
		}
	}
}
