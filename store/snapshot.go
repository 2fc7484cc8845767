package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"cxdeck/store/document"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// saveSnapshot stores a packed host with the session that records it, replacing a snapshot of the same host time. When no
// session records the host, it does nothing.
func (db *DB) saveSnapshot(ctx context.Context, tx *sql.Tx, host *HostState, packed []byte) error {
	var session int64
	err := tx.QueryRowContext(ctx, `SELECT id FROM session WHERE state = ? AND lab_hash = ? AND seed = ? ORDER BY id DESC LIMIT 1`,
		sessions.Recording, host.LabHash, int64(host.Seed)).Scan(&session)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	at := sqlite.Nanoseconds(host.Time)
	if _, err := tx.ExecContext(ctx, "DELETE FROM snapshot WHERE session = ? AND time = ?", session, at); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO snapshot (session, time, state) VALUES (?, ?, ?)", session, at, packed); err != nil {
		return err
	}
	times, err := sqlite.Integers(ctx, tx, "SELECT time FROM snapshot WHERE session = ? ORDER BY time", session)
	if err != nil {
		return err
	}
	for len(times) > sessions.MaxSnapshots {
		i := closestNeighbours(times)
		if _, err := tx.ExecContext(ctx, "DELETE FROM snapshot WHERE session = ? AND time = ?", session, times[i]); err != nil {
			return err
		}
		times = slices.Delete(times, i, i+1)
	}
	return nil
}

// closestNeighbours returns the index of the time whose neighbours are closest to each other: without it, the ascending times
// are still spread as evenly as possible. It is never the first or the last.
func closestNeighbours(times []int64) (at int) {
	at = 1
	for i := 1; i < len(times)-1; i++ {
		if times[i+1]-times[i-1] < times[at+1]-times[at-1] {
			at = i
		}
	}
	return at
}

// Snapshots returns the times of a session's snapshots, oldest first.
func (db *DB) Snapshots(ctx context.Context, session int64) (times []time.Time, err error) {
	rows, err := db.reader.QueryContext(ctx, "SELECT time FROM snapshot WHERE session = ? ORDER BY time", session)
	if err != nil {
		return nil, db.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var nanos int64
		if err := rows.Scan(&nanos); err != nil {
			return nil, db.explain(err)
		}
		times = append(times, sqlite.Instant(nanos))
	}
	return times, db.explain(rows.Err())
}

// Snapshot returns the newest host that was saved in a session at or before a time, and when that was. ok is false when there
// is none, as in sessions of other sources and of older versions.
func (db *DB) Snapshot(ctx context.Context, session int64, at time.Time) (data []byte, taken time.Time, ok bool, err error) {
	var nanos int64
	var packed []byte
	err = db.reader.QueryRowContext(ctx, "SELECT time, state FROM snapshot WHERE session = ? AND time <= ? ORDER BY time DESC LIMIT 1",
		session, sqlite.Nanoseconds(at)).Scan(&nanos, &packed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, time.Time{}, false, nil
	}
	if err != nil {
		return nil, time.Time{}, false, db.explain(err)
	}
	if data, err = document.Inflate(packed, document.MaxHost); err != nil {
		return nil, time.Time{}, false, fmt.Errorf("the host in session %d: %w", session, err)
	}
	return data, sqlite.Instant(nanos), true, nil
}
