package sessions

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// MaxTag limits a tag, in characters.
	MaxTag = 40
	// MaxTags limits the tags of a session.
	MaxTags = 32
)

// TagError is a text that can't be a tag.
type TagError struct{ Tag string }

// Error returns what a tag must be.
func (e *TagError) Error() string {
	return fmt.Sprintf("invalid tag %.60q: it must have 1 to %d letters, digits or signs, and no space or comma", e.Tag, MaxTag)
}

// CheckTag fails with a TagError.
func CheckTag(tag string) error {
	refused := func(r rune) bool { return r == ',' || unicode.IsSpace(r) || !unicode.IsPrint(r) }
	if n := utf8.RuneCountInString(tag); n < 1 || n > MaxTag || !utf8.ValidString(tag) || strings.ContainsFunc(tag, refused) {
		return &TagError{tag}
	}
	return nil
}

// pinnedPrefix begins the setting keys of pinned sessions.
const pinnedPrefix = "session.pinned."

// IsPinned is a condition on a row of the session table.
const IsPinned = "EXISTS (SELECT 1 FROM setting WHERE key = '" + pinnedPrefix + "' || session.id)"

// PinnedKey returns the setting that a pinned session has.
func PinnedKey(id int64) string { return pinnedPrefix + strconv.FormatInt(id, 10) }
