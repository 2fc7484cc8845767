package forecast_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/hardware"
	"cxdeck/driver/registry/edit"
	"cxdeck/perf/forecast"
	"cxdeck/perf/lab"
	"cxdeck/perf/monitor"
)

// largeFrames is a plan that restarts a port and changes its traffic.
var largeFrames = driver.Plan{Title: "Jumbo", Operations: []driver.Operation{
	edit.SetValue{Connection: "Ethernet 5", Key: "*JumboPacket", Value: "9014"}, adapters.RestartAdapter{Connection: "Ethernet 5"},
}}

func freshHost(t testing.TB) *driver.Host {
	t.Helper()
	hardware, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return driver.NewHost(hardware)
}

func runForecast(t *testing.T, operations ...driver.Operation) *forecast.Result {
	t.Helper()
	host := freshHost(t)
	host.Advance(20 * time.Second)
	f, err := forecast.RunOn(t.Context(), host, driver.Plan{Title: "x", Operations: operations}, forecast.Options{Span: 20 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// place returns the index of the first difference of a counter of an instance, -1 for none.
func place(f *forecast.Result, instance, counter string) int {
	return slices.IndexFunc(f.Differences, func(d forecast.Difference) bool {
		return d.Series.Instance == instance && d.Series.Counter == counter
	})
}

func TestForecastRanksChangedCounters(t *testing.T) {
	t.Parallel()
	f := runForecast(t, edit.SetValue{Connection: "Ethernet 7", Key: "*JumboPacket", Value: "1514"}, adapters.RestartAdapter{Connection: "Ethernet 7"})
	if f.Span != 20*time.Second || f.RestartTime < 2*time.Second || f.RestartTime > 5*time.Second {
		t.Errorf("%s after %s", f.Span, f.RestartTime)
	}
	at := place(f, "Ethernet 7", "Packets Sent/Sec")
	if at < 0 || at > 20 {
		for i, d := range f.Differences[:min(len(f.Differences), 20)] {
			t.Logf("%d %s %g -> %g (%+.0f %%), %g", i, d.Series.Path(), d.Before, d.After, 100*d.Change, d.Score)
		}
		t.Fatalf("the packets are at %d of %d", at, len(f.Differences))
	}
	if d := f.Differences[at]; !d.PerSecond || d.After < 1.5*d.Before || math.Abs(d.Change-(d.After/d.Before-1)) > 1e-9 {
		t.Errorf("%+v", d)
	}
	for _, d := range f.Differences {
		if math.Abs(d.Change) < 0.019 {
			t.Errorf("%+v is not significant", d)
		}
	}
	if !slices.ContainsFunc(f.Events, func(e eventlog.Event) bool { return e.Key == "mlx5.stopped" && e.Adapter == "Ethernet 7" }) {
		t.Errorf("events %+v", f.Events)
	}
}

// The forecast of a plan without effect is empty: both copies use the same random numbers.
func TestForecastWithoutEffectIsEmpty(t *testing.T) {
	t.Parallel()
	f := runForecast(t, adapters.MarkManagement{Connection: "Ethernet 7", Carries: true})
	if len(f.Differences) != 0 || len(f.Events) != 0 || f.RestartTime != 0 {
		t.Errorf("%d differences, %d events", len(f.Differences), len(f.Events))
	}
}

func TestForecastHasNewObjects(t *testing.T) {
	t.Parallel()
	f := runForecast(t, edit.SetValue{Connection: "Ethernet 7", Key: "*NumRSSQueues", Value: "16"},
		edit.SetValue{Connection: "Ethernet 7", Key: "*MaxRSSProcessors", Value: "16"}, adapters.RestartAdapter{Connection: "Ethernet 7"})
	if !slices.ContainsFunc(f.Differences, func(d forecast.Difference) bool { return strings.Contains(d.Series.Set, "Receive Datapath") }) {
		t.Error("the new rings are missing")
	}
}

func TestForecastDoesNotChangeTheHost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		source, err := lab.New(freshHost(t))
		if err != nil {
			t.Fatal(err)
		}
		owner, err := monitor.New(source, monitor.Options{Interval: time.Second})
		if err != nil {
			t.Fatal(err)
		}
		if err := owner.SetPaused(true); err != nil {
			t.Fatal(err)
		}
		run, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- owner.Run(run) }()
		defer func() {
			stop()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}()
		save := func() (data []byte) {
			if err := owner.ReadHost(t.Context(), func(h *driver.Host) (err error) {
				data, err = h.Save()
				return err
			}); err != nil {
				t.Fatal(err)
			}
			return data
		}
		before := save()
		parts := []float64{}
		f, err := forecast.Run(t.Context(), owner, largeFrames, forecast.Options{Span: 5 * time.Second, Progress: func(part float64) { parts = append(parts, part) }})
		if err != nil || len(f.Differences) == 0 || len(parts) != 5 || parts[4] != 1 || !slices.IsSorted(parts) {
			t.Errorf("%v, %v", parts, err)
		}
		if review, err := owner.Review(t.Context(), largeFrames); err != nil || len(review.Changes) != 1 {
			t.Errorf("%+v, %v", review, err)
		}
		if string(before) != string(save()) {
			t.Error("the host changed")
		}
		ctx, cancel := context.WithCancel(t.Context())
		if _, err := forecast.Run(ctx, owner, largeFrames, forecast.Options{Span: forecast.MaxSpan, Progress: func(float64) { cancel() }}); !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled forecast returned %v", err)
		}
		for _, c := range []struct {
			plan driver.Plan
			span time.Duration
		}{
			{largeFrames, time.Hour}, {largeFrames, -1}, {driver.Plan{}, 0},
			{driver.Plan{Operations: []driver.Operation{hardware.PlugCable{Connection: "Ethernet 7"}}}, 0},
		} {
			if _, err := forecast.Run(t.Context(), owner, c.plan, forecast.Options{Span: c.span}); err == nil {
				t.Errorf("a forecast of %+v", c)
			}
		}
	})
}

// BenchmarkForecast makes a forecast of the default span in the default lab.
func BenchmarkForecast(b *testing.B) {
	host := freshHost(b)
	host.Advance(20 * time.Second)
	for b.Loop() {
		if _, err := forecast.RunOn(b.Context(), host.Clone(), largeFrames, forecast.Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkReview is a review with a restart.
func BenchmarkReview(b *testing.B) {
	host := freshHost(b)
	for b.Loop() {
		host.Review(largeFrames)
	}
}

// The forecast of a plan that only restarts ports covers the time of the restart.
func TestForecastOfARestart(t *testing.T) {
	t.Parallel()
	f := runForecast(t, adapters.RestartAdapter{Connection: "Ethernet 7"}, adapters.RestartAdapter{Connection: "Ethernet 8"})
	if f.RestartTime < 2*time.Second || len(f.Meanwhile) < 50 || len(f.Differences) > 5 {
		for _, d := range f.Differences {
			t.Logf("%s %g -> %g (%+.1f %%), %g", d.Series.Path(), d.Before, d.After, 100*d.Change, d.Score)
		}
		t.Fatalf("after %s %d differ, meanwhile %d", f.RestartTime, len(f.Differences), len(f.Meanwhile))
	}
	for _, instance := range []string{"Ethernet 7", "Ethernet 8"} {
		at := slices.IndexFunc(f.Meanwhile, func(d forecast.Difference) bool {
			return d.Series.Counter == "Bytes Received/sec" && d.Series.Instance == instance
		})
		if at < 0 || f.Meanwhile[at].Before < 1e8 || f.Meanwhile[at].After > f.Meanwhile[at].Before/10 {
			t.Errorf("%s is at %d", instance, at)
		}
	}
	if slices.ContainsFunc(f.Meanwhile, func(d forecast.Difference) bool { return strings.HasPrefix(d.Series.Instance, "Ethernet 5") }) {
		t.Error("a port outside the plan differs meanwhile")
	}
}
