package exec

import (
	"context"
	"time"

	"cxdeck/driver"
	"cxdeck/perf"
)

// Host is the host that commands work on: a Lab of this run, or the host of a running console.
type Host interface {
	// ReadHost calls look with the host, which nothing changes meanwhile. look must not change it either.
	ReadHost(ctx context.Context, look func(*driver.Host) error) error
	// Apply, Undo and UndoEntry are as in driver.Host.
	Apply(ctx context.Context, plan driver.Plan) (driver.Entry, error)
	Undo(ctx context.Context) (driver.Entry, error)
	UndoEntry(ctx context.Context, sequence uint64) (driver.Entry, error)
	// ApplyGuarded applies a plan and reverts it unless Confirm is called within a time, 1 s to 10 min by the machine's
	// clock. Revert reverts it at once.
	ApplyGuarded(ctx context.Context, plan driver.Plan, within time.Duration) (driver.Entry, error)
	Confirm(ctx context.Context) error
	Revert(ctx context.Context) (driver.Entry, error)
	// Advance lets host time pass.
	Advance(ctx context.Context, d time.Duration) error
	// Reset replaces the host with a new one, whose journal is empty.
	Reset(ctx context.Context) error
	// Schema and Inventory describe the series that Measure reads.
	Schema() *perf.Schema
	Inventory() *perf.Inventory
	// Measure stores the values of series in values, NaN for none, and returns their time. It lets the time over pass, and
	// rates are averages over it; with 0 no time passes, and rates are the newest ones.
	Measure(ctx context.Context, series []int, over time.Duration, values []float64) (time.Time, error)
}

// OwnHost is a Host that this run owns: its time passes only with Advance and Measure.
type OwnHost interface{ OwnedByRun() }

// Limits of a single command: the host time that it lets pass, and the rows that it prints.
const (
	MaxAdvance = 24 * time.Hour
	MaxRows    = 10_000
)
