package deck

import (
	"slices"
	"testing"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
)

func numbered(from, to uint64) []eventlog.Event {
	var events []eventlog.Event
	for n := from; n <= to; n++ {
		events = append(events, eventlog.Event{Sequence: n})
	}
	return events
}

func TestEventLogKeepsPositionsWhenItDropsEvents(t *testing.T) {
	t.Parallel()
	var l EventLog
	for n := uint64(1); n <= 40_000; n += 500 {
		l.add(numbered(n, n+499), nil)
		first, end := l.Span()
		if end-first < min(EventLimit, end) || end-first > EventLimit*5/4 {
			t.Fatalf("after %d events the log keeps %d", n+499, end-first)
		}
		// Position p holds the event with sequence p+1, whatever was dropped.
		for _, at := range []int{first, (first + end) / 2, end - 1} {
			if got := l.At(at).Sequence; got != uint64(at)+1 {
				t.Fatalf("position %d holds event %d", at, got)
			}
		}
	}
	if l.after != 40_000 {
		t.Errorf("the log asks for events after %d, want 40000", l.after)
	}
}

// eventRange is a monitor with the events of a range of numbers.
type eventRange struct{ oldest, newest uint64 }

func (s *eventRange) Events(after uint64, limit int) []eventlog.Event {
	from := max(after+1, s.oldest, s.newest-min(s.newest, uint64(limit))+1)
	return numbered(from, s.newest)
}

func TestEventLogFollowsAMonitor(t *testing.T) {
	t.Parallel()
	var l EventLog
	want := func(resets int, sequences ...uint64) {
		t.Helper()
		first, end := l.Span()
		if l.Resets() != resets || end-first != len(sequences) {
			t.Fatalf("%d events after %d resets, want %d after %d", end-first, l.Resets(), len(sequences), resets)
		}
		for i, n := range sequences {
			if got := l.At(first + i).Sequence; got != n {
				t.Errorf("event %d is %d, want %d", i, got, n)
			}
		}
	}
	s := &eventRange{oldest: 1}
	l.catchUp(s, nil, time.Time{})
	want(1)
	s.newest = 2
	l.catchUp(s, nil, time.Time{})
	l.catchUp(s, nil, time.Time{})
	want(1, 1, 2)
	s.newest = 3
	l.catchUp(s, nil, time.Time{})
	want(1, 1, 2, 3)
	s.oldest = 4 // after a seek
	l.catchUp(s, nil, time.Time{})
	want(2)
	s.newest = 5
	l.catchUp(s, nil, time.Time{})
	want(2, 4, 5)
	s.oldest, s.newest = 6, 7 // after a seek, with another event
	l.catchUp(s, nil, time.Time{})
	want(3, 6, 7)
	l.catchUp(&eventRange{oldest: 1, newest: 1}, nil, time.Time{}) // another monitor
	want(4, 1)
	l.catchUp(nil, nil, time.Time{})
	want(5)
}

// timed is a monitor with events one second apart.
type timed struct{ newest uint64 }

func (s *timed) Events(after uint64, _ int) []eventlog.Event {
	var events []eventlog.Event
	for n := after + 1; n <= s.newest; n++ {
		events = append(events, eventlog.Event{Sequence: n, Time: time.Unix(int64(n), 0)})
	}
	return events
}

func TestEventLogInsertsChangesByTime(t *testing.T) {
	t.Parallel()
	var l EventLog
	s := &timed{newest: 2}
	journal := []driver.Entry{
		{Sequence: 1, Time: time.Unix(2, 0), Plan: driver.Plan{Title: "Pull"}},
		{Sequence: 2, Time: time.Unix(3, 0), Plan: driver.Plan{Title: "Plug"}, Err: "no hands"},
	}
	l.catchUp(s, journal, time.Unix(2, 0))
	l.catchUp(s, journal, time.Unix(3, 0)) // the change is before the events of the same second
	s.newest = 3
	l.catchUp(s, journal, time.Unix(3, 0))
	var got []uint64
	first, end := l.Span()
	for at := first; at < end; at++ {
		got = append(got, l.At(at).Sequence)
	}
	if want := []uint64{1, changes + 1, 2, changes + 2, 3}; !slices.Equal(got, want) {
		t.Errorf("the log has %d, want %d", got, want)
	}
	if e := l.At(first + 3); e.Source != You || e.Severity != eventlog.Error || e.Message != "failed: Plug: no hands" {
		t.Errorf("a failed change is the event %+v", e)
	}
	if l.Resets() != 1 {
		t.Errorf("the log restarted %d times, want once", l.Resets())
	}
}
