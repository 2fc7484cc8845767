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

// OpenSubject opens the source of a compared period. It reads the disk: call it outside the terminal loop, and close the subject.
type OpenSubject func(context.Context) (*comparison.Subject, error)

// WhatChanged asks the History screen which counters changed in a range of the shown source; it is the argument of
// ui.Go("history", WhatChanged{...}).
type WhatChanged struct {
	Range compare.Range
	// Why describes the range: "after 14:04:15 Ethernet 5: link is down"; empty for a marked range.
	Why string
}

// AroundChange asks the History screen to compare before and after a change, by its number in the shown source; it is the
// argument of ui.Go("history", AroundChange{...}).
type AroundChange struct{ Change uint64 }

// CompareRanges asks the History screen to compare two ranges; it is the argument of ui.Go("history", CompareRanges{...}).
type CompareRanges struct{ First, Second KeptRange }

// KeptRange is a range of a source that waits to be compared with another one.
type KeptRange struct {
	Name  string
	Range compare.Range
	Open  OpenSubject
	// Session is the session of the range, 0 for the live source.
	Session int64
}

// AddCounter asks the Counters screen to add a counter to its chart; it is sent to all screens.
type AddCounter struct{ Path string }

// Reopen opens the console's log file a second time.
type Reopen func() (perf.Source, error)

// EventPeriod is the length of the range that is compared after an event.
const EventPeriod = time.Minute

var errNoSource = errors.New("there is no source to compare")

// ShownSubject returns a function that opens the shown source for a comparison.
func (d *Deck) ShownSubject() OpenSubject {
	if d.replay != nil {
		return d.SessionSubject(d.replay.Session.ID)
	}
	m, db, reopen, restore, session := d.Live, d.DB, d.Reopen, d.Restore, int64(0)
	if d.past != nil {
		m = d.past.Monitor
	}
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

// ChangeSubject returns a function that opens the source of a change: the shown source, or the earlier session in which the
// change was made, because the host's journal goes back further.
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
		if err != nil || made.IsZero() || !made.Before(subject.FullRange().From) {
			return subject, err
		}
		sessions, err := db.Sessions(ctx)
		if err != nil {
			return nil, errors.Join(err, subject.Close())
		}
		id, ok := sessionAt(sessions, info, made)
		if !ok {
			return subject, nil // the comparison reports that the change was made earlier
		}
		if err := subject.Close(); err != nil {
			return nil, err
		}
		return comparison.OpenSession(ctx, db, id, restore)
	}
}

// sessionAt finds the session of a lab that contains a time.
func sessionAt(sessions []store.Session, lab perf.SourceInfo, at time.Time) (id int64, ok bool) {
	for i := range sessions {
		s := &sessions[i]
		if s.Source.LabHash == lab.LabHash && s.Source.Seed == lab.Seed && s.Samples > 0 && !at.Before(s.Started) && !at.After(s.Ended) {
			return s.ID, true
		}
	}
	return 0, false
}

// SessionSubject returns a function that opens a recorded session for a comparison.
func (d *Deck) SessionSubject(id int64) OpenSubject {
	db, restore := d.DB, d.Restore
	return func(ctx context.Context) (*comparison.Subject, error) {
		return comparison.OpenSession(ctx, db, id, restore)
	}
}

// ShownSession returns the session on the screens, 0 for the live source.
func (d *Deck) ShownSession() int64 {
	if d.replay != nil {
		return d.replay.Session.ID
	}
	return 0
}

// ShownName names the shown source: "session 12", "LAB-N4".
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

// KeepRange keeps the marked range of the shown source, to be compared with the next one.
func (d *Deck) KeepRange(r compare.Range) {
	d.kept = &KeptRange{Name: d.ShownName(), Range: r, Open: d.ShownSubject(), Session: d.ShownSession()}
}

// TakeKeptRange returns the kept range and clears it; nil for none.
func (d *Deck) TakeKeptRange() *KeptRange {
	kept := d.kept
	d.kept = nil
	return kept
}

// HasKeptRange reports whether a range waits to be compared.
func (d *Deck) HasKeptRange() bool { return d.kept != nil }

// WhatChangedAction compares the time after an event with the time before it; for a change, before and after it. e is nil if no
// event is selected.
func (d *Deck) WhatChangedAction(screen string, e *eventlog.Event) ui.Action {
	a := ui.Action{ID: screen + ".moved", Keys: []string{"W"}, Name: "what changed",
		Help: "Rank all counters by change: the minute after the selected event against the time before it; for a change, before and after it"}
	switch {
	case e == nil:
		a.Disabled = "no event is selected"
		return a
	case IsChange(e):
		a.Name, a.Object = "before and after", e.Message
	}
	request := d.WhatChangedAround(e)
	a.Run = func() ui.Cmd { return ui.Go("history", request) }
	return a
}

// WhatChangedAround returns the request to History for an event: AroundChange or WhatChanged.
func (d *Deck) WhatChangedAround(e *eventlog.Event) any {
	if IsChange(e) {
		return AroundChange{Change: ChangeNumber(e)}
	}
	why := EventText(e)
	if e.Adapter != "" {
		why = e.Adapter + ": " + why
	}
	return WhatChanged{Range: compare.Range{From: e.Time, To: e.Time.Add(EventPeriod)}, Why: "after " + e.Time.Format("15:04:05") + " " + why}
}
