package device

import (
	"testing"
	"time"
)

// TestGuestsAskForAddresses starts machines that move nothing else: each way of their DHCP counts it, to the packet, and a
// saved lab goes on with the leases.
func TestGuestsAskForAddresses(t *testing.T) {
	t.Parallel()
	l := newLab(t, 4)
	l.Advance(time.Second)
	port, ring := portOf(t, l, "Ethernet 7"), []int{0}
	if err := l.SetGuests(port, []Guest{
		{Slot: 5, Function: 2, Rings: ring}, {Slot: 6, Function: NoFunction, Rings: ring}, {Slot: 7, Function: 1, Rings: ring, Redirected: true},
	}); err != nil {
		t.Fatal(err)
	}
	base := append([]uint64(nil), l.Counters()...)
	l.Advance(5 * time.Second)
	check := func(l *Lab, want uint64) {
		t.Helper()
		moved := func(cell int) uint64 { return l.Counters()[cell] - base[cell] }
		for name, cells := range map[string][2]int{
			"the function":           {l.FunctionCell(port, 2, FunctionReceivedPackets), l.FunctionCell(port, 2, FunctionSentPackets)},
			"its machine":            {l.GuestCell(port, 5, GuestReceivedPackets), l.GuestCell(port, 5, GuestSentPackets)},
			"the synthetic way":      {Cell(port, SyntheticReceivedPackets), Cell(port, SyntheticSentPackets)},
			"the one without any":    {l.GuestCell(port, 6, GuestReceivedPackets), l.GuestCell(port, 6, GuestSentPackets)},
			"all functions together": {Cell(port, FunctionsReceivedPackets), Cell(port, FunctionsSentPackets)},
		} {
			if got := [2]uint64{moved(cells[0]), moved(cells[1])}; got != [2]uint64{want, want} {
				t.Errorf("%s counts %v packets, want %d", name, got, want)
			}
		}
		if n := moved(l.FunctionCell(port, 1, FunctionSentPackets)); n != 0 {
			t.Errorf("what was redirected counts %d at its function", n)
		}
	}
	check(l, leaseFrames)
	saved, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Restore(l.Description(), saved)
	if err != nil {
		t.Fatal(err)
	}
	due := l.leases[port].Next - l.steps
	if due != again.leases[port].Next-again.steps || due < leaseHalf/2 {
		t.Errorf("the next is due in %d steps", due)
	}
}
