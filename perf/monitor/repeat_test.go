package monitor_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
)

// mustBeAt checks the position of a monitor, in seconds from the recording's start, and whether it repeats a range.
func mustBeAt(t *testing.T, m *monitor.Monitor, seconds int, repeats bool) {
	t.Helper()
	status := m.Status()
	if want := start.Add(time.Duration(seconds) * time.Second); !status.Now.Equal(want) {
		t.Errorf("the position is %v, want %v", status.Now.Sub(start), want.Sub(start))
	}
	if got := status.RepeatFrom.Before(status.RepeatTo); got != repeats {
		t.Errorf("a range is repeated: %v, want %v", got, repeats)
	}
}

func TestRangeIsRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := running(t, &tape{script: newScript(t, perf.SessionSource)}, monitor.Options{})
		from, to := start.Add(20*time.Minute), start.Add(20*time.Minute+3*time.Second)
		seek := func(at time.Time) {
			t.Helper()
			if err := m.Seek(t.Context(), at); err != nil {
				t.Fatal(err)
			}
		}
		repeat := func(from, to time.Time) {
			t.Helper()
			if err := m.Repeat(from, to); err != nil {
				t.Fatal(err)
			}
		}
		repeat(from, to)
		seek(from)
		mustBeAt(t, m, 1200, true)
		pass(3500 * time.Millisecond)
		mustBeAt(t, m, 1203, true)
		pass(time.Second) // from the end to the beginning takes as long as from one sample to the next
		mustBeAt(t, m, 1200, true)
		pass(10 * time.Second)
		mustBeAt(t, m, 1202, true)

		repeat(time.Time{}, time.Time{})
		pass(5 * time.Second)
		mustBeAt(t, m, 1207, false)

		// A range that ends with the recording is repeated at its end.
		repeat(start.Add(time.Hour-2*time.Second), start.Add(2*time.Hour))
		seek(start.Add(time.Hour - time.Second))
		pass(2500 * time.Millisecond)
		mustBeAt(t, m, 3598, true)
		if m.Status().Ended {
			t.Error("the recording has ended instead")
		}

		// A seek within the range keeps the repetition, a seek outside ends it.
		seek(start.Add(time.Hour - time.Second))
		mustBeAt(t, m, 3599, true)
		seek(start.Add(time.Minute))
		mustBeAt(t, m, 60, false)

		// A range without a sample is not repeated.
		repeat(start.Add(90*time.Second+100*time.Millisecond), start.Add(90*time.Second+200*time.Millisecond))
		pass(40 * time.Second)
		mustBeAt(t, m, 99, false)
	})
}

// observedTape calls onNext before each column.
type observedTape struct {
	*tape
	onNext func()
}

func (r *observedTape) Next(ctx context.Context, interval time.Duration, column *perf.Column) error {
	r.onNext()
	return r.tape.Next(ctx, interval, column)
}

// While a seek or the return to the start of a repeated period fills the window with earlier columns, Status.Now keeps the
// target time.
func TestSeekKeepsTheTargetPosition(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var m *monitor.Monitor
		var watching atomic.Bool
		var reads atomic.Int64
		from, to := start.Add(20*time.Minute), start.Add(20*time.Minute+3*time.Second)
		source := &observedTape{tape: &tape{script: newScript(t, perf.SessionSource)}, onNext: func() {
			if !watching.Load() {
				return
			}
			reads.Add(1)
			if now := m.Status().Now; now.Before(from) || now.After(to) {
				t.Errorf("the position is %s", now.Sub(start))
			}
		}}
		m = running(t, source, monitor.Options{})
		if err := errors.Join(m.Repeat(from, to), m.Seek(t.Context(), from)); err != nil {
			t.Fatal(err)
		}
		pass(time.Second)
		watching.Store(true)
		pass(20 * time.Second)
		watching.Store(false)
		if reads.Load() < 600 {
			t.Errorf("the source was read %d times", reads.Load())
		}
		if err := m.Seek(t.Context(), start.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		mustBeAt(t, m, 60, false)
	})
}

func TestOnlyRecordingsAreRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := running(t, newScript(t, perf.LabSource), monitor.Options{})
		if err := m.Repeat(start, start.Add(time.Second)); !errors.Is(err, monitor.ErrNotPossible) {
			t.Errorf("a lab: %v", err)
		}
	})
}
