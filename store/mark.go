package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"
)

// Mark is an operator's note on a moment of a session, or on a range.
type Mark struct {
	ID      int64
	Session int64
	// From and To are in the source's time; they are equal for a moment.
	From, To time.Time
	Text     string
	// Made is when it was written, by the machine's clock.
	Made time.Time
}

const (
	// MaxMarkText limits the text of a mark, in characters.
	MaxMarkText = 200
	// maxMarks limits the marks of a session.
	maxMarks = 10_000
)

// ErrNoMark is a mark that is not there.
var ErrNoMark = errors.New("there is no such mark")

// AddMark stores a mark on a session, and returns it with its number. To before From is From; a zero Made becomes now.
// It fails with ErrNoSession when there is no such session.
func (db *DB) AddMark(ctx context.Context, mark Mark) (Mark, error) {
	if n := utf8.RuneCountInString(mark.Text); n > MaxMarkText {
		return mark, fmt.Errorf("a mark has at most %d characters, this one has %d", MaxMarkText, n)
	}
	if mark.To.Before(mark.From) {
		mark.To = mark.From
	}
	if mark.Made.IsZero() {
		mark.Made = instant(db.now().UnixNano()) // as it is read back
	}
	if _, err := db.Session(ctx, mark.Session); err != nil {
		return mark, err
	}
	err := db.write(ctx, func(tx *sql.Tx) error {
		var count int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM mark WHERE session = ?", mark.Session).Scan(&count); err != nil {
			return err
		}
		if count >= maxMarks {
			return fmt.Errorf("session %d has %d marks already; delete some first", mark.Session, count)
		}
		done, err := tx.ExecContext(ctx, "INSERT INTO mark (session, started, ended, text, made) VALUES (?, ?, ?, ?, ?)",
			mark.Session, nanoseconds(mark.From), nanoseconds(mark.To), mark.Text, nanoseconds(mark.Made))
		if err != nil {
			return err
		}
		mark.ID, err = done.LastInsertId()
		return err
	})
	return mark, err
}

// DeleteMark removes a mark; ErrNoMark when there is none.
func (db *DB) DeleteMark(ctx context.Context, id int64) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		n, err := affected(tx.ExecContext(ctx, "DELETE FROM mark WHERE id = ?", id))
		if err == nil && n == 0 {
			err = fmt.Errorf("mark %d: %w", id, ErrNoMark)
		}
		return err
	})
}

// Marks returns the marks of a session by their beginning; session 0 returns the marks of all sessions.
func (db *DB) Marks(ctx context.Context, session int64) (marks []Mark, err error) {
	rows, err := db.reader.QueryContext(ctx, `SELECT id, session, started, ended, text, made FROM mark
		WHERE ?1 = 0 OR session = ?1 ORDER BY session, started, id`, session)
	if err != nil {
		return nil, db.explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		var one Mark
		var from, to, made int64
		if err := rows.Scan(&one.ID, &one.Session, &from, &to, &one.Text, &made); err != nil {
			return nil, db.explain(err)
		}
		one.From, one.To, one.Made = instant(from), instant(max(from, to)), instant(made)
		marks = append(marks, one)
	}
	return marks, db.explain(rows.Err())
}
