package history

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"cxdeck/store"
	"cxdeck/views/browse"
)

// order is the sort order of the sessions, always with the largest or newest first.
type order uint8

const (
	byStart order = iota
	byDuration
	bySamples
	bySize
	orderCount
)

// String names the order for the operator.
func (o order) String() string { return [...]string{"start", "duration", "samples", "size"}[o] }

// column returns the column that the order sorts by.
func (o order) column() int {
	return [...]int{recordedColumn, durationColumn, samplesColumn, sizeColumn}[o]
}

// choose returns the indexes of the sessions that match the filter, in their order.
func choose(sessions []store.Session, filter *browse.Filter, by order) []int {
	var rows []int
	for i := range sessions {
		s := &sessions[i]
		if filter.Match(s.Host, s.Source.Name, string(s.Source.Kind), s.Note, strings.Join(s.Tags, " "), s.Recorded.Format(timeFormat)) {
			rows = append(rows, i)
		}
	}
	key := func(i int) int64 {
		switch s := &sessions[i]; by {
		case byDuration:
			return int64(duration(s))
		case bySamples:
			return s.Samples
		case bySize:
			return s.Bytes
		default:
			return s.Recorded.UnixNano()
		}
	}
	slices.SortStableFunc(rows, func(a, b int) int {
		return cmp.Or(cmp.Compare(key(b), key(a)), cmp.Compare(sessions[b].ID, sessions[a].ID))
	})
	return rows
}

// Times have minutes in the table, and seconds elsewhere.
const (
	minuteFormat = "2006-01-02 15:04"
	timeFormat   = "2006-01-02 15:04:05"
)

// duration returns the time between a session's first and last sample that was saved.
func duration(s *store.Session) time.Duration { return max(s.Ended.Sub(s.Started), 0) }
