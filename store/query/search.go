package query

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"time"

	"cxdeck/store"
)

// Kinds of results.
const (
	FoundEvent     = "event"
	FoundThreshold = "threshold" // an event that a threshold raised
	FoundChange    = "change"
	FoundMark      = "note" // on a moment or range
	FoundSession   = "session"
)

// Found is one result of a search. Opening it opens the session at its time.
type Found struct {
	Session int64
	Time    time.Time // the source's
	Kind    string
	// Adapter is the adapter of an event; empty for other kinds.
	Adapter string
	Text    string
}

// searchable has a query for each kind of result, which returns session, time as a number or as text, adapter and text, and the
// expression that is searched.
var searchable = []struct{ kind, query, text string }{
	{FoundEvent, "SELECT session, time, adapter, message FROM event WHERE source <> 'threshold'",
		"adapter || ' ' || message || ' ' || key || ' ' || source || ' ' || number"},
	{FoundThreshold, "SELECT session, time, adapter, message FROM event WHERE source = 'threshold'",
		"adapter || ' ' || message || ' threshold'"},
	{FoundChange, `SELECT session, json_extract(entry, '$.time'), '', json_extract(entry, '$.plan.title') FROM journal WHERE json_valid(entry)`,
		"json_extract(entry, '$.plan.title') || ' ' || coalesce(json_extract(entry, '$.by'), '')"},
	{FoundMark, "SELECT session, started, '', text FROM mark WHERE true", "text"},
	{FoundSession, "SELECT id, started, '', trim(host || ' ' || note || ' ' || " + tagWords + ") FROM session WHERE true",
		"host || ' ' || note || ' ' || " + tagWords},
}

// tagWords are the tags of a row of the session table.
const tagWords = "coalesce((SELECT group_concat(name, ' ') FROM tag WHERE tag.session = session.id), '')"

// The maximum number of words of a search, and of bytes of a word: SQLite compares no longer pattern.
const (
	maxSearchWords = 16
	maxSearchWord  = 4096
)

// Search finds events, changes, notes and sessions that contain all words of a text, without regard to case, the newest
// first, at most limit of each kind.
func Search(ctx context.Context, db *store.DB, text string, limit int) (list []Found, err error) {
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > maxSearchWords {
		return nil, fmt.Errorf("a search has 1 to %d words, this one has %d", maxSearchWords, len(words))
	}
	for _, word := range words {
		if len(word) > maxSearchWord {
			return nil, fmt.Errorf("a word of a search has at most %d bytes, and this one has %d", maxSearchWord, len(word))
		}
	}
	for _, table := range searchable {
		var query strings.Builder
		query.WriteString(table.query)
		var arguments []any
		for _, word := range words {
			query.WriteString(" AND (" + table.text + ") LIKE ? ESCAPE '\\'")
			arguments = append(arguments, "%"+likeEscaper.Replace(word)+"%")
		}
		query.WriteString(" ORDER BY 2 DESC LIMIT ?")
		err := db.EachRow(ctx, query.String(), append(arguments, limit), func(rows *sql.Rows) error {
			found, err := scanFound(rows, table.kind)
			list = append(list, found)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(list, func(a, b Found) int { return b.Time.Compare(a.Time) })
	return list, nil
}

// likeEscaper escapes the wildcards of LIKE.
var likeEscaper = strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`)

// scanFound reads one row of a query.
func scanFound(rows *sql.Rows, kind string) (Found, error) {
	found := Found{Kind: kind}
	var at any
	if err := rows.Scan(&found.Session, &at, &found.Adapter, &found.Text); err != nil {
		return found, err
	}
	switch at := at.(type) {
	case int64:
		found.Time = time.Unix(0, at).UTC()
	case string:
		found.Time, _ = time.Parse(time.RFC3339Nano, at) // a tampered row has no time
	}
	return found, nil
}
