package device

import (
	"math"
	"strings"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// TestGuestsThatCanNotBe refuses places, functions, shares and rings that no guest can have, and keeps the previous
// ones.
func TestGuestsThatCanNotBe(t *testing.T) {
	t.Parallel()
	l := newLab(t, 4)
	port, ring := portOf(t, l, "Ethernet 7"), []int{0}
	good := []setup.Guest{
		{Slot: 3, Function: 1, Share: 0.5, Rings: ring},
		{Slot: counter.GuestSlots - 1, Function: setup.NoFunction, Share: 64, Rings: ring},
	}
	if err := l.SetGuests(port, good); err != nil {
		t.Fatal(err)
	}
	with := func(change func(*setup.Guest)) setup.Guest {
		g := setup.Guest{Slot: 4, Function: 2, Share: 0.5, Rings: ring}
		change(&g)
		return g
	}
	for name, g := range map[string]setup.Guest{
		"":                     with(func(*setup.Guest) {}),
		"no place":             with(func(g *setup.Guest) { g.Slot = -1 }),
		"a place too far":      with(func(g *setup.Guest) { g.Slot = counter.GuestSlots }),
		"a place twice":        with(func(g *setup.Guest) { g.Slot = 3 }),
		"less than no VF":      with(func(g *setup.Guest) { g.Function = -2 }),
		"a VF too far":         with(func(g *setup.Guest) { g.Function = counter.MaxFunctions }),
		"a VF twice":           with(func(g *setup.Guest) { g.Function = 1 }),
		"less than no share":   with(func(g *setup.Guest) { g.Share = -0.1 }),
		"too large a share":    with(func(g *setup.Guest) { g.Share = 64 + 1 }),
		"a share of no number": with(func(g *setup.Guest) { g.Share = math.NaN() }),
		"no rings":             with(func(g *setup.Guest) { g.Rings = nil }),
		"a ring too far":       with(func(g *setup.Guest) { g.Rings = []int{0, counter.MaxRings} }),
	} {
		err := l.SetGuests(port, append(append([]setup.Guest(nil), good...), g))
		if (err != nil) != (name != "") {
			t.Errorf("%s: %v", name, err)
		}
		if want := len(good); name != "" && len(l.Guests(port)) < want {
			t.Errorf("%s: %d guests are left", name, len(l.Guests(port)))
		}
	}
	if l.SetGuests(l.Ports(), good) == nil {
		t.Error("a port that is not there has guests")
	}
}

// TestFunctionFaultsCountAtTheirFunction has what virtual functions do that they should not, by driver and share: whose counters
// move, and by how much in a second.
func TestFunctionFaultsCountAtTheirFunction(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 7"
	type counters = map[counter.Function]uint64
	for name, c := range map[string]struct {
		kind  description.FaultKind
		share float64
		lists bool // the driver has a list of Ethertypes
		want  counters
	}{
		"a foreign address": {description.WrongAddress, 0.5, true, counters{
			counter.FunctionWrongAddressPackets: 10_000, counter.FunctionWrongAddressBytes: 640_000,
		}},
		"a disallowed type": {description.DisallowedType, 0.5, true, counters{
			counter.FunctionBarredTypePackets: 10_000, counter.FunctionBarredTypeBytes: 640_000,
		}},
		"without a list": {description.DisallowedType, 0.5, false, counters{counter.FunctionSentPackets: 10_000, counter.FunctionSentBytes: 640_000}},
		"firmware":       {description.FirmwareLoad, 0.5, true, counters{counter.FunctionFirmwareUse: 5, counter.FunctionFirmwareErrors: 5}},
		"a storm": {description.Storm, 0.25, true, counters{
			counter.FunctionSentPackets: 250_000, counter.FunctionSentBytes: 16_000_000,
			counter.FunctionSentBroadcastPackets: 250_000, counter.FunctionSentBroadcastBytes: 16_000_000,
		}},
	} {
		d := description.Default()
		d.Flows, d.Faults, d.Schedules = nil, nil, nil
		l, err := New(d, 4)
		if err != nil {
			t.Fatal(err)
		}
		port := portOf(t, l, connection)
		s := l.Settings(port)
		if !c.lists {
			s.Bars = 0
		}
		if err := l.Configure(port, s); err != nil {
			t.Fatal(err)
		}
		two := []setup.Guest{{Slot: 7, Function: 2, Rings: []int{0}}, {Slot: 8, Function: 1, Rings: []int{0}}}
		if err := l.SetGuests(port, two); err != nil {
			t.Fatal(err)
		}
		l.Advance(10 * time.Second) // the addresses of its machines have come
		for _, share := range []float64{1, c.share} {
			if err := l.SetFunctionFault(port, 2, c.kind, share); err != nil {
				t.Fatal(err)
			}
		}
		other := l.Clone()
		err = other.SetFunctionFault(port, 2, c.kind, 0)
		if err != nil || len(other.FunctionFaults()) != 0 || len(l.FunctionFaults()) != 1 {
			t.Errorf("%s: %v, and %v are left, %v of them by a copy", name, err, l.FunctionFaults(), other.FunctionFaults())
		}
		moved := func(l *Lab, function int) counters {
			before := map[counter.Function]uint64{}
			for c := range counter.FunctionCount {
				before[c] = l.Counters()[l.FunctionCell(port, function, c)]
			}
			l.Advance(time.Second)
			got := counters{}
			for c := range counter.FunctionCount {
				if n := l.Counters()[l.FunctionCell(port, function, c)] - before[c]; n > 0 {
					got[c] = n
				}
			}
			return got
		}
		guest := func() uint64 { return l.Counters()[l.GuestCell(port, 7, counter.GuestSentPackets)] }
		sent := guest()
		got := moved(l, 2)
		for counter, want := range c.want {
			if n := got[counter]; n < want-want/100 || n > want+want/100 {
				t.Errorf("%s: counter %d rose by %d, want %d", name, counter, n, want)
			}
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %v", name, got)
		}
		if n := guest() - sent; n != got[counter.FunctionSentPackets] {
			t.Errorf("%s: its machine sent %d packets of %d", name, n, got[counter.FunctionSentPackets])
		}
		for what, change := range map[string]func(*Lab) error{
			"a neighbour":     func(*Lab) error { return nil },
			"behaves again":   func(l *Lab) error { return l.SetFunctionFault(port, 2, c.kind, 0) },
			"without machine": func(l *Lab) error { return l.SetGuests(port, []setup.Guest{{Slot: 8, Function: 1, Rings: []int{0}}}) },
		} {
			l, function := l.Clone(), 2
			if what == "a neighbour" {
				function = 1
			}
			if err := change(l); err != nil {
				t.Fatal(err)
			}
			if got := moved(l, function); len(got) > 0 {
				t.Errorf("%s, %s: %v", name, what, got)
			}
		}
	}
	l := newLab(t, 4)
	port := portOf(t, l, connection)
	for says, err := range map[string]error{
		"0 to 3, not 4":        l.SetFunctionFault(port, 4, description.Storm, 1),
		"not -1":               l.SetFunctionFault(port, -1, description.Storm, 1),
		"no virtual functions": l.SetFunctionFault(portOf(t, l, "Ethernet 8"), 0, description.Storm, 1),
		"is not a fault":       l.SetFunctionFault(port, 1, description.BadCable, 1),
	} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v; want %q", err, says)
		}
	}
	err := l.SetFunctionFault(port, 3, description.Storm, 1)
	if err != nil || l.FunctionFault(port, 3, description.Storm) != 1 || l.FunctionFault(port, 2, description.Storm) != 0 {
		t.Errorf("the last one: %v", err)
	}
	err = l.SetFunctionFault(port, 0, description.Storm, 0.5)
	if err != nil || l.Fault(port, description.Storm) != 0.5 || l.FunctionFault(port, 0, description.Storm) != 0.5 {
		t.Errorf("the first one: %v", err)
	}
}

// TestRingsOfMachines has two machines, of which one has three rings and a quarter of a flow, and the other has one ring
// and the rest (VIRT-1, VIRT-3): each ring has its part, and all have what came.
func TestRingsOfMachines(t *testing.T) {
	t.Parallel()
	l, err := New(oneFlow(func(d *description.Description) {
		d.Schedules, d.Faults = nil, nil
		d.Flows[0].ReceiveGbps, d.Flows[0].Virtual = 8, true
	}), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.SetGuests(0, []setup.Guest{
		{Slot: 0, Function: setup.NoFunction, Share: 0.25, Rings: []int{1, 2, 3}}, {Slot: 1, Function: setup.NoFunction, Share: 0.75, Rings: []int{4}},
	}); err != nil {
		t.Fatal(err)
	}
	rings := func() (list []uint64) {
		for ring := range l.Rings(0) {
			list = append(list, l.Counters()[l.ReceiveRingCell(0, ring, counter.RingPackets)])
		}
		return list
	}
	l.Advance(5 * time.Second)
	before, from := rings(), l.Counters()[counter.Cell(0, counter.SyntheticReceivedPackets)]
	l.Advance(time.Second)
	after, all := rings(), l.Counters()[counter.Cell(0, counter.SyntheticReceivedPackets)]-from
	sum := uint64(0)
	for ring, part := range []float64{0, 1. / 12, 1. / 12, 1. / 12, 3. / 4} {
		n := after[ring] - before[ring]
		if sum += n; math.Abs(float64(n)-part*float64(all)) > 0.01*float64(all) {
			t.Errorf("ring %d took %d packets of %d, and should take %.2f", ring, n, all, part)
		}
	}
	if all == 0 || sum > all || sum+10 < all {
		t.Errorf("the rings took %d packets of %d", sum, all)
	}
}
