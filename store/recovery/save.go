package recovery

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"cxdeck/perf/chunk"
	"cxdeck/store/codec"
	"cxdeck/store/document"
	"cxdeck/store/level"
	"cxdeck/store/parts"
	"cxdeck/store/salvage"
	"cxdeck/store/schema"
	"cxdeck/store/series"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// Recovered reports which parts of a damaged database were saved.
type Recovered struct {
	// sessions is the number of sessions, lost ones included; partial lists incomplete sessions, lost sessions without
	// any data.
	sessions      int
	partial, lost []int64
	// damaged lists other tables with lost rows: "host", "layout".
	damaged []string
	// rows is the number of rows that were copied.
	rows int
}

// IsEmpty reports whether no row of any table could be read.
func (s Recovered) IsEmpty() bool { return s.rows == 0 }

// IsComplete reports whether nothing is known to be missing.
func (s Recovered) IsComplete() bool {
	return len(s.partial)+len(s.lost)+len(s.damaged) == 0 && !s.IsEmpty()
}

// String returns a phrase: "50 of 51 sessions, journal and host kept, session 7 in part".
func (s Recovered) String() string {
	if s.IsEmpty() {
		return "nothing in it can be read"
	}
	whole := s.sessions - len(s.partial) - len(s.lost)
	kept := []string{"journal", "host"}
	kept = slices.DeleteFunc(kept, func(table string) bool { return slices.Contains(s.damaged, table) })
	text := fmt.Sprintf("%d of %d sessions", whole, s.sessions)
	switch len(kept) {
	case 2:
		text += ", journal and host kept"
	case 1:
		text += " and " + kept[0] + " kept"
	default:
		text += " kept"
	}
	if len(s.partial) > 0 {
		text += ", " + sessions.Numbers(s.partial) + " in part"
	}
	if len(s.lost) > 0 {
		text += ", " + sessions.Numbers(s.lost) + " lost"
	}
	if len(s.damaged) > 0 {
		text += ", incomplete: " + strings.Join(s.damaged, ", ")
	}
	return text
}

// salvager copies the readable rows of a damaged database into a new one.
type salvager struct {
	ctx context.Context
	tx  *sql.Tx
	// statements store rows, by their text.
	statements map[string]*sql.Stmt
	losses     []loss
	// rows is the number of stored rows, and stored has the tables that they belong to.
	rows   int
	stored map[string]bool
}

// loss is a range of row numbers of a table that could not be read.
type loss struct {
	table          string
	after, through int64
}

// Save copies the readable rows of the database at from into a new one at to, which must not exist. The version is the version
// of the damaged database, or the newest version if it can't be read.
func Save(ctx context.Context, from, to string, progress func(done, all int)) (kept Recovered, err error) {
	pages, err := salvage.Open(from)
	if err != nil {
		return kept, err
	}
	defer pages.Close() //nolint:errcheck // nothing was written
	version := pages.Version
	if version < 1 || version > schema.Newest {
		version = schema.Newest
	}
	if err := sqlite.CreateEmpty(to); err != nil {
		return kept, err
	}
	pool := sqlite.Connect(to, sqlite.Writing)
	defer func() { err = errors.Join(err, pool.Close()) }()
	// No process uses the file until it is complete: it needs no journal, and is synced once.
	if _, err := pool.ExecContext(ctx, "PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF"); err != nil {
		return kept, err
	}
	if err := schema.Migrate(ctx, pool, version); err != nil {
		return kept, err
	}
	tables, err := salvage.ReadTables(ctx, pool)
	if err != nil {
		return kept, err
	}
	tx, err := pool.BeginTx(ctx, nil)
	if err != nil {
		return kept, err
	}
	defer tx.Rollback()
	s := &salvager{ctx: ctx, tx: tx, statements: map[string]*sql.Stmt{}, stored: map[string]bool{}}
	h := &salvage.Harvest{Pages: pages, Tables: tables, Row: s.row, Lost: s.recordLoss, Torn: s.keepListHash, Progress: progress}
	if err := h.Run(); err != nil {
		return kept, err
	}
	for _, table := range h.Missing() {
		if !s.stored[table.Name] {
			s.recordLoss(table, math.MinInt64, math.MaxInt64)
		}
	}
	if kept, err = s.recreateSessions(version); err != nil {
		return kept, err
	}
	kept.rows = s.rows
	if err := tx.Commit(); err != nil {
		return kept, err
	}
	return kept, sqlite.SyncFile(to)
}

// row stores a row if its packed contents can be read.
func (s *salvager) row(table *salvage.Table, key int64, values []any) error {
	if table.RowIDAlias >= 0 {
		values[table.RowIDAlias] = key
	}
	if !isReadable(table.Name, values) {
		s.recordLoss(table, key-1, key)
		return s.keepListHash(table, key, values)
	}
	text := table.Insertion(len(values))
	statement := s.statements[text]
	if statement == nil {
		var err error
		if statement, err = s.tx.PrepareContext(s.ctx, text); err != nil {
			return err
		}
		s.statements[text] = statement
	}
	s.rows++
	s.stored[table.Name] = true
	_, err := statement.ExecContext(s.ctx, values...)
	return err
}

// keepListHash keeps the hash of an unreadable list of series: the next session with the same series restores it for all
// sessions that had it.
func (s *salvager) keepListHash(table *salvage.Table, key int64, values []any) error {
	if table.Name != "series_list" || len(values) < 2 {
		return nil
	}
	hash, ok := values[1].([]byte)
	if !ok || len(hash) != sha256.Size {
		return nil
	}
	_, err := s.tx.ExecContext(s.ctx, "INSERT OR IGNORE INTO series_list (id, hash, data) VALUES (?, ?, x'')", key, hash)
	return err
}

func (s *salvager) recordLoss(table *salvage.Table, after, through int64) {
	if table != nil {
		s.losses = append(s.losses, loss{table.Name, after, through})
	}
}

// isReadable reports whether the packed contents of a row can be read: a damaged page may leave a row of the right form.
func isReadable(table string, values []any) bool {
	bytes := func(at int) []byte {
		if at >= len(values) {
			return nil
		}
		data, _ := values[at].([]byte)
		return data
	}
	switch table {
	case "chunk":
		for data := bytes(1); len(data) > 0; {
			m, rest, err := codec.NextMember(data)
			if err != nil {
				return false
			}
			if m.Block != nil {
				if _, err := chunk.Decode(nil, m.Block); err != nil {
					return false
				}
			}
			data = rest
		}
	case "summary":
		return level.Readable(bytes(1))
	case "level":
		var rows level.Rows
		return rows.Read(bytes(13)) == nil
	case "clock":
		samples, _ := values[4].(int64)
		for _, packed := range [][]byte{bytes(6), bytes(7)} {
			if _, err := codec.Unpack(nil, packed, int(samples)); err != nil {
				return false
			}
		}
	case "series_list":
		text, err := document.Inflate(bytes(2), document.MaxText)
		hash := sha256.Sum256(text)
		return err == nil && string(hash[:]) == string(bytes(1))
	case "generation":
		_, err := document.Inflate(bytes(6), series.MaxInventory)
		return err == nil
	case "host":
		_, err := document.Inflate(bytes(8), document.MaxHost)
		return err == nil
	case "snapshot":
		_, err := document.Inflate(bytes(3), document.MaxHost)
		return err == nil
	case "session":
		id, _ := values[0].(int64)
		state, _ := values[1].(int64)
		return id > 0 && id < sessions.MaxNumber && state >= sessions.Ended && state <= sessions.Deleting
	}
	return true
}

// recreateSessions recreates the lost rows of sessions, and reports which sessions and tables are incomplete.
func (s *salvager) recreateSessions(version int) (kept Recovered, err error) {
	levels := ""
	if version >= schema.LevelVersion {
		levels = " UNION SELECT session FROM level"
	}
	lostSessions, err := s.integers(`SELECT session FROM clock UNION SELECT session FROM frame UNION SELECT session FROM event
		UNION SELECT session FROM journal UNION SELECT session FROM generation` + levels + ` EXCEPT SELECT id FROM session ORDER BY 1`)
	if err != nil {
		return kept, err
	}
	hasRow := s.lostOf("session")
	if hasRow { // otherwise these rows belong to sessions that were being deleted
		for _, id := range lostSessions {
			if err := s.recreate(id, version); err != nil {
				return kept, err
			}
		}
	}
	// The values of a window without its times are useless, and another window will get its number.
	if _, err := s.tx.ExecContext(s.ctx, "DELETE FROM chunk WHERE place >> ? NOT IN (SELECT id FROM clock)", parts.GroupBits); err != nil {
		return kept, err
	}
	summedUp := "0"
	if version >= schema.LevelVersion {
		if err := s.dropIncompleteBlocks(); err != nil {
			return kept, err
		}
		summedUp = "(SELECT coalesce(sum(samples), 0) FROM level WHERE session = session.id AND finer = 0)"
	}
	all, err := s.integers("SELECT id FROM session WHERE state <> ? ORDER BY id", sessions.Deleting)
	if err != nil {
		return kept, err
	}
	kept.sessions = len(all)
	partial := map[int64]bool{}
	mark := func(query string, arguments ...any) {
		var ids []int64
		if err == nil {
			ids, err = s.integers(query, arguments...)
		}
		for _, id := range ids {
			partial[id] = true
		}
	}
	for _, id := range lostSessions {
		partial[id] = hasRow
	}
	// Compare the counts in a session's row with its data.
	mark(`SELECT id FROM session WHERE state <> ?1 AND (
		samples > (SELECT coalesce(sum(samples), 0) FROM clock WHERE session = session.id) + (SELECT count(*) FROM frame WHERE session = session.id)
			+ `+summedUp+`
		OR events > (SELECT count(*) FROM event WHERE session = session.id)
		OR changes > (SELECT count(*) FROM journal WHERE session = session.id))`, sessions.Deleting)
	if version >= schema.ListVersion {
		mark(`SELECT id FROM session WHERE state <> ? AND list <> 0 AND list NOT IN (SELECT id FROM series_list WHERE data <> x'')`, sessions.Deleting)
	}
	others := map[string]bool{}
	for _, loss := range s.losses {
		switch loss.table {
		case "chunk":
			mark("SELECT DISTINCT session FROM clock WHERE id BETWEEN ? AND ?", (loss.after+1)>>parts.GroupBits, loss.through>>parts.GroupBits)
		case "generation":
			mark(`SELECT id FROM session WHERE samples > 0 AND
				id >= coalesce((SELECT session FROM generation WHERE id <= ?1 ORDER BY id DESC LIMIT 1), 0) AND
				id <= coalesce((SELECT session FROM generation WHERE id > ?2 ORDER BY id LIMIT 1), id)`, loss.after, loss.through)
		case "summary":
			mark("SELECT DISTINCT session FROM level WHERE finer = 0 AND id BETWEEN ? AND ?", (loss.after+1)>>parts.GroupBits, loss.through>>parts.GroupBits)
		case "session", "clock", "frame", "event", "series_list", "level": // counted above
		case "journal":
			others["journal"] = true
		default:
			others[loss.table] = true
		}
	}
	for _, id := range all {
		if partial[id] {
			kept.partial = append(kept.partial, id)
		}
	}
	for table := range others {
		kept.damaged = append(kept.damaged, table)
	}
	slices.Sort(kept.damaged)
	return kept, err
}

// dropIncompleteBlocks removes blocks with lost cells that can be recreated, because their samples or minutes exist.
func (s *salvager) dropIncompleteBlocks() error {
	for _, loss := range s.losses {
		if loss.table != "summary" {
			continue
		}
		if _, err := s.tx.ExecContext(s.ctx, "DELETE FROM level WHERE finer = 1 AND id BETWEEN ? AND ?", (loss.after+1)>>parts.GroupBits,
			loss.through>>parts.GroupBits); err != nil {
			return err
		}
	}
	for _, statement := range []string{
		"DELETE FROM summary WHERE place >> ?1 NOT IN (SELECT id FROM level)",
		"UPDATE level SET parent = 0 WHERE ?1 > 0 AND parent NOT IN (SELECT id FROM level)",
	} {
		if _, err := s.tx.ExecContext(s.ctx, statement, parts.GroupBits); err != nil {
			return err
		}
	}
	return nil
}

func (s *salvager) lostOf(table string) bool {
	return slices.ContainsFunc(s.losses, func(l loss) bool { return l.table == table })
}

func (s *salvager) integers(query string, arguments ...any) ([]int64, error) {
	return sqlite.Integers(s.ctx, s.tx, query, arguments...)
}

// lostNote is the note of a session whose own row is lost.
const lostNote = "salvaged: its name, host and seed are lost"

// recreate recreates the lost row of a session from its data.
func (s *salvager) recreate(id int64, version int) error {
	_, err := s.tx.ExecContext(s.ctx, `INSERT INTO session (id, state, recorded, saved, started, ended, host, kind, name, seed, lab_hash,
		interval, version, series, samples, events, changes, bytes)
		SELECT ?1, 0, first, last, first, last, '', 'lab', 'salvaged', 0, '', max(1, (last - first) / max(1, samples - 1)), '', series, samples,
			(SELECT count(*) FROM event WHERE session = ?1), (SELECT count(*) FROM journal WHERE session = ?1), bytes
		FROM (SELECT coalesce(min(started), 0) AS first, coalesce(max(ended), 0) AS last, coalesce(sum(samples), 0) AS samples,
			coalesce((SELECT series FROM generation WHERE session = ?1 ORDER BY id DESC LIMIT 1), 0) AS series,
			coalesce((SELECT sum(length(data)) FROM chunk JOIN clock ON place BETWEEN clock.id << 16 AND (clock.id << 16) + 65535
				WHERE clock.session = ?1), 0) AS bytes
			FROM clock WHERE session = ?1)`, id)
	if err != nil || version < schema.ListVersion {
		return err
	}
	if _, err := s.tx.ExecContext(s.ctx, "UPDATE session SET note = ? WHERE id = ?", lostNote, id); err != nil {
		return err
	}
	list, err := s.findSeriesList(id)
	if err != nil || list == 0 {
		return err
	}
	_, err = s.tx.ExecContext(s.ctx, "UPDATE session SET list = ? WHERE id = ?", list, id)
	return err
}

// findSeriesList finds the only list of series whose length fits a session; 0 when there is none or more than one.
func (s *salvager) findSeriesList(id int64) (list int64, err error) {
	var count int
	err = s.tx.QueryRowContext(s.ctx, "SELECT series FROM session WHERE id = ?", id).Scan(&count)
	if err != nil {
		return 0, err
	}
	rows, err := s.tx.QueryContext(s.ctx, "SELECT id, data FROM series_list")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var number int64
		var packed []byte
		if err := rows.Scan(&number, &packed); err != nil {
			return 0, err
		}
		if found, err := series.Unpack(packed); err != nil || len(found) != count {
			continue
		}
		if list != 0 {
			return 0, rows.Err()
		}
		list = number
	}
	return list, rows.Err()
}
