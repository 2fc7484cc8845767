package monitor_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/journal"
	"cxdeck/driver/keeper"
	"cxdeck/driver/registry/edit"
	"cxdeck/perf/lab"
	"cxdeck/perf/monitor"
)

func newHost(t *testing.T) *driver.Host {
	t.Helper()
	lab, err := device.New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return driver.NewHost(lab)
}

func watching(t *testing.T, host *driver.Host, options monitor.Options) *monitor.Monitor {
	t.Helper()
	source, err := lab.New(host)
	if err != nil {
		t.Fatal(err)
	}
	return running(t, source, options)
}

// saver is called when the host is saved.
type saver func(*driver.Host)

func (saver) Begin(context.Context, driver.Plan, uint64) (func() error, error) {
	return func() error { return nil }, nil
}

func (s saver) Save(host *driver.Host) error {
	s(host)
	return nil
}

var jumbo = driver.Plan{Title: "Jumbo", Operations: []driver.Operation{
	edit.SetValue{Connection: "Ethernet 5", Key: "*JumboPacket", Value: "9014"}, adapters.RestartAdapter{Connection: "Ethernet 5"},
}}

// stored returns the value that is stored on the monitor's host.
func stored(t *testing.T, monitor *monitor.Monitor) (value string) {
	t.Helper()
	err := monitor.ReadHost(t.Context(), func(host *driver.Host) error {
		key, err := host.Key("Ethernet 5", "*JumboPacket")
		value = key.Stored.String()
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return value
}

func TestUnconfirmedChangeIsReverted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var saves atomic.Int32
		monitor := watching(t, newHost(t), monitor.Options{Speed: 50, Saver: saver(func(*driver.Host) { saves.Add(1) })})
		pass(time.Second)
		if _, err := monitor.ApplyGuarded(t.Context(), jumbo, 30*time.Second); err != nil {
			t.Fatal(err)
		}
		pass(10 * time.Second)
		if change, ok := monitor.Unconfirmed(); !ok || change.Sequence != 1 || change.Title != "Jumbo" || change.Remaining(time.Now()) != 20*time.Second {
			t.Errorf("after 10 s: %+v, %s left", change, change.Remaining(time.Now()))
		}
		var unconfirmed *journal.UnconfirmedError
		if _, err := monitor.Apply(t.Context(), jumbo); !errors.As(err, &unconfirmed) {
			t.Errorf("another change: %v", err)
		}
		if err := monitor.SetPaused(true); err != nil { // the time to confirm is independent of the lab's clock
			t.Fatal(err)
		}
		before := saves.Load()
		pass(19 * time.Second)
		if stored(t, monitor) != "9014" || saves.Load() != before {
			t.Error("the change was reverted too early")
		}
		pass(time.Second + time.Millisecond)
		if _, waits := monitor.Unconfirmed(); waits || stored(t, monitor) != "1514" || saves.Load() != before+1 {
			t.Errorf("after 30 s the value is %s, and was saved %d times", stored(t, monitor), saves.Load()-before)
		}
		if journal := monitor.Journal(); len(journal) != 2 || journal[1].Undoes != 1 {
			t.Errorf("journal %+v", journal)
		}
		if !hasEvent(monitor, "Change 1 (Jumbo) was reverted: it was not confirmed in time.") {
			t.Errorf("events %+v", monitor.Events(0, 1000))
		}
		if err := monitor.Confirm(t.Context()); !errors.Is(err, journal.ErrNothingUnconfirmed) {
			t.Errorf("a late confirmation: %v", err)
		}
	})
}

func hasEvent(monitor *monitor.Monitor, message string) bool {
	return slices.ContainsFunc(monitor.Events(0, 1000), func(e eventlog.Event) bool { return strings.Contains(e.Message, message) })
}

// A change that is unconfirmed when a console ends is reverted by the next console.
func TestNextStartRevertsAnUnconfirmedChange(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		host := newHost(t)
		if _, err := host.ApplyGuarded(jumbo, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		data, err := host.Save()
		if err != nil {
			t.Fatal(err)
		}
		back, err := driver.RestoreHost(description.Default(), data)
		if err != nil {
			t.Fatal(err)
		}
		var saved atomic.Bool
		monitor := watching(t, back, monitor.Options{Saver: saver(func(*driver.Host) { saved.Store(true) })})
		pass(time.Second)
		if _, waits := monitor.Unconfirmed(); waits || stored(t, monitor) != "1514" || !saved.Load() {
			t.Errorf("it is %s", stored(t, monitor))
		}
		if !hasEvent(monitor, "Change 1 (Jumbo) was reverted: cxdeck ended before it was confirmed.") {
			t.Errorf("events %+v", monitor.Events(0, 1000))
		}
	})
}

func TestTimeToConfirmIsLimited(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		watched := watching(t, newHost(t), monitor.Options{})
		for within, ok := range map[time.Duration]bool{
			0: false, keeper.MinConfirmTime - 1: false, keeper.MinConfirmTime: true, keeper.MaxConfirmTime: true, keeper.MaxConfirmTime + 1: false,
		} {
			if _, err := watched.ApplyGuarded(t.Context(), jumbo, within); (err == nil) != ok {
				t.Errorf("within %s: %v", within, err)
			}
			if ok {
				if _, err := watched.Revert(t.Context()); err != nil {
					t.Errorf("within %s: %v", within, err)
				}
				pass(10 * time.Second) // the adapter starts
			}
		}
	})
}
