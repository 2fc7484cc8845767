package store

import (
	"context"
	"fmt"
	"math"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/store/document"
)

const selectEvents = `SELECT id, sequence, time, key, number, source, channel, severity, adapter, message FROM event
	WHERE session = ? AND id > ? ORDER BY id LIMIT ?`

// SessionEvents are the events of a session, oldest first.
func (db *DB) SessionEvents(ctx context.Context, id int64) ([]eventlog.Event, error) {
	if _, err := db.Session(ctx, id); err != nil {
		return nil, err
	}
	events, _, err := db.eventsAfter(ctx, id, 0, math.MaxInt64)
	return events, err
}

// eventsAfter gives events behind the row after, at most limit of them, and the last row read.
func (db *DB) eventsAfter(ctx context.Context, session, after, limit int64) (events []eventlog.Event, last int64, err error) {
	rows, err := db.reader.QueryContext(ctx, selectEvents, session, after, limit)
	if err != nil {
		return nil, after, db.explain(err)
	}
	defer rows.Close()
	last = after
	for rows.Next() {
		var e eventlog.Event
		var sequence, at, severity int64
		err := rows.Scan(&last, &sequence, &at, &e.Key, &e.ID, &e.Source, &e.Channel, &severity, &e.Adapter, &e.Message)
		if err != nil {
			return nil, after, db.explain(err)
		}
		if severity < 0 || severity > int64(eventlog.Error) {
			severity = int64(eventlog.Error) // a tampered row; better loud than hidden
		}
		e.Sequence, e.Time, e.Severity = uint64(sequence), time.Unix(0, at).UTC(), eventlog.Severity(severity)
		events = append(events, e)
	}
	return events, last, db.explain(rows.Err())
}

// SessionJournal are the journal entries of a session, oldest first.
func (db *DB) SessionJournal(ctx context.Context, id int64) ([]driver.Entry, error) {
	if _, err := db.Session(ctx, id); err != nil {
		return nil, err
	}
	rows, err := db.reader.QueryContext(ctx, "SELECT entry FROM journal WHERE session = ? ORDER BY id", id)
	if err != nil {
		return nil, db.explain(err)
	}
	defer rows.Close()
	var entries []driver.Entry
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, db.explain(err)
		}
		var entry driver.Entry
		if err := document.Decode([]byte(text), &entry); err != nil {
			return nil, fmt.Errorf("session %d: read the journal: %w", id, err)
		}
		entries = append(entries, entry)
	}
	return entries, db.explain(rows.Err())
}
