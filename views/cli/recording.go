package cli

import (
	"context"
	"errors"
	"time"

	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/store/fault"
	"cxdeck/views/control"
	"cxdeck/views/settings"
)

// openHistory opens the history file. The console shows live data even if that fails: the header and the History screen report
// the reason.
func (c *console) openHistory(ctx context.Context) {
	o := c.session.options
	if c.session.isFleet() {
		c.deck.NoDB = "no history: Prometheus keeps it"
		return
	}
	if o.ephemeral {
		c.deck.NoDB = "no history: started with --ephemeral"
		if c.trainer.Course != nil {
			c.deck.NoDB = "no history: an exercise is not recorded"
		}
		return
	}
	keep := o.settings.History
	if o.readOnly {
		// Read-only mode deletes nothing, not even old sessions.
		keep = settings.KeepEverything()
	}
	samples, minutes := keep.Keep()
	recording := store.Options{
		Version: c.session.version, Progress: c.session.salvageProgress(),
		MaximumAge: time.Duration(keep.MaximumAge), MaximumBytes: int64(keep.MaximumUse),
		Levels: true, KeepSamples: samples, KeepMinutes: minutes, KeepAfter: keepAfter,
	}
	db, err := store.Open(ctx, o.db, recording)
	for begun := time.Now(); errors.Is(err, fault.ErrInUse) && time.Since(begun) < c.ownerTimeout(ctx); {
		time.Sleep(maxPause)
		db, err = store.Open(ctx, o.db, recording)
	}
	if why := err; errors.Is(err, fault.ErrInUse) || errors.Is(err, fault.ErrLocked) || unwritable(err) {
		// Another console records, or the file is locked or can't be written. It can still be read.
		db, err = store.Open(ctx, o.db, store.Options{ReadOnly: true, Version: c.session.version, Progress: c.session.salvageProgress()})
		if errors.Is(err, fault.ErrNoFile) {
			err = why
		}
		if err == nil {
			c.notify(why.Error())
			c.reading, c.deck.Unwritable = true, why.Error()
		}
	}
	if err != nil {
		c.deck.NoDB, c.notice = err.Error(), err.Error()
		c.session.log.Error("history", "error", err.Error())
		return
	}
	c.deck.DB = db
	if c.session.ending != nil {
		c.session.ending.SetBlocker(func() error { return db.Locked(context.WithoutCancel(ctx)) })
	}
	c.notify(db.Notice())
}

// ownerTimeout returns how long to wait for the owner of the history.
func (c *console) ownerTimeout(ctx context.Context) time.Duration {
	ctx, cancel := context.WithTimeout(ctx, maxPause)
	defer cancel()
	client, err := control.Dial(ctx, c.session.options.db, control.Hello{Version: c.session.version})
	if err != nil {
		return lostTimeout
	}
	defer client.Close()
	if client.Owner.Owner == control.Exec {
		return execTimeout
	}
	return 0
}

// beginRecording begins a session while the source is being prepared, because the first write waits for the disk. It closes the
// channel recording at its end.
func (c *console) beginRecording(ctx context.Context, info perf.SourceInfo) {
	if c.recording != nil {
		return
	}
	done := make(chan struct{})
	c.recording = done
	c.running.Go(func() {
		defer close(done)
		c.record(ctx, info)
	})
}

// record begins a session in the history if this console may write it, and sets deck.Recorder.
func (c *console) record(ctx context.Context, info perf.SourceInfo) {
	if c.deck.DB == nil || c.reading {
		return
	}
	recorder, err := c.deck.DB.Begin(ctx, info, c.session.options.interval)
	if err != nil {
		c.notify(err.Error())
		c.deck.Unwritable = err.Error()
		c.session.log.Error("history", "error", err.Error())
		return
	}
	c.deck.Recorder = recorder
}

// Maximum waits at the start for an exec that owns the host, and for an owner that can't be reached because it is starting or
// ending.
const (
	execTimeout = 3 * time.Second
	lostTimeout = 300 * time.Millisecond
)
