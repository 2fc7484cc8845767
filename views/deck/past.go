package deck

import (
	"context"
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/perf/labstate"
	"cxdeck/perf/monitor"
	"cxdeck/store"
	"cxdeck/views/comparison"
)

// Restore makes a host of a session's snapshot. It fails where the description of the lab is not known.
type Restore = comparison.Restore

// past restores the host of a session at any time: the newest snapshot before it, and what the host then did by itself.
type past struct {
	db      *store.DB
	session store.Session
	restore Restore

	snapshots []time.Time // their times, oldest first; nil before they are read
	taken     time.Time   // of the snapshot that host was made of
	host      *driver.Host
	tracker   *labstate.Tracker
	state     *labstate.State
	// rateless is the state for times at which the rates are not known any more; nil before the first.
	rateless *labstate.State
}

const (
	// settling is how long a host takes at most until a change has had its effect: a reboot is the longest. Beyond it the
	// host stays as it is until the next snapshot.
	settling = comparison.MaxInterruption
	// tracked is how much of that time the curves of the screens show.
	tracked = time.Minute
	// lag is how far the host may be behind the recording until what it moves says nothing of the recording's time.
	lag = 2 * time.Second
)

// at is the host at a time of the session: a monitor.Past.
func (p *past) at(ctx context.Context, at time.Time) (*driver.Host, *labstate.State, error) {
	if p.restore == nil {
		return nil, nil, monitor.ErrNoPast
	}
	taken, err := p.newest(ctx, at)
	if err != nil {
		return nil, nil, err
	}
	until := at
	if end := taken.Add(settling); until.After(end) {
		until = end
	}
	if p.host == nil || !taken.Equal(p.taken) || p.host.Now().After(until) {
		if err := p.load(ctx, taken); err != nil {
			return nil, nil, err
		}
	}
	p.advance(ctx, until)
	if at.Sub(p.host.Now()) >= lag {
		if p.rateless == nil {
			p.rateless = p.state.WithoutRates()
		}
		return p.host, p.rateless, nil
	}
	return p.host, p.state, nil
}

// newest is the time of the newest snapshot at or before a time.
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
		return time.Time{}, monitor.ErrNoPast
	}
	return p.snapshots[behind-1], nil
}

// load makes the host of a snapshot.
func (p *past) load(ctx context.Context, taken time.Time) error {
	p.host, p.state, p.rateless = nil, nil, nil
	state, taken, ok, err := p.db.Snapshot(ctx, p.session.ID, taken)
	if err != nil {
		return err
	}
	if !ok { // it has been thinned out
		return monitor.ErrNoPast
	}
	host, err := p.restore(p.session.Source.LabHash, p.session.Source.Seed, state)
	if err != nil {
		return err
	}
	host.SetNow(taken)
	p.host, p.taken, p.tracker = host, taken, &labstate.Tracker{}
	return nil
}

// advance lets the host go on until a time.
func (p *past) advance(ctx context.Context, until time.Time) {
	if p.state != nil && !p.host.Now().Before(until) {
		return
	}
	if skip := until.Sub(p.host.Now()) - tracked; skip > 0 {
		p.host.Advance(skip)
	}
	if p.state == nil {
		p.tracker.Column(p.host)
	}
	p.rateless = nil
	for left := until.Sub(p.host.Now()); left > 0 && ctx.Err() == nil; left = until.Sub(p.host.Now()) {
		p.host.Advance(min(left, time.Second))
		p.tracker.Column(p.host)
	}
	if !p.tracker.Loaded() { // rates need two columns: the next second stands for this moment
		next := p.host.Clone()
		next.Advance(time.Second)
		p.tracker.Column(next)
	}
	p.state = p.tracker.State(p.host)
}
