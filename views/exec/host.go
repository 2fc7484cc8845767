package exec

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/perf"
)

// Host is the host that commands work on: one that belongs to the run alone, or the console's.
type Host interface {
	// Look lets a function read the host while nothing changes it.
	Look(ctx context.Context, look func(*driver.Host) error) error
	// Apply, Undo and TakeBack are those of driver.Host.
	Apply(ctx context.Context, plan driver.Plan) (driver.Entry, error)
	Undo(ctx context.Context) (driver.Entry, error)
	TakeBack(ctx context.Context, sequence uint64) (driver.Entry, error)
	// Advance lets time pass.
	Advance(ctx context.Context, d time.Duration) error
	// Schema and Inventory are what can be measured.
	Schema() *perf.Schema
	Inventory() *perf.Inventory
	// Measure reads series, NaN for what has no value, and says when that was. Rates are those over the time given, which
	// passes; with 0 no time passes, and rates are as of now.
	Measure(ctx context.Context, series []int, over time.Duration, values []float64) (time.Time, error)
}

// Keeper keeps a host and what happened to it.
type Keeper interface {
	// Events, Journal and Save are told of what is new; Save comes after each change.
	Events(events []driver.Event)
	Journal(entry driver.Entry)
	Save(host *driver.Host) error
}

// Lab is a Host of its own: its time passes only when a command says so. One goroutine owns it.
type Lab struct {
	source *perf.Lab
	keeper Keeper
	window *perf.Window
	column perf.Column
	begun  bool
	// moved says that time has passed since the host was saved.
	moved bool
}

// OnLab makes a Host of a source that nothing else uses; keeper may be nil.
func OnLab(source *perf.Lab, keeper Keeper) *Lab {
	return &Lab{source: source, keeper: keeper, window: perf.NewWindow(perf.LongestInterval)}
}

// longestStep is how much time passes between two looks at the context.
const longestStep = time.Second

// Look reads the host.
func (l *Lab) Look(_ context.Context, look func(*driver.Host) error) error {
	return look(l.source.Host())
}

// Apply applies a plan and saves the host.
func (l *Lab) Apply(_ context.Context, plan driver.Plan) (driver.Entry, error) {
	return l.keep(l.source.Host().Apply(plan))
}

// Undo takes the newest change back and saves the host.
func (l *Lab) Undo(context.Context) (driver.Entry, error) { return l.keep(l.source.Host().Undo()) }

// TakeBack takes one change back and saves the host.
func (l *Lab) TakeBack(_ context.Context, sequence uint64) (driver.Entry, error) {
	return l.keep(l.source.Host().TakeBack(sequence))
}

// keep hands a change on. A plan that never came to be tried has no sequence, and leaves nothing.
func (l *Lab) keep(entry driver.Entry, err error) (driver.Entry, error) {
	if l.keeper == nil || entry.Sequence == 0 {
		return entry, err
	}
	l.keeper.Journal(entry)
	l.keeper.Events(l.source.Events())
	l.moved = false
	return entry, errors.Join(err, l.keeper.Save(l.source.Host()))
}

// Advance lets time pass.
func (l *Lab) Advance(ctx context.Context, d time.Duration) error {
	if err := l.begin(ctx); err != nil {
		return err
	}
	for d > 0 {
		step := min(d, longestStep)
		if err := l.source.Next(ctx, step, &l.column); err != nil {
			return err
		}
		l.moved = true
		d -= step
	}
	if l.keeper != nil {
		l.keeper.Events(l.source.Events())
	}
	return nil
}

// begin takes the first sample, for which no time passes.
func (l *Lab) begin(ctx context.Context) error {
	if l.begun {
		return nil
	}
	if err := l.source.Next(ctx, 0, &l.column); err != nil {
		return err
	}
	l.begun = true
	return nil
}

// Schema is the source's.
func (l *Lab) Schema() *perf.Schema { return l.source.Schema() }

// Inventory is the source's.
func (l *Lab) Inventory() *perf.Inventory { return l.source.Inventory() }

// Measure lets time pass and reads what that brought. With 0 it reads the counters as they are, and takes the rates of the
// coming second from a copy of the host.
func (l *Lab) Measure(ctx context.Context, series []int, over time.Duration, values []float64) (time.Time, error) {
	if err := l.sample(ctx); err != nil {
		return time.Time{}, err
	}
	if over > 0 {
		if err := l.Advance(ctx, over); err != nil {
			return time.Time{}, err
		}
		l.window.Push(l.source.Schema(), &l.column)
	}
	read(l.window, series, values)
	if over > 0 || !slices.ContainsFunc(values, math.IsNaN) {
		return l.column.Time, nil
	}
	copied, err := perf.NewLabSource(l.source.Host().Clone())
	if err != nil {
		return time.Time{}, err
	}
	rates := make([]float64, len(values))
	if _, err := OnLab(copied, nil).Measure(ctx, series, time.Second, rates); err != nil {
		return time.Time{}, err
	}
	for i, value := range values {
		if math.IsNaN(value) {
			values[i] = rates[i]
		}
	}
	return l.column.Time, nil
}

// sample makes a sample of now the only one in the window.
func (l *Lab) sample(ctx context.Context) error {
	if err := l.begin(ctx); err != nil {
		return err
	}
	if err := l.source.Next(ctx, 0, &l.column); err != nil {
		return err
	}
	l.window.Clear()
	l.window.Push(l.source.Schema(), &l.column)
	return nil
}

// read takes the newest values of series from a window.
func read(window *perf.Window, series []int, values []float64) {
	for i, one := range series {
		values[i] = math.NaN()
		if value, ok := window.Last(one); ok {
			values[i] = value
		}
	}
}

// Close saves the host when time has passed since it was saved.
func (l *Lab) Close() error {
	if l.keeper == nil || !l.moved {
		return nil
	}
	l.moved = false
	return l.keeper.Save(l.source.Host())
}
