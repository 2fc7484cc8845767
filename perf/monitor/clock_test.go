package monitor_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
)

// columnSink keeps the time of each column, and the number of samples missed before it.
type columnSink struct {
	seen
	all []perf.Column
}

func (s *columnSink) Column(column *perf.Column) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.all = append(s.all, perf.Column{Time: column.Time, Missed: column.Missed})
}

// Sampling continues when a machine's clock is set forward or back, or when it is suspended: the times of samples rise, missing
// samples are counted, and an event reports a clock that was set back.
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
		// Forward by an hour, eight hours and nine hours; before the eight hours the samples are an hour ahead of the clock.
		if len(gaps) != 2 || gaps[5] != 3600 || gaps[20] != 7*3600 {
			t.Errorf("gaps before samples: %v", gaps)
		}
		var messages []string
		for _, event := range sink.events {
			if strings.Contains(event.Message, "set back") {
				messages = append(messages, event.Message)
			}
		}
		if len(messages) != 2 || !strings.Contains(messages[0], "set back by 1h0m0s") || !strings.Contains(messages[1], "set back by 9h0m0s") {
			t.Errorf("events %q", messages)
		}
	})
}
