package device

import (
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// stillLab is a lab without traffic, whose port has four virtual functions with machines at the last two of them. Their
// addresses have come.
func stillLab(t *testing.T, connection string) (l *Lab, port int) {
	t.Helper()
	d := description.Default()
	d.Flows, d.Faults, d.Schedules = nil, nil, nil
	l, err := New(d, 4)
	if err != nil {
		t.Fatal(err)
	}
	port = portOf(t, l, connection)
	s := l.Settings(port)
	s.Functions, s.Bars = 4, setup.SetOfFrameTypes(setup.TrialFrame)
	if err := l.Configure(port, s); err != nil {
		t.Fatal(err)
	}
	if err := l.SetGuests(port, []setup.Guest{{Slot: 7, Function: 2, Rings: []int{0}}, {Slot: 8, Function: 3, Rings: []int{0}}}); err != nil {
		t.Fatal(err)
	}
	l.Advance(10 * time.Second)
	return l, port
}

// functionRises are the counters of a virtual function that move in a second, and by how much.
func functionRises(l *Lab, port, function int) map[counter.Function]uint64 {
	row := func() []uint64 {
		return append([]uint64(nil), l.Counters()[l.FunctionCell(port, function, 0):][:counter.FunctionCount]...)
	}
	before := row()
	l.Advance(time.Second)
	rises := map[counter.Function]uint64{}
	for c, n := range row() {
		if n != before[c] {
			rises[counter.Function(c)] = n - before[c]
		}
	}
	return rises
}

// TestConnectX3SendsDisallowedFramesDamaged sends foreign addresses and disallowed Ethertypes from a virtual function of a
// ConnectX-3, with a list of Ethertypes: they leave, and count as good (IOV-9, IOV-11).
func TestConnectX3SendsDisallowedFramesDamaged(t *testing.T) {
	t.Parallel()
	for _, kind := range []description.FaultKind{description.WrongAddress, description.DisallowedType} {
		l, port := stillLab(t, "Ethernet 3")
		if err := l.SetFunctionFault(port, 2, kind, 1); err != nil {
			t.Fatal(err)
		}
		sent := l.Counters()[counter.Cell(port, counter.SentPackets)]
		got := functionRises(l, port, 2)
		if len(got) != 2 || got[counter.FunctionSentPackets] < 19_900 || got[counter.FunctionSentBytes] != badFrameBytes*got[counter.FunctionSentPackets] {
			t.Errorf("%s: %v", kind, got)
		}
		if n := l.Counters()[counter.Cell(port, counter.SentPackets)] - sent; n != got[counter.FunctionSentPackets] {
			t.Errorf("%s: the port sent %d packets of %d", kind, n, got[counter.FunctionSentPackets])
		}
	}
}

// TestFunctionFaultsNeedTheirPort pulls the cable of a port, and ends its driver. Without a link nothing leaves, and what the
// card drops or its firmware does continues; without the driver the virtual functions do nothing.
func TestFunctionFaultsNeedTheirPort(t *testing.T) {
	t.Parallel()
	for _, kind := range description.FunctionFaults() {
		l, port := stillLab(t, "Ethernet 7")
		if err := l.SetFunctionFault(port, 2, kind, 1); err != nil {
			t.Fatal(err)
		}
		if got := functionRises(l, port, 2); len(got) == 0 {
			t.Errorf("%s moves nothing", kind)
		}
		if err := l.SetCable(port, false); err != nil {
			t.Fatal(err)
		}
		if got := functionRises(l, port, 2); (len(got) == 0) != (kind == description.Storm) || got[counter.FunctionSentPackets] != 0 {
			t.Errorf("%s without a cable: %v", kind, got)
		}
		if err := l.SetEnabled(port, false); err != nil {
			t.Fatal(err)
		}
		if got := functionRises(l, port, 2); len(got) != 0 {
			t.Errorf("%s without a driver: %v", kind, got)
		}
	}
}

// TestStormsShareTheLine has two storms that are more than the line takes: each gets its half, and the line is full.
func TestStormsShareTheLine(t *testing.T) {
	t.Parallel()
	l, port := stillLab(t, "Ethernet 7")
	far := l.SwitchPort(port)
	far.SpeedGbps = 1
	if err := l.SetSwitchPort(port, far); err != nil {
		t.Fatal(err)
	}
	for _, function := range []int{2, 3} {
		if err := l.SetFunctionFault(port, function, description.Storm, 1); err != nil {
			t.Fatal(err)
		}
	}
	l.Advance(time.Second)
	const maxFrames = 1_000_000_000 / 8 / (badFrameBytes + 20) // with preamble and gap
	for _, function := range []int{2, 3} {
		n := functionRises(l.Clone(), port, function)[counter.FunctionSentBroadcastPackets]
		if n > maxFrames/2 || n < maxFrames/2-maxFrames/100 {
			t.Errorf("VF %d sent %d packets in a second, and half of the line are %d", function, n, maxFrames/2)
		}
	}
}

// TestAResetLeavesOthersAlone lets the counters of a machine, and of a virtual function, restart while nobody has read
// any: what the others moved until then stays theirs.
func TestAResetLeavesOthersAlone(t *testing.T) {
	t.Parallel()
	const connection = "Ethernet 7"
	l := newLab(t, 4)
	port := portOf(t, l, connection)
	if err := l.SetGuests(port, []setup.Guest{
		{Slot: 7, Function: 2, Share: 0.5, Rings: []int{0}}, {Slot: 8, Function: 1, Share: 0.5, Rings: []int{0}},
	}); err != nil {
		t.Fatal(err)
	}
	l.Advance(5 * time.Second)
	plain := append([]uint64(nil), l.Clone().Counters()...)
	for name, c := range map[string]struct {
		reset      func(*Lab)
		own, width int
	}{
		"a machine":  {func(l *Lab) { l.ResetGuest(port, 7) }, l.GuestCell(port, 7, 0), int(counter.GuestCount)},
		"a function": {func(l *Lab) { l.ResetFunction(port, 2) }, l.FunctionCell(port, 2, 0), int(counter.FunctionPages)},
	} {
		l := l.Clone()
		c.reset(l)
		for cell, n := range l.Counters() {
			switch own := cell >= c.own && cell < c.own+c.width; {
			case own && n != 0:
				t.Errorf("%s: counter %d of its own is %d", name, cell-c.own, n)
			case !own && n != plain[cell]:
				t.Fatalf("%s: cell %d is %d, and was %d", name, cell, n, plain[cell])
			}
		}
		from := append([]uint64(nil), l.Counters()[c.own:][:c.width]...)
		l.Advance(time.Second)
		if now := l.Counters()[c.own:][:c.width]; now[0] == from[0] {
			t.Errorf("%s: nothing is counted after it", name)
		}
	}
}
