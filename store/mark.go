package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"unicode/utf8"

	"cxdeck/store/sessions"
	"cxdeck/store/sqlite"
)

// ErrNoMark reports a mark that does not exist.
var ErrNoMark = errors.New("there is no such mark")

// Mark is an operator's note on a moment of a session, or on a range.
type Mark = sessions.Mark

// AddMark stores a mark on a session, and returns it with its number. A To before From becomes From; a zero Made becomes now.
// It fails with ErrNoSession when there is no such session.
func (db *DB) AddMark(ctx context.Context, mark Mark) (Mark, error) {
	if n := utf8.RuneCountInString(mark.Text); n > sessions.MaxMarkText {
		return mark, fmt.Errorf("a mark has at most %d characters, this one has %d", sessions.MaxMarkText, n)
	}
	if mark.To.Before(mark.From) {
		mark.To = mark.From
	}
	if mark.Made.IsZero() {
		mark.Made = sqlite.Instant(db.now().UnixNano()) // as it is read back
	}
	if _, err := db.Session(ctx, mark.Session); err != nil {
		return mark, err
	}
	err := db.write(ctx, func(tx *sql.Tx) error {
		var count int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM mark WHERE session = ?", mark.Session).Scan(&count); err != nil {
			return err
		}
		if count >= sessions.MaxMarks {
			return fmt.Errorf("session %d has %d marks already; delete some first", mark.Session, count)
		}
		done, err := tx.ExecContext(ctx, "INSERT INTO mark (session, started, ended, text, made) VALUES (?, ?, ?, ?, ?)",
			mark.Session, sqlite.Nanoseconds(mark.From), sqlite.Nanoseconds(mark.To), mark.Text, sqlite.Nanoseconds(mark.Made))
		if err != nil {
			return err
		}
		mark.ID, err = done.LastInsertId()
		return err
	})
	return mark, err
}

// SetMarkText changes the text of a mark; ErrNoMark when there is none.
func (db *DB) SetMarkText(ctx context.Context, id int64, text string) error {
	if n := utf8.RuneCountInString(text); n > sessions.MaxMarkText {
		return fmt.Errorf("a mark has at most %d characters, this one has %d", sessions.MaxMarkText, n)
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		n, err := sqlite.Affected(tx.ExecContext(ctx, "UPDATE mark SET text = ? WHERE id = ?", text, id))
		if err == nil && n == 0 {
			err = fmt.Errorf("mark %d: %w", id, ErrNoMark)
		}
		return err
	})
}

// DeleteMark removes a mark; ErrNoMark when there is none.
func (db *DB) DeleteMark(ctx context.Context, id int64) error {
	return db.write(ctx, func(tx *sql.Tx) error {
		n, err := sqlite.Affected(tx.ExecContext(ctx, "DELETE FROM mark WHERE id = ?", id))
		if err == nil && n == 0 {
			err = fmt.Errorf("mark %d: %w", id, ErrNoMark)
		}
		return err
	})
}

// Marks returns the marks of a session in the order of From; for session 0, the marks of all sessions.
func (db *DB) Marks(ctx context.Context, session int64) ([]Mark, error) {
	marks, err := sessions.Marks(ctx, db.reader, session)
	return marks, db.explain(err)
}
