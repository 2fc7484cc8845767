package replay

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"cxdeck/driver/eventlog"
	"cxdeck/store/sqlite"
)

// ReadAhead is the number of events that a replay reads at a time.
const ReadAhead = 256

// Events returns the events up to the time of the newest column, oldest first. After an error it returns no more events; the
// samples continue.
func (p *replay) Events() []eventlog.Event {
	if !p.began {
		return nil
	}
	var due []eventlog.Event
	for p.fetchEvents(context.Background()) {
		if p.events[0].Time.After(p.last) {
			break
		}
		due = append(due, p.events[0])
		p.events = p.events[1:]
	}
	return due
}

// fetchEvents loads the next event; it is false when there is none.
func (p *replay) fetchEvents(ctx context.Context) bool {
	if len(p.events) > 0 {
		return true
	}
	if err := p.skipEvents(ctx); err != nil || p.eventsRead && p.eventsAt == p.listed {
		return false
	}
	events, last, err := EventsAfter(ctx, p.history.Reader, p.id, p.lastEvent, ReadAhead)
	if err != nil {
		p.eventsRead, p.eventsAt = true, p.listed
		return false
	}
	p.events, p.lastEvent = events, last
	p.eventsRead, p.eventsAt = len(events) < ReadAhead, p.listed
	return len(events) > 0
}

// skipEvents skips the events before the time of the newest Seek. A session may have very many, so the database finds the first one that
// is not skipped; it goes through all of them, so that a Seek leaves it to the first question for events.
func (p *replay) skipEvents(ctx context.Context) error {
	if !p.sought {
		return nil
	}
	next, err := sqlite.Integers(ctx, p.history.Reader, "SELECT id FROM event WHERE session = ? AND time >= ? ORDER BY id LIMIT 1", p.id, p.skipped)
	switch {
	case err != nil:
		return err
	case len(next) > 0:
		p.lastEvent = next[0] - 1
	default:
		newest, err := sqlite.Integers(ctx, p.history.Reader, "SELECT COALESCE(MAX(id), 0) FROM event WHERE session = ?", p.id)
		if err != nil {
			return err
		}
		p.lastEvent = sqlite.First(newest)
	}
	p.sought = false
	return nil
}

// EventsBefore returns the newest events before the next one, oldest first and at most limit of them. It may be called beside
// NextBatch, which does not use what it uses.
func (p *replay) EventsBefore(ctx context.Context, limit int) ([]eventlog.Event, error) {
	if len(p.events) > 0 {
		return nil, nil // Events has returned the earlier ones
	}
	if err := p.skipEvents(ctx); err != nil {
		return nil, err
	}
	if p.before.limit == limit && p.before.last == p.lastEvent {
		return p.before.events, nil
	}
	events, _, err := readEvents(ctx, p.history.Reader, 0, selectEventsBefore, p.id, p.lastEvent, limit)
	if err != nil {
		return nil, err
	}
	slices.Reverse(events)
	p.before = eventPosition{events, limit, p.lastEvent}
	return events, nil
}

// eventPosition caches the events before a row: several positions in a session often lie between the same two events.
type eventPosition struct {
	events []eventlog.Event
	limit  int
	last   int64
}

const (
	eventColumns = "SELECT id, sequence, time, key, number, source, channel, severity, adapter, message FROM event WHERE session = ?"

	selectEvents       = eventColumns + " AND id > ? ORDER BY id LIMIT ?"
	selectEventsBefore = eventColumns + " AND id <= ? ORDER BY id DESC LIMIT ?"
)

// EventsAfter returns the events behind the row after, at most limit of them, and the id of the last row.
func EventsAfter(ctx context.Context, pool *sql.DB, session, after, limit int64) (events []eventlog.Event, last int64, err error) {
	return readEvents(ctx, pool, after, selectEvents, session, after, limit)
}

// readEvents reads the events of a query with eventColumns, and the id of the last row; without rows that is after.
func readEvents(ctx context.Context, pool *sql.DB, after int64, query string, arguments ...any) (events []eventlog.Event, last int64, err error) {
	rows, err := pool.QueryContext(ctx, query, arguments...)
	if err != nil {
		return nil, after, err
	}
	defer rows.Close()
	last = after
	for rows.Next() {
		var e eventlog.Event
		var sequence, at, severity int64
		err := rows.Scan(&last, &sequence, &at, &e.Key, &e.ID, &e.Source, &e.Channel, &severity, &e.Adapter, &e.Message)
		if err != nil {
			return nil, after, err
		}
		if severity < 0 || severity > int64(eventlog.Error) {
			severity = int64(eventlog.Error) // a tampered row; better loud than hidden
		}
		e.Sequence, e.Time, e.Severity = uint64(sequence), time.Unix(0, at).UTC(), eventlog.Severity(severity)
		events = append(events, e)
	}
	return events, last, rows.Err()
}
