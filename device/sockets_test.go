package device

import (
	"net/netip"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/measurement"
)

// streamTest runs streams of TCP for two seconds, and returns the rate in Gb/s of payload and the test's port.
func streamTest(t *testing.T, connection string, change func(*Lab, int, *measurement.Test)) (rate float64, l *Lab, port int) {
	t.Helper()
	l, port = idlePort(t, connection)
	test := measurement.Test{
		Name: "test", Port: port, Local: netip.MustParseAddr("10.7.0.10"), Peer: netip.MustParseAddr("10.7.0.101"), Verb: measurement.Send,
		Priority: -1, Sockets: true, Streams: 16, Sizes: []int{65536}, Steps: 100,
	}
	change(l, port, &test)
	if err := l.StartTest(test); err != nil {
		t.Fatal(err)
	}
	l.Advance(5 * time.Second)
	ended, err := l.EndTest("test")
	if err != nil {
		t.Fatal(err)
	}
	return gigabits(ended)[0], l, port
}

// TestStreamsFillTheLine: streams of TCP fill an idle line, less a frame's headers; short frames keep the processors of a receiver busy before
// that.
func TestStreamsFillTheLine(t *testing.T) {
	t.Parallel()
	for connection, want := range map[string][2]float64{"Ethernet 5": {12, 23}, "Ethernet 3": {35, 36}} {
		for direction, receives := range []bool{true, false} {
			rate, l, port := streamTest(t, connection, func(_ *Lab, _ int, test *measurement.Test) { test.Receives = receives })
			if line := l.TestPath(port, false).Line / 1e9; rate < want[direction] || rate > line {
				t.Errorf("%s, receives %v: %.1f Gb/s of %.1f", connection, receives, rate, line)
			}
		}
	}
}

// TestStreamsMeetLimits: a stream is limited by its receive buffer, by its thread and by the queue that receives it.
func TestStreamsMeetLimits(t *testing.T) {
	t.Parallel()
	all, l, port := streamTest(t, "Ethernet 7", func(*Lab, int, *measurement.Test) {})
	if all < 50 {
		t.Errorf("16 streams make %.1f Gb/s", all)
	}
	if sent := l.Counters()[counter.Cell(port, counter.SentBytes)]; sent < 5e9 {
		t.Errorf("the counters have %d bytes", sent)
	}
	for what, limit := range map[string]struct {
		change func(*Lab, int, *measurement.Test)
		most   float64
	}{
		"a buffer of 64 kB": {func(_ *Lab, _ int, test *measurement.Test) { test.Streams, test.Window = 1, 65536 }, 1.1},
		"short messages":    {func(_ *Lab, _ int, test *measurement.Test) { test.Streams, test.Sizes = 1, []int{128} }, 0.6},
		"one queue receives": {func(l *Lab, port int, test *measurement.Test) {
			test.Receives = true
			s := l.Settings(port)
			s.RSS, s.CoalesceIPv4 = false, false
			if err := l.Configure(port, s); err != nil {
				t.Fatal(err)
			}
		}, all * 0.7},
	} {
		if rate, _, _ := streamTest(t, "Ethernet 7", limit.change); rate > limit.most || rate < limit.most/20 {
			t.Errorf("%s: %.2f Gb/s, not at most %.2f", what, rate, limit.most)
		}
	}
}

// TestStreamsOverIPoIB: on an InfiniBand port the streams go over IPoIB, and a saved test goes on.
func TestStreamsOverIPoIB(t *testing.T) {
	t.Parallel()
	rate, _, _ := streamTest(t, "Ethernet 4", func(_ *Lab, _ int, test *measurement.Test) { test.IPoIB = true })
	if rate < 5 {
		t.Errorf("%.1f Gb/s", rate)
	}
}

// TestStreamsAreSaved: a lab that is saved while its senders have slowed down goes on as it would have.
func TestStreamsAreSaved(t *testing.T) {
	t.Parallel()
	l, port := idlePort(t, "Ethernet 5")
	test := measurement.Test{
		Name: "test", Port: port, Local: netip.MustParseAddr("10.5.0.10"), Peer: netip.MustParseAddr("10.5.1.1"), Verb: measurement.Send, Receives: true,
		Priority: -1, Sockets: true, Streams: 16, Sizes: []int{65536}, Steps: 200,
	}
	if err := l.StartTest(test); err != nil {
		t.Fatal(err)
	}
	l.Advance(3 * time.Second)
	data, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	restored, err := Restore(l.Description(), data)
	if err != nil {
		t.Fatal(err)
	}
	l.Advance(time.Second)
	restored.Advance(time.Second)
	one, _ := l.Test("test")
	other, _ := restored.Test("test")
	if one.Slowdown == 0 || one.Slowdown != other.Slowdown || one.Results[0] != other.Results[0] {
		t.Errorf("%+v, and restored %+v", one, other)
	}
	for what, change := range map[string]func(*measurement.Test){
		"no streams": func(t *measurement.Test) { t.Streams = 0 }, "loopback": func(t *measurement.Test) { t.Peer = t.Local },
		"standstill": func(t *measurement.Test) { t.Slowdown = 1 }, "streams of RDMA": func(t *measurement.Test) { t.Sockets = false },
	} {
		bad := test
		bad.Name = what
		change(&bad)
		if err := l.StartTest(bad); err == nil {
			t.Errorf("%s: accepted", what)
		}
	}
}
