package device

import (
	"math"
	"testing"
	"time"
)

// TestHowATCPSenderAnswersLosses has the loss from which on a sender holds back, and that from which on it only tries, to
// the frame.
func TestHowATCPSenderAnswersLosses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name          string
		window        float64
		arrived, lost uint64
		want          float64
	}{
		{"nothing lost", 0.5, 1000, 0, 0.508},
		{"one in a thousand", 0.5, 1000, 1, 0.508},
		{"more than one in a thousand", 0.5, 999, 1, 0.46},
		{"two in two thousand", 0.5, 2000, 2, 0.508},
		{"no more than all", 1, 1000, 0, 1},
		{"nearly all", 0.995, 1000, 0, 1},
		{"no less than its least", 0.31, 1000, 100, 0.3},
		{"below its least already", 0.1, 1000, 100, 0.1},
		{"half", 0.5, 10, 5, 0.46},
		{"more than half", 0.25, 10, 6, 0.23},
		{"more than half, at the end", 0.021, 10, 10, 0.02},
		{"nothing sent", 0.5, 0, 0, 0.508},
	} {
		r := rhythm{window: c.window}
		if r.answer(c.arrived, c.lost); math.Abs(r.window-c.want) > 1e-12 {
			t.Errorf("%s: a window of %g becomes %g, want %g", c.name, c.window, r.window, c.want)
		}
	}
}

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
		if want := int(s.port) == infiniband || l.plan.ports[s.port].flowControl.listens(int(s.priority)); s.lossless != want {
			t.Fatalf("a stream of port %d with priority %d is lossless: %t", s.port, s.priority, s.lossless)
		}
	}
	l.Advance(5 * time.Second)
	if n := l.Counters()[Cell(infiniband, Discarded)]; n != 0 {
		t.Errorf("InfiniBand discarded %d frames", n)
	}
	if n := l.Counters()[Cell(ethernet, Discarded)]; n == 0 {
		t.Error("Ethernet discarded nothing: the slot is wide enough, and the test shows nothing")
	}
}
