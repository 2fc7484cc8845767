package functions

import (
	"testing"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// TestFunctionsShareWhatTheirPortCounted: each function has its share of the traffic since its share was set, a new share applies only to
// later traffic, and the parts never exceed the port.
func TestFunctionsShareWhatTheirPortCounted(t *testing.T) {
	t.Parallel()
	d := description.Default()
	layout, s := counter.NewLayout(d), setup.New(d, d.Flows)
	s.Ports[0].Functions = 2
	p := Ports{Layout: layout, Setup: &s, Counters: make([]uint64, layout.Cells()), Described: [][]float64{{0.75, 0.25}}}
	received := func(function int) uint64 {
		return p.Counters[p.FunctionCell(0, function, counter.FunctionReceivedPackets)]
	}
	all := &p.Counters[counter.Cell(0, counter.FunctionsReceivedPackets)]
	*all = 1001
	if p.Fill(0); received(0) != 750 || received(1) != 250 {
		t.Errorf("of 1001 packets they have %d and %d", received(0), received(1))
	}
	p.StoreBase(0)
	p.Described[0] = []float64{0.5, 0.5}
	*all += 100
	if p.Fill(0); received(0) != 800 || received(1) != 300 {
		t.Errorf("of 100 more they have %d and %d", received(0), received(1))
	}
}
