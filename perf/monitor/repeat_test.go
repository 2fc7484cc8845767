package monitor_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
)

// stands checks where a monitor stands, in seconds from the recording's start, and what it repeats.
func stands(t *testing.T, m *monitor.Monitor, seconds int, repeats bool) {
	t.Helper()
	status := m.Status()
	if want := start.Add(time.Duration(seconds) * time.Second); !status.Now.Equal(want) {
		t.Errorf("the recording stands at %v, want %v", status.Now.Sub(start), want.Sub(start))
	}
	if got := status.RepeatFrom.Before(status.RepeatTo); got != repeats {
		t.Errorf("it repeats something: %v, want %v", got, repeats)
	}
}

func TestAPeriodIsRepeated(t *testing.T) {
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
		stands(t, m, 1200, true)
		pass(3500 * time.Millisecond)
		stands(t, m, 1203, true)
		pass(time.Second) // from the end to the beginning takes as long as from one sample to the next
		stands(t, m, 1200, true)
		pass(10 * time.Second)
		stands(t, m, 1202, true)

		repeat(time.Time{}, time.Time{})
		pass(5 * time.Second)
		stands(t, m, 1207, false)

		// The end of the recording is the end of a period that goes to it.
		repeat(start.Add(time.Hour-2*time.Second), start.Add(2*time.Hour))
		seek(start.Add(time.Hour - time.Second))
		pass(2500 * time.Millisecond)
		stands(t, m, 3598, true)
		if m.Status().Ended {
			t.Error("the recording has ended instead")
		}

		// A step within keeps it, a step out of it ends it.
		seek(start.Add(time.Hour - time.Second))
		stands(t, m, 3599, true)
		seek(start.Add(time.Minute))
		stands(t, m, 60, false)

		// A period without a sample is not gone round in.
		repeat(start.Add(90*time.Second+100*time.Millisecond), start.Add(90*time.Second+200*time.Millisecond))
		pass(40 * time.Second)
		stands(t, m, 99, false)
	})
}

// observedTape calls seen before each column that it returns.
type observedTape struct {
	*tape
	seen func()
}

func (r *observedTape) Next(ctx context.Context, interval time.Duration, column *perf.Column) error {
	r.seen()
	return r.tape.Next(ctx, interval, column)
}

// A recording that goes back to the beginning of what it repeats, or to any time, stands nowhere else on its way: what fills the window
// is before it.
func TestARecordingStandsNowhereOnItsWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		source := &observedTape{tape: &tape{script: newScript(t, perf.SessionSource)}, seen: func() {}}
		m := running(t, source, monitor.Options{})
		from, to := start.Add(20*time.Minute), start.Add(20*time.Minute+3*time.Second)
		if err := errors.Join(m.Repeat(from, to), m.Seek(t.Context(), from)); err != nil {
			t.Fatal(err)
		}
		pass(time.Second)
		looks := 0
		source.seen = func() {
			looks++
			if now := m.Status().Now; now.Before(from) || now.After(to) {
				t.Errorf("it stands at %s", now.Sub(start))
			}
		}
		pass(20 * time.Second)
		if looks < 600 {
			t.Errorf("%d columns", looks)
		}
		source.seen = func() {}
		if err := m.Seek(t.Context(), start.Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		stands(t, m, 60, false)
	})
}

func TestOnlyARecordingIsRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := running(t, newScript(t, perf.LabSource), monitor.Options{})
		if err := m.Repeat(start, start.Add(time.Second)); !errors.Is(err, monitor.ErrNotPossible) {
			t.Errorf("a lab: %v", err)
		}
	})
}
