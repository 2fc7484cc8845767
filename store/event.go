package store

import (
	"context"
	"math"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/store/document"
	"cxdeck/store/replay"
)

// SessionEvents returns the events of a session, oldest first.
func (db *DB) SessionEvents(ctx context.Context, id int64) ([]eventlog.Event, error) {
	if _, err := db.Session(ctx, id); err != nil {
		return nil, err
	}
	events, _, err := replay.EventsAfter(ctx, db.reader, id, 0, math.MaxInt64)
	return events, db.explain(err)
}

// SessionJournal returns the journal entries of a session, oldest first. An entry that can't be read says so in Unread.
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
			entry = driver.Entry{Unread: err.Error()}
		}
		entries = append(entries, entry)
	}
	return entries, db.explain(rows.Err())
}
