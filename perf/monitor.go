package perf

import (
	"context"
	"time"

	"cxdeck/driver"
)

// Sink takes all that a monitor sees, to keep it. Its methods must not block and must not keep what they are given
// beyond the call, but for schemas and inventories, which never change.
type Sink interface {
	Schema(schema *Schema, inventory *Inventory)
	Column(column *Column)
	Events(events []driver.Event)
	Journal(entry driver.Entry)
}

// MonitorOptions are the choices for a monitor.
type MonitorOptions struct {
	// Interval between samples in the source's time, 100 ms to 60 s.
	Interval time.Duration
	// Speed is how many seconds of the source pass in one; ignored for a live machine. 0 counts as 1.
	Speed float64
	// QuickStart takes the second sample 200 ms after the first, so that rates show at once.
	QuickStart bool
	// Sink may be nil.
	Sink Sink
	// Thresholds are watched from the first column on.
	Thresholds []Threshold
}

// Monitor owns a source: it samples it at the pace of the operator's choice, keeps the window, the events and the
// journal, and publishes all of it. Run is the owner; every other method may be called from any goroutine.
type Monitor struct{}

// NewMonitor wraps a source. The monitor closes it when Run returns.
func NewMonitor(source Source, options MonitorOptions) (*Monitor, error) { return &Monitor{}, nil }

// Run samples until ctx ends, then closes the source. An error of the source stops sampling and shows in Status; Run
// goes on, so that what has been seen can still be read, and returns it at the end.
func (m *Monitor) Run(ctx context.Context) error { return nil }

// Updates gives a token after a new column or a change of status; tokens that nobody takes are dropped. At high speed
// there are at most 20 tokens a second.
func (m *Monitor) Updates() <-chan struct{} { return nil }

// Window, Schema and Inventory are the newest.
func (m *Monitor) Window() *Window { return nil }

// Schema is the newest schema.
func (m *Monitor) Schema() *Schema { return nil }

// Inventory is the newest inventory.
func (m *Monitor) Inventory() *Inventory { return nil }

// Status is how the monitor is now.
func (m *Monitor) Status() Status { return Status{} }

// Events gives the newest events with a sequence above after, oldest first, at most limit of them. The monitor keeps
// the newest 10,000 and numbers them itself.
func (m *Monitor) Events(after uint64, limit int) []driver.Event { return nil }

// Journal gives all entries since the start, oldest first.
func (m *Monitor) Journal() []driver.Entry { return nil }

// SetInterval changes the time between samples; it fails outside 100 ms to 60 s.
func (m *Monitor) SetInterval(interval time.Duration) error { return nil }

// SetSpeed changes the speed; it fails for a live machine and outside 0.1 to 1000.
func (m *Monitor) SetSpeed(speed float64) error { return nil }

// SetPaused stops and resumes the source's time; it fails for a live machine.
func (m *Monitor) SetPaused(paused bool) error { return nil }

// Seekable says whether Seek works, and over which span.
func (m *Monitor) Seekable() (from, to time.Time, ok bool) { return }

// Seek moves a recording to a time and fills the window with the ten minutes before it.
func (m *Monitor) Seek(ctx context.Context, to time.Time) error { return nil }

// ReadRange gives any stretch of a series of a source that can (a session), see RangeReader; ok is false when it can't.
func (m *Monitor) ReadRange(ctx context.Context, series int, from, to time.Time, dst []Point) (points []Point, ok bool, err error) {
	return dst, false, nil
}

// Operable says whether Apply works: the source has a host that takes changes.
func (m *Monitor) Operable() bool { return false }

// Apply applies a plan on the host between two samples and waits for it. The entry is in the journal also when it
// failed and was rolled back.
func (m *Monitor) Apply(ctx context.Context, plan driver.Plan) (driver.Entry, error) {
	return driver.Entry{}, nil
}

// Undo takes back the newest applied entry that is not undone yet.
func (m *Monitor) Undo(ctx context.Context) (driver.Entry, error) { return driver.Entry{}, nil }

// SetThresholds replaces the thresholds.
func (m *Monitor) SetThresholds(thresholds []Threshold) {}

// Thresholds gives each threshold with its present state.
func (m *Monitor) Thresholds() []ThresholdState { return nil }
