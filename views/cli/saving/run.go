package saving

import (
	"context"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/store"
)

// Run saves the host of an exec, and records its changes, events and samples as a session. A run that only reads records no
// session.
type Run struct {
	ctx      context.Context
	db       *store.DB
	source   *lab.Source
	recorder *store.Recorder
	column   perf.Column // buffer for samples
	recorded time.Time   // time of the newest recorded sample
	// schema and inventory are the ones of the newest recorded sample.
	schema    *perf.Schema
	inventory *perf.Inventory
	// Problem is the error of the newest write; nil if there was no problem.
	Problem error
}

// SessionName is the source name of exec's sessions.
const SessionName = "exec"

// begin starts the session.
func (k *Run) begin() bool {
	if k.recorder != nil || k.Problem != nil {
		return k.recorder != nil
	}
	info := k.source.Info()
	info.Name, info.Started = SessionName, k.source.Host().Now()
	if k.recorder, k.Problem = k.db.Begin(k.ctx, info, time.Second); k.Problem != nil {
		k.recorder = nil
		return false
	}
	k.sample()
	// The host was saved before the session began.
	state, err := StateOf(k.source.Host())
	if err == nil {
		err = state.Write(k.ctx, k.db)
	}
	k.Problem = err
	return err == nil
}

// sample records the current counters.
func (k *Run) sample() {
	if err := k.source.Next(k.ctx, 0, &k.column); err == nil {
		k.record(&k.column)
	}
}

// NewRun returns the saver of a run on the host of a source. Its writes go on after a cancellation of ctx.
func NewRun(ctx context.Context, db *store.DB, source *lab.Source) *Run {
	return &Run{ctx: context.WithoutCancel(ctx), db: db, source: source}
}

// Column records a sample.
func (k *Run) Column(column *perf.Column) {
	if k.begin() {
		k.record(column)
	}
}

// record records a sample that is newer than the last one. It waits for the disk, so that no sample is lost.
func (k *Run) record(column *perf.Column) {
	const maxWaiting, pause = 32, 5 * time.Millisecond
	if !column.Time.After(k.recorded) {
		return
	}
	if schema, inventory := k.source.Schema(), k.source.Inventory(); schema != k.schema || inventory != k.inventory {
		k.schema, k.inventory = schema, inventory
		k.recorder.Schema(schema, inventory)
	}
	for status := k.recorder.Status(); status.Err == nil && status.Waiting > maxWaiting; status = k.recorder.Status() {
		time.Sleep(pause)
	}
	k.recorder.Column(column)
	k.recorded = column.Time
}

// Journal records a change.
func (k *Run) Journal(entry driver.Entry) {
	if k.begin() {
		k.recorder.Journal(entry)
	}
}

// Events records events, if a session is recorded.
func (k *Run) Events(events []eventlog.Event) {
	if k.recorder != nil {
		k.recorder.Events(events)
	}
}

// Begin records that a change begins. The returned function records its end.
func (k *Run) Begin(_ context.Context, plan driver.Plan, newest uint64) (end func() error, err error) {
	id, err := k.db.BeginChange(k.ctx, beginChange(k.source.Info(), plan, newest))
	return func() error { return k.db.EndChange(k.ctx, id) }, err
}

// Save writes the host's state.
func (k *Run) Save(host *driver.Host) error {
	state, err := StateOf(host)
	if err != nil {
		return err
	}
	return state.Write(k.ctx, k.db)
}

// Close ends the session and returns its problems.
func (k *Run) Close(ctx context.Context) error {
	if k.recorder == nil {
		return k.Problem
	}
	k.sample()
	return JoinDistinct(k.Problem, k.recorder.Close(ctx))
}
