package monitor

import (
	"context"
	"errors"
	"time"

	"cxdeck/driver"
	"cxdeck/perf/labstate"
)

// RestoreHost restores the host of a recording at a time, with the environment of its adapters. It returns ErrNoRecordedHost when no state of
// the host is recorded. Only one goroutine calls it; it may return the same host again, advanced in time.
type RestoreHost func(ctx context.Context, at time.Time) (*driver.Host, *labstate.State, error)

// ErrNoRecordedHost reports that a recording has no state of a host.
var ErrNoRecordedHost = errors.New("no state of the host is recorded")

// past is the host of a recording at the recording's position.
type past struct {
	restore RestoreHost
	// moved signals a new position of the recording to the restorer.
	moved chan struct{}
	// host may be nil. It belongs to the goroutine that holds the token in use: the restorer, or a caller of ReadHost.
	use  chan struct{}
	host *driver.Host

	// The fields below are guarded by the monitor's mutex.
	at       time.Time // the host's clock
	restored time.Time // the position that was restored last
	version  uint64    // changes with the host
	known    bool      // a host was restored
	err      error     // the reason why there is no host; nil before the first is restored
}

func newPast(restore RestoreHost) past {
	return past{restore: restore, moved: make(chan struct{}, 1), use: make(chan struct{}, 1)}
}

// Readable reports whether ReadHost works: the source has a host, or the recording's host was restored.
func (m *Monitor) Readable() bool {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.operable || m.past.known
}

// RecordedHostTime returns the clock of the recording's host; ok is false when no host is restored. It may be long before the
// recording's position, if the host did not change in between.
func (m *Monitor) RecordedHostTime() (at time.Time, ok bool) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.past.at, m.past.known
}

// RecordedHostVersion changes whenever another state of the recording's host is published.
func (m *Monitor) RecordedHostVersion() uint64 {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.past.version
}

// RecordedHostErr returns the reason why the recording has no host to read; nil while it has one or restores one.
func (m *Monitor) RecordedHostErr() error {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.past.err
}

// Restoring reports whether the host for the recording's position is still being restored; the published one is from another
// time.
func (m *Monitor) Restoring() bool {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.past.restore != nil && !m.past.restored.Equal(m.status.Now)
}

// followRecordedHost restores the host whenever the recording has moved, until ctx ends.
func (m *Monitor) followRecordedHost(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-m.past.moved:
		}
		m.publishRecordedHost(ctx)
	}
}

// publishRecordedHost restores and publishes the host for the recording's position.
func (m *Monitor) publishRecordedHost(ctx context.Context) {
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
	changed := state != m.lab || err != m.past.err //nolint:errorlint // another error has another text
	m.lab, m.journal = state, nil
	m.past.err, m.past.known, m.past.restored = err, host != nil, now
	if changed {
		m.past.version++
	}
	if host != nil {
		m.past.at, m.journal = host.Now(), host.Journal()
	}
	idle := m.settings.paused || m.status.Ended // no column will signal that Restoring has ended
	m.mutex.Unlock()
	if changed || idle {
		signal(m.updates)
	}
}

// readRecordedHost runs a function that reads the recording's host.
func (m *Monitor) readRecordedHost(ctx context.Context, look func(*driver.Host) error) error {
	select {
	case m.past.use <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-m.past.use }()
	if m.past.host == nil {
		return ErrNoRecordedHost
	}
	return guard(func() error { return look(m.past.host) })
}
