package moment

import (
	"fmt"
	"strings"
	"time"
)

// Range reads the two ends of a range within what there is, from first to last. An empty end is the one of what there is;
// +5m counts from its beginning and -5m from its end. Times without a day are the nearest to the beginning, in its time
// zone.
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
		return at, fmt.Errorf("%s %q: %w", flag, text, err)
	}
	return at, nil
}
