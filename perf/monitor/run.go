package monitor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/keeper"
	"cxdeck/perf"
	"cxdeck/perf/threshold"
)

const (
	// quickStart is the time from the first to the second sample with Options.QuickStart.
	quickStart = 200 * time.Millisecond
	// minUpdateInterval is the minimum time between two notifications on Updates.
	minUpdateInterval = 50 * time.Millisecond
	// When the speed is so high that many columns are due at once, they are taken in batches of at most this time, and the
	// owner waits in between.
	batch = 20 * time.Millisecond
	rest  = 10 * time.Millisecond
)

// owner is the state that only Run's goroutine uses.
type owner struct {
	*Monitor
	source perf.Source
	// host is the host of the source, or nil; keeper changes and saves it.
	host   *driver.Host
	keeper *keeper.Keeper
	pace   pace
	watch  threshold.Watcher
	runner threshold.Runner
	checks checker
	// pair holds the newest two columns in turn; count is the number of columns since the window was empty.
	pair  [2]perf.Column
	count int
	// lastIntervals are the two intervals between the newest three columns of a recording, the newest first; 0 for a missing
	// one.
	lastIntervals [2]time.Duration
	// seekTarget is the time of the seek in progress, zero for none. Columns before it only fill the window.
	seekTarget time.Time
	// until is the end of the skipped time; zero for none.
	until time.Time
	// repeated is the range of a recording that is played in a loop.
	repeated span
	// early is the number of remaining columns with the intervals of QuickStart.
	early int
	// saveEvery is the longest time between two saves of the host, 0 for no limit; saveAt is the time of the next.
	saveEvery time.Duration
	saveAt    time.Time
	// heldBack reports that the clock of a live source is behind its newest sample.
	heldBack bool
	// over reports that the source failed or a recording ended.
	over bool
	// updated is the time of the last token of Updates; updateDue reports that one is due.
	updated   time.Time
	updateDue bool
	// labDue reports that the published state of the lab is older than the newest column.
	labDue bool
}

// Run samples until ctx ends, then closes the source. An error of the source stops sampling and shows in Status; Run
// continues, so that the samples can still be read, and returns the error at the end.
func (m *Monitor) Run(ctx context.Context) error {
	o := &m.owner
	if m.sink != nil {
		m.sink.Schema(m.Schema(), m.Inventory())
	}
	o.revertLeftover()
	var restorer sync.WaitGroup
	if m.past.restore != nil && !m.operable {
		restorer.Go(func() { m.followRecordedHost(ctx) })
	}
	o.loop(ctx)
	close(m.ended)
	restorer.Wait()
	o.runner.Wait()
	return errors.Join(m.Status().Err, o.keeper.Flush(), guard(o.source.Close))
}

// loop is the owner's loop: it samples on schedule, and serves requests in between.
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

// follow applies the operator's settings.
func (o *owner) follow() {
	o.mutex.Lock()
	settings, schema, newlyWatched := o.settings, o.schema, o.newlyWatched
	o.newlyWatched = nil
	o.mutex.Unlock()
	o.passWatched(newlyWatched)
	if o.pace.interval != settings.interval {
		o.window.SetInterval(settings.interval)
	}
	o.startSkip(settings.until)
	o.repeated = settings.repeated
	o.pace.set(settings, time.Now())
	if o.watch.Set(settings.thresholds, settings.thresholdGeneration, schema) {
		o.publishStates()
	}
}

// passWatched passes the watched series to the source.
func (o *owner) passWatched(series []int) {
	if watcher, can := o.source.(perf.Watcher); can && len(series) > 0 {
		watcher.Watch(series)
	}
}

func (o *owner) sampling() bool { return !o.over && (o.skipping() || !o.pace.paused) }

// idle returns the time until there is work to do. It sends the token that is due.
func (o *owner) idle() time.Duration {
	idle := time.Duration(math.MaxInt64)
	now := time.Now()
	if o.skipping() && !o.over {
		idle = rest
	} else if o.sampling() {
		idle = max(o.pace.due.Sub(now), 0)
		if o.pace.wallTime(o.pace.holdTime()) < rest {
			idle = max(idle, rest)
		}
	}
	if guard, waits := o.Unconfirmed(); waits {
		idle = min(idle, guard.Remaining(now))
	}
	if o.updateDue {
		if wait := o.updated.Add(minUpdateInterval).Sub(now); wait > 0 {
			return min(idle, wait)
		}
		o.updateDue, o.updated = false, now
		o.renewLab()
		o.checkHealth(now)
		signal(o.updates)
	}
	return idle
}

// catchUp takes the columns that are due.
func (o *owner) catchUp(ctx context.Context) {
	now := time.Now()
	until := now.Add(batch)
	for o.sampling() && ctx.Err() == nil && (o.skipping() || !o.pace.due.After(now)) {
		if now.After(until) {
			o.pace.resetSchedule(now)
			return
		}
		expected := o.pace.begin(now)
		sought := false // a seek restarts the pace
		err := guard(func() (err error) {
			sought, err = o.play(ctx, expected)
			return err
		})
		var unavailable *perf.UnavailableError
		switch {
		case err == nil:
			o.markStale(nil)
		case ctx.Err() != nil:
		case errors.As(err, &unavailable):
			o.markStale(unavailable)
		default:
			o.stop(err)
		}
		if !sought {
			o.pace.end(o.nextInterval(), o.spacing())
		}
		now = time.Now()
		o.endSkip(now)
	}
}

// play takes the next column, or seeks the start of the repeated range.
func (o *owner) play(ctx context.Context, expected time.Duration) (sought bool, err error) {
	if o.atRepeat() {
		return true, o.restartRepeated(ctx)
	}
	err = o.sample(ctx, expected)
	if errors.Is(err, io.EOF) && !o.repeated.isEmpty() {
		return true, o.restartRepeated(ctx)
	}
	return false, err
}

// step returns the period that the newest column aggregates, 0 for a sample.
func (o *owner) step() time.Duration {
	if aggregate, ok := o.source.(perf.AggregateSource); ok {
		return aggregate.Step()
	}
	return 0
}

// recordSpacing stores the time between the newest two columns of a recording, 0 for the first column.
func (o *owner) recordSpacing(between time.Duration) {
	if between == 0 {
		o.lastIntervals = [2]time.Duration{}
		return
	}
	o.lastIntervals[0], o.lastIntervals[1] = between, o.lastIntervals[0]
}

// spacing returns the time between the rows of a recording if it is longer than the interval: for rows that aggregate a period,
// and for logs with few rows. A single gap without samples is not spacing: it is skipped at once.
func (o *owner) spacing() time.Duration {
	if _, aggregates := o.source.(perf.AggregateSource); aggregates || !o.seekable {
		return o.step()
	}
	if apart := min(o.lastIntervals[0], o.lastIntervals[1]); apart >= o.pace.ahead*3/2 { // samples come a little early or late
		return apart
	}
	return 0
}

// nextInterval returns the source's time from this column to the next. With QuickStart the first interval is short and the second
// compensates for it, so that the third and later columns are on the usual schedule.
func (o *owner) nextInterval() time.Duration {
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

// sample takes a column and publishes it.
func (o *owner) sample(ctx context.Context, expected time.Duration) error {
	column, before, err := o.read(ctx, o.pace.ahead, expected)
	if err != nil {
		return err
	}
	if o.sink != nil {
		o.sink.Column(column)
	}
	signal(o.past.moved)
	alarms, changed := o.watch.Check(o.Schema(), before, column)
	if changed {
		o.publishStates()
	}
	for _, alarm := range alarms {
		o.raise(ctx, alarm)
	}
	return nil
}

// read takes a column from the source into the window. It returns it with the previous one, which is nil for the first.
func (o *owner) read(ctx context.Context, interval, expected time.Duration) (column, before *perf.Column, err error) {
	column = &o.pair[o.count%2]
	column.Missed = 0
	if err := o.source.Next(ctx, interval, column); err != nil {
		return nil, nil, err
	}
	if o.count > 0 {
		before = &o.pair[(o.count+1)%2]
		if o.live {
			o.holdTime(column, before.Time, expected)
			column.Missed += missed(column.Time.Sub(before.Time), expected, o.pace.interval)
		}
	}
	o.count++
	if before != nil {
		o.recordSpacing(column.Time.Sub(before.Time))
	} else {
		o.recordSpacing(0)
	}
	if o.operable {
		o.keeper.MarkChanged()
		o.saveInTime(column.Time)
	}
	o.renew()
	o.labDue = true
	o.window.Push(o.Schema(), column)
	o.advance(column.Time, 1, column.Missed)
	return column, before, nil
}

// advance publishes the position after new columns.
func (o *owner) advance(now time.Time, samples, missed int) {
	if now.Before(o.seekTarget) {
		now = o.seekTarget
	}
	o.mutex.Lock()
	o.status.Now = now
	o.status.Step = o.step()
	o.status.Samples += uint64(samples)
	o.status.Missed += uint64(missed)
	o.mutex.Unlock()
	o.updateDue = true
}

// holdTime keeps the samples of a machine in order when its clock was set back: until the clock has caught up, each sample gets
// the time at which it was expected. An event reports it.
func (o *owner) holdTime(column *perf.Column, before time.Time, expected time.Duration) {
	clock := column.Time
	if clock.After(before) {
		o.heldBack = false
		return
	}
	column.Time = before.Add(max(expected, time.Millisecond))
	if o.heldBack {
		return
	}
	o.heldBack = true
	o.note(eventlog.Event{
		Time: column.Time, Source: "local", Channel: "System", Severity: eventlog.Warning,
		Message: fmt.Sprintf("the clock of this machine was set back by %s: the time stamps of samples keep increasing and run ahead of the clock by that amount",
			before.Add(expected).Sub(clock).Round(time.Millisecond)),
	})
}

// saveInTime saves a host that was last saved SaveEvery ago. The saver reports failures: the next save tries again.
func (o *owner) saveInTime(now time.Time) {
	if o.saveEvery > 0 && !now.Before(o.saveAt) {
		o.saveAt = now.Add(o.saveEvery)
		_ = o.keeper.Flush()
	}
}

// renew publishes new schemas, inventories and events of the source.
func (o *owner) renew() {
	schema, inventory := o.source.Schema(), o.source.Inventory()
	o.mutex.Lock()
	changed := schema != o.schema || inventory != o.inventory
	o.schema, o.inventory = schema, inventory
	o.mutex.Unlock()
	if changed && o.sink != nil {
		o.sink.Schema(schema, inventory)
	}
	if eventer, can := o.source.(perf.Eventer); can {
		o.note(eventer.Events()...)
	}
}

// renewLab publishes the state of the lab after new columns. It is built once for each token of Updates, not for each column: at a
// high speed it would take as long as sampling.
func (o *owner) renewLab() {
	if !o.operable || !o.labDue {
		return
	}
	o.labDue = false
	lab := o.source.(Operator).State()
	o.mutex.Lock()
	o.lab = lab
	o.mutex.Unlock()
}

// markStale publishes why the newest sample is old, nil if it is not; an event reports the beginning and the end.
func (o *owner) markStale(err error) {
	o.mutex.Lock()
	before := o.status.Stale
	o.status.Stale = err
	name := o.status.Info.Name
	o.mutex.Unlock()
	if (before == nil) == (err == nil) {
		return
	}
	event := eventlog.Event{Time: time.Now(), Source: "cxdeck", Channel: "System", Message: name + " answers again"}
	if err != nil {
		event.Severity, event.Message = eventlog.Warning, fmt.Sprintf("%s gives no new samples: %v", name, err)
	}
	o.note(event)
	o.updateDue = true
}

// stop ends sampling; the end of a recording is not an error. Who reads that it ended finds the last state of the lab.
func (o *owner) stop(err error) {
	o.over = true
	o.renewLab()
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

// raise publishes an alarm, and starts its program, except for a recording.
func (o *owner) raise(ctx context.Context, alarm threshold.Alarm) {
	o.note(alarm.Event)
	if alarm.Program == nil || o.seekable {
		return
	}
	event := alarm.Event
	event.Severity = eventlog.Information
	event.Message = fmt.Sprintf("threshold alarm: started the program %s", alarm.Program[0])
	if !o.runner.Start(ctx, alarm) {
		event.Message = fmt.Sprintf("threshold alarm: the program %s is still running for an earlier alarm and was not started again", alarm.Program[0])
	}
	o.note(event)
}

// publishStates publishes the thresholds, and marks their series as watched.
func (o *owner) publishStates() {
	states := o.watch.States()
	o.passWatched(o.watch.Series())
	o.mutex.Lock()
	o.states = states
	o.mutex.Unlock()
	o.updateDue = true
}

// guard turns a panic into an error, so that a bug in a source does not end the console.
func guard(work func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("internal error: %v", fault)
		}
	}()
	return work()
}
