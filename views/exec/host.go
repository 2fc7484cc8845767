package exec

import (
	"context"
	"errors"
	"math"
	"slices"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/perf/monitor"
	"cxdeck/perf/window"
)

// Host is the host that commands work on: one that belongs to the run alone, or the console's.
type Host interface {
	// Look lets a function read the host while nothing changes it.
	Look(ctx context.Context, look func(*driver.Host) error) error
	// Apply, Undo and TakeBack do what these methods of driver.Host do.
	Apply(ctx context.Context, plan driver.Plan) (driver.Entry, error)
	Undo(ctx context.Context) (driver.Entry, error)
	TakeBack(ctx context.Context, sequence uint64) (driver.Entry, error)
	// ApplyGuarded applies a plan that is taken back unless Confirm comes within a time by the machine's clock; Revert
	// takes it back before.
	ApplyGuarded(ctx context.Context, plan driver.Plan, within time.Duration) (driver.Entry, error)
	Confirm(ctx context.Context) error
	Revert(ctx context.Context) (driver.Entry, error)
	// Advance lets time pass.
	Advance(ctx context.Context, d time.Duration) error
	// Reset puts a new host in the place of this one, with nothing in its journal.
	Reset(ctx context.Context) error
	// Schema and Inventory are what can be measured.
	Schema() *perf.Schema
	Inventory() *perf.Inventory
	// Measure reads series, NaN for what has no value, and says when that was. Rates are averages over the time given,
	// which passes; with 0 no time passes, and rates are as of now.
	Measure(ctx context.Context, series []int, over time.Duration, values []float64) (time.Time, error)
}

// Keeper keeps a host and what happened to it.
type Keeper interface {
	// Column, Events, Journal and Save are called with what is new; Save comes after each change. Columns come while time
	// passes, and the first before it does.
	Column(column *perf.Column)
	Events(events []eventlog.Event)
	Journal(entry driver.Entry)
	Save(host *driver.Host) error
	// Begin is called with a change before it begins, with the newest entry of the journal then; what it gives is called
	// when the change is saved, or was refused.
	Begin(plan driver.Plan, newest uint64) (end func() error, err error)
}

// Lab is a Host of its own: its time passes only when a command says so. One goroutine owns it.
type Lab struct {
	source *lab.Source
	keeper Keeper
	reset  func(context.Context) (*lab.Source, Keeper, error)
	window *window.Recent
	column perf.Column
	begun  bool
	// moved says that time has passed since the host was saved, or that it counts more.
	moved bool
}

// OnLab makes a Host of a source that nothing else uses; keeper may be nil. reset makes the source and keeper of a new
// host for Reset, after it has ended what the keeper kept; it may be nil where nothing asks for that.
func OnLab(source *lab.Source, keeper Keeper, reset func(context.Context) (*lab.Source, Keeper, error)) *Lab {
	return &Lab{source: source, keeper: keeper, reset: reset, window: window.New(monitor.MaxInterval)}
}

// Time passes in steps, each of which ends with a sample: a second, or longer when that would make too many of them.
const (
	minStep  = time.Second
	maxSteps = 600
)

// stepOf is the length of the steps in which a time passes.
func stepOf(d time.Duration) time.Duration {
	return min(max(d/maxSteps, minStep), monitor.MaxInterval)
}

// Look reads the host.
func (l *Lab) Look(_ context.Context, look func(*driver.Host) error) error {
	return look(l.source.Host())
}

// Apply applies a plan and saves the host.
func (l *Lab) Apply(_ context.Context, plan driver.Plan) (driver.Entry, error) {
	return l.change(plan, func(h *driver.Host) (driver.Entry, error) { return h.Apply(plan) })
}

// Undo takes the newest change back and saves the host.
func (l *Lab) Undo(context.Context) (driver.Entry, error) {
	newest, _ := l.source.Host().Undoable() // without one, Undo says so
	return l.change(newest.Inverse, (*driver.Host).Undo)
}

// TakeBack takes one change back and saves the host.
func (l *Lab) TakeBack(_ context.Context, sequence uint64) (driver.Entry, error) {
	return l.change(l.source.Host().Inverse(sequence),
		func(h *driver.Host) (driver.Entry, error) { return h.TakeBack(sequence) })
}

// change notes that a plan begins, does it, and hands it on. What never came to be tried has no sequence, and leaves
// nothing.
func (l *Lab) change(plan driver.Plan, do func(*driver.Host) (driver.Entry, error)) (driver.Entry, error) {
	host := l.source.Host()
	if l.keeper == nil {
		return do(host)
	}
	end := func() error { return nil }
	if len(plan.Operations) > 0 {
		if err := host.Admit(plan); err != nil {
			return driver.Entry{}, err
		}
		var err error
		if end, err = l.keeper.Begin(plan, host.Changes()); err != nil {
			return driver.Entry{}, err
		}
	}
	entry, err := do(host)
	if entry.Sequence == 0 {
		return entry, errors.Join(err, end())
	}
	l.keeper.Journal(entry)
	l.keeper.Events(l.source.Events())
	l.moved = false
	if problem := l.keeper.Save(host); problem != nil {
		return entry, errors.Join(err, problem)
	}
	return entry, errors.Join(err, end())
}

// Advance lets time pass.
func (l *Lab) Advance(ctx context.Context, d time.Duration) error {
	if err := l.begin(ctx); err != nil {
		return err
	}
	l.tell()
	for step := stepOf(d); d > 0; d -= step {
		step = min(step, d)
		if err := l.source.Next(ctx, step, &l.column); err != nil {
			return err
		}
		l.moved = true
		l.tell()
	}
	return nil
}

// tell hands the newest sample on, and the events that came with it.
func (l *Lab) tell() {
	if l.keeper != nil {
		l.keeper.Column(&l.column)
		l.keeper.Events(l.source.Events())
	}
}

// Reset begins with a new host, and saves it.
func (l *Lab) Reset(ctx context.Context) error {
	if l.reset == nil {
		return errors.New("this host can't be reset")
	}
	source, keeper, err := l.reset(ctx)
	if err != nil {
		return err
	}
	*l = *OnLab(source, keeper, l.reset)
	if keeper == nil {
		return nil
	}
	return keeper.Save(source.Host())
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

// Measure lets time pass and reads what that brought. With 0 it reads the counters as they are, and takes the rates of
// the coming second from a copy of the host.
func (l *Lab) Measure(ctx context.Context, series []int, over time.Duration, values []float64) (time.Time, error) {
	l.watch(series)
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
	return l.column.Time, l.ratesToCome(ctx, series, values)
}

// ratesToCome fills in the values that are missing with the values of the coming second on a copy of the host. The copy has
// no series of what has gone, so that each series is looked for there by its path.
func (l *Lab) ratesToCome(ctx context.Context, series []int, values []float64) error {
	source, err := lab.New(l.source.Host().Clone())
	if err != nil {
		return err
	}
	copied := OnLab(source, nil, nil)
	var there, missing []int
	for i, value := range values {
		if !math.IsNaN(value) {
			continue
		}
		if at, found := copied.Schema().Find(l.Schema().Series[series[i]].Path()); found {
			there, missing = append(there, at), append(missing, i)
		}
	}
	rates := make([]float64, len(there))
	if _, err := copied.Measure(ctx, there, time.Second, rates); err != nil {
		return err
	}
	for n, i := range missing {
		values[i] = rates[n]
	}
	return nil
}

// watch looks at series. What begins to count for that goes on after the command, so the host must be saved.
func (l *Lab) watch(series []int) {
	counting := func() (ports int) {
		lab := l.source.Host().Lab()
		for port := range lab.Ports() {
			if lab.Counting(port) {
				ports++
			}
		}
		return ports
	}
	before := counting()
	l.source.Watch(series)
	l.moved = l.moved || counting() > before
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
func read(window *window.Recent, series []int, values []float64) {
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

// The bounds of what a command does at once.
const (
	MaxAdvance = 24 * time.Hour
	MaxRows    = 10_000
)
