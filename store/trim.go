package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"cxdeck/store/parts"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// untrimmed is the newest part of the running session, and of the last one that ended, which the limit of size never removes, by the
// source's clock.
const untrimmed = time.Hour

// trimWindows is the number of windows that one transaction removes.
const trimWindows = 16

// trimmed counts what was removed from a session that stays.
type trimmed struct {
	samples, bytes, events int64
	span                   time.Duration
}

// trim removes the oldest parts of the session, at most trimWindows of them, but none of the newest hour, with the events of
// that time. Changes stay. It returns no samples when there is nothing more to remove.
func (j *sessionWriter) trim(writer *sql.DB) (removed trimmed, err error) {
	ctx := context.Background()
	tx, err := writer.BeginTx(ctx, nil)
	if err != nil {
		return removed, err
	}
	defer tx.Rollback()
	removed, started, err := trimSession(ctx, tx, j.session, j.started, j.saved-int64(untrimmed))
	if err != nil || removed.samples == 0 {
		return removed, err
	}
	if err := tx.Commit(); err != nil {
		return removed, err
	}
	j.started = started
	j.samples -= removed.samples
	j.schemas.shift(-removed.samples)
	j.totals.bytes = max(0, j.totals.bytes-removed.bytes)
	j.totals.events = max(0, j.totals.events-removed.events)
	return removed, nil
}

// trimEnded removes the oldest parts of an ended session like sessionWriter.trim, and corrects the session's row.
func (db *DB) trimEnded(ctx context.Context, session int64) (removed trimmed, err error) {
	err = db.write(ctx, func(tx *sql.Tx) error {
		var began, ended int64
		err := tx.QueryRowContext(ctx, "SELECT started, ended FROM session WHERE id = ? AND state = ?", session, sessions.Ended).Scan(&began, &ended)
		if errors.Is(err, sql.ErrNoRows) { // the operator deleted it at the same time
			return nil
		}
		if err != nil {
			return err
		}
		var started int64
		removed, started, err = trimSession(ctx, tx, session, began, ended-int64(untrimmed))
		if err != nil || removed.samples == 0 {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE session SET started = ?, samples = max(0, samples - ?), events = max(0, events - ?),
			bytes = max(0, bytes - ?) WHERE id = ?`, started, removed.samples, removed.events, removed.bytes, session)
		return err
	})
	return removed, err
}

// trimSession removes the oldest parts of a session that ended before a time, at most trimWindows of them, with the events of that
// time. It returns when the rest of the session starts.
func trimSession(ctx context.Context, tx *sql.Tx, session, began, before int64) (removed trimmed, started int64, err error) {
	until, err := removeOldest(ctx, tx, session, before, &removed)
	if err != nil || removed.samples == 0 {
		return removed, began, err
	}
	var first sql.NullInt64
	err = tx.QueryRowContext(ctx, `SELECT min(started) FROM (SELECT min(started) AS started FROM clock WHERE session = ?1
		UNION ALL SELECT min(started) FROM level WHERE session = ?1 AND finer = 0)`, session).Scan(&first)
	if err != nil {
		return removed, began, err
	}
	if removed.events, err = sqlite.Affected(tx.ExecContext(ctx, "DELETE FROM event WHERE session = ? AND time <= ?", session, until)); err != nil {
		return removed, began, err
	}
	// Inventories are found by the number of the sample that they came before. Of the inventories before the first
	// remaining sample, the last stays.
	for _, statement := range []string{
		"UPDATE generation SET sample = max(0, sample - ?2) WHERE session = ?1",
		`DELETE FROM generation WHERE session = ?1 AND sample <= 0 AND ?2 >= 0
			AND id < (SELECT max(id) FROM generation WHERE session = ?1 AND sample <= 0)`,
	} {
		if _, err := tx.ExecContext(ctx, statement, session, removed.samples); err != nil {
			return removed, began, err
		}
	}
	removed.span, started = time.Duration(until-began), began
	if first.Valid {
		removed.span, started = time.Duration(first.Int64-began), first.Int64
	}
	return removed, started, nil
}

// removeOldest removes the oldest parts of a session that ended before a time, with all levels of them, and returns when the last
// of them ended.
func removeOldest(ctx context.Context, tx *sql.Tx, session, before int64, removed *trimmed) (until int64, err error) {
	blocks, err := parts.Blocks(ctx, tx, session, math.MinInt64, before)
	if err != nil {
		return 0, err
	}
	windows, err := parts.Windows(ctx, tx, session, "AND ended < ?", fmt.Sprintf("LIMIT %d", trimWindows), before)
	if err != nil {
		return 0, err
	}
	all := parts.Merge(windows, parts.Choose(blocks, 0))
	if len(windows) == trimWindows { // windows that were not listed may precede the blocks behind the last one
		for len(all) > 0 && all[len(all)-1].Step > 0 {
			all = all[:len(all)-1]
		}
	}
	for _, part := range all[:min(trimWindows, len(all))] {
		if part.Ended >= before {
			break
		}
		removed.samples += part.Samples
		until = part.Ended
		if part.Step > 0 {
			bytes, err := parts.RemoveBlock(ctx, tx, part.ID)
			if err != nil {
				return 0, err
			}
			removed.bytes += bytes
			continue
		}
		bytes, err := parts.RemoveWindow(ctx, tx, part.ID)
		if err != nil && !errors.Is(err, sql.ErrNoRows) { // an earlier part of the same window removed it
			return 0, err
		}
		removed.bytes += bytes
		if err := removeLevels(ctx, tx, part.ID, blocks, removed); err != nil {
			return 0, err
		}
	}
	return until, nil
}

// removeLevels removes the blocks that aggregate samples of a removed window, except blocks whose samples were reduced already.
func removeLevels(ctx context.Context, tx *sql.Tx, window int64, blocks []parts.Block, removed *trimmed) error {
	for _, b := range blocks {
		if !b.Finer || b.First.Window > window || !(parts.Place{Window: window}).Before(b.Next) {
			continue
		}
		bytes, err := parts.RemoveBlock(ctx, tx, b.ID)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return err
		}
		removed.bytes += bytes
		if _, err := tx.ExecContext(ctx, "UPDATE level SET parent = 0 WHERE parent = ?", b.ID); err != nil {
			return err
		}
	}
	return nil
}

// shift moves the sample numbers of inventories.
func (l *schemaLog) shift(by int64) {
	for i := range l.waiting {
		l.waiting[i].sample = max(0, l.waiting[i].sample+by)
	}
	l.pending.sample = max(0, l.pending.sample+by)
	l.written.sample += by // it may become negative: the next inventory is due one window later
}

// trim removes the oldest windows of the session until excess bytes are free, or nothing removable is left. It wakes the keeper
// only if it removed something: a keeper that finds the session still too large requests the next trim at once.
func (r *Recorder) trim(excess int64) {
	found := false
	for excess > 0 {
		removed, err := r.log.trim(r.db.writer)
		if err != nil {
			r.db.reportRetention(context.Background(), err)
			return
		}
		if removed.samples == 0 {
			break
		}
		found = true
		excess -= removed.bytes
		r.db.reportTrimmed(0, removed.span)
	}
	if !found {
		return
	}
	select {
	case r.db.trimmed <- struct{}{}:
	default:
	}
}

// removals lists what the limits of the history have removed since it was opened.
type removals struct {
	sessions []int64
	running  time.Duration // of the running session, from its start
	trimmed  int64         // the ended session that lost its oldest part, 0 for none: older ones are removed whole
	ended    time.Duration // of that session, from its start
}

// reportRemoved adds a removed session.
func (db *DB) reportRemoved(session int64) {
	db.mu.Lock()
	defer db.mu.Unlock()
	db.removed.sessions = append(db.removed.sessions, session)
	if db.removed.trimmed == session {
		db.removed.trimmed, db.removed.ended = 0, 0
	}
}

// reportTrimmed adds a removed span of the running session (session 0), or of an ended one.
func (db *DB) reportTrimmed(session int64, span time.Duration) {
	db.mu.Lock()
	defer db.mu.Unlock()
	if session == 0 {
		db.removed.running += span
		return
	}
	if db.removed.trimmed != session {
		db.removed.trimmed, db.removed.ended = session, 0
	}
	db.removed.ended += span
}

// String returns a sentence; it is empty when nothing was removed.
func (r removals) String() string {
	var parts []string
	if len(r.sessions) > 0 {
		parts = append(parts, sessions.Numbers(r.sessions))
	}
	if r.ended > 0 {
		parts = append(parts, fmt.Sprintf("the first %s of session %d", r.ended.Round(time.Second), r.trimmed))
	}
	if r.running > 0 {
		parts = append(parts, fmt.Sprintf("the first %s of the running session", r.running.Round(time.Second)))
	}
	if len(parts) == 0 {
		return ""
	}
	last := len(parts) - 1
	if last == 0 {
		return "removed to keep the history within its limits:  " + parts[0]
	}
	return "removed to keep the history within its limits:  " + strings.Join(parts[:last], ", ") + ", and " + parts[last]
}
