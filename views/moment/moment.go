// Package moment parses times that operators type, and formats lengths of time. It reads no clock.
package moment

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// errForm explains the format of a time.
var errForm = errors.New("write a time as 14:02, 14:02:31 or 2018-08-14 14:02, or an offset as +90s or -5m")

// timeLayouts are the accepted formats of a time. Layouts with a date come first.
var timeLayouts = []struct {
	layout    string
	day, year bool
}{
	{"2006-1-2 15:4:5", true, true}, {"2006-1-2 15:4", true, true}, {"1-2 15:4:5", true, false}, {"1-2 15:4", true, false},
	{"15:4:5", false, false}, {"15:4", false, false},
}

// Read parses a time between from and to. A time without a date is the one nearest to now; an offset is relative to now. The
// time zone is that of now.
func Read(text string, now, from, to time.Time) (time.Time, error) {
	text = strings.Join(strings.Fields(strings.Replace(text, "T", " ", 1)), " ")
	if text != "" && (text[0] == '+' || text[0] == '-') {
		by, err := time.ParseDuration(strings.ReplaceAll(strings.TrimPrefix(text, "+"), " ", ""))
		if err != nil {
			return time.Time{}, errForm
		}
		return clamp(now.Add(by), from, to)
	}
	for _, l := range timeLayouts {
		at, err := time.ParseInLocation(l.layout, text, now.Location())
		if err != nil {
			continue
		}
		year, month, day := now.Date()
		switch {
		case l.year:
			return clamp(at, from, to)
		case l.day:
			_, month, day = at.Date()
		}
		best, found := time.Time{}, false
		for offset := range 3 {
			y, d := year, day
			if l.day {
				y += offset - 1
			} else {
				d += offset - 1
			}
			try := time.Date(y, month, d, at.Hour(), at.Minute(), at.Second(), 0, now.Location())
			_, err := clamp(try, from, to)
			if (err == nil && !found) || (err == nil) == found && isNearer(try, best, now) {
				best, found = try, err == nil
			}
		}
		return clamp(best, from, to)
	}
	return time.Time{}, errForm
}

// isNearer reports whether a time is nearer to now than another one, which may be zero.
func isNearer(at, other, now time.Time) bool {
	return other.IsZero() || at.Sub(now).Abs() < other.Sub(now).Abs()
}

// clamp limits a time to the recording. It accepts a second more on both sides, because screens show times without fractions.
func clamp(at, from, to time.Time) (time.Time, error) {
	switch {
	case at.Before(from.Add(-time.Second)):
		return at, fmt.Errorf("the recording begins at %s", from.In(at.Location()).Format(time.DateTime))
	case at.After(to.Add(time.Second)):
		return at, fmt.Errorf("the recording ends at %s", to.In(at.Location()).Format(time.DateTime))
	case at.Before(from):
		return from, nil
	case at.After(to):
		return to, nil
	}
	return at, nil
}
