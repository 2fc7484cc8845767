package monitor_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
)

// columnSink keeps the time of each column, and what was missed before it.
type columnSink struct {
	seen
	all []perf.Column
}

func (s *columnSink) Column(column *perf.Column) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.all = append(s.all, perf.Column{Time: column.Time, Missed: column.Missed})
}

// A machine whose clock is set forward or back, or that is suspended, continues being sampled: no two samples have one time, none is
// before another, what is missing is counted, and a clock that was set back is an event.
func TestSamplesStayInOrderWhenTheClockJumps(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		machine, sink := newScript(t, perf.LocalSource), &columnSink{}
		offset := map[int]time.Duration{5: time.Hour, 10: -time.Hour, 20: 8 * time.Hour, 30: -9 * time.Hour, 40: 9 * time.Hour}
		clock := time.Duration(0)
		machine.next = func(n int, column *perf.Column) error {
			clock += offset[n]
			column.Time = column.Time.Add(clock)
			return nil
		}
		running(t, machine, monitor.Options{Sink: sink})
		pass(50 * time.Second)
		sink.mutex.Lock()
		defer sink.mutex.Unlock()
		if len(sink.all) < 50 {
			t.Fatalf("%d samples", len(sink.all))
		}
		gaps := map[int]int{}
		for n, column := range sink.all {
			if column.Missed > 0 {
				gaps[n] = column.Missed
			}
			if n == 0 {
				continue
			}
			between := column.Time.Sub(sink.all[n-1].Time)
			if between <= 0 || column.Missed == 0 && between != time.Second {
				t.Errorf("sample %d comes %s after the one before, with %d missed", n, between, column.Missed)
			}
		}
		// Forward by an hour; the eight hours begin an hour behind the samples' own time, and the nine where that has come to.
		if len(gaps) != 2 || gaps[5] != 3600 || gaps[20] != 7*3600 {
			t.Errorf("gaps before samples: %v", gaps)
		}
		var told []string
		for _, event := range sink.events {
			if strings.Contains(event.Message, "set back") {
				told = append(told, event.Message)
			}
		}
		if len(told) != 2 || !strings.Contains(told[0], "set back by 1h0m0s") || !strings.Contains(told[1], "set back by 9h0m0s") {
			t.Errorf("events %q", told)
		}
	})
}
