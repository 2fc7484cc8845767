package driver

import (
	"slices"
	"testing"
	"time"

	"cxdeck/driver/hardware"
)

// TestALinkIsNotedWhenItComesUp: what the host does when a link comes up within an Advance does not depend on how the time
// is divided: paths of virtual machines, what they receive, and every counter.
func TestALinkIsNotedWhenItComesUp(t *testing.T) {
	t.Parallel()
	run := func(pieces int) *Host {
		h := newHost(t, 5)
		h.Advance(2 * time.Second)
		mustApply(t, h, hardware.PullCable{Connection: "Ethernet 7"})
		h.Advance(2 * time.Second)
		mustApply(t, h, hardware.PlugCable{Connection: "Ethernet 7"})
		for range pieces {
			h.Advance(12 * time.Second / time.Duration(pieces))
		}
		return h
	}
	fine := run(120)
	want := vmAdapterOf(t, fine, firstOne).History
	if len(want) != 2 || !want[1].At.Before(fine.Now().Add(-time.Second)) {
		t.Fatalf("the function is back at %v, at the end or not at all", want)
	}
	for _, pieces := range []int{1, 5, 12} {
		h := run(pieces)
		if got := vmAdapterOf(t, h, firstOne).History; !slices.Equal(got, want) {
			t.Errorf("in %d pieces the paths are %v, want %v", pieces, got, want)
		}
		if !slices.Equal(h.lab.Counters(), fine.lab.Counters()) {
			t.Errorf("in %d pieces the counters differ", pieces)
		}
	}
}
