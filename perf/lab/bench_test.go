package lab

import (
	"testing"
	"time"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/perf"
	"cxdeck/perf/window"
)

func newLargeLab(t testing.TB) *Source {
	t.Helper()
	lab, err := device.New(description.Large(), 1)
	if err != nil {
		t.Fatal(err)
	}
	source, err := New(driver.NewHost(lab))
	if err != nil {
		t.Fatal(err)
	}
	return source
}

func TestTheLargeLabIsSampled(t *testing.T) {
	t.Parallel()
	l := newLargeLab(t)
	if n := len(l.Schema().Series); n < 100_000 {
		t.Errorf("%d series", n)
	}
	t.Logf("%d series, %d cells", len(l.Schema().Series), l.Schema().Cells)
	var c perf.Column
	next(t, l, 0, &c)
	next(t, l, 5*time.Second, &c)
	for _, path := range []string{
		`\Mellanox WinOF-2 VF Port Traffic(Ethernet 16 VF 126)\Bytes Received/Sec`,
		`\Mellanox WinOF-2 VF Internal Traffic Counters(Ethernet 1 VF 0)\Tx packets`,
		`\cxdeck Port(Ethernet 9 VFs)\Bytes Sent/sec`,
		`\Mellanox WinOF-2 PCI Device Diagnostics(ConnectX-5 Ex 80:00.0)\Used PCI BW`,
		`\Mellanox WinOF-2 IB Port(Ethernet 14)\Port Receive Packets`,
		`\Mellanox WinOF-2 IB Port(Ethernet 14)\Port Unicast Xmit Packets`,
	} {
		i, ok := l.Schema().Find(path)
		if !ok || c.Cells[l.Schema().Series[i].Cell] <= 0 {
			t.Errorf("%s has not changed", path)
		}
	}
}

// BenchmarkOpenLargeLab measures the time from a description to a source that can be sampled.
func BenchmarkOpenLargeLab(b *testing.B) {
	for b.Loop() {
		newLargeLab(b)
	}
}

// BenchmarkLargeLabNext samples every second; device.BenchmarkLargeSecond measures the part of the lab itself.
func BenchmarkLargeLabNext(b *testing.B) {
	l := newLargeLab(b)
	var c perf.Column
	next(b, l, 0, &c)
	for b.Loop() {
		next(b, l, time.Second, &c)
	}
}

// BenchmarkLargeLabColumn fills a column of the large lab, without a step.
func BenchmarkLargeLabColumn(b *testing.B) {
	l := newLargeLab(b)
	var c perf.Column
	next(b, l, 0, &c)
	for b.Loop() {
		next(b, l, 0, &c)
	}
}

// BenchmarkLargeLabSample takes a sample and pushes it into a window, like a monitor.
func BenchmarkLargeLabSample(b *testing.B) {
	l := newLargeLab(b)
	w := window.New(time.Second)
	var c perf.Column
	next(b, l, 0, &c)
	for b.Loop() {
		next(b, l, time.Second, &c)
		w.Push(l.Schema(), &c)
	}
}
