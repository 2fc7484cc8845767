package device

import (
	"math"
	"net/netip"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/measurement"
	"cxdeck/device/setup"
)

// idlePort returns the default lab with all its flows stopped, and the number of a port.
func idlePort(t *testing.T, connection string) (*Lab, int) {
	t.Helper()
	l, err := New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for i := range l.Description().Flows {
		if err := l.SetFlowScale(i, 0); err != nil {
			t.Fatal(err)
		}
	}
	for port := range l.Ports() {
		if l.Connection(port) == connection {
			return l, port
		}
	}
	t.Fatalf("no %s", connection)
	return nil, 0
}

func startTest(t *testing.T, l *Lab, port int, change func(*measurement.Test)) {
	t.Helper()
	test := measurement.Test{
		Name: "test", Port: port, Local: netip.MustParseAddr("10.7.0.10"), Peer: netip.MustParseAddr("10.7.0.101"), Verb: measurement.Send,
		Priority: 3, Sizes: []int{1, 64, 2048, 65536, 4 << 20}, Steps: 20,
	}
	change(&test)
	if err := l.StartTest(test); err != nil {
		t.Fatal(err)
	}
}

// gigabits returns the measured rates of a test in Gb/s of payload.
func gigabits(test measurement.Test) (list []float64) {
	for i, r := range test.Results {
		list = append(list, r.Messages*float64(test.Sizes[i])*8/(float64(r.Steps)*stepSeconds)/1e9)
	}
	return list
}

// TestMeasureLine: one connection fills an idle line with large messages, small ones are limited by their number, and the counters see it.
func TestMeasureLine(t *testing.T) {
	t.Parallel()
	for _, receives := range []bool{false, true} {
		l, port := idlePort(t, "Ethernet 7")
		l.Advance(time.Second)
		before := l.Counters()[counter.Cell(port, counter.SentBytes)] + l.Counters()[counter.Cell(port, counter.ReceivedBytes)]
		startTest(t, l, port, func(test *measurement.Test) { test.Receives = receives })
		l.Advance(5 * time.Second)
		moved := l.Counters()[counter.Cell(port, counter.SentBytes)] + l.Counters()[counter.Cell(port, counter.ReceivedBytes)] - before
		test, err := l.EndTest("test")
		if err != nil {
			t.Fatal(err)
		}
		rates := gigabits(test)
		path := l.TestPath(port, true)
		want := path.Line / 1e9 * 2048 / float64(2048+path.Around+path.Frame+path.Gap)
		for i, rate := range rates[2:] {
			if math.Abs(rate-want) > want/100 {
				t.Errorf("receives %v: %d bytes make %.2f Gb/s, not %.2f", receives, test.Sizes[2+i], rate, want)
			}
		}
		if rates[0] > 0.1 || rates[1] > 5 {
			t.Errorf("small messages make %.2f Gb/s", rates)
		}
		if payload := rates[4] / 8 * 1e9; float64(moved) < 2.5*payload {
			t.Errorf("the port counts %d bytes, of %.0f a second", moved, payload)
		}
	}
}

// TestMeasureLoopback has the documented figures (PERF-2), also of a card in a slow slot, which loops back less, and without a frame on the cable.
func TestMeasureLoopback(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		slot setup.Slot
		want float64
	}{{setup.Slot{Generation: 3, Lanes: 8}, 5700}, {setup.Slot{Generation: 2, Lanes: 8}, 3300}, {setup.Slot{Generation: 3, Lanes: 4}, 2850}} {
		l, port := idlePort(t, "Ethernet 7")
		if err := l.SetSlot(l.plant.ports[port].adapter, c.slot.Generation, c.slot.Lanes); err != nil {
			t.Fatal(err)
		}
		startTest(t, l, port, func(test *measurement.Test) { test.Peer, test.Sizes = test.Local, []int{65536} })
		cell := counter.Cell(port, counter.SentBytes)
		before := l.Counters()[cell]
		l.Advance(2 * time.Second)
		test, _ := l.Test("test")
		got := gigabits(test)[0] * 1e9 / 8 / (1 << 20)
		if math.Abs(got-c.want) > c.want/50 {
			t.Errorf("generation %d, %d lanes: %.0f MB/s, not %.0f", c.slot.Generation, c.slot.Lanes, got, c.want)
		}
		if l.Counters()[cell] != before {
			t.Error("frames of a loopback were counted on the cable")
		}
	}
}

// TestMeasureLatency: a latency test sends one message at a time, and larger messages and a busy switch take longer.
func TestMeasureLatency(t *testing.T) {
	t.Parallel()
	l, port := idlePort(t, "Ethernet 7")
	startTest(t, l, port, func(test *measurement.Test) { test.Latency = true })
	l.Advance(5 * time.Second)
	test, _ := l.Test("test")
	last := 0.0
	for i, r := range test.Results {
		delay := r.Delay / float64(r.Steps)
		if delay <= last || i < 3 && (delay < 0.5e-6 || delay > 3e-6) {
			t.Errorf("%d bytes take %v s, after %v", test.Sizes[i], delay, last)
		}
		if want := 1 / (2 * delay) * float64(r.Steps) * stepSeconds; math.Abs(r.Messages-want) > want/50+1 {
			t.Errorf("%d bytes: %.0f messages, not %.0f", test.Sizes[i], r.Messages, want)
		}
		last = delay
	}
}

// TestMeasureBesideOthers: tests share the line with other traffic, don't disturb its lists, and leave nothing behind.
func TestMeasureBesideOthers(t *testing.T) {
	t.Parallel()
	l, err := New(description.Default(), 1)
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(2 * time.Second)
	flows, lists := len(l.Flows()), len(l.setup.Scales)
	for _, name := range []string{"a", "b", "c"} {
		startTest(t, l, 0, func(test *measurement.Test) { test.Name = name })
		l.Advance(150 * time.Millisecond)
	}
	if err := l.StartTest(l.tests[0]); err == nil {
		t.Error("a test of the same name starts")
	}
	l.Advance(3 * time.Second)
	middle, err := l.EndTest("b")
	if err != nil || middle.Results[2].Messages == 0 {
		t.Fatalf("%+v, %v", middle, err)
	}
	if rate := gigabits(middle)[2]; rate > 60 {
		t.Errorf("three tests and the workloads share the line, and one has %.1f Gb/s", rate)
	}
	saved, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	restored, err := l.Plant().Restore(saved)
	if err != nil {
		t.Fatal(err)
	}
	copied := l.Clone()
	for _, lab := range []*Lab{l, restored, copied} {
		lab.Advance(3 * time.Second)
		for _, name := range []string{"a", "c"} {
			if _, err := lab.EndTest(name); err != nil {
				t.Fatal(err)
			}
		}
		lab.Advance(time.Second)
	}
	if !l.Same(restored) || !l.Same(copied) {
		t.Error("a restored lab and a copy go on otherwise")
	}
	if len(l.Flows()) != flows || len(l.setup.Scales) != lists || len(l.plant.traffic) != lists {
		t.Error("ended tests leave flows behind")
	}
	if _, err := l.EndTest("a"); err == nil {
		t.Error("a test ends twice")
	}
}
