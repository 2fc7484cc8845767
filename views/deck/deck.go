// Package deck holds the state that all screens share: the running monitor, the recorder, the database, and the operator's
// choices. It contains no screen and draws nothing; views/browse draws lists and pages.
package deck

import (
	"context"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/guide"
	"cxdeck/perf/monitor"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/exec/guides"
)

// Deck is shared by the screens. It belongs to the terminal loop; the objects that it refers to may be used from any goroutine.
type Deck struct {
	// Live is the monitor of the source that the console was started on.
	Live *monitor.Monitor
	// Replay is the monitor of the open session, nil for none. Screens show it instead of Live.
	Replay *monitor.Monitor
	// OpenCourse opens a guide of the live host, with answers that replace the ones of its progress; nil where there are no guides.
	OpenCourse func(ctx context.Context, name string, answers guide.Answers) (*guides.Course, error)
	// Answers are the first answers of the form that opens next; nil for those that the form has by itself.
	Answers guide.Answers
	// RunLine runs a line of exec as if it were typed; nil where there are no lines.
	RunLine func(words []string) ui.Cmd
	// OpenSettings opens the settings of this machine; nil where the source is not this machine, or it can't be changed.
	OpenSettings func(at SettingsFocus) ui.Cmd
	// DB is the history file; nil with --ephemeral, or if it could not be opened.
	DB *store.DB
	// NoDB is the reason why DB is nil, a phrase.
	NoDB string
	// Unwritable is the reason why DB is open for reading only, a sentence; empty if it is writable.
	Unwritable string
	// Restore makes the hosts of recorded sessions; nil for none.
	Restore Restore
	// OpenPast opens an earlier time of hosts of a fleet; nil for other sources.
	OpenPast OpenPast
	// Reopen opens the live source a second time if it is a log; nil for other sources.
	Reopen Reopen
	// Unsaved counts the changes that would be lost if the console ended now; nil for none.
	Unsaved func() int
	// Recorder is nil if nothing is recorded.
	Recorder *store.Recorder
	ReadOnly bool
	// Exercise reports that the host is an exercise's: screens hide its faults, and how it differs from the lab's description.
	Exercise bool
	// Thresholds are the operator's, set or removed in this run or an earlier one.
	Thresholds KeptThresholds
	// InBytes shows rates in bytes per second instead of bits.
	InBytes bool
	// LowBandwidth redraws the screen less often.
	LowBandwidth bool
	// Asking is set while a dialog asks about a change: no second one opens.
	Asking bool
	// Zone is the operator's time zone, in which the header and the seek bar show times; nil for the zone of the times.
	Zone *time.Location
	// Now is the wall clock, for the length of the recording; nil for time.Now.
	Now func() time.Time

	log    EventLog
	replay *Replay
	// past is the shown past of a fleet, goingBack one that is being opened; nil for none.
	past      *Replay
	goingBack *goingBack
	ending    []<-chan struct{} // closed by replays that were stopped

	sessions          []store.Session
	sessionsRequested bool
	keys              []ui.Item
	alerts            alerts
	waits             waits
	mover             mover
	marks             marking
	kept              *KeptRange
}

// Local converts a time to the operator's time zone.
func (d *Deck) Local(at time.Time) time.Time {
	if d.Zone == nil {
		return at
	}
	return at.In(d.Zone)
}

// WallTime returns the time of the wall clock.
func (d *Deck) WallTime() time.Time {
	if d.Now == nil {
		return time.Now()
	}
	return d.Now()
}

// Events updates and returns the log of the shown monitor. Call it when new data arrives, and draw from the returned log: another
// call may drop the oldest events.
func (d *Deck) Events() *EventLog {
	if m := d.Monitor(); m != nil { // an interface that holds a nil monitor is not nil
		d.log.catchUp(m, d.journal(), m.Status().Now)
	} else {
		d.log.catchUp(nil, nil, time.Time{})
	}
	return &d.log
}

// journal returns the changes of the open session, or else of the live host.
func (d *Deck) journal() []driver.Entry {
	if d.replay != nil {
		return d.replay.Journal
	}
	return d.Monitor().Journal()
}

// Monitor returns the monitor that screens show: the open session's, or else the live one.
func (d *Deck) Monitor() *monitor.Monitor {
	if d.Replay != nil {
		return d.Replay
	}
	return d.Live
}
