package monitor_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"cxdeck/driver"
	"cxdeck/driver/eventlog"
	"cxdeck/perf"
	"cxdeck/perf/monitor"
	"cxdeck/perf/threshold"
)

// script is a source that a test controls.
type script struct {
	inventoryFault bool
	kind           perf.SourceKind
	schema         *perf.Schema
	inventory      *perf.Inventory
	now            time.Time
	asked          []time.Duration
	events         []eventlog.Event
	// next, when set, may change the column or fail.
	next   func(n int, column *perf.Column) error
	closed bool
}

var start = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func newScript(t testing.TB, kind perf.SourceKind) *script {
	t.Helper()
	schema, err := perf.NewSchema(1, 2, []perf.Series{
		{Set: "Network Interface", Instance: "Ethernet 7", Counter: "Bytes Received", Kind: perf.Cumulative, Unit: perf.Bytes, Cell: 0},
		{Set: "Network Interface", Instance: "Ethernet 7", Counter: "Bytes Received/sec", Kind: perf.Rate, Unit: perf.Bytes, Cell: 0, Line: 8000},
		{Set: "Network Interface", Instance: "Ethernet 7", Counter: "Output Queue Length", Kind: perf.Gauge, Unit: perf.Packets, Cell: 1},
		{Set: "Network Interface", Instance: "_Total", Counter: "Output Queue Length", Kind: perf.Gauge, Unit: perf.Packets, Cell: 1, Sum: "all"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &script{kind: kind, schema: schema, inventory: &perf.Inventory{Host: "TEST"}, now: start}
}

func (s *script) Info() perf.SourceInfo {
	return perf.SourceInfo{Kind: s.kind, Name: "test", Host: "TEST", Started: start}
}
func (s *script) Schema() *perf.Schema { return s.schema }
func (s *script) Inventory() *perf.Inventory {
	if s.inventoryFault {
		panic("no inventory")
	}
	return s.inventory
}

func (s *script) Close() error { s.closed = true; return nil }

func (s *script) Events() []eventlog.Event {
	events := s.events
	s.events = nil
	return events
}

func (s *script) Next(_ context.Context, interval time.Duration, column *perf.Column) error {
	n := len(s.asked)
	if s.kind == perf.LocalSource {
		s.now = time.Now()
	} else if n > 0 {
		s.now = s.now.Add(interval)
	}
	s.asked = append(s.asked, interval)
	column.Time = s.now
	column.Grow(s.schema.Cells)
	column.Cells[0] = int64(s.now.Sub(start) / time.Millisecond) // 1000 bytes per second
	column.Cells[1] = int64(n)
	if s.next != nil {
		return s.next(n, column)
	}
	return nil
}

// seen is a sink that keeps its input.
type seen struct {
	mutex   sync.Mutex
	schemas int
	times   []time.Time
	events  []eventlog.Event
	missed  int
}

func (s *seen) Schema(*perf.Schema, *perf.Inventory) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.schemas++
}
func (s *seen) Journal(driver.Entry) {}
func (s *seen) Events(events []eventlog.Event) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.events = append(s.events, events...)
}

func (s *seen) columns() int {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	return len(s.times)
}

func (s *seen) Column(column *perf.Column) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	s.times = append(s.times, column.Time)
	s.missed += column.Missed
}

// running starts a monitor in a synctest bubble; the clean-up ends it.
func running(t *testing.T, source perf.Source, options monitor.Options) *monitor.Monitor {
	t.Helper()
	if options.Interval == 0 {
		options.Interval = time.Second
	}
	monitor, err := monitor.New(source, options)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- monitor.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	synctest.Wait()
	return monitor
}

func pass(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func TestMonitorPacesALab(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lab, sink := newScript(t, perf.LabSource), &seen{}
		monitor := running(t, lab, monitor.Options{QuickStart: true, Sink: sink})
		if got := monitor.Status(); got.Samples != 1 || !got.Now.Equal(start) {
			t.Fatalf("at once: %+v", got)
		}
		if _, ok := monitor.Window().Last(1); ok {
			t.Error("the first sample has a rate")
		}
		pass(210 * time.Millisecond)
		if rate, ok := monitor.Window().Last(1); !ok || rate != 1000 {
			t.Errorf("after 210 ms the rate is %v, %v; want 1000", rate, ok)
		}
		pass(10 * time.Second)
		if got := monitor.Status().Samples; got != 12 {
			t.Errorf("%d samples after 10.2 s, want 12", got)
		}
		if want := []time.Duration{time.Second, 200 * time.Millisecond, 800 * time.Millisecond, time.Second}; !slices.Equal(lab.asked[:4], want) {
			t.Errorf("the intervals requested from the lab are %v, want %v", lab.asked[:4], want)
		}
		if err := monitor.SetSpeed(100); err != nil {
			t.Fatal(err)
		}
		before := monitor.Status().Samples
		pass(time.Second)
		if got := monitor.Status().Samples - before; got < 99 || got > 102 {
			t.Errorf("%d samples in a second at speed 100", got)
		}
		if err := monitor.SetPaused(true); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		before = monitor.Status().Samples
		pass(time.Minute)
		if got := monitor.Status(); got.Samples != before || !got.Paused {
			t.Errorf("%d samples were taken while paused", got.Samples-before)
		}
		sink.mutex.Lock()
		defer sink.mutex.Unlock()
		if len(sink.times) != int(before) || sink.schemas != 1 || sink.missed != 0 {
			t.Errorf("the sink saw %d columns of %d, %d schemas, %d missed", len(sink.times), before, sink.schemas, sink.missed)
		}
	})
}

func TestMonitorLimitsTokens(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		monitor := running(t, newScript(t, perf.LabSource), monitor.Options{Speed: 1000, Interval: 100 * time.Millisecond})
		tokens := 0
		for end := time.Now().Add(2 * time.Second); time.Now().Before(end); {
			select {
			case <-monitor.Updates():
				tokens++
			case <-time.After(time.Second):
			}
		}
		if tokens < 30 || tokens > 42 {
			t.Errorf("%d tokens in two seconds, want about 40", tokens)
		}
		if got := monitor.Status().Samples; got < 19_000 || got > 21_000 {
			t.Errorf("%d samples in two seconds, want 20,000", got)
		}
	})
}

func TestMonitorCountsMissedTicks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		machine, sink := newScript(t, perf.LocalSource), &seen{}
		machine.next = func(n int, _ *perf.Column) error {
			if n == 5 {
				time.Sleep(3400 * time.Millisecond) // a reading that blocks
			}
			return nil
		}
		m := running(t, machine, monitor.Options{Sink: sink, Saver: saver(func(*driver.Host) { t.Error("a machine has no host to save") })})
		pass(10*time.Second + 100*time.Millisecond)
		// Readings at 0 to 5 s; the one of 5 s returned at 8.4 s: 6 and 7 were missed, 8 was late, 9 and 10 were in time.
		if got := m.Status(); got.Missed != 2 || got.Samples != 9 {
			t.Errorf("%d missed, %d samples; want 2 and 9", got.Missed, got.Samples)
		}
		var gaps int
		for _, point := range m.Window().Points(1, start.AddDate(-50, 0, 0), start.AddDate(50, 0, 0), nil) {
			if math.IsNaN(point.Value) {
				gaps++
			}
		}
		if gaps != 2 { // the first sample and the late one have no rate
			t.Errorf("%d gaps in the curve, want 2", gaps)
		}
		if m.SetPaused(true) == nil || m.SetSpeed(2) == nil {
			t.Error("a live machine was paused or sped up")
		}
		if err := m.Seek(t.Context(), start); !errors.Is(err, monitor.ErrNotPossible) {
			t.Errorf("seek: %v", err)
		}
		if _, err := m.Apply(t.Context(), driver.Plan{}); !errors.Is(err, monitor.ErrNotPossible) {
			t.Errorf("apply: %v", err)
		}
		if err := m.SetInterval(100 * time.Millisecond); err != nil {
			t.Fatal(err)
		}
		before := m.Status().Samples
		pass(2 * time.Second)
		if got := m.Status(); got.Samples-before < 19 || got.Missed != 2 {
			t.Errorf("after the interval changed: %+v", got)
		}
	})
}

func TestMonitorShowsFaults(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]func() error{
		"error":             func() error { return errors.New("the bus is gone") },
		"panic":             func() error { panic("the bus is gone") },
		"end":               func() error { return io.EOF },
		"panic beside Next": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				source := newScript(t, perf.LabSource)
				source.next = func(n int, _ *perf.Column) error {
					switch {
					case n == 3 && fault == nil:
						source.inventoryFault = true
					case n == 3:
						return fault()
					}
					return nil
				}
				monitor := running(t, source, monitor.Options{})
				pass(10 * time.Second)
				got := monitor.Status()
				if got.Samples != 3 || got.Ended != (name == "end") || (got.Err == nil) != (name == "end") {
					t.Errorf("%+v", got)
				}
				if _, ok := monitor.Window().Last(1); !ok {
					t.Error("the earlier samples can't be read any more")
				}
			})
		})
	}
}

func TestMonitorFollowsASchema(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		source, sink := newScript(t, perf.LabSource), &seen{}
		source.next = func(n int, column *perf.Column) error {
			if n == 5 {
				series := append(slices.Clone(source.schema.Series), perf.Series{Set: "Network Interface", Instance: "new", Counter: "Bytes", Cell: 2})
				source.schema, _ = perf.NewSchema(2, 3, series)
				source.events = []eventlog.Event{{Sequence: 77, Message: "new has come"}}
			}
			column.Grow(source.schema.Cells)
			if n >= 5 {
				column.Cells[2] = 9
			}
			return nil
		}
		monitor := running(t, source, monitor.Options{Sink: sink})
		pass(9500 * time.Millisecond)
		sink.mutex.Lock()
		defer sink.mutex.Unlock()
		if got := monitor.Schema().Generation; got != 2 || sink.schemas != 2 {
			t.Errorf("generation %d, the sink saw %d schemas", got, sink.schemas)
		}
		if got := monitor.Window().Statistics(len(source.schema.Series)-1, start, start.Add(time.Hour)); got.Count != 5 || got.Last != 9 {
			t.Errorf("the new series has %d values, the last %v", got.Count, got.Last)
		}
		if events := monitor.Events(0, 10); len(events) != 1 || events[0].Sequence != 1 || len(sink.events) != 1 {
			t.Errorf("events %+v, in the sink %+v", events, sink.events)
		}
	})
}

func TestMonitorKeepsTheNewestEvents(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		source := newScript(t, perf.LabSource)
		source.next = func(n int, _ *perf.Column) error {
			for i := range 3000 {
				source.events = append(source.events, eventlog.Event{Message: fmt.Sprint(n*3000 + i + 1)})
			}
			return nil
		}
		monitor := running(t, source, monitor.Options{})
		pass(4500 * time.Millisecond) // 15,000 events
		all := monitor.Events(0, 100_000)
		if len(all) != 10_000 || all[0].Sequence != 5001 || all[0].Message != "5001" || all[9999].Message != "15000" {
			t.Fatalf("%d events from %d", len(all), all[0].Sequence)
		}
		if some := monitor.Events(14_990, 5); len(some) != 5 || some[0].Sequence != 14_996 {
			t.Errorf("newest five: %+v", some)
		}
		if some := monitor.Events(14_998, 50); len(some) != 2 {
			t.Errorf("after 14,998: %+v", some)
		}
		if some := monitor.Events(15_000, 50); some != nil {
			t.Errorf("after the last: %+v", some)
		}
	})
}

// tape is a recording of an hour.
type tape struct {
	*script
	at int
}

func (r *tape) Span() (from, to time.Time) { return start, start.Add(time.Hour) }
func (r *tape) Seek(to time.Time) error {
	r.at = int((to.Sub(start) + time.Second - 1) / time.Second)
	return nil
}
func (r *tape) Next(_ context.Context, interval time.Duration, column *perf.Column) error {
	if r.at > 3600 {
		return io.EOF
	}
	column.Time = start.Add(time.Duration(r.at) * time.Second)
	column.Grow(2)
	column.Cells[0] = int64(r.at) * 500
	column.Cells[1] = int64(r.at)
	r.at += int(interval / time.Second)
	return nil
}

func TestMonitorSeeks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		sink := &seen{}
		monitor := running(t, &tape{script: newScript(t, perf.SessionSource)}, monitor.Options{Sink: sink})
		if _, to, ok := monitor.Seekable(); !ok || !to.Equal(start.Add(time.Hour)) {
			t.Fatal("not seekable")
		}
		before := sink.columns()
		target := start.Add(30 * time.Minute)
		if err := monitor.Seek(t.Context(), target); err != nil {
			t.Fatal(err)
		}
		if got := monitor.Status().Now; !got.Equal(target) {
			t.Errorf("now %v, want %v", got, target)
		}
		if oldest, newest, _ := monitor.Window().Span(); newest.Sub(oldest) < 599*time.Second {
			t.Errorf("the window goes from %v to %v", oldest, newest)
		}
		if rate, ok := monitor.Window().Last(1); !ok || rate != 500 {
			t.Errorf("rate %v, %v", rate, ok)
		}
		if sink.columns() != before {
			t.Error("the sink received columns that only fill the window")
		}
		pass(5500 * time.Millisecond)
		if got := monitor.Status().Now; !got.Equal(target.Add(5 * time.Second)) {
			t.Errorf("5 s later: %v", got)
		}
		if err := monitor.Seek(t.Context(), start.Add(2*time.Hour)); err != nil {
			t.Fatal(err)
		}
		pass(1100 * time.Millisecond)
		if got := monitor.Status(); !got.Ended || !got.Now.Equal(start.Add(time.Hour)) {
			t.Errorf("past the end: %+v", got)
		}
		if err := monitor.Seek(t.Context(), start.Add(-time.Hour)); err != nil {
			t.Fatal(err)
		}
		if got := monitor.Status(); got.Ended || !got.Now.Equal(start) {
			t.Errorf("before the start: %+v", got)
		}
		pass(2500 * time.Millisecond)
		if got := monitor.Status().Now; !got.Equal(start.Add(2 * time.Second)) {
			t.Errorf("played on to %v", got)
		}
	})
}

func TestMonitorRejectsInvalidOptions(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]monitor.Options{
		"short":     {Interval: time.Millisecond},
		"long":      {Interval: time.Hour},
		"slow":      {Interval: time.Second, Speed: 0.01},
		"fast":      {Interval: time.Second, Speed: 5000},
		"nan":       {Interval: time.Second, Speed: math.NaN()},
		"threshold": {Interval: time.Second, Thresholds: []threshold.Rule{{Path: "x"}}},
	} {
		if _, err := monitor.New(newScript(t, perf.LabSource), options); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func contextOf(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	return ctx, cancel
}
