package exec

import (
	"context"
	"sync"
	"time"

	"cxdeck/driver"
	"cxdeck/perf"
)

// shared is a host that several runs use, one call at a time.
type shared struct {
	mutex sync.Mutex
	host  Host
}

// Shared makes a Host that any number of goroutines may use of one that belongs to one.
func Shared(host Host) Host { return &shared{host: host} }

// Look reads the host.
func (s *shared) Look(ctx context.Context, look func(*driver.Host) error) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.host.Look(ctx, look)
}

// Apply applies a plan.
func (s *shared) Apply(ctx context.Context, plan driver.Plan) (driver.Entry, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.host.Apply(ctx, plan)
}

// Undo takes the newest change back.
func (s *shared) Undo(ctx context.Context) (driver.Entry, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.host.Undo(ctx)
}

// TakeBack takes one change back.
func (s *shared) TakeBack(ctx context.Context, sequence uint64) (driver.Entry, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.host.TakeBack(ctx, sequence)
}

// ApplyGuarded applies a plan that is taken back unless it is confirmed.
func (s *shared) ApplyGuarded(ctx context.Context, plan driver.Plan, within time.Duration) (driver.Entry, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.host.ApplyGuarded(ctx, plan, within)
}

// Confirm keeps what waits for its confirmation.
func (s *shared) Confirm(ctx context.Context) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.host.Confirm(ctx)
}

// Revert takes it back.
func (s *shared) Revert(ctx context.Context) (driver.Entry, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.host.Revert(ctx)
}

// Advance lets time pass.
func (s *shared) Advance(ctx context.Context, d time.Duration) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.host.Advance(ctx, d)
}

// Reset begins with a new host.
func (s *shared) Reset(ctx context.Context) error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.host.Reset(ctx)
}

// Schema is the host's.
func (s *shared) Schema() *perf.Schema {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.host.Schema()
}

// Inventory is the host's.
func (s *shared) Inventory() *perf.Inventory {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.host.Inventory()
}

// Measure reads series.
func (s *shared) Measure(ctx context.Context, series []int, over time.Duration, values []float64) (time.Time, error) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return s.host.Measure(ctx, series, over, values)
}
