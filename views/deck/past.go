package deck

import (
	"context"
	"errors"
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/perf/labstate"
	"cxdeck/perf/monitor"
	"cxdeck/store"
	"cxdeck/views/comparison"
)

// Restore makes a host from a session's snapshot. It fails if the description of the lab is not loaded.
type Restore = comparison.Restore

// past restores the host of a session at any time: it takes the newest snapshot before, applies the later changes, and simulates
// the host up to the time.
type past struct {
	db      *store.DB
	session store.Session
	journal []driver.Entry
	restore Restore

	snapshots []time.Time // their times, oldest first; nil before they are read
	rebuilt   *comparison.Rebuild
	tracker   *labstate.Tracker
	column    time.Time // of the tracker's newest column
	state     *labstate.State
	stateAt   time.Time
	stateOf   uint64 // the newest change that state has
	// rateless is the state without rates, for times that are not simulated; nil until it is needed.
	rateless *labstate.State
}

const (
	// tracked is the length of the screens' curves before a moment.
	tracked = time.Minute
	// lag is the maximum time that the simulated host may be behind a moment with its rates still valid.
	lag = 2 * time.Second
)

// hostAt returns the host at a time of the session. It implements monitor.Past.
func (p *past) hostAt(ctx context.Context, at time.Time) (*driver.Host, *labstate.State, error) {
	if p.restore == nil {
		return nil, nil, monitor.ErrNoRecordedHost
	}
	taken, err := p.newest(ctx, at)
	if err != nil {
		return nil, nil, err
	}
	if p.rebuilt == nil || !taken.Equal(p.rebuilt.Taken) || !p.rebuilt.Reaches(at) {
		if err := p.load(ctx, taken); err != nil {
			return nil, nil, err
		}
	}
	if err := p.advanceTo(ctx, at); err != nil {
		p.rebuilt = nil // its state is undefined
		return nil, nil, err
	}
	if at.Sub(p.rebuilt.Host.Now()) >= lag {
		if p.rateless == nil {
			p.rateless = p.state.WithoutRates()
		}
		return p.rebuilt.Host, p.rateless, nil
	}
	return p.rebuilt.Host, p.state, nil
}

// newest returns the time of the newest snapshot at or before a time.
func (p *past) newest(ctx context.Context, at time.Time) (time.Time, error) {
	if p.snapshots == nil || p.session.Running {
		var err error
		if p.snapshots, err = p.db.Snapshots(ctx, p.session.ID); err != nil {
			return time.Time{}, err
		}
	}
	behind, found := slices.BinarySearchFunc(p.snapshots, at, time.Time.Compare)
	switch {
	case found:
		return at, nil
	case behind == 0:
		return time.Time{}, monitor.ErrNoRecordedHost
	}
	return p.snapshots[behind-1], nil
}

// load restores the host from a snapshot.
func (p *past) load(ctx context.Context, taken time.Time) error {
	p.rebuilt, p.state, p.rateless = nil, nil, nil
	if p.session.Running {
		journal, err := p.db.SessionJournal(ctx, p.session.ID)
		if err != nil {
			return err
		}
		p.journal = journal
	}
	rebuilt, err := comparison.LoadRebuild(ctx, p.db, p.session, p.journal, taken, p.restore)
	if errors.Is(err, comparison.ErrNoState) { // the snapshot was deleted since
		return monitor.ErrNoRecordedHost
	}
	if err != nil {
		return err
	}
	p.rebuilt, p.tracker, p.column = rebuilt, &labstate.Tracker{}, time.Time{}
	return nil
}

// advanceTo simulates the host up to a time, and tracks its rates during the last part.
func (p *past) advanceTo(ctx context.Context, at time.Time) error {
	track := func(jumped bool) {
		if jumped && !p.column.IsZero() {
			p.tracker, p.column = &labstate.Tracker{}, time.Time{}
		}
		if now := p.rebuilt.Host.Now(); at.Sub(now) <= tracked && now.Sub(p.column) >= time.Second {
			p.tracker.Column(p.rebuilt.Host)
			p.column = now
		}
	}
	track(false)
	if err := p.rebuilt.MoveTo(ctx, at, track); err != nil {
		return err
	}
	host := p.rebuilt.Host
	if p.state != nil && host.Now().Equal(p.stateAt) && host.Changes() == p.stateOf {
		return nil
	}
	if p.column.IsZero() {
		p.tracker.Column(host)
	}
	if !p.tracker.Loaded() { // a rate needs two columns: take the rates of the next second
		next := host.Clone()
		next.Advance(time.Second)
		p.tracker.Column(next)
	}
	p.column = host.Now()
	p.state, p.stateAt, p.stateOf, p.rateless = p.tracker.State(host), host.Now(), host.Changes(), nil
	p.state.Facts = labstate.Facts(host, p.state)
	return nil
}
