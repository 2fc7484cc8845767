package device

import (
	"testing"
	"time"

	"cxdeck/device/counter"
)

// TestDiscardsOfAClass puts priorities 3 and 4 into one traffic class and pauses priority 3 for longer than the head-of-queue limit:
// the class has one count of discarded frames, and other classes have none (HQ-3).
func TestDiscardsOfAClass(t *testing.T) {
	t.Parallel()
	l := quietLab(t)
	port := portOf(t, l, "Ethernet 7")
	s := l.Settings(port)
	s.Joined[3], s.Joined[4] = 3+1, 3+1
	if err := l.Configure(port, s); err != nil {
		t.Fatal(err)
	}
	far := l.SwitchPort(port)
	far.PauseShare, far.PausePriority = 0.99, 3
	if err := l.SetSwitchPort(port, far); err != nil {
		t.Fatal(err)
	}
	l.Advance(5 * time.Second)
	discards := func(priority int) uint64 {
		return l.Counters()[counter.PriorityCell(port, priority, counter.PrioritySentDiscards)]
	}
	dropped := l.Counters()[counter.Cell(port, counter.HeadOfQueueDrops)]
	if dropped == 0 || discards(3) != dropped || discards(4) != dropped {
		t.Errorf("%d frames were dropped; priority 3 shows %d, priority 4 of its class %d", dropped, discards(3), discards(4))
	}
	for _, priority := range []int{0, 1, 2, 5, 6, 7, counter.Untagged} {
		if n := discards(priority); n != 0 {
			t.Errorf("priority %d of another class shows %d", priority, n)
		}
	}
}
