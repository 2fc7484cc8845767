package device

import (
	"math"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/rss"
	"cxdeck/device/traffic"
)

// TestLanesAreTheWholeOfAStream: whatever the queues, the parts of a stream add up to it, each on a ring that exists.
func TestLanesAreTheWholeOfAStream(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	for queues := range 17 {
		for port := range l.Ports() {
			s := l.Settings(port)
			s.Queues, s.MaxProcessors = queues, 16
			if err := l.Configure(port, s); err != nil {
				t.Fatal(err)
			}
		}
		for i := range l.plan.streams {
			s, sum := &l.plan.streams[i], 0.0
			for _, here := range l.plan.lanes[s.first:s.last] {
				sum += here.share
				if s.ring && int(here.ring) >= l.Rings(int(s.port)) {
					t.Fatalf("%d queues: a lane on ring %d", queues, here.ring)
				}
			}
			if math.Abs(sum-1) > 1e-9 {
				t.Fatalf("%d queues: the lanes of a stream of %s are %f of it", queues, l.plant.description.Flows[s.flow].Name, sum)
			}
		}
	}
}

// TestHashSelectsTheRing: one flow of one five-tuple is on the one ring that Toeplitz and the table give.
func TestHashSelectsTheRing(t *testing.T) {
	t.Parallel()
	hasher, err := rss.NewHasher(rss.DefaultKey)
	if err != nil {
		t.Fatal(err)
	}
	peer := description.Default().Flows[0].Peer
	for number := range 20 {
		d := oneFlow(func(d *description.Description) {
			d.Flows[0].ReceiveGbps, d.Flows[0].Flows = 0.1, 1
			d.Flows[0].Local, d.Flows[0].Peer = description.Default().Flows[0].Local, peer
		})
		l, err := New(d, 1)
		if err != nil {
			t.Fatal(err)
		}
		l.Advance(time.Second)
		peer = peer.Next()
		want := rss.NewTable(rss.TableSize, 8).Queue(hasher.Hash(rss.HashUDPIPv4, traffic.TupleOf(&d.Flows[0], 0, traffic.Named(d.Flows[0].Name))))
		for ring := range l.RingSlots(0) {
			if n := l.Counters()[l.ReceiveRingCell(0, ring, counter.RingPackets)]; (n > 0) != (ring == want) {
				t.Errorf("peer %d: %d packets on ring %d, and the hash says ring %d", number, n, ring, want)
			}
		}
	}
}

// TestResets clears what a restart of the driver and of the card clear, and nothing else (T2, T3).
func TestResets(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	port := portOf(t, l, "Ethernet 5")
	s := l.Settings(port)
	s.CountRSS, s.CountFromStart = true, false
	if err := l.Configure(port, s); err != nil {
		t.Fatal(err)
	}
	l.Advance(time.Second)
	if ofKind("Rss IPv4/Tcp")(l, port) != 0 {
		t.Error("counting began before someone looked")
	}
	l.StartCounting(port)
	l.Advance(time.Second)
	packets, rings := ofPort(counter.ReceivedPackets)(l, port), ofRings(counter.RingPackets)(l, port)
	if ofKind("Rss IPv4/Tcp")(l, port) == 0 || !l.Counting(port) {
		t.Error("counting did not begin")
	}
	l.ResetDriver(port)
	if ofKind("Rss IPv4/Tcp")(l, port) != 0 || ofPort(counter.ReceivedPackets)(l, port) != packets || ofRings(counter.RingPackets)(l, port) != rings {
		t.Error("a restart of the driver cleared too much or too little")
	}
	_, adapter, _ := l.Port(port)
	other := portOf(t, l, "Ethernet 7")
	kept := ofPort(counter.ReceivedPackets)(l, other)
	l.ResetCard(adapter)
	if ofPort(counter.ReceivedPackets)(l, port) != 0 || ofRings(counter.RingPackets)(l, port) != 0 || ofPort(counter.ReceivedPackets)(l, other) != kept {
		t.Error("a restart of the card cleared too much or too little")
	}
	l.Advance(time.Second)
	if ofPort(counter.ReceivedPackets)(l, port) == 0 {
		t.Error("nothing counts after a reset")
	}
}
