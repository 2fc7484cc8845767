package monitor

import (
	"context"
	"errors"
	"time"

	"cxdeck/driver"
	"cxdeck/perf/labstate"
)

// Past restores the host of a recording at a time, with the environment of its adapters. It returns ErrNoPast where
// no state of the host is recorded. One goroutine calls it; it may give the same host again, further in its time.
type Past func(ctx context.Context, at time.Time) (*driver.Host, *labstate.State, error)

// ErrNoPast reports that a recording has no state of a host.
var ErrNoPast = errors.New("no state of the host is recorded")

// past is the host of a recording at the time where the recording stands.
type past struct {
	restore Past
	// moved signals a new position of the recording to the restorer.
	moved chan struct{}
	// host may be nil. It belongs to whoever holds the token in use: the restorer, and who looks.
	use  chan struct{}
	host *driver.Host

	// What follows is guarded by the monitor's mutex.
	at      time.Time // the host's clock
	of      time.Time // the time that was restored last
	version uint64    // changes with the host
	known   bool      // a host was restored
	err     error     // why there is none; nil before the first is restored
}

func newPast(restore Past) past {
	return past{restore: restore, moved: make(chan struct{}, 1), use: make(chan struct{}, 1)}
}

// Readable reports whether Look works: the source has a host, or the recording's host was restored.
func (m *Monitor) Readable() bool {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.operable || m.past.known
}

// PastTime returns the clock of the recording's host; ok is false when no such host shows. It is behind the recording where
// the host was saved long before: nothing was changed on it in between.
func (m *Monitor) PastTime() (at time.Time, ok bool) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.past.at, m.past.known
}

// PastVersion changes whenever another state of the recording's host shows.
func (m *Monitor) PastVersion() uint64 {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.past.version
}

// NoPast returns the reason why the recording has no host to read; nil while it has one or restores one.
func (m *Monitor) NoPast() error {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.past.err
}

// Restoring reports that the shown host is of another time than the recording's position: the right one is being restored.
func (m *Monitor) Restoring() bool {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.past.restore != nil && !m.past.of.Equal(m.status.Now)
}

// followPast restores the host whenever the recording has moved, until ctx ends.
func (m *Monitor) followPast(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-m.past.moved:
		}
		m.showPast(ctx)
	}
}

// showPast publishes the host of the recording's present time.
func (m *Monitor) showPast(ctx context.Context) {
	var host *driver.Host
	var state *labstate.State
	now := m.Status().Now
	m.past.use <- struct{}{}
	err := guard(func() (err error) {
		host, state, err = m.past.restore(ctx, now)
		return err
	})
	if err != nil {
		host, state = nil, nil
	}
	m.past.host = host
	<-m.past.use
	if ctx.Err() != nil {
		return
	}
	m.mutex.Lock()
	changed := state != m.lab || err != m.past.err //nolint:errorlint // another error is another sentence
	m.lab, m.journal = state, nil
	m.past.err, m.past.known, m.past.of = err, host != nil, now
	if changed {
		m.past.version++
	}
	if host != nil {
		m.past.at, m.journal = host.Now(), host.Journal()
	}
	still := m.settings.paused || m.status.Ended // no column comes that would say that Restoring is over
	m.mutex.Unlock()
	if changed || still {
		signal(m.updates)
	}
}

// readPastHost runs a function that reads the recording's host.
func (m *Monitor) readPastHost(ctx context.Context, look func(*driver.Host) error) error {
	select {
	case m.past.use <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-m.past.use }()
	if m.past.host == nil {
		return ErrNoPast
	}
	return guard(func() error { return look(m.past.host) })
}
