// Package query answers questions about the whole history: SELECTs on its tables and samples, and a search for words. It never
// writes: changes go through store.
package query

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"time"

	"cxdeck/perf"
	"cxdeck/store"
	"cxdeck/store/engine"
)

// The functions behind the view of samples. SQLite requests the values of a series only when a query reaches it, so a query reads
// only the series that its conditions select.
const (
	seriesFunction = "cxdeck_series"
	partsFunction  = "cxdeck_parts"
	valuesFunction = "cxdeck_values"
	levelsFunction = "cxdeck_levels"
)

// sampleView is the view of all samples. It is temporary: the file is not changed. CROSS keeps the order of the parts: a
// condition on the counter is checked before the values are read.
const sampleView = `CREATE TEMP VIEW series AS SELECT session.id AS session, CAST(json_extract(s.value, '$[0]') AS INTEGER) AS number,
	json_extract(s.value, '$[1]') AS path, json_extract(s.value, '$[2]') AS set_name, json_extract(s.value, '$[3]') AS instance,
	json_extract(s.value, '$[4]') AS counter, json_extract(s.value, '$[5]') AS unit
	FROM main.session CROSS JOIN json_each(` + seriesFunction + `(session.id)) AS s WHERE session.state <> 2;
CREATE TEMP VIEW sample AS SELECT series.session, CAST(v.key AS INTEGER) AS time, series.path, series.set_name, series.instance,
	series.counter, series.unit, CAST(v.atom AS REAL) AS value
	FROM series CROSS JOIN json_each(` + partsFunction + `(series.session)) AS p
	CROSS JOIN json_each(` + valuesFunction + `(series.session, series.number, p.value)) AS v`

// levelView returns the view of a level: a row for each minute or hour of each series.
func levelView(name string, step time.Duration) string {
	return fmt.Sprintf(`; CREATE TEMP VIEW %[1]s AS SELECT series.session, CAST(v.key AS INTEGER) AS time, series.path, series.set_name,
	series.instance, series.counter, series.unit, json_extract(v.value, '$[0]') AS minimum, json_extract(v.value, '$[1]') AS average,
	json_extract(v.value, '$[2]') AS maximum, json_extract(v.value, '$[3]') AS last, json_extract(v.value, '$[4]') AS count
	FROM series CROSS JOIN json_each(`+partsFunction+`(series.session)) AS p
	CROSS JOIN json_each(`+levelsFunction+`(series.session, series.number, p.value, %[2]d)) AS v`, name, step)
}

// Error reports an invalid query; the history is not at fault.
type Error struct{ Reason string }

// Error returns one sentence.
func (e *Error) Error() string { return e.Reason }

var errOnlyReads = &Error{"sql only reads: a query begins with SELECT or WITH, and may not attach files, set pragmas or load extensions"}

// SQL answers a SELECT on the tables of the history and on its samples: the view sample has a row for each value of each
// series, sample_minute and sample_hour have one for each minute or hour, series one for each series of each session. It calls
// row with the names of the columns and the values of each row, the first time with nil values. It never writes: a query that
// would fails with an *Error.
func SQL(ctx context.Context, db *store.DB, query string, row func(columns []string, values []any) error) error {
	q := &querier{db: db, ctx: ctx, replays: map[int64]*queryResult{}}
	return db.WithConnection(ctx, q.setup(), func(conn *sql.Conn) error { return q.answer(conn, query, row) })
}

// answer returns the columns and rows of the answer.
func (q *querier) answer(conn *sql.Conn, query string, row func(columns []string, values []any) error) error {
	rows, err := conn.QueryContext(q.ctx, query)
	if err != nil {
		return q.explain(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return q.explain(err)
	}
	if len(columns) == 0 {
		return errOnlyReads
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	more := rows.Next()
	if err := rows.Err(); err != nil {
		return q.explain(err)
	}
	if err := row(columns, nil); err != nil {
		return err
	}
	for ; more; more = rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return q.explain(err)
		}
		if err := row(columns, values); err != nil {
			return err
		}
	}
	return q.explain(rows.Err())
}

// querier answers the functions of one query.
type querier struct {
	db      *store.DB
	ctx     context.Context
	replays map[int64]*queryResult
	// failed is the error of a function: SQLite passes on only its text.
	failed error
}

// queryResult is a session of which a query reads samples.
type queryResult struct {
	replay
	list string // its series as JSON
}

// replay is a recorded session that can be read.
type replay interface {
	perf.Source
	perf.Seeker
	perf.RangeReader
	perf.BandReader
}

// setup adds the views of samples to a connection, and restricts it to reading.
func (q *querier) setup() engine.Setup {
	return engine.Setup{
		Functions: []engine.Function{
			{Name: seriesFunction, Arguments: 1, Call: func(a []int64) (string, error) { return q.series(a[0]) }},
			{Name: partsFunction, Arguments: 1, Call: func(a []int64) (string, error) { return q.parts(a[0]) }},
			{Name: valuesFunction, Arguments: 3, Call: func(a []int64) (string, error) { return q.values(a[0], a[1], a[2]) }},
			{Name: levelsFunction, Arguments: 4, Call: func(a []int64) (string, error) { return q.levels(a[0], a[1], a[2], a[3]) }},
		},
		Statements: sampleView + levelView("sample_minute", time.Minute) + levelView("sample_hour", time.Hour) + "; PRAGMA query_only = ON",
		Allow:      onlyReads,
	}
}

// readablePragmas describe the tables, and change nothing.
var readablePragmas = map[string]bool{"table_info": true, "table_xinfo": true, "table_list": true, "index_list": true, "index_info": true}

// onlyReads allows only actions that read.
func onlyReads(action engine.Action, first, second string) bool {
	switch action {
	case engine.ActionSelect, engine.ActionRead, engine.ActionRecurse:
		return true
	case engine.ActionCall:
		return second != "load_extension"
	case engine.ActionPragma:
		return readablePragmas[first]
	}
	return false
}

func (q *querier) explain(err error) error {
	code, _, ofSQLite := engine.CodeOf(err)
	switch {
	case err == nil:
		return nil
	case q.ctx.Err() != nil:
		return q.ctx.Err()
	case q.failed != nil:
		return q.failed
	case code == engine.Auth || code == engine.ReadOnly:
		return errOnlyReads
	case code == engine.Failed, !ofSQLite:
		return &Error{"the query can't be answered: " + err.Error()}
	}
	return q.db.Explain(err)
}

func (q *querier) session(id int64) (*queryResult, error) {
	if known := q.replays[id]; known != nil {
		return known, nil
	}
	source, err := q.db.Replay(q.ctx, id)
	if err != nil {
		q.failed = err
		return nil, err
	}
	q.replays[id] = &queryResult{replay: source.(replay)}
	return q.replays[id], nil
}

// series lists the series of a session: [[number, path, set, instance, counter, unit], ...].
func (q *querier) series(session int64) (string, error) {
	s, err := q.session(session)
	if err != nil {
		return "", err
	}
	if s.list != "" {
		return s.list, nil
	}
	series := s.Schema().Series
	list := append(make([]byte, 0, 256*len(series)), '[')
	for i := range series {
		entry := &series[i]
		unit := entry.Unit
		if entry.Kind == perf.Rate {
			unit = unit.Rate()
		}
		if i > 0 {
			list = append(list, ',')
		}
		list = append(list, '[')
		list = strconv.AppendInt(list, int64(i), 10)
		for _, text := range []string{entry.Path(), entry.Set, entry.Instance, entry.Counter, string(unit)} {
			list = append(list, ',')
			list = appendJSON(list, perf.CleanText(text, perf.PathLimit))
		}
		list = append(list, ']')
	}
	s.list = string(append(list, ']'))
	return s.list, nil
}

// partLength is the period for which the values of a series are read in one call.
const partLength = 6 * time.Hour

// parts returns the start times of a session's parts, in nanoseconds; they are whole hours.
func (q *querier) parts(session int64) (string, error) {
	s, err := q.session(session)
	if err != nil {
		return "", err
	}
	list := []byte{'['}
	from, to := s.Span()
	for at := from.Truncate(time.Hour); !at.After(to); at = at.Add(partLength) { // full hours, so that no hour is in two parts
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(list, at.UnixNano(), 10)
	}
	return string(append(list, ']')), nil
}

// levels returns the minutes or hours of a series that begin in a part of a session: {"time": [min, average, max, last,
// count], ...}.
func (q *querier) levels(session, series, part, step int64) (string, error) {
	s, err := q.session(session)
	if err != nil {
		return "", err
	}
	from := time.Unix(0, part)
	bands, err := s.ReadBands(q.ctx, int(series), from, from.Add(partLength-1), time.Duration(step), nil)
	if err != nil {
		q.failed = err
		return "", err
	}
	list := append(make([]byte, 0, 80*len(bands)+2), '{')
	for _, band := range perf.SumBands(bands, time.Duration(step)) {
		at := band.From - band.From%step
		if band.Count == 0 && math.IsNaN(band.Last) || band.Step != time.Duration(step) || at < part || at >= part+int64(partLength) {
			continue
		}
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(append(list, '"'), at, 10)
		list = append(list, '"', ':', '[')
		for _, value := range []float64{band.Min, band.Average, band.Max, band.Last} {
			if math.IsNaN(value) || math.IsInf(value, 0) {
				list = append(list, "null,"...)
				continue
			}
			list = append(strconv.AppendFloat(list, value, 'g', -1, 64), ',')
		}
		list = append(strconv.AppendInt(list, band.Count, 10), ']')
	}
	return string(append(list, '}')), nil
}

// values returns the values of a series in a part of a session: {"time": value, ...}. Samples without a value are omitted.
func (q *querier) values(session, series, part int64) (string, error) {
	s, err := q.session(session)
	if err != nil {
		return "", err
	}
	from := time.Unix(0, part).UTC()
	points, err := s.ReadRange(q.ctx, int(series), from, from.Add(partLength-1), nil)
	if err != nil {
		q.failed = err
		return "", err
	}
	list := append(make([]byte, 0, 40*len(points)+2), '{')
	for _, point := range points {
		if math.IsNaN(point.Value) || math.IsInf(point.Value, 0) {
			continue
		}
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = strconv.AppendInt(append(list, '"'), point.Time, 10)
		list = strconv.AppendFloat(append(list, '"', ':'), point.Value, 'g', -1, 64)
	}
	return string(append(list, '}')), nil
}

// appendJSON appends a text as JSON.
func appendJSON(dst []byte, text string) []byte {
	encoded, err := json.Marshal(text)
	if err != nil { // impossible for a string
		return append(dst, `""`...)
	}
	return append(dst, encoded...)
}
