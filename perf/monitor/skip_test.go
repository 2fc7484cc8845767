package monitor_test

import (
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/perf"
	"cxdeck/perf/lab"
	"cxdeck/perf/monitor"
)

// TestSkippedTimeIsTheSame reboots the host of a lab and lets the time of the reboot pass, by skipping and at normal speed: all
// columns are equal, the host is back, and the speed afterwards is unchanged. A paused lab is paused again afterwards.
func TestSkippedTimeIsTheSame(t *testing.T) {
	t.Parallel()
	reboot := driver.Plan{Title: "Reboot", Operations: []driver.Operation{adapters.Reboot{Host: "LAB-N4"}}}
	watch := func(atOnce, paused bool) *samples {
		seen := &samples{wanted: 1 << 62}
		synctest.Test(t, func(t *testing.T) {
			description := description.Default()
			description.Epoch = start
			model, err := device.New(description, 42)
			if err != nil {
				t.Fatal(err)
			}
			source, err := lab.New(driver.NewHost(model))
			if err != nil {
				t.Fatal(err)
			}
			monitor := running(t, source, monitor.Options{Sink: seen})
			pass(2 * time.Second)
			if _, err := monitor.Apply(t.Context(), reboot); err != nil {
				t.Fatal(err)
			}
			waits := monitor.Lab().Waits
			if len(waits) != 1 || waits[0].What != "LAB-N4 reboots" {
				t.Fatalf("waits %+v", waits)
			}
			left := waits[0].Until.Sub(monitor.Status().Now)
			if atOnce {
				if err := monitor.SetPaused(paused); err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				if err := monitor.SkipUntil(waits[0].Until); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
				pass(50 * time.Millisecond)
				if took := time.Since(began); took > time.Second {
					t.Errorf("%s take %s", left, took)
				}
			} else {
				pass(left.Truncate(time.Second) + time.Second)
			}
			status := monitor.Status()
			if len(monitor.Lab().Waits) > 0 || status.Now.Before(waits[0].Until) || status.Now.Sub(waits[0].Until) >= time.Second {
				t.Errorf("at %s, until %s: %+v", status.Now, waits[0].Until, monitor.Lab().Waits)
			}
			if !status.SkipTo.IsZero() || status.Paused != paused {
				t.Errorf("status %+v", status)
			}
			if pass(3 * time.Second); !paused && len(seen.sums) == 0 || monitor.Status().Now.Sub(status.Now) > 3*time.Second {
				t.Errorf("after %s: %s", status.Now, monitor.Status().Now)
			}
			if paused {
				if !monitor.Status().Now.Equal(status.Now) {
					t.Error("the lab is not paused any more")
				}
				return
			}
			if err := monitor.SkipUntil(status.Now.Add(-time.Second)); err == nil {
				t.Error("time goes back")
			}
		})
		return seen
	}
	slow, fast, still := watch(false, false), watch(true, false), watch(true, true)
	if n := min(len(slow.sums), len(fast.sums)); n < 68 || !slices.Equal(slow.sums[:n], fast.sums[:n]) {
		t.Errorf("%d columns differ from %d", len(fast.sums), len(slow.sums))
	}
	if n := len(still.sums); n < 66 || !slices.Equal(still.sums, slow.sums[:n]) {
		t.Errorf("%d columns of a paused lab differ", n)
	}
}

// TestStopSkipping stops skipping before its end; only labs can skip time.
func TestStopSkipping(t *testing.T) {
	t.Parallel()
	model, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := lab.New(driver.NewHost(model))
	if err != nil {
		t.Fatal(err)
	}
	m, err := monitor.New(source, monitor.Options{Interval: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	begun, until := m.Status().Now, m.Status().Now.Add(monitor.MaxSkip)
	if err := m.SkipUntil(until); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := contextOf(t)
	ended := make(chan error, 1)
	go func() { ended <- m.Run(ctx) }()
	for m.Status().Samples < 3 {
		time.Sleep(time.Millisecond)
	}
	if status := m.Status(); !status.SkipFrom.Equal(begun) || !status.SkipTo.Equal(until) {
		t.Errorf("status %+v", status)
	}
	if _, err := m.Clone(ctx); err != nil { // other requests are served meanwhile
		t.Error(err)
	}
	m.StopSkipping()
	for range 20 {
		time.Sleep(5 * time.Millisecond)
	}
	now := m.Status().Now
	time.Sleep(50 * time.Millisecond)
	if again := m.Status(); again.Now.Sub(now) > time.Second || !again.SkipTo.IsZero() || !now.Before(until) {
		t.Errorf("it continued from %s to %s", now, again.Now)
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	recording, err := monitor.New(newScript(t, perf.SessionSource), monitor.Options{Interval: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if err := recording.SkipUntil(time.Now().Add(time.Hour)); !errors.Is(err, monitor.ErrNotPossible) {
		t.Errorf("a recording: %v", err)
	}
}
