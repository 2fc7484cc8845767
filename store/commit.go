package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/store/codec"
	"cxdeck/store/parts"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// sessionWriter collects the samples, events and changes of a session since the last commit, and writes them. The
// writer goroutine owns it.
type sessionWriter struct {
	session int64
	encode  codec.Encoder
	fold    codec.Folder

	// arena has the frames of the window that is not full yet, and of full windows that wait for a commit, one after the other;
	// ends are the offsets of their ends. The first framed of them are in the frame table.
	arena  []byte
	ends   []int
	framed int
	views  [][]byte

	events  []eventlog.Event
	entries []driver.Entry
	schemas schemaLog

	// newest is the time of the last sample taken, saved of the last committed.
	newest, saved int64
	started       int64
	samples       int64
	totals        totals
	resized       atomic.Int64 // bytes by which the keeper has changed the session's size since the last commit
	insertClock   *sql.Stmt
	insertChunk   *sql.Stmt
	insertFrame   *sql.Stmt
	insertEvent   *sql.Stmt
	statements    []*sql.Stmt
}

// totals are the totals of a session in the session table.
type totals struct{ series, samples, events, changes, bytes int64 }

func newSessionWriter(ctx context.Context, writer *sql.DB, session int64) (*sessionWriter, error) {
	j := &sessionWriter{session: session}
	for _, prepared := range []struct {
		statement **sql.Stmt
		text      string
	}{
		{&j.insertClock, parts.InsertClock},
		{&j.insertChunk, parts.InsertChunk},
		{&j.insertFrame, "INSERT INTO frame (session, data) VALUES (?, ?)"},
		{&j.insertEvent, `INSERT INTO event (session, sequence, time, key, number, source, channel, severity, adapter, message)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`},
	} {
		statement, err := writer.PrepareContext(ctx, prepared.text) //nolint:sqlclosecheck // close does
		if err != nil {
			j.close()
			return nil, err
		}
		*prepared.statement = statement
		j.statements = append(j.statements, statement)
	}
	return j, nil
}

func (j *sessionWriter) close() {
	for _, statement := range j.statements {
		statement.Close()
	}
}

// add takes items from the queue.
func (j *sessionWriter) add(items []item) {
	for _, item := range items {
		switch {
		case item.column != nil:
			j.addColumn(item.column)
		case item.schema != nil:
			j.schemas.add(generation{item.schema, item.inventory, j.samples})
		case item.event != nil:
			j.events = append(j.events, *item.event)
		case item.entry != nil:
			j.entries = append(j.entries, *item.entry)
		}
	}
}

func (j *sessionWriter) addColumn(column *perf.Column) {
	j.newest = column.Time.UnixNano()
	if j.samples == 0 {
		j.started = j.newest
	}
	j.arena = j.encode.Append(j.arena, column.Cells, j.newest, column.Missed)
	j.ends = append(j.ends, len(j.arena))
	j.samples++
}

// size returns the bytes that wait for a commit. Frames that are in the file already are not included: they stay in memory
// until their window is full.
func (j *sessionWriter) size() int {
	if j.framed == 0 {
		return len(j.arena)
	}
	return len(j.arena) - j.ends[j.framed-1]
}

// hasPending reports whether there is something to commit.
func (j *sessionWriter) hasPending() bool {
	return len(j.ends) > j.framed || len(j.schemas.waiting)+len(j.events)+len(j.entries) > 0
}

// commit writes all pending items in one transaction: full windows as chunks, the rest as frames.
func (j *sessionWriter) commit(writer *sql.DB, now time.Time) error {
	return j.save(writer, now, false)
}

// finish writes all pending items, a short last window included, and ends the session. It also frees one step of the space that
// the frames of the last window had, which matters for short sessions.
func (j *sessionWriter) finish(writer *sql.DB, now time.Time) error {
	if err := j.save(writer, now, true); err != nil {
		return err
	}
	return sqlite.ShrinkStep(context.Background(), writer)
}

// save commits. Items that a failed commit has not written stay pending for the next one.
func (j *sessionWriter) save(writer *sql.DB, now time.Time, last bool) (err error) {
	ctx := context.Background() // a commit is short, and is not interrupted
	tx, err := writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	schemas, totals, resized := j.schemas.clone(), j.totals, j.resized.Swap(0)
	defer func() {
		if err != nil {
			j.schemas, j.totals = schemas, totals
			j.resized.Add(resized)
		}
	}()
	j.totals.bytes = max(0, j.totals.bytes+resized)
	if err := j.schemas.write(ctx, tx, j.session, j.samples, last, &j.totals); err != nil {
		return err
	}
	folded, err := j.writeWindows(ctx, tx, last)
	if err != nil {
		return err
	}
	if err := j.writeFrames(ctx, tx, folded); err != nil {
		return err
	}
	if err := j.writeEvents(ctx, tx); err != nil {
		return err
	}
	if err := j.writeEntries(ctx, tx); err != nil {
		return err
	}
	state := sessions.Recording
	if last {
		state = sessions.Ended
	}
	j.totals.samples = j.samples
	_, err = tx.ExecContext(ctx, `UPDATE session SET state = ?, saved = ?, started = ?, ended = ?, series = ?, samples = ?,
		events = ?, changes = ?, bytes = ? WHERE id = ?`, state, now.UnixNano(), j.started, j.newest,
		j.totals.series, j.totals.samples, j.totals.events, j.totals.changes, j.totals.bytes, j.session)
	if err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	j.dropFrames(folded)
	j.framed = len(j.ends)
	clear(j.events)
	clear(j.entries)
	j.events, j.entries = j.events[:0], j.entries[:0]
	j.saved = j.newest
	return nil
}

// writeWindows folds the full windows, and removes their frames in the same transaction. It returns the number of
// removed frames.
func (j *sessionWriter) writeWindows(ctx context.Context, tx *sql.Tx, last bool) (folded int, err error) {
	for len(j.ends)-folded >= codec.WindowSamples || last && len(j.ends) > folded {
		n := min(codec.WindowSamples, len(j.ends)-folded)
		bytes, err := parts.Fold(ctx, tx, &j.fold, j.frames(folded, folded+n), j.session, j.insertClock, j.insertChunk)
		if err != nil {
			return 0, err
		}
		j.totals.bytes += bytes
		folded += n
	}
	if folded == 0 {
		return 0, nil
	}
	_, err = tx.ExecContext(ctx, "DELETE FROM frame WHERE session = ?", j.session)
	return folded, err
}

// frames returns the pending frames [from, to).
func (j *sessionWriter) frames(from, to int) [][]byte {
	j.views = j.views[:0]
	for i := from; i < to; i++ {
		begin := 0
		if i > 0 {
			begin = j.ends[i-1]
		}
		j.views = append(j.views, j.arena[begin:j.ends[i]])
	}
	return j.views
}

// dropFrames drops the first n frames, and keeps their memory for the next ones.
func (j *sessionWriter) dropFrames(n int) {
	if n == 0 {
		return
	}
	cut := j.ends[n-1]
	j.arena = j.arena[:copy(j.arena, j.arena[cut:])]
	j.ends = j.ends[:copy(j.ends, j.ends[n:])]
	for i := range j.ends {
		j.ends[i] -= cut
	}
}

// writeFrames writes the frames that are not in the file yet. The first folded frames are in windows; when there are any, the
// frame table is empty.
func (j *sessionWriter) writeFrames(ctx context.Context, tx *sql.Tx, folded int) error {
	from := j.framed
	if folded > 0 {
		from = folded
	}
	insert := tx.StmtContext(ctx, j.insertFrame) //nolint:sqlclosecheck // it ends with the transaction
	for _, frame := range j.frames(from, len(j.ends)) {
		if _, err := insert.ExecContext(ctx, j.session, frame); err != nil {
			return err
		}
	}
	return nil
}

func (j *sessionWriter) writeEvents(ctx context.Context, tx *sql.Tx) error {
	insert := tx.StmtContext(ctx, j.insertEvent) //nolint:sqlclosecheck // it ends with the transaction
	for _, e := range j.events {
		_, err := insert.ExecContext(ctx, j.session, int64(e.Sequence), e.Time.UnixNano(), e.Key, e.ID, e.Source, e.Channel,
			int(e.Severity), e.Adapter, e.Message)
		if err != nil {
			return err
		}
		j.totals.bytes += int64(len(e.Key) + len(e.Source) + len(e.Channel) + len(e.Adapter) + len(e.Message))
	}
	j.totals.events += int64(len(j.events))
	return nil
}

func (j *sessionWriter) writeEntries(ctx context.Context, tx *sql.Tx) error {
	for _, entry := range j.entries {
		text, err := json.Marshal(entry)
		if err != nil {
			return fmt.Errorf("encode the journal: %w", err)
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO journal (session, entry) VALUES (?, ?)", j.session, string(text)); err != nil {
			return err
		}
		j.totals.bytes += int64(len(text))
	}
	j.totals.changes += int64(len(j.entries))
	return nil
}
