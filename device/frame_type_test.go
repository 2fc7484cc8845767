package device

import (
	"net/netip"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// disallowedLab is a lab in which one port has two virtual functions and a machine on the synthetic way, and one flow of them;
// for its port see disallowedPort.
func disallowedLab(t *testing.T, family description.Family, mode description.RoCEMode, change func(*description.Flow)) *Lab {
	t.Helper()
	d := description.Default()
	d.Flows, d.Faults, d.Schedules = nil, nil, nil
	port := disallowedPort(family)
	for a := range d.Adapters {
		for i := range d.Adapters[a].Ports {
			if p := &d.Adapters[a].Ports[i]; p.Connection == port {
				p.VirtualFunctions, p.RoCE = 4, mode
			}
		}
	}
	f := description.Flow{
		Name: "machines", Port: port, Virtual: true, Protocol: description.TCP, Flows: 40,
		Local: netip.MustParseAddr("10.1.1.1"), Peer: netip.MustParseAddr("10.1.1.2"),
		ReceiveGbps: 1, SendGbps: 1, Packets: []description.PacketSize{{IP: 1496, Share: 0.5}, {IP: 300, Share: 0.5}},
	}
	change(&f)
	d.Flows = []description.Flow{f}
	l, err := New(d, 4)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.SetGuests(portOf(t, l, port), []setup.Guest{
		{Slot: 0, Function: 0, Share: 0.5, Rings: []int{0}}, {Slot: 1, Function: 2, Share: 0.2, Rings: []int{0}},
		{Slot: 2, Function: setup.NoFunction, Share: 0.3, Rings: []int{0}},
	}); err != nil {
		t.Fatal(err)
	}
	l.Advance(5 * time.Second)
	return l
}

// disallowedPort is a port of each family.
func disallowedPort(family description.Family) string {
	if family == description.WinOF {
		return "Ethernet 3"
	}
	return "Ethernet 7"
}

// disallowedMoves is what changed at a port of a lab in a time.
type disallowedMoves struct {
	// functions, dropped and bytes are what each virtual function sent, and what was dropped of it; all of the dropped is
	// what the port counts.
	functions, received, dropped, bytes [4]uint64
	all, guest, damaged, whole          uint64
}

func disallowedSpan(t *testing.T, l *Lab, family description.Family, d time.Duration) (m disallowedMoves) {
	t.Helper()
	port := portOf(t, l, disallowedPort(family))
	read := func() (m disallowedMoves) {
		c := l.Counters()
		for f := range m.functions {
			m.functions[f] = c[l.FunctionCell(port, f, counter.FunctionSentPackets)]
			m.received[f] = c[l.FunctionCell(port, f, counter.FunctionReceivedPackets)]
			m.dropped[f] = c[l.FunctionCell(port, f, counter.FunctionBarredTypePackets)]
			m.bytes[f] = c[l.FunctionCell(port, f, counter.FunctionBarredTypeBytes)]
		}
		m.all, m.guest = c[counter.Cell(port, counter.FunctionsDisallowedType)], c[l.GuestCell(port, 2, counter.GuestSentPackets)]
		m.damaged, m.whole = l.FarEnd(port).ReceivedErrors, l.FarEnd(port).ReceivedFrames
		return m
	}
	before := read()
	l.Advance(d)
	m = read()
	for f := range m.functions {
		m.functions[f] -= before.functions[f]
		m.received[f] -= before.received[f]
		m.dropped[f] -= before.dropped[f]
		m.bytes[f] -= before.bytes[f]
	}
	m.all, m.guest, m.damaged, m.whole = m.all-before.all, m.guest-before.guest, m.damaged-before.damaged, m.whole-before.whole
	return m
}

func bar(t *testing.T, l *Lab, family description.Family, list ...setup.FrameType) {
	t.Helper()
	port := portOf(t, l, disallowedPort(family))
	s := l.Settings(port)
	s.Bars = setup.SetOfFrameTypes(list...)
	if err := l.Configure(port, s); err != nil {
		t.Fatal(err)
	}
}

// TestBarredFramesOfVirtualFunctions bars each kind of frames in turn (IOV-9): what a virtual function sends of it is
// dropped in the switch of later cards, and leaves a ConnectX-3 damaged; others continue, and so does the synthetic way.
func TestBarredFramesOfVirtualFunctions(t *testing.T) {
	t.Parallel()
	const span = 4 * time.Second
	usual := setup.TrialFrame
	for name, c := range map[string]struct {
		flow func(*description.Flow)
		kind setup.FrameType
		// needs is what the flow is of: kind is that, or what finds its addresses.
		needs setup.FrameType
		// answered frames are tried rarely when nobody answers.
		answered bool
		mode     description.RoCEMode
	}{
		"IPv4":              {flow: func(*description.Flow) {}, kind: setup.IPv4Frame, answered: true},
		"without addresses": {flow: func(f *description.Flow) { f.Protocol = description.UDP }, kind: setup.ARPFrame, answered: true},
		"IPv6": {
			flow: func(f *description.Flow) {
				f.Local, f.Peer = netip.MustParseAddr("fd00::1"), netip.MustParseAddr("fd00::2")
			}, kind: setup.IPv6Frame, needs: setup.IPv6Frame, answered: true,
		},
		"datagrams": {flow: func(f *description.Flow) { f.Protocol = description.UDP }, kind: setup.IPv4Frame},
		"ARP":       {flow: func(f *description.Flow) { f.Protocol = description.NotIP }, kind: setup.ARPFrame, needs: setup.ARPFrame},
		"RDMA":      {flow: func(f *description.Flow) { f.Protocol, f.Connections = description.RDMA, 4 }, kind: setup.IPv4Frame, answered: true, mode: description.RoCEv2},
	} {
		for _, family := range []description.Family{description.WinOF, description.WinOF2} {
			if family == description.WinOF && c.mode == description.RoCEv2 {
				continue // which this card does not speak
			}
			l := disallowedLab(t, family, c.mode, c.flow)
			bar(t, l, family)
			l.Advance(span)
			free := disallowedSpan(t, l, family, span)
			if free.functions[0] < 1000 || free.functions[2] < 400 || free.guest < 500 || free.all != 0 || free.damaged != 0 {
				t.Errorf("%s of family %d, with nothing disallowed: %+v", name, family, free)
			}
			var others []setup.FrameType
			for _, kind := range setup.FrameTypes() {
				if kind != c.needs && (kind != setup.ARPFrame || c.needs != setup.IPv4Frame) { // which needs addresses
					others = append(others, kind)
				}
			}
			bar(t, l, family, others...)
			if others := disallowedSpan(t, l, family, span); others.all != 0 || others.damaged != 0 || others.functions[0] < free.functions[0]/2 {
				t.Errorf("%s of family %d, with all else disallowed: %+v, and without %+v", name, family, others, free)
			}
			bar(t, l, family, usual, c.kind)
			l.Advance(time.Second) // RDMA gives up
			got := disallowedSpan(t, l, family, span)
			if got.guest < free.guest/2 {
				t.Errorf("%s of family %d: the synthetic way has %d frames, and had %d", name, family, got.guest, free.guest)
			}
			highest, lowest := free.functions[0]*11/10, free.functions[0]*9/10
			if c.answered {
				highest, lowest = free.functions[0]/20, 1
			}
			bad := got.functions // what is sent of the disallowed kind
			if family == description.WinOF2 {
				bad = got.dropped
				if got.functions != [4]uint64{} || got.damaged != 0 {
					t.Errorf("%s: functions still send %v, and %d arrive damaged", name, got.functions, got.damaged)
				}
				if sum := got.dropped[0] + got.dropped[2]; sum > got.all+4 || sum+4 < got.all || got.bytes[0] < 64*got.dropped[0] {
					t.Errorf("%s: %d are dropped, and %v of functions, %v bytes", name, got.all, got.dropped, got.bytes)
				}
			} else if got.dropped != [4]uint64{} || got.damaged > got.functions[0]+got.functions[2]+8 || got.damaged+8 < got.functions[0]+got.functions[2] {
				t.Errorf("%s of ConnectX-3: %d arrive damaged of %v", name, got.damaged, got.functions)
			}
			if bad[0] < lowest || bad[0] > highest || bad[2] < bad[0]*2/5-8 || bad[2] > bad[0]*2/5+8 || bad[1] != 0 {
				t.Errorf("%s of family %d: disallowed are %v; they sent %v before", name, family, bad, free.functions)
			}
			if c.answered && got.received[0] > free.received[0]/20 {
				t.Errorf("%s of family %d: it still receives %d of %d", name, family, got.received[0], free.received[0])
			}
			bar(t, l, family, usual)
			l.Advance(span)
			if again := disallowedSpan(t, l, family, span); again.functions[0] < free.functions[0]/2 || again.all != 0 {
				t.Errorf("%s of family %d, let go again: %+v, and before %+v", name, family, again, free)
			}
		}
	}
}

// TestBarredFunctionsGetNoAddress bars IPv4 before machines ask for their addresses: machines with a virtual function
// ask again and again, and get one once they may.
func TestBarredFunctionsGetNoAddress(t *testing.T) {
	t.Parallel()
	for _, family := range []description.Family{description.WinOF, description.WinOF2} {
		l := disallowedLab(t, family, description.NoRoCE, func(f *description.Flow) { f.ReceiveGbps, f.SendGbps = 0, 0.001 })
		port := portOf(t, l, disallowedPort(family))
		bar(t, l, family, setup.IPv4Frame)
		guests := []setup.Guest{{Slot: 9, Function: 3, Rings: []int{0}}}
		if err := l.SetGuests(port, guests); err != nil {
			t.Fatal(err)
		}
		l.Advance(4 * time.Second)
		tried := disallowedSpan(t, l, family, 10*time.Second)
		if n := tried.dropped[3] + tried.functions[3]; n < 15 || n > 25 || (tried.dropped[3] > 0) != (family == description.WinOF2) || tried.received[3] != 0 {
			t.Errorf("family %d: in ten seconds it asks %d times: %+v", family, n, tried)
		}
		bar(t, l, family)
		l.Advance(2 * time.Second)
		if rest := disallowedSpan(t, l, family, 10*time.Second); rest.functions[3] != 0 || rest.dropped[3] != 0 {
			t.Errorf("family %d: once it may it asks on: %+v", family, rest)
		}
		if n := l.Counters()[l.FunctionCell(port, 3, counter.FunctionReceivedBroadcastPackets)]; n == 0 {
			t.Errorf("family %d: nobody answered it", family)
		}
	}
}

// TestDisallowedFunctionFaults has functions rave and send frames of experiments while these are disallowed.
func TestDisallowedFunctionFaults(t *testing.T) {
	t.Parallel()
	for kind, of := range map[description.FaultKind]struct {
		frames setup.FrameType
		second uint64
	}{description.DisallowedType: {setup.TrialFrame, 20_000}, description.Storm: {setup.ARPFrame, 1_000_000}} {
		for _, family := range []description.Family{description.WinOF, description.WinOF2} {
			for _, disallowed := range []bool{false, true} {
				l := disallowedLab(t, family, description.NoRoCE, func(f *description.Flow) { f.ReceiveGbps, f.SendGbps = 0, 0 })
				bar(t, l, family)
				if disallowed {
					bar(t, l, family, of.frames)
				}
				if err := l.SetFunctionFault(portOf(t, l, disallowedPort(family)), 2, kind, 0.5); err != nil {
					t.Fatal(err)
				}
				want, got := disallowedMoves{}, disallowedSpan(t, l, family, 2*time.Second)
				switch {
				case disallowed && family == description.WinOF2:
					want.all, want.dropped[2], want.bytes[2] = of.second, of.second, of.second*badFrameBytes
				case disallowed:
					want.functions[2], want.damaged = of.second, of.second
				default:
					want.functions[2], want.whole = of.second, of.second
				}
				if got.whole < 10 && want.whole == 0 { // what else the port sends
					got.whole = 0
				}
				if got != want {
					t.Errorf("%s of family %d, disallowed %t: %+v, want %+v", kind, family, disallowed, got, want)
				}
			}
		}
	}
}
