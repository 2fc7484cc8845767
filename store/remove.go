package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"cxdeck/store/fault"
	"cxdeck/store/parts"
	"cxdeck/store/series"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// The size of a step of removal. Each is a transaction of a few milliseconds, followed by a pause that lets the writer
// through.
const (
	stepRows  = 2000
	stepPause = 5 * time.Millisecond
)

// keepEvery is the interval at which the keeper checks the limits of age and size.
const keepEvery = 10 * time.Second

// Delete removes a session and everything in it, in small steps that let the writer through. An interrupted deletion is
// finished at the next start.
func (db *DB) Delete(ctx context.Context, id int64) error {
	session, err := db.Session(ctx, id)
	if err != nil {
		return err
	}
	if session.Running {
		return ErrRunning
	}
	if session.Pinned {
		return ErrPinned
	}
	err = db.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, "UPDATE session SET state = ? WHERE id = ?", sessions.Deleting, id)
		return err
	})
	if err != nil {
		return err
	}
	return db.erase(ctx, id)
}

// erase removes all rows of a session in state Deleting, step by step.
func (db *DB) erase(ctx context.Context, id int64) error {
	for {
		more := false
		err := db.write(ctx, func(tx *sql.Tx) (err error) {
			more, err = eraseStep(ctx, tx, id)
			return err
		})
		if err != nil || !more {
			return err
		}
		if err := waitBetweenSteps(ctx); err != nil {
			return err
		}
	}
}

// waitBetweenSteps waits for stepPause, or until the context ends.
func waitBetweenSteps(ctx context.Context) error {
	timer := time.NewTimer(stepPause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// eraseStep removes at most about stepRows rows. Chunks go before their clock row, and the session's row goes last.
func eraseStep(ctx context.Context, tx *sql.Tx, id int64) (more bool, err error) {
	left := int64(stepRows)
	blocks, err := sqlite.Integers(ctx, tx, "SELECT id FROM level WHERE session = ? LIMIT 64", id)
	if err != nil {
		return false, err
	}
	for _, block := range blocks {
		n, err := sqlite.Affected(tx.ExecContext(ctx, `DELETE FROM summary WHERE place IN
			(SELECT place FROM summary WHERE place >= ? AND place < ? LIMIT ?)`, parts.Key(block, 0), parts.Key(block+1, 0), left))
		if err != nil {
			return false, err
		}
		if left -= n; left <= 0 {
			return true, nil
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM level WHERE id = ?", block); err != nil {
			return false, err
		}
	}
	if len(blocks) > 0 {
		return true, nil
	}
	windows, err := sqlite.Integers(ctx, tx, "SELECT id FROM clock WHERE session = ? ORDER BY ended LIMIT 64", id)
	if err != nil {
		return false, err
	}
	for _, window := range windows {
		n, err := sqlite.Affected(tx.ExecContext(ctx, `DELETE FROM chunk WHERE place IN
			(SELECT place FROM chunk WHERE place >= ? AND place < ? LIMIT ?)`, parts.Key(window, 0), parts.Key(window+1, 0), left))
		if err != nil {
			return false, err
		}
		if left -= n; left <= 0 {
			return true, nil
		}
		if _, err := tx.ExecContext(ctx, "DELETE FROM clock WHERE id = ?", window); err != nil {
			return false, err
		}
	}
	if len(windows) > 0 {
		return true, nil
	}
	for _, statement := range []string{
		"DELETE FROM frame WHERE id IN (SELECT id FROM frame WHERE session = ? LIMIT ?)",
		"DELETE FROM event WHERE id IN (SELECT id FROM event WHERE session = ? LIMIT ?)",
		"DELETE FROM journal WHERE id IN (SELECT id FROM journal WHERE session = ? LIMIT ?)",
		"DELETE FROM generation WHERE id IN (SELECT id FROM generation WHERE session = ? LIMIT ?)",
		"DELETE FROM mark WHERE id IN (SELECT id FROM mark WHERE session = ? LIMIT ?)",
		"DELETE FROM snapshot WHERE id IN (SELECT id FROM snapshot WHERE session = ? LIMIT ?)",
		"DELETE FROM tag WHERE session = ?1 AND ?2 > 0",
		"DELETE FROM twin WHERE id IN (SELECT id FROM twin WHERE session = ? LIMIT ?)",
	} {
		n, err := sqlite.Affected(tx.ExecContext(ctx, statement, id, left))
		if err != nil {
			return false, err
		}
		if left -= n; left <= 0 {
			return true, nil
		}
	}
	var list int64
	err = tx.QueryRowContext(ctx, "DELETE FROM session WHERE id = ? RETURNING list", id).Scan(&list)
	if errors.Is(err, sql.ErrNoRows) { // the keeper and the operator removed it at the same time
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return false, series.Drop(ctx, tx, list)
}

// Vacuum frees the space of deleted sessions, in small steps; it returns the number of bytes.
func (db *DB) Vacuum(ctx context.Context) (int64, error) {
	return db.measureFreed(ctx, func() error { return db.shrink(ctx) })
}

// measureFreed runs work, and returns the number of bytes by which the file shrank.
func (db *DB) measureFreed(ctx context.Context, work func() error) (int64, error) {
	writer, err := db.writable()
	if err != nil {
		return 0, err
	}
	if err := sqlite.Checkpoint(ctx, writer); err != nil {
		return 0, db.explain(err)
	}
	before, err := os.Stat(db.Path())
	if err != nil {
		return 0, db.explain(err)
	}
	if err := work(); err != nil {
		return 0, db.explain(err)
	}
	if err := sqlite.Checkpoint(ctx, writer); err != nil {
		return 0, db.explain(err)
	}
	after, err := os.Stat(db.Path())
	if err != nil {
		return 0, db.explain(err)
	}
	return max(0, before.Size()-after.Size()), nil
}

// shrink moves free pages to the end of the file and cuts them off, a few at a time.
func (db *DB) shrink(ctx context.Context) error {
	for {
		free, err := sqlite.Pragma(ctx, db.writer, "freelist_count")
		if err != nil || free == 0 {
			return db.explain(err)
		}
		if err := sqlite.ShrinkStep(ctx, db.writer); err != nil {
			return db.explain(err)
		}
		left, err := sqlite.Pragma(ctx, db.writer, "freelist_count")
		if err != nil || left >= free { // a file without incremental vacuum keeps its free pages, and reuses them
			return db.explain(err)
		}
		if err := waitBetweenSteps(ctx); err != nil {
			return err
		}
	}
}

// startKeeper starts the goroutine that enforces the limits of age and size, and aggregates samples.
func (db *DB) startKeeper() {
	ctx, cancel := context.WithCancel(context.Background())
	db.stop = cancel
	db.keeperDone.Go(func() {
		timer := time.NewTimer(db.options.KeepAfter)
		defer timer.Stop()
		levels := db.levelKeeper()
		for {
			select {
			case <-timer.C:
			case <-db.trimmed: // the recorder's removed pages are returned to the file system
			case <-ctx.Done():
				return
			}
			// A failure does not stop the keeper: a history that is too large loses nothing. The recorder's status reports it.
			db.reportRetention(ctx, db.retain(ctx))
			pause := keepEvery
			if db.options.Levels {
				more, err := levels.Run(ctx)
				db.reportLevels(ctx, err)
				if more {
					pause = stepPause
				}
			}
			timer.Reset(pause)
		}
	})
}

// reportLevels stores the result of aggregating samples for the recorder's status.
func (db *DB) reportLevels(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return // the file is being closed
	}
	if err != nil {
		err = fmt.Errorf("samples can't be aggregated by minute, and all of them are kept: %w", db.explain(err))
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.levels = err
}

// reportRetention stores the result of removing old sessions for the recorder's status.
func (db *DB) reportRetention(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return // the file is being closed
	}
	if err != nil {
		err = fmt.Errorf("old sessions can't be removed, and the history grows beyond its limits: %w", db.explain(err))
	}
	db.mu.Lock()
	defer db.mu.Unlock()
	db.retention = err
}

// retain finishes interrupted deletions, then removes sessions that ended too long ago. If the rest is too large, it removes the oldest
// samples of all sessions, and frees their space.
func (db *DB) retain(ctx context.Context) error {
	half, err := sqlite.Integers(ctx, db.reader, "SELECT id FROM session WHERE state = ?", sessions.Deleting)
	if err != nil {
		return err
	}
	for _, id := range half {
		if err := db.erase(ctx, id); err != nil {
			return err
		}
	}
	old, err := db.removeOld(ctx)
	if err != nil {
		return err
	}
	large, err := db.boundEnded(ctx)
	if err != nil {
		return err
	}
	if err := db.boundRunning(ctx); err != nil {
		return err
	}
	// A running session frees and takes pages all the time; only a file with many free pages is worth it.
	free, err := sqlite.Pragma(ctx, db.reader, "freelist_count")
	if err != nil {
		return err
	}
	all, err := sqlite.Pragma(ctx, db.reader, "page_count")
	if err != nil || len(half) == 0 && !old && !large && free < all/4 {
		return err
	}
	return db.shrink(ctx)
}

// steadyClock returns a clock that has the present time and from now on runs evenly.
func steadyClock() func() time.Time {
	began := time.Now()
	return func() time.Time { return began.Add(time.Since(began)) }
}

// removeOld removes the sessions that ended too long ago, and reports whether it removed any.
func (db *DB) removeOld(ctx context.Context) (removed bool, err error) {
	if db.options.MaximumAge <= 0 {
		return false, nil
	}
	old, err := sqlite.Integers(ctx, db.reader, "SELECT id FROM session WHERE state = ? AND saved < ? AND NOT "+sessions.IsPinned+" ORDER BY id",
		sessions.Ended, db.steady().Add(-db.options.MaximumAge).UnixNano())
	if err != nil {
		return false, err
	}
	for _, id := range old {
		if err := db.removeWhole(ctx, id); err != nil {
			return removed, err
		}
		removed = true
	}
	return removed, nil
}

// removeWhole removes an ended session for the history's limits.
func (db *DB) removeWhole(ctx context.Context, id int64) error {
	if err := db.Delete(ctx, id); err != nil && !errors.Is(err, fault.ErrNoSession) {
		return err
	}
	db.reportRemoved(id)
	return nil
}

// boundEnded removes the oldest samples of the oldest ended session while the history is too large, then that session's newest hour, and
// goes on with the next one. The last session that ended keeps its newest hour: at the start of a console it is what the operator saw
// last. It reports whether it removed any sample.
func (db *DB) boundEnded(ctx context.Context) (removed bool, err error) {
	for db.options.MaximumBytes > 0 {
		used, err := db.used(ctx)
		if err != nil || used <= db.options.MaximumBytes {
			return removed, err
		}
		id, last, err := db.oldestEnded(ctx)
		if err != nil || id == 0 {
			return removed, err
		}
		trimmed, err := db.trimEnded(ctx, id)
		switch {
		case err != nil:
			return removed, err
		case trimmed.samples > 0:
			db.reportTrimmed(id, trimmed.span)
		case last:
			return removed, nil
		default:
			if err := db.removeWhole(ctx, id); err != nil {
				return removed, err
			}
		}
		removed = true
		if err := waitBetweenSteps(ctx); err != nil {
			return removed, err
		}
	}
	return removed, nil
}

// oldestEnded returns the oldest ended session that isn't pinned, 0 when there is none, and whether it is the last one that ended.
func (db *DB) oldestEnded(ctx context.Context) (id int64, last bool, err error) {
	list, err := sqlite.Integers(ctx, db.reader, "SELECT id FROM session WHERE state = ? AND NOT "+sessions.IsPinned+" ORDER BY id LIMIT 1", sessions.Ended)
	if err != nil || len(list) == 0 {
		return 0, false, err
	}
	newest, err := sqlite.Integers(ctx, db.reader, "SELECT max(id) FROM session WHERE state = ?", sessions.Ended)
	return list[0], sqlite.First(newest) == list[0], err
}

// boundRunning lets the recorder remove the oldest samples of the running session, once all other removable sessions are gone.
func (db *DB) boundRunning(ctx context.Context) error {
	if db.options.MaximumBytes <= 0 {
		return nil
	}
	used, err := db.used(ctx)
	db.mu.Lock()
	recorder := db.recorder
	db.mu.Unlock()
	if err != nil || recorder == nil || used <= db.options.MaximumBytes {
		return err
	}
	select {
	case recorder.excess <- used - db.options.MaximumBytes:
	default: // the recorder is at work already
	}
	return nil
}

// used returns the number of bytes of the file that are in use.
func (db *DB) used(ctx context.Context) (int64, error) {
	var pages [3]int64
	for i, name := range []string{"page_count", "freelist_count", "page_size"} {
		var err error
		if pages[i], err = sqlite.Pragma(ctx, db.reader, name); err != nil {
			return 0, err
		}
	}
	return (pages[0] - pages[1]) * pages[2], nil
}
