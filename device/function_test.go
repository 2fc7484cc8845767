package device

import (
	"testing"

	"cxdeck/device/counter"
	"cxdeck/device/description"
)

// TestFunctionsNeverCountBackwards reads the virtual functions after each step: neither a counter nor what is left of a
// total after its parts falls.
func TestFunctionsNeverCountBackwards(t *testing.T) {
	t.Parallel()
	d := description.Large()
	for i := range d.Flows {
		d.Flows[i].Virtual = d.Flows[i].Multicast || d.Flows[i].Protocol == description.RDMA // so that nothing is left
	}
	l, err := New(d, 5)
	if err != nil {
		t.Fatal(err)
	}
	unicast := func(port, function int, p *[3]counter.Function) uint64 {
		at := func(c counter.Function) uint64 { return l.Counters()[l.FunctionCell(port, function, c)] }
		n := at(p[0]) - at(p[2])
		if p[1] != p[0] {
			n -= at(p[1])
		}
		return n
	}
	parts := [...][3]counter.Function{
		{counter.FunctionReceivedBytes, counter.FunctionReceivedMulticastBytes, counter.FunctionReceivedRDMABytes},
		{counter.FunctionReceivedPackets, counter.FunctionReceivedMulticastPackets, counter.FunctionReceivedRDMAPackets},
		{counter.FunctionSentBytes, counter.FunctionSentBytes, counter.FunctionSentRDMABytes},
		{counter.FunctionSentPackets, counter.FunctionSentPackets, counter.FunctionSentRDMAPackets},
	}
	last := map[[3]int]uint64{}
	for range 60 {
		l.Advance(Step)
		for port := range l.Ports() {
			for f := range l.VirtualFunctions(port) {
				for i := range parts {
					at := [3]int{port, f, i}
					now := unicast(port, f, &parts[i])
					if now < last[at] || now > 1<<60 {
						t.Fatalf("unicast %d of function %d of port %d went from %d to %d", i, f, port, last[at], now)
					}
					last[at] = now
				}
			}
		}
	}
	if len(last) == 0 {
		t.Error("no port has virtual functions")
	}
}

// TestTheSlotCarriesWhatTheLineTakes overloads a line with two priorities of unlike frames, of which one goes first:
// the slot carries the frames that leave, not the offered ones.
func TestTheSlotCarriesWhatTheLineTakes(t *testing.T) {
	t.Parallel()
	d := description.Default()
	d.Faults = nil
	high, low := 5, 0
	flow := func(name string, priority *int, ip int) description.Flow {
		return description.Flow{
			Name: name, Port: "Ethernet 7", Protocol: description.RDMA, Flows: 64, Connections: 8, Priority: priority, SendGbps: 90,
			Packets: []description.PacketSize{{IP: ip, Share: 1}},
		}
	}
	d.Flows = []description.Flow{flow("small", &high, 46), flow("large", &low, 4000)}
	l, err := New(d, 1)
	if err != nil {
		t.Fatal(err)
	}
	port := portOf(t, l, "Ethernet 7")
	s := l.Settings(port)
	s.StrictPriorities = 1 << high
	if err := l.Configure(port, s); err != nil {
		t.Fatal(err)
	}
	l.Advance(2 * Step)
	frames := func() uint64 { return ofPort(counter.SentBytes)(l, port) + ofPort(counter.ReceivedBytes)(l, port) }
	before, usedBefore := frames(), ofCard(counter.CardUsedBytes)(l, port)
	l.Advance(20 * Step)
	moved, carried := float64(frames()-before), float64(ofCard(counter.CardUsedBytes)(l, port)-usedBefore)
	if moved == 0 || carried > 1.01*moved || carried < 0.99*moved {
		t.Errorf("the slot carried %.0f bytes for %.0f that moved", carried, moved)
	}
}
