package sqlite

import (
	"time"
)

// Nanoseconds returns a time in its stored form: nanoseconds since 1970, 0 for the zero time.
func Nanoseconds(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixNano()
}

// Instant returns the time of stored nanoseconds.
func Instant(ns int64) time.Time {
	if ns == 0 {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}
