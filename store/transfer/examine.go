package transfer

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"io"
	"math"
	"time"
	"unicode"
	"unicode/utf8"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/store/codec"
	"cxdeck/store/document"
	"cxdeck/store/fault"
	"cxdeck/store/intake"
	"cxdeck/store/level"
	"cxdeck/store/parts"
	"cxdeck/store/replay"
	"cxdeck/store/schema"
	"cxdeck/store/series"
	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// The limits of an imported session: no cxdeck writes more.
const (
	maxSourceText = 1024    // bytes of a host's name and the like
	maxEventText  = 1 << 16 // bytes of a text of an event
	maxInterval   = 366 * 24 * time.Hour
)

// latestTime is the latest time that an imported session may have.
var latestTime = time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC).UnixNano()

func isControl(r rune) bool { return unicode.IsControl(r) }

// examiner checks all data of a session from another machine before it is copied into the history.
type examiner struct {
	ctx     context.Context
	staged  *sql.DB
	file    *intake.File
	session *sessions.Session
	series  int
	cells   int
	// blocks reports for each cell of a window whether it has a block of its own.
	blocks []bool
	values []int64
}

// run makes all checks of the session. It fails with an *intake.Error for an invalid session.
func (e *examiner) run() error {
	for _, check := range []func() error{e.source, e.numbers, e.schema, e.windows, e.events, e.journal, e.notes, e.snapshots, e.replay} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

// refuse returns an *intake.Error about the session; format continues "session 5 ".
func (e *examiner) refuse(format string, arguments ...any) error {
	return e.file.Altered("session %d "+format, append([]any{e.session.ID}, arguments...)...)
}

// unreadable turns an error of decoding into an *intake.Error; other errors pass unchanged.
func (e *examiner) unreadable(what string, err error) error {
	if err == nil || e.ctx.Err() != nil || !errors.Is(fault.ReasonOf(err), fault.ErrDamaged) {
		return err
	}
	return e.refuse("has %s that can't be read", what)
}

func badTime(nanos int64) bool { return nanos < 0 || nanos > latestTime }

// source checks the row of the session.
func (e *examiner) source() error {
	s := e.session
	if s.ID < 1 || s.ID >= sessions.MaxNumber {
		return e.refuse("has an invalid number")
	}
	for _, at := range []time.Time{s.Started, s.Ended, s.Recorded, s.Saved} {
		if badTime(sqlite.Nanoseconds(at)) {
			return e.refuse("has an invalid time, %d ns", sqlite.Nanoseconds(at))
		}
	}
	switch s.Source.Kind {
	case perf.LabSource, perf.LocalSource, perf.LogSource:
	default:
		return e.refuse("was recorded from a source of an unknown kind, %.40q", string(s.Source.Kind))
	}
	for _, text := range []string{s.Host, s.Source.Name, s.Source.LabHash, s.Version} {
		if len(text) > maxSourceText {
			return e.refuse("has a name of %d bytes", len(text))
		}
	}
	switch {
	case s.Interval <= 0 || s.Interval > maxInterval:
		return e.refuse("has an invalid interval, %d ns", int64(s.Interval))
	case len(s.Note) > sessions.MaxNote:
		return e.refuse("has a note of %d bytes", len(s.Note))
	case s.Samples < 0 || s.Events < 0 || s.Changes < 0 || s.Series < 0:
		return e.refuse("has a count below 0")
	case len(s.Tags) > sessions.MaxTags:
		return e.refuse("has %d tags", len(s.Tags))
	}
	for _, tag := range s.Tags {
		if err := sessions.CheckTag(tag); err != nil {
			return e.refuse("has an %s", err)
		}
	}
	return nil
}

// maxSpan limits the range of a session's row numbers, so that no file exhausts the row numbers of the history.
const maxSpan = 1 << 28

// numbers checks the numbers of rows to which other rows refer.
func (e *examiner) numbers() error {
	for i := range schema.SessionTables {
		if !schema.SessionTables[i].Numbered {
			continue
		}
		minID, maxID, err := bounds(e.ctx, &schema.SessionTables[i], e.staged, e.session.ID)
		if err != nil {
			return err
		}
		if minID < 1 || maxID >= math.MaxInt64>>(parts.GroupBits+1) || maxID-minID > maxSpan {
			return e.refuse("has rows with invalid numbers in its table %q", schema.SessionTables[i].Name)
		}
	}
	return nil
}

// schema checks the list of series and all inventories.
func (e *examiner) schema() error {
	schema, err := series.ReadSchema(e.ctx, e.staged, e.session.ID, nil)
	if err != nil {
		return e.unreadable("a list of counters", err)
	}
	e.series, e.cells = len(schema.Series), schema.Cells
	for i := range schema.Series {
		s := &schema.Series[i]
		for _, text := range []string{s.Set, s.Instance, s.Counter, string(s.Unit)} {
			if hasControl(text) {
				return e.refuse("has a counter with control characters in its name")
			}
		}
	}
	inventories, err := series.Inventories(e.ctx, e.staged, e.session.ID)
	if err != nil {
		return err
	}
	for _, inventory := range inventories {
		if err := e.ctx.Err(); err != nil {
			return err
		}
		if inventory.Sample < 0 {
			return e.refuse("has an inventory before its first sample")
		}
		if _, err := series.ReadInventory(e.ctx, e.staged, inventory.ID, e.series); err != nil {
			return e.unreadable("an inventory", err)
		}
	}
	return nil
}

func hasControl(text string) bool {
	for _, r := range text {
		if isControl(r) || r == utf8.RuneError {
			return true
		}
	}
	return false
}

// windows decodes all samples, minutes and hours.
func (e *examiner) windows() error {
	windows, err := parts.Windows(e.ctx, e.staged, e.session.ID, "", "")
	if err != nil {
		return e.unreadable("a window of samples", err)
	}
	for _, w := range windows {
		if err := e.window(w); err != nil {
			return e.unreadable("samples", err)
		}
	}
	blocks, err := parts.Blocks(e.ctx, e.staged, e.session.ID, math.MinInt64, math.MaxInt64)
	if err != nil {
		return e.unreadable("a block of minutes or hours", err)
	}
	for i := range blocks {
		if err := e.level(&blocks[i]); err != nil {
			return e.unreadable("minutes or hours", err)
		}
	}
	list, err := parts.All(e.ctx, e.staged, e.session.ID)
	if err != nil {
		return e.unreadable("a window of samples", err)
	}
	samples := int64(0)
	for _, part := range list {
		samples += part.Samples
	}
	if e.session.Samples > samples {
		return e.refuse("lacks %d of %d samples", e.session.Samples-samples, e.session.Samples)
	}
	return nil
}

// level decodes a block of minutes or hours.
func (e *examiner) level(b *parts.Block) error {
	var rows level.Rows
	if err := parts.Rows(e.ctx, e.staged, b.ID, &rows); err != nil {
		return err
	}
	started, ended, samples := rows.Started[0], rows.Ended[0], int64(0)
	for i := range rows.Len() {
		from, to := rows.Started[i], rows.Ended[i]
		if badTime(from) || badTime(to) {
			return e.refuse("has a row of a minute or an hour with an invalid time, %d ns", from)
		}
		started, ended, samples = min(started, from, to), max(ended, from, to), samples+rows.Samples[i]
	}
	if started != b.Started || ended != b.Ended || samples != b.Samples {
		return e.refuse("has minutes or hours whose times differ from the table level")
	}
	found, err := e.staged.QueryContext(e.ctx, "SELECT place, data FROM summary WHERE place >= ? AND place < ? ORDER BY place",
		parts.Key(b.ID, 0), parts.Key(b.ID+1, 0))
	if err != nil {
		return err
	}
	defer found.Close()
	groups := map[int][]byte{}
	var column level.Column
	for found.Next() {
		var at int64
		var data []byte
		if err := found.Scan(&at, &data); err != nil {
			return err
		}
		number := int(at - parts.Key(b.ID, 0))
		groups[number] = data
		begin, end := number*codec.GroupCells, min((number+1)*codec.GroupCells, b.Cells)
		read := 0
		err := column.Each(data, begin, end, &rows, func(number int) ([]byte, error) { return groups[number], nil }, func(int) { read++ })
		if err != nil {
			return err
		}
		if read != end-begin {
			return e.refuse("has minute or hour rows for counters that it does not list")
		}
	}
	return found.Err()
}

// window decodes a window: its times and the groups of cells.
func (e *examiner) window(w parts.Part) error {
	times, missed, err := parts.Clock(e.ctx, e.staged, w)
	if err != nil {
		return err
	}
	started, ended := times[0], times[0]
	for i, at := range times {
		started, ended = min(started, at), max(ended, at)
		if badTime(at) || missed[i] < 0 || missed[i] > codec.MaxMissed {
			return e.refuse("has a sample with an invalid time, %d ns, or count of missed samples, %d", at, missed[i])
		}
	}
	if started != w.Started || ended != w.Ended {
		return e.refuse("has a window of samples whose times differ from the table clock")
	}
	e.blocks = append(e.blocks[:0], make([]bool, w.Cells)...)
	rows, err := e.staged.QueryContext(e.ctx, "SELECT place, data FROM chunk WHERE place >= ? AND place < ? ORDER BY place",
		parts.Key(w.ID, 0), parts.Key(w.ID+1, 0))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var at int64
		var data []byte
		if err := rows.Scan(&at, &data); err != nil {
			return err
		}
		if err := e.group(w, int(at-parts.Key(w.ID, 0)), data); err != nil {
			return err
		}
	}
	return rows.Err()
}

// group decodes the cells of a group.
func (e *examiner) group(w parts.Part, number int, data []byte) error {
	begin, end := number*codec.GroupCells, min((number+1)*codec.GroupCells, w.Cells)
	if begin >= w.Cells || len(data) > codec.GroupCells*parts.MaxBlock {
		return e.refuse("has samples for counters that it does not list")
	}
	for cell := begin; cell < end; cell++ {
		m, rest, err := codec.NextMember(data)
		if err != nil {
			return err
		}
		data = rest
		if m.Block == nil {
			if m.Like >= cell || !e.blocks[m.Like] {
				return e.refuse("has a cell that refers to one without samples")
			}
			continue
		}
		e.blocks[cell] = true
		if e.values, err = codec.Unpack(e.values[:0], m.Block, w.Stored); err != nil {
			return err
		}
	}
	if len(data) > 0 {
		return e.refuse("has %d bytes after the samples of a group", len(data))
	}
	return nil
}

func (e *examiner) events() error {
	last := int64(math.MinInt64)
	count := 0
	for {
		events, newest, err := replay.EventsAfter(e.ctx, e.staged, e.session.ID, last, replay.ReadAhead)
		if err != nil {
			return e.unreadable("events", err)
		}
		for i := range events {
			if err := e.event(&events[i]); err != nil {
				return err
			}
		}
		last = newest
		if count += len(events); len(events) < replay.ReadAhead {
			break
		}
	}
	if e.session.Events > count {
		return e.refuse("lacks %d of %d events", e.session.Events-count, e.session.Events)
	}
	severities, err := sqlite.Integers(e.ctx, e.staged, "SELECT severity FROM event WHERE session = ? AND severity NOT BETWEEN 0 AND ? LIMIT 1",
		e.session.ID, int64(eventlog.Error))
	if err == nil && len(severities) > 0 {
		return e.refuse("has an event of severity %d", severities[0])
	}
	return err
}

func (e *examiner) event(event *eventlog.Event) error {
	if badTime(event.Time.UnixNano()) {
		return e.refuse("has an event with an invalid time, %d ns", event.Time.UnixNano())
	}
	for _, text := range []string{event.Key, event.Source, event.Channel, event.Adapter, event.Message} {
		if len(text) > maxEventText {
			return e.refuse("has an event with a text of %d bytes", len(text))
		}
	}
	return nil
}

func (e *examiner) journal() error {
	rows, err := e.staged.QueryContext(e.ctx, "SELECT entry FROM journal WHERE session = ? ORDER BY id", e.session.ID)
	if err != nil {
		return err
	}
	defer rows.Close()
	count := 0
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return err
		}
		var entry driver.Entry
		if err := document.Decode([]byte(text), &entry); err != nil {
			return e.unreadable("a change", err)
		}
		count++
	}
	if e.session.Changes > count {
		return e.refuse("lacks %d of %d changes", e.session.Changes-count, e.session.Changes)
	}
	return rows.Err()
}

// notes checks the notes on moments and ranges.
func (e *examiner) notes() error {
	marks, err := sessions.Marks(e.ctx, e.staged, e.session.ID)
	if err != nil {
		return err
	}
	if len(marks) > sessions.MaxMarks {
		return e.refuse("has %d notes", len(marks))
	}
	for i := range marks {
		m := &marks[i]
		if n := utf8.RuneCountInString(m.Text); n > sessions.MaxMarkText {
			return e.refuse("has a note of %d characters", n)
		}
		for _, at := range []time.Time{m.From, m.To, m.Made} {
			if badTime(sqlite.Nanoseconds(at)) {
				return e.refuse("has a note with an invalid time, %d ns", sqlite.Nanoseconds(at))
			}
		}
	}
	return nil
}

// snapshots checks that each state of the host is JSON; loading the host checks its contents.
func (e *examiner) snapshots() error {
	rows, err := e.staged.QueryContext(e.ctx, "SELECT time, state FROM snapshot WHERE session = ? ORDER BY id", e.session.ID)
	if err != nil {
		return err
	}
	defer rows.Close()
	count := 0
	for rows.Next() {
		var at int64
		var packed []byte
		if err := rows.Scan(&at, &packed); err != nil {
			return err
		}
		state, err := document.Inflate(packed, document.MaxHost)
		if err == nil && !json.Valid(state) {
			err = fault.ErrDamaged
		}
		if err != nil {
			return e.unreadable("a state of its host", err)
		}
		if count++; count > sessions.MaxSnapshots || badTime(at) {
			return e.refuse("has more than %d states of its host, or one with an invalid time", sessions.MaxSnapshots)
		}
	}
	return rows.Err()
}

// replay opens the session as the console does, and reads its first and last sample.
func (e *examiner) replay() error {
	source, err := replay.Open(e.ctx, replay.History{
		Reader: e.staged,
		Session: func(ctx context.Context, id int64) (sessions.Session, error) {
			return sessions.Find(ctx, e.staged, id, neverRecording)
		},
		Explain: func(err error) error { return err },
	}, e.session.ID)
	if err != nil {
		return e.unreadable("samples", err)
	}
	defer source.Close() //nolint:errcheck // nothing was written
	from, to := source.(perf.Seeker).Span()
	var column perf.Column
	for _, at := range []time.Time{from, to} {
		if err := source.(perf.Seeker).Seek(at); err != nil {
			return e.unreadable("samples", err)
		}
		if err := source.Next(e.ctx, 0, &column); err != nil && !errors.Is(err, io.EOF) {
			return e.unreadable("samples", err)
		}
	}
	return nil
}
