package monitor_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/hardware"
	"cxdeck/perf"
	"cxdeck/perf/labstate"
	"cxdeck/perf/monitor"
)

// TestMonitorRestoresTheHostOfARecording seeks in a recording whose host is known from its middle on.
func TestMonitorRestoresTheHostOfARecording(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		plant, err := device.NewPlant(description.Default())
		if err != nil {
			t.Fatal(err)
		}
		from := start
		known := from.Add(50 * time.Second)
		past := func(_ context.Context, at time.Time) (*driver.Host, *labstate.State, error) {
			if at.Before(known) {
				return nil, nil, monitor.ErrNoRecordedHost
			}
			host := driver.NewHost(plant.New(1))
			host.SetNow(at)
			return host, (&labstate.Tracker{}).State(host), nil
		}
		m := running(t, &tape{script: newScript(t, perf.SessionSource)}, monitor.Options{Past: past})
		seek := func(after time.Duration) {
			t.Helper()
			if err := m.Seek(t.Context(), from.Add(after)); err != nil {
				t.Fatal(err)
			}
			synctest.Wait()
		}
		if err := m.SetPaused(true); err != nil {
			t.Fatal(err)
		}
		look := func() (at time.Time, err error) {
			err = m.ReadHost(t.Context(), func(h *driver.Host) error { at = h.Now(); return nil })
			return at, err
		}
		seek(20 * time.Second)
		if _, err := look(); m.Readable() || !errors.Is(m.RecordedHostErr(), monitor.ErrNoRecordedHost) || !errors.Is(err, monitor.ErrNotPossible) || m.Lab() != nil {
			t.Errorf("before the host is known: readable %t, %v, looking: %v", m.Readable(), m.RecordedHostErr(), err)
		}
		before := m.RecordedHostVersion()
		seek(70 * time.Second)
		at, err := look()
		if err != nil || !at.Equal(from.Add(70*time.Second)) || m.Lab() == nil || m.RecordedHostVersion() == before {
			t.Errorf("the host's clock is %s, %v; version %d after %d", at, err, m.RecordedHostVersion(), before)
		}
		if _, err := m.Apply(t.Context(), driver.Plan{Title: "x", Operations: []driver.Operation{hardware.PullCable{Connection: "Ethernet 7"}}}); !errors.Is(err, monitor.ErrNotPossible) {
			t.Errorf("a change of a recording returns %v", err)
		}
		seek(10 * time.Second)
		if m.Readable() || m.Lab() != nil {
			t.Error("the host of another time is still published")
		}
	})
}

// TestMonitorSavesTheHostInTime counts the saves of a host without changes.
func TestMonitorSavesTheHostInTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		saves := 0
		watching(t, newHost(t), monitor.Options{Saver: saver(func(*driver.Host) { saves++ }), SaveEvery: time.Minute})
		pass(3*time.Minute + 30*time.Second)
		if saves != 4 {
			t.Errorf("%d saves in three and a half minutes", saves)
		}
	})
}
