package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"cxdeck/perf"
	"cxdeck/store/lock"
)

// The states of a session in the session table.
const (
	stateEnded = iota
	stateRecording
	stateDeleting // half deleted; the rest follows at the next start
)

// Session is one run of the console.
type Session struct {
	ID             int64
	Started, Ended time.Time // source's time of the first and last sample that was saved
	// Recorded and Saved are when the session began and was last written to, by the recording machine's clock. They
	// differ from Started and Ended where the source has a time of its own.
	Recorded, Saved time.Time
	Running         bool // a console is recording it now
	Host            string
	Source          perf.SourceInfo
	Interval        time.Duration // between samples, when the session began
	Version         string
	Note            string
	Tags            []string // in order, without regard to case
	Pinned          bool     // no bound on age or size removes it
	Series          int
	Samples         int64 // columns
	Events          int
	Changes         int
	Bytes           int64
}

func insertSession(ctx context.Context, tx *sql.Tx, info perf.SourceInfo, interval time.Duration, version string, now time.Time) (int64, error) {
	id, err := nextSession(ctx, tx)
	if err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO session
		(id, state, recorded, saved, started, ended, host, kind, name, seed, lab_hash, interval, version)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		id, stateRecording, now.UnixNano(), now.UnixNano(), nanoseconds(info.Started), nanoseconds(info.Started), info.Host,
		string(info.Kind), info.Name, int64(info.Seed), info.LabHash, int64(interval), version)
	return id, err
}

// highestSession is the setting with the highest session number ever used; maxSessionNumber is the highest that is
// accepted.
const (
	highestSession   = "session.highest"
	maxSessionNumber = 1 << 40
)

// nextSession takes a number that no session of the file ever had: a number that an operator noted must never mean
// another session.
func nextSession(ctx context.Context, tx *sql.Tx) (id int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT 1 + max(
		coalesce((SELECT max(id) FROM session), 0),
		coalesce((SELECT CAST(value AS INTEGER) FROM setting WHERE key = ? AND CAST(value AS INTEGER) BETWEEN 0 AND ?), 0))`,
		highestSession, int64(maxSessionNumber)).Scan(&id)
	if err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", highestSession, strconv.FormatInt(id, 10))
	return id, err
}

const selectSession = `SELECT id, state, recorded, saved, started, ended, host, kind, name, seed, lab_hash, interval, version,
	note, series, samples, events, changes, bytes, ` + isPinned + `,
	coalesce((SELECT group_concat(name, ',' ORDER BY name) FROM tag WHERE session = session.id), '') FROM session`

// Sessions returns all sessions, newest first.
func (db *DB) Sessions(ctx context.Context) ([]Session, error) {
	rows, err := db.reader.QueryContext(ctx, selectSession+" WHERE state <> ? ORDER BY id DESC", stateDeleting)
	if err != nil {
		return nil, db.explain(err)
	}
	defer rows.Close()
	var sessions []Session
	for rows.Next() {
		one, err := db.scanSession(rows)
		if err != nil {
			return nil, db.explain(err)
		}
		sessions = append(sessions, one)
	}
	return sessions, db.explain(rows.Err())
}

// Session returns one session; ErrNoSession when there is none.
func (db *DB) Session(ctx context.Context, id int64) (Session, error) {
	row := db.reader.QueryRowContext(ctx, selectSession+" WHERE id = ? AND state <> ?", id, stateDeleting)
	session, err := db.scanSession(row)
	if errors.Is(err, sql.ErrNoRows) {
		return Session{}, fmt.Errorf("session %d: %w", id, ErrNoSession)
	}
	return session, db.explain(err)
}

func (db *DB) scanSession(row interface{ Scan(...any) error }) (Session, error) {
	var (
		s                                          Session
		state                                      int
		tags                                       string
		recorded, saved, started, ended, seed, gap int64
	)
	err := row.Scan(&s.ID, &state, &recorded, &saved, &started, &ended, &s.Host, &s.Source.Kind, &s.Source.Name, &seed,
		&s.Source.LabHash, &gap, &s.Version, &s.Note, &s.Series, &s.Samples, &s.Events, &s.Changes, &s.Bytes, &s.Pinned, &tags)
	if err != nil {
		return Session{}, err
	}
	s.Recorded, s.Saved = instant(recorded), instant(saved)
	s.Started, s.Ended = instant(started), instant(ended)
	s.Interval = time.Duration(gap)
	s.Source.Host, s.Source.Seed, s.Source.Started = s.Host, uint64(seed), s.Started
	if tags != "" {
		s.Tags = strings.Split(tags, ",")
	}
	s.Running = state == stateRecording && db.recording(s.ID)
	return s, nil
}

// recording says whether a console records the session now: this one, or the one that owns the file.
func (db *DB) recording(id int64) bool {
	if db.writer == nil {
		return lock.Held(db.Path())
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	return db.recorder != nil && db.recorder.log.session == id
}

// maxNote limits an operator's note on a session, in bytes.
const maxNote = 4096

// SetNote replaces the operator's note on a session.
func (db *DB) SetNote(ctx context.Context, id int64, note string) error {
	if len(note) > maxNote {
		return fmt.Errorf("the note has %d bytes; it can have at most %d", len(note), maxNote)
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, "UPDATE session SET note = ? WHERE id = ? AND state <> ?", note, id, stateDeleting)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(err, fmt.Errorf("session %d: %w", id, ErrNoSession))
		}
		return nil
	})
}
