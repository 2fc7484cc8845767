package comparison

import (
	"context"
	"errors"
	"fmt"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/store"
)

// Restore makes a host from a snapshot; it fails when the lab description with this hash is not loaded.
type Restore func(labHash string, seed uint64, state []byte) (*driver.Host, error)

// Subject is the source of a compared period: a recorded session, a log, or the live source.
type Subject struct {
	// Name appears in sentences: "session 12", "monday.csv". Session is 0 for a log and for the live source.
	Name    string
	Session int64
	Samples Samples
	// Events and Changes return all events and changes, oldest first.
	Events  func(context.Context) ([]eventlog.Event, error)
	Changes func(context.Context) ([]driver.Entry, error)
	// Host restores the host as it was at a time.
	Host func(ctx context.Context, at time.Time) (*driver.Host, error)
	// InterruptionEnd returns when drivers and links were up again after a change; ok is false where that is not known.
	InterruptionEnd func(ctx context.Context, change time.Time) (at time.Time, ok bool, err error)
}

// Close closes its samples.
func (s *Subject) Close() error { return s.Samples.Close() }

// OpenSession opens a recorded session; restore may be nil. Close it at the end.
func OpenSession(ctx context.Context, db *store.DB, id int64, restore Restore) (*Subject, error) {
	session, err := db.Session(ctx, id)
	if err != nil {
		return nil, err
	}
	if session.Samples == 0 {
		return nil, fmt.Errorf("session %d has no samples: it ended before the first was saved", id)
	}
	source, err := db.Replay(ctx, id)
	if err != nil {
		return nil, err
	}
	samples, err := Recording(source, session.Interval)
	if err != nil {
		return nil, errors.Join(err, source.Close())
	}
	s := &Subject{Name: fmt.Sprintf("session %d", id), Session: id, Samples: samples}
	s.readFrom(db, session, restore)
	return s, nil
}

// readFrom sets the functions that read events, changes and hosts from a session of the history.
func (s *Subject) readFrom(db *store.DB, session store.Session, restore Restore) {
	id := session.ID
	s.Events = func(ctx context.Context) ([]eventlog.Event, error) { return db.SessionEvents(ctx, id) }
	s.Changes = func(ctx context.Context) ([]driver.Entry, error) { return db.SessionJournal(ctx, id) }
	s.Host = func(ctx context.Context, at time.Time) (*driver.Host, error) {
		return HostAt(ctx, db, session, at, restore)
	}
	s.InterruptionEnd = func(ctx context.Context, change time.Time) (time.Time, bool, error) {
		return interruptionEnd(ctx, db, session, change, restore)
	}
}

// OpenLive makes a subject of a monitor's source. Samples older than its window come from the session that is being recorded;
// session is 0, or db nil, when nothing is recorded.
func OpenLive(ctx context.Context, m *monitor.Monitor, db *store.DB, session int64, restore Restore) (*Subject, error) {
	status := m.Status()
	interval := status.Interval
	if interval <= 0 {
		interval = time.Second
	}
	s := &Subject{Name: status.Info.Name}
	if m.Window() == nil {
		return nil, tooFewSamples(s)
	}
	var recording Samples
	if db != nil && session > 0 {
		opened, err := OpenSession(ctx, db, session, restore)
		switch {
		case err == nil:
			*s, recording = *opened, opened.Samples
			s.Name = status.Info.Name
		case ctx.Err() != nil:
			return nil, err
		}
	}
	s.Samples = Live(m.Window(), interval, recording)
	if from, to := s.Samples.Span(); !from.Before(to) {
		return nil, errors.Join(tooFewSamples(s), s.Close())
	}
	s.Events = func(context.Context) ([]eventlog.Event, error) { return m.Events(0, maxEvents), nil }
	s.Changes = func(context.Context) ([]driver.Entry, error) { return m.Journal(), nil }
	return s, nil
}

func tooFewSamples(s *Subject) error {
	return fmt.Errorf("%s has too few samples to compare yet", s.Name)
}

// maxEvents is the maximum number of live events that are compared: the newest ones.
const maxEvents = 10_000

// OpenLog makes a subject of a log, which has neither changes nor a host.
func OpenLog(source perf.Source) (*Subject, error) {
	interval := time.Second
	if seeker, ok := source.(perf.Seeker); ok {
		var err error
		if interval, err = usualInterval(source, seeker); err != nil {
			return nil, err
		}
	}
	samples, err := Recording(source, interval)
	if err != nil {
		return nil, err
	}
	return &Subject{Name: source.Info().Name, Samples: samples}, nil
}

// usualInterval returns the shortest time between two of the first samples of a log.
func usualInterval(source perf.Source, seeker perf.Seeker) (time.Duration, error) {
	from, to := seeker.Span()
	if err := seeker.Seek(from); err != nil {
		return 0, err
	}
	const looked = 10
	shortest := time.Duration(0)
	var column perf.Column
	var last time.Time
	for range looked {
		if err := source.Next(context.Background(), 0, &column); err != nil {
			break // the log is shorter
		}
		if by := column.Time.Sub(last); !last.IsZero() && by > 0 && (shortest == 0 || by < shortest) {
			shortest = by
		}
		last = column.Time
	}
	if shortest == 0 {
		shortest = max(to.Sub(from), time.Second)
	}
	return shortest, nil
}
