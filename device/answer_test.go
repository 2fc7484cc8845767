package device

import (
	"testing"
	"time"

	"cxdeck/device/counter"
)

// TestInfiniBandLosesNothingForLackOfRoom narrows the slots of all cards: ports of InfiniBand let their peers wait, and
// Ethernet queues without flow control discard (QOS-2).
func TestInfiniBandLosesNothingForLackOfRoom(t *testing.T) {
	t.Parallel()
	l := newLab(t, 3)
	infiniband, ethernet := portOf(t, l, "Ethernet 4"), portOf(t, l, "Ethernet 3")
	if l.plan.ports[infiniband].ethernet || !l.plan.ports[ethernet].ethernet {
		t.Fatal("the ports speak something else")
	}
	_, card, _ := l.Port(infiniband)
	if err := l.SetSlot(card, 1, 1); err != nil {
		t.Fatal(err)
	}
	for i := range l.plan.streams {
		s := &l.plan.streams[i]
		if want := int(s.port) == infiniband || l.plan.ports[s.port].flowControl.Obeys(int(s.priority)); s.lossless != want {
			t.Fatalf("a stream of port %d with priority %d is lossless: %t", s.port, s.priority, s.lossless)
		}
	}
	l.Advance(5 * time.Second)
	if n := l.Counters()[counter.Cell(infiniband, counter.Discarded)]; n != 0 {
		t.Errorf("InfiniBand discarded %d frames", n)
	}
	if n := l.Counters()[counter.Cell(ethernet, counter.Discarded)]; n == 0 {
		t.Error("Ethernet discarded nothing: the slot is wide enough, and the test shows nothing")
	}
}
