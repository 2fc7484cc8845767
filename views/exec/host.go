package exec

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/keeper"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/perf/monitor"
	"cxdeck/perf/window"
)

// Host is the host that commands work on: one that belongs to the run alone, or the console's.
type Host interface {
	// Look lets a function read the host while nothing changes it.
	Look(ctx context.Context, look func(*driver.Host) error) error
	// Apply, Undo and UndoEntry do what these methods of driver.Host do.
	Apply(ctx context.Context, plan driver.Plan) (driver.Entry, error)
	Undo(ctx context.Context) (driver.Entry, error)
	UndoEntry(ctx context.Context, sequence uint64) (driver.Entry, error)
	// ApplyGuarded applies a plan that is undone unless Confirm comes within a time, 1 s to 10 min by the machine's
	// clock; Revert takes it back before.
	ApplyGuarded(ctx context.Context, plan driver.Plan, within time.Duration) (driver.Entry, error)
	Confirm(ctx context.Context) error
	Revert(ctx context.Context) (driver.Entry, error)
	// Advance lets time pass.
	Advance(ctx context.Context, d time.Duration) error
	// Reset puts a new host in place of this one, with nothing in its journal.
	Reset(ctx context.Context) error
	// Schema and Inventory are what can be measured.
	Schema() *perf.Schema
	Inventory() *perf.Inventory
	// Measure reads series, NaN where a series has no value, and returns their time. Rates are averages over the given time, which
	// passes; with 0 no time passes, and rates are the newest.
	Measure(ctx context.Context, series []int, over time.Duration, values []float64) (time.Time, error)
}

// Recorder saves a host, and records what happens to it.
type Recorder interface {
	keeper.Saver
	// Column, Events and Journal are called with new data. Columns come while time passes, and the first before it does.
	Column(column *perf.Column)
	Events(events []eventlog.Event)
	Journal(entry driver.Entry)
}

// Lab is a Host of its own: its time passes only when a command says so. Any number of goroutines may use it, one at a
// time.
type Lab struct {
	keeper.Changer
	// Progress begins a bar for passing time; the function that it returns moves it, and removes it when done is all. Either may be
	// nil.
	Progress func(title string) func(done, all int)

	mutex sync.Mutex
	// Below is guarded by mutex.
	keeper   *keeper.Keeper
	source   *lab.Source
	recorder Recorder
	reset    func(context.Context) (*lab.Source, Recorder, error)
	window   *window.Recent
	column   perf.Column
	begun    bool
}

// OnLab makes a Host of a source that nothing else uses; recorder may be nil. reset makes the source and recorder of a
// new host for Reset, after it has ended the session of the recorder before; it may be nil where nothing asks for that.
func OnLab(source *lab.Source, recorder Recorder, reset func(context.Context) (*lab.Source, Recorder, error)) *Lab {
	l := &Lab{source: source, recorder: recorder, reset: reset, window: window.New(monitor.MaxInterval)}
	l.keeper = keeper.New(source.Host(), recorder, keeper.Options{Own: l.doOnHost, Now: time.Now, Report: l.record})
	l.Changer = l.keeper.Changer()
	return l
}

// doOnHost does some work on the host while nothing else uses it.
func (l *Lab) doOnHost(_ context.Context, work func() error) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return work()
}

// Time passes in steps, each of which ends with a sample: a second, or longer when that would make too many of them.
const (
	minStep  = time.Second
	maxSteps = 600
)

// stepOf returns the length of the steps in which a time passes.
func stepOf(d time.Duration) time.Duration {
	return min(max(d/maxSteps, minStep), monitor.MaxInterval)
}

// Look reads the host.
func (l *Lab) Look(ctx context.Context, look func(*driver.Host) error) error {
	return l.doOnHost(ctx, func() error { return look(l.source.Host()) })
}

// record records a change with its events.
func (l *Lab) record(entry driver.Entry) {
	if l.recorder != nil && entry.Sequence > 0 {
		l.recorder.Journal(entry)
		l.recorder.Events(l.source.Events())
	}
}

// Advance lets time pass.
func (l *Lab) Advance(ctx context.Context, d time.Duration) error {
	return l.doOnHost(ctx, func() error { return l.advance(ctx, d) })
}

func (l *Lab) advance(ctx context.Context, d time.Duration) error {
	if err := l.begin(ctx); err != nil {
		return err
	}
	l.publish()
	report := func(int, int) {}
	if l.Progress != nil {
		if bar := l.Progress("Advancing the time"); bar != nil {
			report = bar
		}
	}
	all := int(d / time.Millisecond)
	defer report(all, all)
	for step := stepOf(d); d > 0; d -= step {
		report(all-int(d/time.Millisecond), all)
		step = min(step, d)
		if err := l.source.Next(ctx, step, &l.column); err != nil {
			return err
		}
		l.keeper.Moved()
		l.publish()
	}
	return nil
}

// publish hands the newest sample on, and the events that came with it.
func (l *Lab) publish() {
	if l.recorder != nil {
		l.recorder.Column(&l.column)
		l.recorder.Events(l.source.Events())
	}
}

// Reset begins with a new host, and saves it.
func (l *Lab) Reset(ctx context.Context) error {
	if l.reset == nil {
		return errors.New("this host can't be reset")
	}
	return l.doOnHost(ctx, func() error {
		source, recorder, err := l.reset(ctx)
		if err != nil {
			return err
		}
		l.source, l.recorder, l.window, l.begun = source, recorder, window.New(monitor.MaxInterval), false
		return l.keeper.Replace(source.Host(), recorder)
	})
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

// Schema returns the source's.
func (l *Lab) Schema() *perf.Schema {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.source.Schema()
}

// Inventory returns the source's.
func (l *Lab) Inventory() *perf.Inventory {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.source.Inventory()
}

// Measure lets time pass and reads what that brought. With 0 it reads the counters as they are, and takes the rates of
// the coming second from a copy of the host.
func (l *Lab) Measure(ctx context.Context, series []int, over time.Duration, values []float64) (time.Time, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.watch(series)
	if err := l.sample(ctx); err != nil {
		return time.Time{}, err
	}
	if over > 0 {
		if err := l.advance(ctx, over); err != nil {
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

// ratesToCome fills in missing values with the values of the coming second on a copy of the host. The copy has no series of removed
// objects, so each series is looked up there by its path.
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
		if at, found := copied.Schema().Find(l.source.Schema().Series[series[i]].Path()); found {
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

// watch looks at series. What begins to count for that continues after the command, so the host must be saved.
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
	if counting() > before {
		l.keeper.Moved()
	}
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

// RevertExpired reverts a change that was not confirmed in time: see keeper.Keeper.
func (l *Lab) RevertExpired(now time.Time) (guard driver.Guard, lapsed bool, err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.keeper.RevertExpired(now)
}

// Close saves a host that differs from the saved one.
func (l *Lab) Close() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.keeper.Flush()
}

// The bounds of a single command.
const (
	MaxAdvance = 24 * time.Hour
	MaxRows    = 10_000
)
