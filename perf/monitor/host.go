package monitor

import (
	"context"
	"fmt"

	"cxdeck/driver"
	"cxdeck/perf/labstate"
)

// Operator is a source whose host can be changed.
type Operator interface {
	// Host returns the model behind the source; only the source's goroutine may use it.
	Host() *driver.Host
	// State returns the current environment of the adapters; it is read after each column and each change.
	State() *labstate.State
}

// ReadHost runs look, which reads the source's host, between two samples, and waits for it. look must neither change the host nor
// keep it.
func (m *Monitor) ReadHost(ctx context.Context, look func(*driver.Host) error) error {
	if m.Readable() && !m.operable {
		return m.readRecordedHost(ctx, look)
	}
	if !m.operable {
		return fmt.Errorf("%w: %s has no host state; only the lab has", ErrNotPossible, m.Status().Info.Name)
	}
	return m.runInOwner(ctx, func(context.Context) error { return look(m.owner.host) })
}

// doOnHost runs work on the source's host in the owner's goroutine.
func (m *Monitor) doOnHost(ctx context.Context, work func() error) error {
	if !m.operable {
		return fmt.Errorf("%w: %s can't be changed; only the lab can", ErrNotPossible, m.Status().Info.Name)
	}
	return m.runInOwner(ctx, func(context.Context) error { return work() })
}

// Clone returns a copy of the source's host, which belongs to the caller.
func (m *Monitor) Clone(ctx context.Context) (host *driver.Host, err error) {
	err = m.ReadHost(ctx, func(h *driver.Host) error {
		host = h.Clone()
		return nil
	})
	return host, err
}

// Review is driver.Host.Review on a copy of the source's host; it does not delay the owner.
func (m *Monitor) Review(ctx context.Context, plan driver.Plan) (driver.Review, error) {
	host, err := m.Clone(ctx)
	if err != nil {
		return driver.Review{}, err
	}
	return host.Review(plan), nil
}
