package monitor_test

import (
	"context"
	"io"
	"testing"
	"testing/synctest"
	"time"

	"cxdeck/perf"
	"cxdeck/perf/monitor"
)

// summedTape is a recording of an hour, with one row per minute in the first half.
type summedTape struct {
	*script
	at, last time.Duration
}

const summedUntil = 30 * time.Minute

func (r *summedTape) Span() (from, to time.Time) { return start, start.Add(time.Hour) }

func (r *summedTape) Seek(to time.Time) error {
	step := time.Second
	if to.Before(start.Add(summedUntil)) {
		step = time.Minute
	}
	r.at = (to.Sub(start) + step - 1).Truncate(step)
	return nil
}

func (r *summedTape) Step() time.Duration {
	if r.last < summedUntil {
		return time.Minute
	}
	return 0
}

func (r *summedTape) Next(_ context.Context, _ time.Duration, column *perf.Column) error {
	if r.at > time.Hour {
		return io.EOF
	}
	column.Time, r.last = start.Add(r.at), r.at
	column.Grow(2)
	if r.at += time.Second; r.at <= summedUntil {
		r.at += time.Minute - time.Second
	}
	return nil
}

// TestSpeedOfSummedRows plays a recording from rows of a minute into samples: at each speed, recorded time passes at that
// speed.
func TestSpeedOfSummedRows(t *testing.T) {
	t.Parallel()
	for _, speed := range []float64{0.5, 1, 10, 100} {
		synctest.Test(t, func(t *testing.T) {
			m := running(t, &summedTape{script: newScript(t, perf.SessionSource)}, monitor.Options{})
			if err := m.SetSpeed(speed); err != nil {
				t.Fatal(err)
			}
			from := start.Add(20 * time.Minute)
			if err := m.Seek(t.Context(), from); err != nil {
				t.Fatal(err)
			}
			for _, recorded := range []time.Duration{30 * time.Second, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute} {
				if err := m.Seek(t.Context(), from); err != nil {
					t.Fatal(err)
				}
				pass(time.Duration(float64(recorded)/speed) + 100*time.Millisecond)
				// The current row is at most its own length behind.
				status := m.Status()
				if behind := from.Add(recorded).Sub(status.Now); behind < -2*time.Second-time.Duration(speed*float64(200*time.Millisecond)) || behind >= max(status.Step, 2*time.Second) {
					t.Errorf("at speed %v the position is %s after %s of recorded time", speed, status.Now.Sub(from), recorded)
				}
			}
			// A new speed applies to the current row.
			if err := m.Seek(t.Context(), from); err != nil {
				t.Fatal(err)
			}
			if err := m.SetSpeed(60); err != nil {
				t.Fatal(err)
			}
			pass(5*time.Second + 100*time.Millisecond)
			if now := m.Status().Now.Sub(from); now != 5*time.Minute {
				t.Errorf("after five seconds at speed 60 the position is %s", now)
			}
		})
	}
}

// sparseTape is a log with one row per fifteen seconds, and one gap of ten minutes.
type sparseTape struct {
	*script
	at int
}

const (
	sparseRow = 15 * time.Second
	sparseGap = 10 * time.Minute
)

func (r *sparseTape) time(row int) time.Duration {
	at := time.Duration(row) * sparseRow
	if row > 60 {
		at += sparseGap
	}
	return at
}

func (r *sparseTape) Span() (from, to time.Time) { return start, start.Add(time.Hour) }

func (r *sparseTape) Seek(to time.Time) error {
	for r.at = 0; r.time(r.at) < to.Sub(start); r.at++ {
	}
	return nil
}

func (r *sparseTape) Next(_ context.Context, _ time.Duration, column *perf.Column) error {
	column.Time = start.Add(r.time(r.at))
	if column.Time.After(start.Add(time.Hour)) {
		return io.EOF
	}
	column.Grow(2)
	r.at++
	return nil
}

// TestALogWithFewRowsPlaysInItsTime plays sparseTape; its gap takes no time.
func TestALogWithFewRowsPlaysInItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := running(t, &sparseTape{script: newScript(t, perf.LogSource)}, monitor.Options{})
		if err := m.Seek(t.Context(), start.Add(14*time.Minute)); err != nil {
			t.Fatal(err)
		}
		pass(30*time.Second + 100*time.Millisecond)
		if now := m.Status().Now.Sub(start); now != 14*time.Minute+30*time.Second {
			t.Errorf("after 30 s of the log the position is %s", now)
		}
		pass(time.Minute)
		if now := m.Status().Now.Sub(start); now != 15*time.Minute+30*time.Second+sparseGap {
			t.Errorf("after the gap the position is %s", now)
		}
	})
}
