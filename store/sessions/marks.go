package sessions

import (
	"context"
	"database/sql"
	"time"

	"cxdeck/store/sqlite"
)

// Marks lists the marks of a session in the order of From; session 0 lists the marks of all sessions.
func Marks(ctx context.Context, pool *sql.DB, session int64) (marks []Mark, err error) {
	rows, err := pool.QueryContext(ctx, `SELECT id, session, started, ended, text, made FROM mark
		WHERE ?1 = 0 OR session = ?1 ORDER BY session, started, id`, session)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var mark Mark
		var from, to, made int64
		if err := rows.Scan(&mark.ID, &mark.Session, &from, &to, &mark.Text, &made); err != nil {
			return nil, err
		}
		mark.From, mark.To, mark.Made = sqlite.Instant(from), sqlite.Instant(max(from, to)), sqlite.Instant(made)
		marks = append(marks, mark)
	}
	return marks, rows.Err()
}

// Mark is an operator's note on a moment of a session, or on a range.
type Mark struct {
	ID      int64
	Session int64
	// From and To are in the source's time; they are equal for a moment.
	From, To time.Time
	Text     string
	// Made is the time of writing, by the machine's clock.
	Made time.Time
}

const (
	// MaxMarkText limits the text of a mark, in characters.
	MaxMarkText = 200
	// MaxMarks limits the marks of a session.
	MaxMarks = 10_000
)
