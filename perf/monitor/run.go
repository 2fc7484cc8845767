package monitor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/perf/threshold"
)

const (
	// quickStart is when the second sample comes, with Options.QuickStart.
	quickStart = 200 * time.Millisecond
	// updateEvery is the shortest time between two tokens of Updates.
	updateEvery = 50 * time.Millisecond
	// When the speed is so high that many columns are due at once, they are taken for batch at most in one go, and the
	// owner rests in between.
	batch = 20 * time.Millisecond
	rest  = 10 * time.Millisecond
)

// owner is the state that only Run's goroutine touches.
type owner struct {
	*Monitor
	source perf.Source
	pace   pace
	watch  threshold.Watcher
	runner threshold.Runner
	// pair are the newest two columns, by turns; count is how many there were since the window was empty.
	pair  [2]perf.Column
	count int
	// until is when the stretch ends that passes at once; zero for none.
	until time.Time
	// early is how many columns are still to come at other times than usual, for QuickStart.
	early int
	// over is true when no more columns come: the source failed, or a recording ended.
	over bool
	// updated is when the last token of Updates was given; updateDue is true when one is due.
	updated   time.Time
	updateDue bool
}

// Run samples until ctx ends, then closes the source. An error of the source stops sampling and shows in Status; Run
// goes on, so that what has been seen can still be read, and returns it at the end.
func (m *Monitor) Run(ctx context.Context) error {
	o := &m.owner
	if m.sink != nil {
		m.sink.Schema(m.Schema(), m.Inventory())
	}
	o.revertLeftover()
	o.loop(ctx)
	close(m.ended)
	o.runner.Wait()
	o.save()
	return errors.Join(m.Status().Err, guard(o.source.Close))
}

// loop is the life of the owner: sample when it is time, and do what is asked in between.
func (o *owner) loop(ctx context.Context) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		o.follow()
		o.revertExpired()
		o.catchUp(ctx)
		timer.Reset(o.idle())
		select {
		case <-ctx.Done():
			return
		case <-o.wake:
		case request := <-o.requests:
			request(ctx)
		case failure := <-o.runner.Failures:
			o.note(failure)
		case <-timer.C:
		}
	}
}

// follow takes over what the operator set.
func (o *owner) follow() {
	o.mutex.Lock()
	settings, schema, looked := o.settings, o.schema, o.looked
	o.looked = nil
	o.mutex.Unlock()
	o.show(looked)
	if o.pace.interval != settings.interval {
		o.window.SetInterval(settings.interval)
	}
	o.rush(settings.until)
	o.pace.set(settings, time.Now())
	if o.watch.Set(settings.thresholds, settings.thresholdGeneration, schema) {
		o.publishStates()
	}
}

// show tells the source what is looked at.
func (o *owner) show(series []int) {
	if watcher, can := o.source.(perf.Watcher); can && len(series) > 0 {
		watcher.Watch(series)
	}
}

func (o *owner) sampling() bool { return !o.over && (o.rushing() || !o.pace.paused) }

// idle is how long there is nothing to do. It gives the token that is due.
func (o *owner) idle() time.Duration {
	idle := time.Duration(math.MaxInt64)
	now := time.Now()
	if o.rushing() && !o.over {
		idle = rest
	} else if o.sampling() {
		idle = max(o.pace.due.Sub(now), 0)
		if o.pace.wall(o.pace.ask) < rest {
			idle = max(idle, rest)
		}
	}
	if guard, waits := o.Unconfirmed(); waits {
		idle = min(idle, guard.Left())
	}
	if o.updateDue {
		if wait := o.updated.Add(updateEvery).Sub(now); wait > 0 {
			return min(idle, wait)
		}
		o.updateDue, o.updated = false, now
		signal(o.updates)
	}
	return idle
}

// catchUp takes the columns that are due.
func (o *owner) catchUp(ctx context.Context) {
	now := time.Now()
	until := now.Add(batch)
	for o.sampling() && ctx.Err() == nil && (o.rushing() || !o.pace.due.After(now)) {
		if now.After(until) {
			o.pace.slip(now)
			return
		}
		expected := o.pace.begin(now)
		err := guard(func() error { return o.sample(ctx, expected) })
		if err != nil && ctx.Err() == nil {
			o.stop(err)
		}
		o.pace.end(o.nextAsk())
		now = time.Now()
		o.rushed(now)
	}
}

// nextAsk is the source's time from this column to the next. With QuickStart the first stretch is short and the second
// makes up for it, so that the third column and all later ones come where they would have come without.
func (o *owner) nextAsk() time.Duration {
	interval := o.pace.interval
	if o.early == 0 || interval <= quickStart {
		return interval
	}
	o.early--
	if o.early == 1 {
		return quickStart
	}
	return interval - quickStart
}

// sample takes a column and hands it on to everyone.
func (o *owner) sample(ctx context.Context, expected time.Duration) error {
	column, before, err := o.read(ctx, o.pace.ask, expected)
	if err != nil {
		return err
	}
	if o.sink != nil {
		o.sink.Column(column)
	}
	alarms, changed := o.watch.Look(o.Schema(), before, column)
	if changed {
		o.publishStates()
	}
	for _, alarm := range alarms {
		o.raise(ctx, alarm)
	}
	return nil
}

// read takes a column from the source into the window. It gives it with the one before, which is nil for the first.
func (o *owner) read(ctx context.Context, interval, expected time.Duration) (column, before *perf.Column, err error) {
	column = &o.pair[o.count%2]
	column.Missed = 0
	if err := o.source.Next(ctx, interval, column); err != nil {
		return nil, nil, err
	}
	if o.count > 0 {
		before = &o.pair[(o.count+1)%2]
		if o.live {
			column.Missed += missed(column.Time.Sub(before.Time), expected, o.pace.interval)
		}
	}
	o.count++
	o.renew()
	o.window.Push(o.Schema(), column)
	o.mutex.Lock()
	o.status.Now = column.Time
	o.status.Samples++
	o.status.Missed += uint64(column.Missed)
	o.mutex.Unlock()
	o.updateDue = true
	return column, before, nil
}

// renew publishes the schema, the inventory, the lab's state and the events of the source when there are new ones.
func (o *owner) renew() {
	schema, inventory := o.source.Schema(), o.source.Inventory()
	var lab *labstate.State
	if o.operable {
		lab = o.source.(Operator).State()
	}
	o.mutex.Lock()
	changed := schema != o.schema || inventory != o.inventory
	o.schema, o.inventory, o.lab = schema, inventory, lab
	o.mutex.Unlock()
	if changed && o.sink != nil {
		o.sink.Schema(schema, inventory)
	}
	if eventer, can := o.source.(perf.Eventer); can {
		o.note(eventer.Events()...)
	}
}

// stop ends sampling; the end of a recording is no error.
func (o *owner) stop(err error) {
	o.over = true
	o.mutex.Lock()
	if errors.Is(err, io.EOF) {
		o.status.Ended = true
	} else {
		o.status.Err = fmt.Errorf("reading %s: %w", o.status.Info.Name, err)
	}
	o.mutex.Unlock()
	o.updateDue = true
}

// note numbers events and publishes them.
func (o *owner) note(events ...eventlog.Event) {
	if len(events) == 0 {
		return
	}
	o.mutex.Lock()
	numbered := o.events.Add(events...)
	o.mutex.Unlock()
	if o.sink != nil {
		o.sink.Events(numbered)
	}
	o.updateDue = true
}

// raise tells of an alarm, and starts its program. A recording tells of what once was: it starts none.
func (o *owner) raise(ctx context.Context, alarm threshold.Alarm) {
	o.note(alarm.Event)
	if alarm.Program == nil || o.seekable {
		return
	}
	event := alarm.Event
	event.Severity = eventlog.Information
	event.Message = fmt.Sprintf("the program %s of a threshold is started", alarm.Program[0])
	if !o.runner.Start(ctx, alarm) {
		event.Message = fmt.Sprintf("the program %s still runs from an alarm before, and was not started again", alarm.Program[0])
	}
	o.note(event)
}

// publishStates publishes the thresholds; what they watch is looked at.
func (o *owner) publishStates() {
	states := o.watch.States()
	o.show(o.watch.Series())
	o.mutex.Lock()
	o.states = states
	o.mutex.Unlock()
	o.updateDue = true
}

// guard turns a panic into an error, so that a fault of a source does not take the console with it.
func guard(work func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("internal fault: %v", fault)
		}
	}()
	return work()
}
