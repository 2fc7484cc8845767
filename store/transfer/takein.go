package transfer

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"cxdeck/perf"
	"cxdeck/store/parts"
	"cxdeck/store/schema"
	"cxdeck/store/series"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// CopySessions copies sessions of a staged history into this one in one transaction, except sessions that it has already.
func (h *History) CopySessions(ctx context.Context, staged *sql.DB, chosen []sessions.Session, progress func(done, all int)) (list []Imported, err error) {
	from, err := staged.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	defer from.Rollback()
	m := &mover{rowCopy: rowCopy{ctx: ctx, from: from}, progress: progress}
	if err := m.prepare(); err != nil {
		return nil, err
	}
	err = h.Write(ctx, func(tx *sql.Tx) error {
		list, m.to, m.done = nil, tx, 0
		for i := range chosen {
			imported, err := m.session(&chosen[i], h.Now().UnixNano())
			if err != nil {
				return err
			}
			list = append(list, imported)
		}
		return nil
	})
	if progress != nil {
		progress(1, 1)
	}
	if err != nil {
		return nil, err
	}
	return list, nil
}

// mover copies sessions of one history into another, under other numbers.
type mover struct {
	rowCopy
	// columns are the names of each table's columns in order.
	columns   map[string][]string
	progress  func(done, all int)
	done, all int
	// shifts are added to the ids of numbered tables for the session that is being copied.
	shifts map[string]int64
}

// prepare reads the columns of the tables and the number of windows to copy.
func (m *mover) prepare() (err error) {
	windows, err := sqlite.Integers(m.ctx, m.from, "SELECT count(*) FROM clock")
	if err != nil {
		return err
	}
	m.all = int(sqlite.First(windows))
	rows, err := m.from.QueryContext(m.ctx, `SELECT t.name, c.name FROM pragma_table_list AS t, pragma_table_info(t.name) AS c
		WHERE t.schema = 'main' AND t.type = 'table' ORDER BY t.name, c.cid`)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	m.columns = map[string][]string{}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return err
		}
		m.columns[table] = append(m.columns[table], column)
	}
	return rows.Err()
}

// session copies one session, unless the history has it.
func (m *mover) session(session *sessions.Session, now int64) (Imported, error) {
	result := Imported{Original: session.ID}
	known, err := m.findSession(session)
	if err != nil || known != 0 {
		result.ID, result.Known = known, true
		return result, err
	}
	if result.ID, err = sessions.Next(m.ctx, m.to); err != nil {
		return result, err
	}
	// The limit of age applies from now on, not from the time of the recording.
	err = m.copy("session", `SELECT ?2 AS id, 0 AS state, recorded, ?3 AS saved, started, ended, host, kind, name, seed, lab_hash, interval,
		version, ?4 AS note, series FROM session WHERE id = ?1`, nil, session.ID, result.ID, now, originNote(session))
	if err != nil {
		return result, err
	}
	if err := m.list(session.ID, result.ID); err != nil {
		return result, err
	}
	m.shifts = map[string]int64{}
	for i := range schema.SessionTables {
		if err := m.table(&schema.SessionTables[i], session.ID, result.ID); err != nil {
			return result, err
		}
	}
	if _, err := m.to.ExecContext(m.ctx, "INSERT OR IGNORE INTO tag (session, name) VALUES (?, ?)", result.ID, ImportedTag); err != nil {
		return result, err
	}
	_, err = m.to.ExecContext(m.ctx, "UPDATE session SET "+recount+" WHERE id = ?", result.ID)
	return result, err
}

// findSession finds a session in the history; 0 when it does not exist.
func (m *mover) findSession(session *sessions.Session) (int64, error) {
	ids, err := sqlite.Integers(m.ctx, m.to, `SELECT id FROM session WHERE state <> ?1 AND (recorded = ?2 OR kind = ?11) AND host = ?3 AND kind = ?4 AND name = ?5
		AND seed = ?6 AND lab_hash = ?7 AND started = ?8 AND ended = ?9 AND samples = ?10 ORDER BY id LIMIT 1`,
		sessions.Deleting, sqlite.Nanoseconds(session.Recorded), session.Host, string(session.Source.Kind), session.Source.Name, int64(session.Source.Seed), session.Source.LabHash,
		sqlite.Nanoseconds(session.Started), sqlite.Nanoseconds(session.Ended), session.Samples, string(perf.LogSource)) // a log has no time of recording
	return sqlite.First(ids), err
}

// originNote returns the note of an imported session: its own note and its origin.
func originNote(session *sessions.Session) string {
	origin := fmt.Sprintf("imported: session %d of %s", session.ID, session.Host)
	if session.Source.Kind == perf.LogSource {
		origin = "imported: log " + session.Source.Name
	}
	switch {
	case session.Note == "":
		return origin
	case len(session.Note)+len(origin)+len("; ") > sessions.MaxNote:
		return session.Note
	}
	return session.Note + "; " + origin
}

// list copies the list of series of a session.
func (m *mover) list(from, to int64) error {
	var packed []byte
	err := m.from.QueryRowContext(m.ctx, "SELECT data FROM series_list WHERE id = (SELECT list FROM session WHERE id = ?)", from).Scan(&packed)
	if errors.Is(err, sql.ErrNoRows) { // a session without series
		return nil
	}
	if err != nil {
		return err
	}
	list, err := series.Unpack(packed)
	if err != nil {
		return err
	}
	_, err = series.Store(m.ctx, m.to, to, list)
	return err
}

// table copies the rows of a session in a table.
func (m *mover) table(table *schema.SessionTable, from, to int64) error {
	if table.Of != "" {
		return m.places(table, from)
	}
	replaced := map[string]string{"session": strconv.FormatInt(to, 10)}
	order := "1"
	if slices.Contains(m.columns[table.Name], "id") {
		replaced["id"], order = "NULL", table.Name+".id"
	}
	if table.Numbered {
		shift, err := m.shift(table, from)
		if err != nil {
			return err
		}
		m.shifts[table.Name] = shift
		replaced["id"] = fmt.Sprintf("id + %d", shift)
	}
	for referred, columns := range table.References {
		for _, column := range columns { // 0 refers to nothing
			replaced[column] = fmt.Sprintf("CASE %[1]s WHEN 0 THEN 0 ELSE %[1]s + %[2]d END", column, m.shifts[referred])
		}
	}
	return m.copy(table.Name, m.selection(table, replaced, "session = ?1 ORDER BY "+order), nil, from)
}

// shift returns the offset that makes the ids of a session's rows unique; references to these rows get the same offset.
func (m *mover) shift(table *schema.SessionTable, session int64) (int64, error) {
	minID, _, err := bounds(m.ctx, table, m.from, session)
	if err != nil {
		return 0, err
	}
	newest, err := sqlite.Integers(m.ctx, m.to, "SELECT coalesce(max(id), 0) FROM "+table.Name)
	return sqlite.First(newest) + 1 - minID, err
}

// bounds returns the minimum and maximum id of a session's rows in a numbered table, including ids that other tables refer to.
func bounds(ctx context.Context, t *schema.SessionTable, from sqlite.RowReader, session int64) (minID, maxID int64, err error) {
	query := "SELECT min(id) AS minID, max(id) AS maxID FROM " + t.Name + " WHERE session = ?1"
	for i := range schema.SessionTables {
		for _, column := range schema.SessionTables[i].References[t.Name] { // 0 refers to nothing
			query += fmt.Sprintf(" UNION ALL SELECT min(nullif(%[1]s, 0)), max(%[1]s) FROM %[2]s WHERE session = ?1", column, schema.SessionTables[i].Name)
		}
	}
	found, err := sqlite.Integers(ctx, from, "WITH b AS ("+query+") SELECT coalesce(min(minID), 1) FROM b UNION ALL SELECT coalesce(max(maxID), 1) FROM b", session)
	if err != nil {
		return 0, 0, err
	}
	return found[0], found[1], nil
}

// places copies the rows that are stored under the row numbers of a session in table.Of.
func (m *mover) places(table *schema.SessionTable, session int64) error {
	rows, err := sqlite.Integers(m.ctx, m.from, "SELECT id FROM "+table.Of+" WHERE session = ? ORDER BY id", session)
	if err != nil {
		return err
	}
	query := m.selection(table, map[string]string{"place": "place + ?3"}, "place >= ?1 AND place < ?2 ORDER BY place")
	for _, row := range rows {
		if table.Of == "clock" {
			if m.done++; m.progress != nil {
				m.progress(m.done-1, m.all)
			}
		}
		if err := m.copy(table.Name, query, nil, parts.Key(row, 0), parts.Key(row+1, 0), parts.Key(m.shifts[table.Of], 0)); err != nil {
			return err
		}
	}
	return nil
}

// selection returns a query for all columns of a table, some of them replaced by expressions.
func (m *mover) selection(table *schema.SessionTable, replaced map[string]string, where string) string {
	columns := slices.Clone(m.columns[table.Name])
	for i, name := range columns {
		if with, ok := replaced[name]; ok {
			columns[i] = with + " AS " + name
		}
	}
	return "SELECT " + strings.Join(columns, ", ") + " FROM " + table.Name + " WHERE " + where
}

// recount sets the counts of a session's row to the current rows.
const recount = `samples = ` + countedSamples + `,
	events = (SELECT count(*) FROM event WHERE session = session.id), changes = (SELECT count(*) FROM journal WHERE session = session.id),
	bytes = (SELECT coalesce(sum(length(times) + length(missed)), 0) FROM clock WHERE session = session.id)
		+ (SELECT coalesce(sum(length(chunk.data)), 0) FROM clock JOIN chunk ON place >= clock.id << 16 AND place < (clock.id + 1) << 16 WHERE session = session.id)
		+ (SELECT coalesce(sum(length(rows)), 0) FROM level WHERE session = session.id)
		+ (SELECT coalesce(sum(length(summary.data)), 0) FROM level JOIN summary ON place >= level.id << 16 AND place < (level.id + 1) << 16 WHERE session = session.id)
		+ (SELECT coalesce(sum(length(message)), 0) FROM event WHERE session = session.id)
		+ (SELECT coalesce(sum(length(entry)), 0) FROM journal WHERE session = session.id)
		+ (SELECT coalesce(sum(length(data)), 0) FROM series_list WHERE id = session.list)
		+ (SELECT coalesce(sum(length(inventory)), 0) FROM generation WHERE session = session.id)`

// countedSamples counts the samples of a row of the session table: samples in windows, plus samples that are kept only as averages
// of minutes or hours, minus the overlap of the two at the ends of the windows.
const countedSamples = `(SELECT coalesce(sum(samples), 0) FROM clock WHERE session = session.id)
	+ (SELECT coalesce(sum(samples), 0) FROM level WHERE session = session.id AND finer = 0)
	- (SELECT coalesce(sum(CASE WHEN clock.id > first_window AND clock.id < next_window THEN clock.samples
		WHEN clock.id > first_window THEN next_row WHEN clock.id < next_window THEN clock.samples - first_row ELSE next_row - first_row END), 0)
		FROM level JOIN clock ON clock.session = level.session AND clock.id BETWEEN first_window AND next_window
		WHERE level.session = session.id AND finer = 0)`
