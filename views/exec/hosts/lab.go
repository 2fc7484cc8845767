package hosts

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

// Recorder saves a host, and records its samples, events and changes.
type Recorder interface {
	keeper.Saver
	// Column, Events and Journal are called with new data. Column is called before host time passes, and after each step.
	Column(column *perf.Column)
	Events(events []eventlog.Event)
	Journal(entry driver.Entry)
}

// Lab is the Host of a run without a console: its time passes only with Advance and Measure. It is safe for concurrent use.
type Lab struct {
	keeper.Changer
	// Progress starts a progress bar while time passes. The function that it returns updates the bar, and removes it when
	// done equals all. Progress and the returned function may be nil.
	Progress func(title string) func(done, all int)

	mutex sync.Mutex
	// mutex guards the fields below.
	keeper   *keeper.Keeper
	source   *lab.Source
	recorder Recorder
	reset    func(context.Context) (*lab.Source, Recorder, error)
	window   *window.Recent
	column   perf.Column
	begun    bool
}

// OnLab returns a Lab that owns a source; recorder may be nil. reset ends the session of the old recorder, and returns the
// source and recorder of a new host; without it, Reset fails.
func OnLab(source *lab.Source, recorder Recorder, reset func(context.Context) (*lab.Source, Recorder, error)) *Lab {
	l := &Lab{source: source, recorder: recorder, reset: reset, window: window.New(monitor.MaxInterval)}
	l.keeper = keeper.New(source.Host(), recorder, keeper.Options{Own: l.doOnHost, Now: time.Now, Report: l.record})
	l.Changer = l.keeper.Changer()
	return l
}

// OwnedByRun implements exec.OwnHost.
func (*Lab) OwnedByRun() {}

// doOnHost calls work while nothing else uses the host.
func (l *Lab) doOnHost(_ context.Context, work func() error) error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return work()
}

// Time passes in steps, each of which ends with a sample. A step is longer than minStep if there would be more than maxSteps.
const (
	minStep  = time.Second
	maxSteps = 600
)

// saveEvery is the time after which the host is saved while time passes, as a console saves it: a replay shows the rates of any
// moment from the last saved state on.
const saveEvery = 5 * time.Minute

// stepOf returns the length of the steps for a time to pass.
func stepOf(d time.Duration) time.Duration {
	return min(max(d/maxSteps, minStep), monitor.MaxInterval)
}

// ReadHost calls look while nothing else uses the host.
func (l *Lab) ReadHost(ctx context.Context, look func(*driver.Host) error) error {
	return l.doOnHost(ctx, func() error { return look(l.source.Host()) })
}

// record passes a journal entry and the new events to the recorder.
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
	saved := l.column.Time
	for step := stepOf(d); d > 0; d -= step {
		report(all-int(d/time.Millisecond), all)
		step = min(step, d)
		if err := l.source.Next(ctx, step, &l.column); err != nil {
			return err
		}
		l.keeper.MarkChanged()
		l.publish()
		if l.column.Time.Sub(saved) >= saveEvery {
			saved = l.column.Time
			_ = l.keeper.Flush() // the end of the command reports it when the host can't be saved
		}
	}
	return nil
}

// publish passes the newest sample and the new events to the recorder.
func (l *Lab) publish() {
	if l.recorder != nil {
		l.recorder.Column(&l.column)
		l.recorder.Events(l.source.Events())
	}
}

// Reset replaces the host with a new one, and saves it.
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

// begin takes the first sample, at the current host time.
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

// Schema returns the schema of the source.
func (l *Lab) Schema() *perf.Schema {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.source.Schema()
}

// Inventory returns the inventory of the source.
func (l *Lab) Inventory() *perf.Inventory {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.source.Inventory()
}

// Measure is as in Host. With 0 it takes rates from a copy of the host that runs for one more second.
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
	l.window.Newest(series, values)
	if over > 0 || !slices.ContainsFunc(values, math.IsNaN) {
		return l.column.Time, nil
	}
	return l.column.Time, l.ratesToCome(ctx, series, values)
}

// ratesToCome replaces NaN in values with values from a copy of the host that runs for one second. The copy lacks the series
// of removed objects, so that series are looked up there by path.
func (l *Lab) ratesToCome(ctx context.Context, series []int, values []float64) error {
	source, err := lab.New(l.source.Host().Clone())
	if err != nil {
		return err
	}
	copied := OnLab(source, nil, nil)
	var copies, missing []int
	for i, value := range values {
		if !math.IsNaN(value) {
			continue
		}
		if at, found := copied.Schema().Find(l.source.Schema().Series[series[i]].Path()); found {
			copies, missing = append(copies, at), append(missing, i)
		}
	}
	rates := make([]float64, len(copies))
	if _, err := copied.Measure(ctx, copies, time.Second, rates); err != nil {
		return err
	}
	for n, i := range missing {
		values[i] = rates[n]
	}
	return nil
}

// watch announces that series are read. RSS counters start to count then and never stop, so that the host must be saved.
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
		l.keeper.MarkChanged()
	}
}

// sample empties the window and takes a sample of the current time.
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

// RevertExpired reverts a plan that was not confirmed in time: see keeper.Keeper.
func (l *Lab) RevertExpired(now time.Time) (guard driver.Guard, lapsed bool, err error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.keeper.RevertExpired(now)
}

// Close saves the host if it differs from the saved one.
func (l *Lab) Close() error {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.keeper.Flush()
}
