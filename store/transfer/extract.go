package transfer

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"cxdeck/store/fault"
	"cxdeck/store/parts"
	"cxdeck/store/schema"
	"cxdeck/store/series"
	"cxdeck/store/sqlite"
)

// Extract writes a session as a history of its own into the empty file at path: its samples, events, changes, notes, tags and
// snapshots under the same number, ended as after a kill if it is still being recorded. A range includes the windows of samples
// that it touches; zero times are the session's own ends. The file has no log beside it and is synced. After an error the file
// at path is useless.
func (h *History) Extract(ctx context.Context, id int64, from, to time.Time, path string, progress func(done, all int)) (err error) {
	if path, err = filepath.Abs(path); err != nil {
		return err
	}
	pool := sqlite.Connect(path, sqlite.Writing)
	defer func() { err = errors.Join(err, pool.Close()) }()
	// No process reads the file until it is complete: it needs no journal, and is synced once.
	if _, err := pool.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF"); err != nil {
		return fault.Explain(path, err)
	}
	if err := schema.Migrate(ctx, pool, schema.Newest); err != nil {
		return fault.Explain(path, err)
	}
	source, err := h.Reader.BeginTx(ctx, nil) // one view of the file, which may be recorded into
	if err != nil {
		return h.Explain(err)
	}
	defer source.Rollback()
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return fault.Explain(path, err)
	}
	defer tx.Rollback()
	e := &extraction{rowCopy: rowCopy{ctx: ctx, from: source, to: tx}, session: id, first: -1 << 63, last: 1<<63 - 1, progress: progress}
	if !from.IsZero() {
		e.first = from.UnixNano()
	}
	if !to.IsZero() {
		e.last = to.UnixNano()
	}
	if err := e.run(); err != nil {
		return h.Explain(err)
	}
	if err := tx.Commit(); err != nil {
		return fault.Explain(path, err)
	}
	return fault.Explain(path, sqlite.SyncFile(path))
}

// extraction copies a session into a new history.
type extraction struct {
	rowCopy
	session, first, last int64
	progress             func(done, all int)
}

func (e *extraction) run() error {
	for _, part := range []struct{ table, where string }{
		{"session", "id = ?1"},
		{"series_list", "id = (SELECT list FROM session WHERE id = ?1)"},
		{"clock", "session = ?1 AND ended >= ?2 AND started <= ?3"},
		{"frame", "session = ?1"},
		// A block with samples or minutes must keep all of them.
		{"level", "session = ?1 AND (finer = 0 AND ended >= ?2 AND started <= ?3 OR started >= ?2 AND ended <= ?3)"},
		{"event", "session = ?1 AND time BETWEEN ?2 AND ?3"},
		{"mark", "session = ?1 AND ended >= ?2 AND started <= ?3"},
		{"tag", "session = ?1"},
		{"twin", "session = ?1"},
		// The state at the beginning of a range is the newest from before it.
		{"snapshot", `session = ?1 AND time <= ?3 AND time >= coalesce((SELECT max(time) FROM snapshot WHERE session = ?1 AND time <= ?2), ?2)`},
	} {
		if err := e.copy(part.table, "SELECT * FROM "+part.table+" WHERE "+part.where, nil, e.arguments(part.where)...); err != nil {
			return err
		}
	}
	if err := e.copyInventories(); err != nil {
		return err
	}
	if err := e.copyJournal(); err != nil {
		return err
	}
	if err := e.copyChunks(); err != nil {
		return err
	}
	if err := parts.End(e.ctx, e.to, e.session); err != nil {
		return err
	}
	return e.count()
}

// arguments returns the arguments of a condition: the session, and the range if the condition uses it.
func (e *extraction) arguments(where string) []any {
	all := []any{e.session, e.first, e.last}
	if !strings.Contains(where, "?3") {
		return all[:1]
	}
	return all
}

// copyInventories copies the inventories of the range: from the one that is valid at its first sample on. The newest inventory of the
// session belongs to its list of series.
func (e *extraction) copyInventories() error {
	numbers, err := sqlite.Integers(e.ctx, e.from, samplesBefore+`
		UNION ALL SELECT CASE WHEN EXISTS (SELECT 1 FROM clock WHERE session = ?1 AND started > ?3)
			THEN (SELECT coalesce(sum(samples), 0) FROM clock WHERE session = ?1 AND started <= ?3)
				+ (SELECT coalesce(sum(samples), 0) FROM level WHERE session = ?1 AND started <= ?3 AND finer = 0)
			ELSE 9223372036854775807 END`, e.session, e.first, e.last)
	if err != nil || len(numbers) != 2 {
		return err
	}
	before, until := numbers[0], numbers[1]
	first, _, err := series.InventoryAt(e.ctx, e.from, e.session, before)
	if err != nil {
		return err
	}
	if err := e.copy("generation", `SELECT * FROM generation WHERE session = ?1 AND (id >= ?2 AND sample < ?3
		OR id = (SELECT max(id) FROM generation WHERE session = ?1))`, nil, e.session, first.ID, until); err != nil {
		return err
	}
	_, err = e.to.ExecContext(e.ctx, "UPDATE generation SET sample = max(0, sample - ?)", before)
	return err
}

// samplesBefore is the number of samples before the copied windows and blocks.
const samplesBefore = `SELECT (SELECT coalesce(sum(samples), 0) FROM clock WHERE session = ?1 AND ended < ?2)
	+ (SELECT coalesce(sum(samples), 0) FROM level WHERE session = ?1 AND ended < ?2 AND finer = 0)`

// copyJournal copies the changes of the range, and the changes between the state at its beginning and the beginning, from
// which the host is restored.
func (e *extraction) copyJournal() error {
	state, err := sqlite.Integers(e.ctx, e.from, "SELECT coalesce(max(time) + 1, ?2) FROM snapshot WHERE session = ?1 AND time <= ?2", e.session, e.first)
	if err != nil {
		return err
	}
	from := min(sqlite.First(state), e.first)
	return e.copy("journal", "SELECT * FROM journal WHERE session = ?", func(row []any) bool {
		text, _ := row[2].(string)
		var entry struct{ Time time.Time }
		if json.Unmarshal([]byte(text), &entry) != nil || entry.Time.IsZero() {
			return true // a change without a readable time is copied
		}
		at := entry.Time.UnixNano()
		return at >= from && at <= e.last
	}, e.session)
}

// copyChunks copies the cells of each window and block that was copied.
func (e *extraction) copyChunks() error {
	windows, err := sqlite.Integers(e.ctx, e.to, "SELECT id FROM clock ORDER BY id")
	if err != nil {
		return err
	}
	blocks, err := sqlite.Integers(e.ctx, e.to, "SELECT id FROM level ORDER BY id")
	if err != nil {
		return err
	}
	all, done := len(windows)+len(blocks), 0
	for _, part := range []struct {
		table  string
		owners []int64
	}{{"chunk", windows}, {"summary", blocks}} {
		for _, owner := range part.owners {
			if e.progress != nil {
				e.progress(done, all)
			}
			done++
			err := e.copy(part.table, "SELECT * FROM "+part.table+" WHERE place >= ? AND place < ?", nil, parts.Key(owner, 0), parts.Key(owner+1, 0))
			if err != nil {
				return err
			}
		}
	}
	if e.progress != nil {
		e.progress(all, all)
	}
	_, err = e.to.ExecContext(e.ctx, "UPDATE level SET parent = 0 WHERE parent NOT IN (SELECT id FROM level)")
	return err
}

// count updates the counts of the session to the copied range.
func (e *extraction) count() error {
	_, err := e.to.ExecContext(e.ctx, `UPDATE session SET
		started = coalesce((SELECT min(started) FROM (SELECT started FROM clock UNION ALL SELECT started FROM level)), started),
		ended = coalesce((SELECT max(ended) FROM (SELECT ended FROM clock UNION ALL SELECT ended FROM level)), ended),
		samples = `+countedSamples+`, events = (SELECT count(*) FROM event), changes = (SELECT count(*) FROM journal),
		bytes = (SELECT coalesce(sum(length(times) + length(missed)), 0) FROM clock) + (SELECT coalesce(sum(length(data)), 0) FROM chunk)
			+ (SELECT coalesce(sum(length(rows)), 0) FROM level) + (SELECT coalesce(sum(length(data)), 0) FROM summary)
			+ (SELECT coalesce(sum(length(message)), 0) FROM event) + (SELECT coalesce(sum(length(entry)), 0) FROM journal)
			+ (SELECT coalesce(sum(length(data)), 0) FROM series_list) + (SELECT coalesce(sum(length(inventory)), 0) FROM generation)`)
	return err
}

// rowCopy copies rows between two files of the same version.
type rowCopy struct {
	ctx      context.Context
	from, to *sql.Tx
}

// copy inserts the rows of a query into a table of the same columns; keep, if not nil, selects rows.
func (c *rowCopy) copy(table, query string, keep func(row []any) bool, arguments ...any) error {
	rows, err := c.from.QueryContext(c.ctx, query, arguments...)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	insert, err := c.to.PrepareContext(c.ctx, fmt.Sprintf("INSERT INTO %s (%s) VALUES (?%s)", table, strings.Join(columns, ", "),
		strings.Repeat(", ?", len(columns)-1)))
	if err != nil {
		return err
	}
	defer insert.Close()
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if keep != nil && !keep(values) {
			continue
		}
		if _, err := insert.ExecContext(c.ctx, values...); err != nil {
			return err
		}
	}
	return rows.Err()
}
