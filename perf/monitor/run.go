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
	"cxdeck/perf/labstate"
	"cxdeck/perf/threshold"
)

const (
	// quickStart is when the second sample comes, with Options.QuickStart.
	quickStart = 200 * time.Millisecond
	// updateEvery is the shortest time between two tokens of Updates.
	updateEvery = 50 * time.Millisecond
	// When the speed is so high that many columns are due at once, they are taken in batches of at most this time, and the
	// owner waits in between.
	batch = 20 * time.Millisecond
	rest  = 10 * time.Millisecond
)

// owner is the state that only Run's goroutine touches.
type owner struct {
	*Monitor
	source perf.Source
	// host is the source's, nil when it has none; keeper changes and saves it.
	host   *driver.Host
	keeper *keeper.Keeper
	pace   pace
	watch  threshold.Watcher
	runner threshold.Runner
	// pair are the newest two columns, by turns; count is how many there were since the window was empty.
	pair  [2]perf.Column
	count int
	// between are the times between the newest three columns of a recording, the newest first; 0 where there was none.
	between [2]time.Duration
	// towards is the time that a recording is being moved to, zero for none: the columns before it fill the window.
	towards time.Time
	// until is the end of the skipped time; zero for none.
	until time.Time
	// repeated is the period of a recording that is played again and again.
	repeated span
	// early is the number of remaining columns with the intervals of QuickStart.
	early int
	// saveEvery is the longest time without a save of the host, 0 for none; saveAt is when the next is due.
	saveEvery time.Duration
	saveAt    time.Time
	// heldBack reports that the clock of a live source is behind its newest sample.
	heldBack bool
	// over is true when the source failed or a recording ended.
	over bool
	// updated is when the last token of Updates was given; updateDue is true when one is due.
	updated   time.Time
	updateDue bool
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
		restorer.Go(func() { m.followPast(ctx) })
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

// follow takes over the operator's settings.
func (o *owner) follow() {
	o.mutex.Lock()
	settings, schema, looked := o.settings, o.schema, o.looked
	o.looked = nil
	o.mutex.Unlock()
	o.show(looked)
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

// show passes the watched series to the source.
func (o *owner) show(series []int) {
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
		if err != nil && ctx.Err() == nil {
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

// step returns the time that the newest column sums up, 0 for a sample.
func (o *owner) step() time.Duration {
	if summer, ok := o.source.(perf.Summer); ok {
		return summer.Step()
	}
	return 0
}

// space keeps how far the newest columns of a recording are apart.
func (o *owner) space(column, before *perf.Column) {
	if before == nil {
		o.between = [2]time.Duration{}
		return
	}
	o.between[0], o.between[1] = column.Time.Sub(before.Time), o.between[0]
}

// spacing returns how far the rows of a recording are apart where that is more than was asked for: a row that sums a time up, or a log
// with a row now and then. A single gap, in which nothing was recorded, does not count: it is played at once.
func (o *owner) spacing() time.Duration {
	if _, knows := o.source.(perf.Summer); knows || !o.seekable {
		return o.step()
	}
	if apart := min(o.between[0], o.between[1]); apart >= o.pace.ask*3/2 { // samples come a little early or late
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
	column, before, err := o.read(ctx, o.pace.ask, expected)
	if err != nil {
		return err
	}
	if o.sink != nil {
		o.sink.Column(column)
	}
	signal(o.past.moved)
	alarms, changed := o.watch.Look(o.Schema(), before, column)
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
	o.space(column, before)
	if o.operable {
		o.keeper.Moved()
		o.saveInTime(column.Time)
	}
	o.renew()
	o.window.Push(o.Schema(), column)
	now := column.Time
	if now.Before(o.towards) {
		now = o.towards
	}
	o.mutex.Lock()
	o.status.Now = now
	o.status.Step = o.step()
	o.status.Samples++
	o.status.Missed += uint64(column.Missed)
	o.mutex.Unlock()
	o.updateDue = true
	return column, before, nil
}

// holdTime keeps the samples of a machine in order when its clock was set back: a sample comes as long after the one before as it
// was due, until the clock has caught up. An event reports it.
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
		Message: fmt.Sprintf("the clock of this machine was set back by %s: the times of samples continue, and are ahead of the clock by as much",
			before.Add(expected).Sub(clock).Round(time.Millisecond)),
	})
}

// saveInTime saves a host whose last save is SaveEvery ago. The saver reports failures: the next save tries again.
func (o *owner) saveInTime(now time.Time) {
	if o.saveEvery > 0 && !now.Before(o.saveAt) {
		o.saveAt = now.Add(o.saveEvery)
		_ = o.keeper.Flush()
	}
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
	o.schema, o.inventory = schema, inventory
	if o.operable {
		o.lab = lab
	}
	o.mutex.Unlock()
	if changed && o.sink != nil {
		o.sink.Schema(schema, inventory)
	}
	if eventer, can := o.source.(perf.Eventer); can {
		o.note(eventer.Events()...)
	}
}

// stop ends sampling; the end of a recording is not an error.
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

// raise publishes an alarm, and starts its program. A recording starts none.
func (o *owner) raise(ctx context.Context, alarm threshold.Alarm) {
	o.note(alarm.Event)
	if alarm.Program == nil || o.seekable {
		return
	}
	event := alarm.Event
	event.Severity = eventlog.Information
	event.Message = fmt.Sprintf("the program %s of a threshold is started", alarm.Program[0])
	if !o.runner.Start(ctx, alarm) {
		event.Message = fmt.Sprintf("the program %s still runs since an earlier alarm, and was not started again", alarm.Program[0])
	}
	o.note(event)
}

// publishStates publishes the thresholds, and marks their series as watched.
func (o *owner) publishStates() {
	states := o.watch.States()
	o.show(o.watch.Series())
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
