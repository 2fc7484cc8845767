package moment

import (
	"fmt"
	"strings"
	"time"

	"cxdeck/driver/request"
)

// Range parses the two ends of a range between first and last. An empty text is first or last; +5m is relative to first, -5m
// to last. A time without a date is the one nearest to first, in its time zone.
func Range(from, to string, first, last time.Time) (begin, end time.Time, err error) {
	if begin, err = readEnd("--from", from, first, first, last); err != nil {
		return begin, end, err
	}
	if end, err = readEnd("--to", to, last, first, last); err != nil {
		return begin, end, err
	}
	if end.Before(begin) {
		return begin, end, fmt.Errorf("--to must not be before --from: %s is before %s",
			end.Format(time.DateTime), begin.Format(time.DateTime))
	}
	return begin, end, nil
}

func readEnd(flag, text string, missing, first, last time.Time) (time.Time, error) {
	if text == "" {
		return missing, nil
	}
	now := first
	if strings.HasPrefix(text, "-") {
		now = last
	}
	at, err := Read(text, now, first, last)
	if err != nil {
		return at, request.Errorf("%s %q: %w", flag, text, err)
	}
	return at, nil
}
