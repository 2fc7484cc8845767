package store

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxTag limits a tag, in characters.
	MaxTag = 40
	// maxTags limits the tags of a session.
	maxTags = 32
)

// TagError is a text that can't be a tag.
type TagError struct{ Tag string }

// Error says what a tag must be.
func (e *TagError) Error() string {
	return fmt.Sprintf("invalid tag %.60q: it must have 1 to %d letters, digits or signs, and no space or comma", e.Tag, MaxTag)
}

func checkTag(tag string) error {
	refused := func(r rune) bool { return r == ',' || unicode.IsSpace(r) || !unicode.IsPrint(r) }
	if n := utf8.RuneCountInString(tag); n < 1 || n > MaxTag || !utf8.ValidString(tag) || strings.ContainsFunc(tag, refused) {
		return &TagError{tag}
	}
	return nil
}

// Tag adds tags to a session and removes others; both ignore case, and neither fails for what is so already. It fails
// with ErrNoSession when there is no such session, and with a TagError.
func (db *DB) Tag(ctx context.Context, session int64, add, remove []string) error {
	for _, tag := range add {
		if err := checkTag(tag); err != nil {
			return err
		}
	}
	if _, err := db.Session(ctx, session); err != nil {
		return err
	}
	return db.write(ctx, func(tx *sql.Tx) error {
		for _, tag := range remove {
			if _, err := tx.ExecContext(ctx, "DELETE FROM tag WHERE session = ? AND name = ?", session, tag); err != nil {
				return err
			}
		}
		for _, tag := range add {
			if _, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO tag (session, name) VALUES (?, ?)", session, tag); err != nil {
				return err
			}
		}
		var count int
		if err := tx.QueryRowContext(ctx, "SELECT count(*) FROM tag WHERE session = ?", session).Scan(&count); err != nil {
			return err
		}
		if count > maxTags {
			return fmt.Errorf("a session can have at most %d tags", maxTags)
		}
		return nil
	})
}
