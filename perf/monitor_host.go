package perf

import (
	"context"
	"fmt"

	"cxdeck/driver"
)

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
