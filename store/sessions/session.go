package sessions

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"cxdeck/perf"
	"cxdeck/store/fault"
	"cxdeck/store/sqlite"
)

// The states of a session in the session table.
const (
	Ended = iota
	Recording
	Deleting // half deleted; the rest follows at the next start
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
	Tags            []string // sorted, ignoring case
	Pinned          bool     // no bound on age or size removes it
	Series          int
	Samples         int64 // columns
	Events          int
	Changes         int
	Bytes           int64
}

// Insert stores a new session in state Recording, and returns its number.
func Insert(ctx context.Context, tx *sql.Tx, info perf.SourceInfo, interval time.Duration, version string, now time.Time) (int64, error) {
	id, err := Next(ctx, tx)
	if err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO session
		(id, state, recorded, saved, started, ended, host, kind, name, seed, lab_hash, interval, version)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		id, Recording, now.UnixNano(), now.UnixNano(), sqlite.Nanoseconds(info.Started), sqlite.Nanoseconds(info.Started), info.Host,
		string(info.Kind), info.Name, int64(info.Seed), info.LabHash, int64(interval), version)
	if err == nil && info.Twin != "" {
		_, err = tx.ExecContext(ctx, "INSERT INTO twin (session, host, assumed) VALUES (?, ?, ?)", id, info.Twin, info.Assumed)
	}
	return id, err
}

// highestSession is the setting with the highest session number ever used; MaxNumber is the highest that is
// accepted.
const (
	highestSession = "session.highest"
	MaxNumber      = 1 << 40
)

// Next reserves a number that no session of the file ever had: a number in an operator's notes must never mean another session.
func Next(ctx context.Context, tx *sql.Tx) (id int64, err error) {
	err = tx.QueryRowContext(ctx, `SELECT 1 + max(
		coalesce((SELECT max(id) FROM session), 0),
		coalesce((SELECT CAST(value AS INTEGER) FROM setting WHERE key = ? AND CAST(value AS INTEGER) BETWEEN 0 AND ?), 0))`,
		highestSession, int64(MaxNumber)).Scan(&id)
	if err != nil {
		return 0, err
	}
	_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO setting (key, value) VALUES (?, ?)", highestSession, strconv.FormatInt(id, 10))
	return id, err
}

const selectSession = `SELECT id, state, recorded, saved, started, ended, host, kind, name, seed, lab_hash, interval, version,
	note, series, samples, events, changes, bytes, ` + IsPinned + `,
	coalesce((SELECT group_concat(name, ',' ORDER BY name) FROM tag WHERE session = session.id), ''),
	coalesce((SELECT twin.host FROM twin WHERE session = session.id), ''),
	coalesce((SELECT assumed FROM twin WHERE session = session.id), 0) FROM session`

// MaxNote limits an operator's note on a session, in bytes.
const MaxNote = 4096

// List lists all sessions, newest first; recording reports whether a console records one of them now.
func List(ctx context.Context, pool *sql.DB, recording func(id int64) bool) ([]Session, error) {
	rows, err := pool.QueryContext(ctx, selectSession+" WHERE state <> ? ORDER BY id DESC", Deleting)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Session
	for rows.Next() {
		session, err := scanSession(rows, recording)
		if err != nil {
			return nil, err
		}
		list = append(list, session)
	}
	return list, rows.Err()
}

// Find reads one session; ErrNoSession when there is none.
func Find(ctx context.Context, pool *sql.DB, id int64, recording func(id int64) bool) (Session, error) {
	row := pool.QueryRowContext(ctx, selectSession+" WHERE id = ? AND state <> ?", id, Deleting)
	session, err := scanSession(row, recording)
	if errors.Is(err, sql.ErrNoRows) {
		return Session{}, fmt.Errorf("session %d: %w", id, fault.ErrNoSession)
	}
	return session, err
}

func scanSession(row interface{ Scan(...any) error }, recording func(id int64) bool) (Session, error) {
	var (
		s                                          Session
		state                                      int
		tags                                       string
		recorded, saved, started, ended, seed, gap int64
	)
	err := row.Scan(&s.ID, &state, &recorded, &saved, &started, &ended, &s.Host, &s.Source.Kind, &s.Source.Name, &seed,
		&s.Source.LabHash, &gap, &s.Version, &s.Note, &s.Series, &s.Samples, &s.Events, &s.Changes, &s.Bytes, &s.Pinned, &tags,
		&s.Source.Twin, &s.Source.Assumed)
	if err != nil {
		return Session{}, err
	}
	s.Recorded, s.Saved = sqlite.Instant(recorded), sqlite.Instant(saved)
	s.Started, s.Ended = sqlite.Instant(started), sqlite.Instant(ended)
	s.Interval = time.Duration(gap)
	s.Source.Host, s.Source.Seed, s.Source.Started = s.Host, uint64(seed), s.Started
	if tags != "" {
		s.Tags = strings.Split(tags, ",")
	}
	s.Running = state == Recording && recording(s.ID)
	return s, nil
}

// Numbers returns a phrase with the first five session numbers: "session 5", "sessions 3, 4, 7, 8, 9 and 12 more".
func Numbers(ids []int64) string {
	const named = 5
	var names []string
	for _, id := range ids[:min(named, len(ids))] {
		names = append(names, fmt.Sprint(id))
	}
	text := strings.Join(names, ", ")
	if len(ids) > named {
		text = fmt.Sprintf("%s and %d more", text, len(ids)-named)
	}
	if len(ids) == 1 {
		return "session " + text
	}
	return "sessions " + text
}

// MaxSnapshots limits the snapshots of a session: in a month, they are at most half an hour apart. Beyond it, the snapshot with
// the closest neighbours is removed; the host at its time is rebuilt from an earlier snapshot and the changes after it.
const MaxSnapshots = 2304
