package deck

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/compare"
	"cxdeck/store"
	"cxdeck/ui"
	"cxdeck/views/comparison"
)

// OpenSubject opens what is compared. It reads the disk: call it beside the terminal loop, and close what it returns.
type OpenSubject func(context.Context) (*comparison.Subject, error)

// WhatMoved asks the History screen which counters moved in a range of what the screens show; it is the argument of
// ui.Go("history", WhatMoved{...}).
type WhatMoved struct {
	Range compare.Range
	// Why says why it is this range: "after: the link went down"; empty for a range that was marked.
	Why string
}

// AroundChange asks the History screen for the before and after of a change of what the screens show, by its number; it is
// the argument of ui.Go("history", AroundChange{...}).
type AroundChange struct{ Change uint64 }

// CompareRanges asks the History screen to compare two ranges; it is the argument of ui.Go("history", CompareRanges{...}).
type CompareRanges struct{ First, Second KeptRange }

// KeptRange is a range that waits to be compared with another one, and what it is of.
type KeptRange struct {
	Name  string
	Range compare.Range
	Open  OpenSubject
	// Session is the session it is of, 0 for what is live.
	Session int64
}

// AddCounter asks the Counters screen to add a counter to its chart; it goes to all screens.
type AddCounter struct{ Path string }

// Reopen opens the log that the console was started on a second time.
type Reopen func() (perf.Source, error)

// EventStretch is how long after an event its effects are looked for.
const EventStretch = time.Minute

var errNoSource = errors.New("there is no source to compare")

// ShownSubject is how what the screens show is opened for comparing.
func (d *Deck) ShownSubject() OpenSubject {
	if d.replay != nil {
		return d.SessionSubject(d.replay.Session.ID)
	}
	m, db, reopen, restore, session := d.Live, d.DB, d.Reopen, d.Restore, int64(0)
	if d.Recorder != nil {
		session = d.Recorder.Status().Session
	}
	return func(ctx context.Context) (*comparison.Subject, error) {
		switch {
		case m == nil:
			return nil, errNoSource
		case reopen != nil:
			source, err := reopen()
			if err != nil {
				return nil, err
			}
			return comparison.OpenLog(source)
		}
		return comparison.OpenLive(ctx, m, db, session, restore)
	}
}

// ChangeSubject is how the subject of a change is opened: what shows, or the earlier session in which the change was made,
// for the host's journal goes back further.
func (d *Deck) ChangeSubject(change uint64) OpenSubject {
	shown, m, db, restore := d.ShownSubject(), d.Monitor(), d.DB, d.Restore
	if m == nil || db == nil {
		return shown
	}
	info := m.Status().Info
	var made time.Time
	for _, e := range m.Journal() {
		if e.Sequence == change {
			made = e.Time
		}
	}
	return func(ctx context.Context) (*comparison.Subject, error) {
		subject, err := shown(ctx)
		if err != nil || made.IsZero() || !made.Before(subject.Whole().From) {
			return subject, err
		}
		sessions, err := db.Sessions(ctx)
		if err != nil {
			return nil, errors.Join(err, subject.Close())
		}
		id, ok := sessionAt(sessions, info, made)
		if !ok {
			return subject, nil // which says that the change was made before it began
		}
		if err := subject.Close(); err != nil {
			return nil, err
		}
		return comparison.OpenSession(ctx, db, id, restore)
	}
}

// sessionAt finds the session of a lab in which a time lies.
func sessionAt(sessions []store.Session, lab perf.SourceInfo, at time.Time) (id int64, ok bool) {
	for i := range sessions {
		s := &sessions[i]
		if s.Source.LabHash == lab.LabHash && s.Source.Seed == lab.Seed && s.Samples > 0 && !at.Before(s.Started) && !at.After(s.Ended) {
			return s.ID, true
		}
	}
	return 0, false
}

// SessionSubject is how a recorded session is opened for comparing.
func (d *Deck) SessionSubject(id int64) OpenSubject {
	db, restore := d.DB, d.Restore
	return func(ctx context.Context) (*comparison.Subject, error) {
		return comparison.OpenSession(ctx, db, id, restore)
	}
}

// ShownSession is the session that shows, 0 for what is live.
func (d *Deck) ShownSession() int64 {
	if d.replay != nil {
		return d.replay.Session.ID
	}
	return 0
}

// ShownName names what shows: "session 12", "LAB-N4".
func (d *Deck) ShownName() string {
	m := d.Monitor()
	switch {
	case d.replay != nil:
		return fmt.Sprintf("session %d", d.replay.Session.ID)
	case m == nil:
		return ""
	}
	return m.Status().Info.Name
}

// KeepRange keeps the marked range of what shows, to be compared with the next one.
func (d *Deck) KeepRange(r compare.Range) {
	d.kept = &KeptRange{Name: d.ShownName(), Range: r, Open: d.ShownSubject(), Session: d.ShownSession()}
}

// TakeKeptRange is the range that was kept, which is forgotten; nil for none.
func (d *Deck) TakeKeptRange() *KeptRange {
	kept := d.kept
	d.kept = nil
	return kept
}

// HasKeptRange says whether a range waits to be compared.
func (d *Deck) HasKeptRange() bool { return d.kept != nil }

// MovedAction finds what moved around an event: before and after a change, or what an event of another kind led to. e is
// nil for none.
func (d *Deck) MovedAction(screen string, e *eventlog.Event) ui.Action {
	a := ui.Action{ID: screen + ".moved", Keys: []string{"W"}, Name: "what moved",
		Help: "Rank all counters by how much they differ: the minute from the selected event on from the time before it; for a change, before and after it"}
	switch {
	case e == nil:
		a.Disabled = "no event is selected"
		return a
	case IsChange(e):
		a.Name, a.Object = "before and after", e.Message
	}
	moved := d.MovedFrom(e)
	a.Run = func() ui.Cmd { return ui.Go("history", moved) }
	return a
}

// MovedFrom is what History is asked for of an event: AroundChange or WhatMoved.
func (d *Deck) MovedFrom(e *eventlog.Event) any {
	if IsChange(e) {
		return AroundChange{Change: ChangeNumber(e)}
	}
	why := EventText(e)
	if e.Adapter != "" {
		why = e.Adapter + ": " + why
	}
	return WhatMoved{Range: compare.Range{From: e.Time, To: e.Time.Add(EventStretch)}, Why: "after " + e.Time.Format("15:04:05") + " " + why}
}
