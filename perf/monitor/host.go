package monitor

import (
	"context"
	"fmt"

	"cxdeck/driver"
	"cxdeck/perf/labstate"
)

// Operator is a source whose host takes changes.
type Operator interface {
	// Host is the model behind the source; it must be touched by the source's goroutine only.
	Host() *driver.Host
	// State is what is around the adapters, as it is now; it is asked for after each column and each change.
	State() *labstate.State
}

// Look has a function read the source's host between two samples and waits for it. It must neither change the host nor
// keep it.
func (m *Monitor) Look(ctx context.Context, look func(*driver.Host) error) error {
	if !m.operable {
		return fmt.Errorf("%w: %s has no host to look into; the lab has one", ErrNotPossible, m.Status().Info.Name)
	}
	return m.do(ctx, func(context.Context) error { return look(m.owner.source.(Operator).Host()) })
}

// save hands the host to whoever keeps it.
func (o *owner) save() {
	if o.operable && o.keep != nil {
		o.keep(o.source.(Operator).Host())
	}
}

// Clone is a copy of the source's host as it is now, for the caller to do with as it likes.
func (m *Monitor) Clone(ctx context.Context) (host *driver.Host, err error) {
	err = m.Look(ctx, func(h *driver.Host) error {
		host = h.Clone()
		return nil
	})
	return host, err
}

// Review is driver.Host.Review on a copy of the source's host; the owner is not held up by it.
func (m *Monitor) Review(ctx context.Context, plan driver.Plan) (driver.Review, error) {
	host, err := m.Clone(ctx)
	if err != nil {
		return driver.Review{}, err
	}
	return host.Review(plan), nil
}
