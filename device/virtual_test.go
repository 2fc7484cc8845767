package device

import (
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// TestCountersOfATeam has what the device of a team counts, of frames to one and to many, each way: the same as the
// port below it, with multicasts separate. A reset clears only its own device.
func TestCountersOfATeam(t *testing.T) {
	t.Parallel()
	for _, multicast := range []bool{false, true} {
		l, err := New(oneFlow(func(d *description.Description) {
			d.Schedules, d.Faults = nil, nil
			d.Flows[0].ReceiveGbps, d.Flows[0].SendGbps, d.Flows[0].Multicast, d.Flows[0].Priority = 1, 2, multicast, nil
		}), 1)
		if err != nil {
			t.Fatal(err)
		}
		const slot, other = 3, 4
		if err := l.Bind([]setup.Binding{{Ports: []int{0, 1}, Team: true, Slot: slot, Carriers: allTo(0)}}); err != nil {
			t.Fatal(err)
		}
		l.Advance(time.Second)
		at := func(c counter.Virtual) uint64 { return l.Counters()[l.VirtualCell(slot, c)] }
		for _, c := range []struct {
			packets, many counter.Virtual
			port          counter.Port
		}{
			{counter.VirtualReceivedPackets, counter.VirtualReceivedMulticast, counter.ReceivedPackets}, {counter.VirtualSentPackets, counter.VirtualSentMulticast, counter.SentPackets},
		} {
			want := uint64(0)
			if multicast {
				want = at(c.packets)
			}
			if n := at(c.packets); n == 0 || n != l.Counters()[counter.Cell(0, c.port)] || at(c.many) != want {
				t.Errorf("to many: %t: %d packets, %d of them to many, and the port has %d", multicast, n, at(c.many), l.Counters()[counter.Cell(0, c.port)])
			}
		}
		l.ResetVirtual(other)
		if at(counter.VirtualReceivedPackets) == 0 {
			t.Error("another device's reset clears them")
		}
		l.ResetVirtual(slot)
		for c := range counter.VirtualCount {
			if n := at(c); n != 0 {
				t.Errorf("counter %d is %d after a reset", c, n)
			}
		}
	}
}
