package store

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"cxdeck/driver"
)

const selectEvents = `SELECT id, sequence, time, key, number, source, channel, severity, adapter, message FROM event
	WHERE session = ? AND id > ? ORDER BY id LIMIT ?`

// SessionEvents are the events of a session, oldest first.
func (db *DB) SessionEvents(ctx context.Context, id int64) ([]driver.Event, error) {
	if _, err := db.Session(ctx, id); err != nil {
		return nil, err
	}
	events, _, err := db.eventsAfter(ctx, id, 0, math.MaxInt64)
	return events, err
}

// eventsAfter gives events behind the row after, at most limit of them, and the last row read.
func (db *DB) eventsAfter(ctx context.Context, session, after, limit int64) (events []driver.Event, last int64, err error) {
	rows, err := db.reader.QueryContext(ctx, selectEvents, session, after, limit)
	if err != nil {
		return nil, after, explain(db.path, err)
	}
	defer rows.Close()
	last = after
	for rows.Next() {
		var e driver.Event
		var sequence, at, severity int64
		err := rows.Scan(&last, &sequence, &at, &e.Key, &e.ID, &e.Source, &e.Channel, &severity, &e.Adapter, &e.Message)
		if err != nil {
			return nil, after, explain(db.path, err)
		}
		if severity < 0 || severity > int64(driver.Error) {
			severity = int64(driver.Error) // a tampered row; better loud than hidden
		}
		e.Sequence, e.Time, e.Severity = uint64(sequence), time.Unix(0, at).UTC(), driver.Severity(severity)
		events = append(events, e)
	}
	return events, last, explain(db.path, rows.Err())
}

// SessionJournal are the journal entries of a session, oldest first.
func (db *DB) SessionJournal(ctx context.Context, id int64) ([]driver.Entry, error) {
	if _, err := db.Session(ctx, id); err != nil {
		return nil, err
	}
	rows, err := db.reader.QueryContext(ctx, "SELECT entry FROM journal WHERE session = ? ORDER BY id", id)
	if err != nil {
		return nil, explain(db.path, err)
	}
	defer rows.Close()
	var entries []driver.Entry
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, explain(db.path, err)
		}
		entry, err := decodeEntry([]byte(text))
		if err != nil {
			return nil, fmt.Errorf("session %d: %w", id, err)
		}
		entries = append(entries, entry)
	}
	return entries, explain(db.path, rows.Err())
}

// entryText is a journal entry as it is stored.
type entryText struct {
	Sequence uint64    `json:"sequence"`
	Time     time.Time `json:"time"`
	Plan     planText  `json:"plan"`
	Inverse  planText  `json:"inverse"`
	Undoes   uint64    `json:"undoes,omitempty"`
	Err      string    `json:"error,omitempty"`
}

type planText struct {
	Title      string            `json:"title"`
	Operations []json.RawMessage `json:"operations"`
}

func encodeEntry(entry driver.Entry) ([]byte, error) {
	plan, err := encodePlan(entry.Plan)
	if err != nil {
		return nil, err
	}
	inverse, err := encodePlan(entry.Inverse)
	if err != nil {
		return nil, err
	}
	return json.Marshal(entryText{entry.Sequence, entry.Time, plan, inverse, entry.Undoes, entry.Err})
}

func decodeEntry(text []byte) (entry driver.Entry, err error) {
	var stored entryText
	if err := json.Unmarshal(text, &stored); err != nil {
		return entry, fmt.Errorf("read the journal: %w", err)
	}
	entry = driver.Entry{Sequence: stored.Sequence, Time: stored.Time, Undoes: stored.Undoes, Err: stored.Err}
	if entry.Plan, err = decodePlan(stored.Plan); err != nil {
		return entry, err
	}
	entry.Inverse, err = decodePlan(stored.Inverse)
	return entry, err
}

func encodePlan(plan driver.Plan) (planText, error) {
	return planText{Title: plan.Title}, nil
}

func decodePlan(stored planText) (driver.Plan, error) {
	return driver.Plan{Title: stored.Title}, nil
}
