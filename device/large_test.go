package device

import (
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
)

// TestTheLargeLabIsItsText: what is written out is what is built, and passes for a description.
func TestTheLargeLabIsItsText(t *testing.T) {
	t.Parallel()
	read, err := description.ParseText(description.LargeText())
	if err != nil {
		t.Fatal(err)
	}
	if read.Hash() != description.Large().Hash() {
		t.Error("the text is of another lab")
	}
}

// TestTheLargeLabIsLarge counts its parts, and holds that its virtual functions have traffic that adds up to no more
// than their port's.
func TestTheLargeLabIsLarge(t *testing.T) {
	t.Parallel()
	lab, err := New(description.Large(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if lab.Ports() != 16 {
		t.Errorf("%d ports", lab.Ports())
	}
	lab.Advance(2 * time.Second)
	counters := lab.Counters()
	for port := range lab.Ports() {
		if lab.VirtualFunctions(port) != 127 {
			t.Errorf("port %d has %d virtual functions", port, lab.VirtualFunctions(port))
		}
		sum := uint64(0)
		for f := range lab.VirtualFunctions(port) {
			sum += counters[lab.FunctionCell(port, f, counter.FunctionReceivedBytes)]
		}
		all, whole := counters[counter.Cell(port, counter.FunctionsReceivedBytes)], counters[counter.Cell(port, counter.ReceivedBytes)]
		if sum == 0 || sum > all || all > whole {
			t.Errorf("port %d: functions %d, together %d, port %d", port, sum, all, whole)
		}
	}
}

func BenchmarkLargeSecond(b *testing.B) {
	lab, err := New(description.Large(), 1)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		lab.Advance(time.Second)
	}
}
