package device

import (
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// TestGuestsAskForAddresses starts machines that move nothing else: each way of their DHCP counts it, to the packet, and a
// saved lab continues with the leases.
func TestGuestsAskForAddresses(t *testing.T) {
	t.Parallel()
	l := newLab(t, 4)
	l.Advance(time.Second)
	port, ring := portOf(t, l, "Ethernet 7"), []int{0}
	if err := l.SetGuests(port, []setup.Guest{
		{Slot: 5, Function: 2, Rings: ring}, {Slot: 6, Function: setup.NoFunction, Rings: ring}, {Slot: 7, Function: 1, Rings: ring, Redirected: true},
	}); err != nil {
		t.Fatal(err)
	}
	base := append([]uint64(nil), l.Counters()...)
	l.Advance(5 * time.Second)
	check := func(l *Lab, want uint64) {
		t.Helper()
		moved := func(cell int) uint64 { return l.Counters()[cell] - base[cell] }
		for name, cells := range map[string][2]int{
			"the function":           {l.FunctionCell(port, 2, counter.FunctionReceivedPackets), l.FunctionCell(port, 2, counter.FunctionSentPackets)},
			"its machine":            {l.GuestCell(port, 5, counter.GuestReceivedPackets), l.GuestCell(port, 5, counter.GuestSentPackets)},
			"the synthetic way":      {counter.Cell(port, counter.SyntheticReceivedPackets), counter.Cell(port, counter.SyntheticSentPackets)},
			"the one without any":    {l.GuestCell(port, 6, counter.GuestReceivedPackets), l.GuestCell(port, 6, counter.GuestSentPackets)},
			"all functions together": {counter.Cell(port, counter.FunctionsReceivedPackets), counter.Cell(port, counter.FunctionsSentPackets)},
		} {
			if got := [2]uint64{moved(cells[0]), moved(cells[1])}; got != [2]uint64{want, want} {
				t.Errorf("%s counts %v packets, want %d", name, got, want)
			}
		}
		if n := moved(l.FunctionCell(port, 1, counter.FunctionSentPackets)); n != 0 {
			t.Errorf("what was redirected counts %d at its function", n)
		}
	}
	check(l, setup.LeaseFrames)
	saved, err := l.Save()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Restore(l.Description(), saved)
	if err != nil {
		t.Fatal(err)
	}
	due := l.setup.Leases[port].Next - l.steps
	if due != again.setup.Leases[port].Next-again.steps || due < leaseHalf/2 {
		t.Errorf("the next is due in %d steps", due)
	}
}

// TestLeaseRequestsAreOnTime has the DHCP traffic of machines one by one: machines from the lab's start have addresses for at
// least an hour, a new one asks when it is due, not together with the others, and renews with one frame that is not a
// broadcast.
func TestLeaseRequestsAreOnTime(t *testing.T) {
	t.Parallel()
	l, port := stillLab(t, "Ethernet 7")
	for _, lease := range l.setup.Leases[port].List { // given at the beginning
		if lease.Due < leaseEldest || lease.Due > leaseHalf || lease.Frames != renewsFrames {
			t.Errorf("at the beginning a machine has %+v", lease)
		}
	}
	sent := func(slot int) uint64 { return l.Counters()[l.GuestCell(port, slot, counter.GuestSentPackets)] }
	if sent(7)+sent(8) != 0 {
		t.Errorf("they ask for an address when the lab begins")
	}
	guests := append([]setup.Guest(nil), l.Guests(port)...)
	for _, slot := range []int{3, 4, 5} {
		guests = append(guests, setup.Guest{Slot: slot, Function: setup.NoFunction, Rings: []int{0}})
	}
	guests[2].Function = 1
	if err := l.SetGuests(port, guests); err != nil {
		t.Fatal(err)
	}
	due := map[int]int64{}
	for _, lease := range l.setup.Leases[port].List[2:] {
		if due[lease.Slot] = lease.Due; lease.Due < l.steps+leaseStart || lease.Due > l.steps+leaseStart+leaseSpread {
			t.Errorf("a new machine has %+v", lease)
		}
	}
	for range leaseStart + leaseSpread + 2 {
		l.Advance(Step)
		for slot, at := range due {
			if want := map[bool]uint64{true: setup.LeaseFrames}[l.steps >= at]; sent(slot) != want {
				t.Fatalf("after step %d machine %d has sent %d, and was due in %d", l.steps, slot, sent(slot), at)
			}
		}
	}
	if err := l.SetGuests(port, guests[1:]); err != nil {
		t.Fatal(err)
	}
	l.Advance(5 * time.Second)
	if n := sent(7) + sent(8); n != 0 {
		t.Errorf("the first machines asked with %d frames when others came and went", n)
	}
	broadcast := func() uint64 {
		return l.Counters()[l.FunctionCell(port, 1, counter.FunctionSentBroadcastPackets)]
	}
	if n := broadcast(); n != setup.LeaseFrames {
		t.Errorf("it asked with %d broadcasts", n)
	}
	now := &l.setup.Leases[port]
	for i := range now.List {
		if lease := &now.List[i]; lease.Slot == 3 {
			if lease.Due < l.steps+leaseHalf*9/10 || lease.Frames != renewsFrames {
				t.Errorf("after it has asked it has %+v", *lease)
			}
			lease.Due = l.steps + 1 // as if so much time had passed
		}
	}
	now.FindNext()
	l.Advance(time.Second)
	if sent(3) != setup.LeaseFrames+renewsFrames || broadcast() != setup.LeaseFrames {
		t.Errorf("with its renewal it has sent %d, %d to all", sent(3), broadcast())
	}
}

// TestAMachineWaitsForTheLink starts a machine without a cable: it asks when that is plugged in.
func TestAMachineWaitsForTheLink(t *testing.T) {
	t.Parallel()
	l, port := stillLab(t, "Ethernet 7")
	if err := l.SetCable(port, false); err != nil {
		t.Fatal(err)
	}
	if err := l.SetGuests(port, []setup.Guest{{Slot: 3, Function: 1, Rings: []int{0}}}); err != nil {
		t.Fatal(err)
	}
	sent := func() uint64 { return l.Counters()[l.GuestCell(port, 3, counter.GuestSentPackets)] }
	l.Advance(10 * time.Second)
	if sent() != 0 {
		t.Errorf("it sent %d without a cable", sent())
	}
	if err := l.SetCable(port, true); err != nil {
		t.Fatal(err)
	}
	l.Advance(5 * time.Second)
	if sent() != setup.LeaseFrames {
		t.Errorf("with the cable it sent %d", sent())
	}
}

// TestDamagedGuestsAreRefused spoils what a saved lab has of machines and of what their virtual functions do.
func TestDamagedGuestsAreRefused(t *testing.T) {
	t.Parallel()
	l, port := stillLab(t, "Ethernet 7")
	if err := l.SetFunctionFault(port, 2, description.Storm, 1); err != nil {
		t.Fatal(err)
	}
	given := func(change func(*setup.Lease)) func(*Lab) {
		return func(l *Lab) {
			change(&l.setup.Leases[port].List[1])
			l.setup.Leases[port].FindNext()
		}
	}
	faulty := func(change func(*setup.FunctionFault)) func(*Lab) {
		return func(l *Lab) { change(&l.setup.FunctionFaults[0]) }
	}
	for name, spoil := range map[string]func(*Lab){
		"":                      func(*Lab) {},
		"no frames":             given(func(a *setup.Lease) { a.Frames = 0 }),
		"many frames":           given(func(a *setup.Lease) { a.Frames = setup.LeaseFrames + 1 }),
		"long ago":              given(func(a *setup.Lease) { a.Due = -1 }),
		"of another machine":    given(func(a *setup.Lease) { a.Slot = 9 }),
		"another next one":      func(l *Lab) { l.setup.Leases[port].Next++ },
		"one lease less":        func(l *Lab) { l.setup.Leases[port].List = l.setup.Leases[port].List[:1] },
		"no port":               faulty(func(m *setup.FunctionFault) { m.Port = -1 }),
		"a port too far":        faulty(func(m *setup.FunctionFault) { m.Port = l.Ports() }),
		"no function":           faulty(func(m *setup.FunctionFault) { m.Function = -1 }),
		"a function too far":    faulty(func(m *setup.FunctionFault) { m.Function = counter.MaxFunctions }),
		"more than all":         faulty(func(m *setup.FunctionFault) { m.Share = 1.5 }),
		"a fault of its port":   faulty(func(m *setup.FunctionFault) { m.Kind = description.BadCable }),
		"two of one function":   func(l *Lab) { l.setup.Guests[port][1].Function = 2 },
		"a machine of no place": func(l *Lab) { l.setup.Guests[port][1].Slot = -1 },
	} {
		bad := l.Clone()
		bad.setup.Leases = append([]setup.Leases(nil), bad.setup.Leases...)
		bad.setup.Leases[port].List = append([]setup.Lease(nil), bad.setup.Leases[port].List...)
		bad.setup.FunctionFaults = append([]setup.FunctionFault(nil), bad.setup.FunctionFaults...)
		bad.setup.Guests = append([][]setup.Guest(nil), bad.setup.Guests...)
		bad.setup.Guests[port] = append([]setup.Guest(nil), bad.setup.Guests[port]...)
		spoil(bad)
		saved, err := bad.Save()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Restore(l.Description(), saved); (err != nil) != (name != "") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMachineRequestsAreCountedOnce starts a machine next to one that has all of the traffic, both ways: what it asks and is
// told is counted once, with it alone, so that both together have what their port has.
func TestMachineRequestsAreCountedOnce(t *testing.T) {
	t.Parallel()
	for _, functions := range [][2]int{{2, 1}, {setup.NoFunction, setup.NoFunction}} {
		l, port := stillLab(t, "Ethernet 7")
		all := []setup.Guest{{Slot: 7, Function: functions[0], Share: 1, Rings: []int{0}}, {Slot: 3, Function: functions[1], Rings: []int{0}}}
		if err := l.SetGuests(port, all); err != nil {
			t.Fatal(err)
		}
		l.Advance(5 * time.Second)
		for guest, whole := range map[counter.Guest][2]counter.Port{
			counter.GuestSentPackets:     {counter.FunctionsSentPackets, counter.SyntheticSentPackets},
			counter.GuestReceivedPackets: {counter.FunctionsReceivedPackets, counter.SyntheticReceivedPackets},
		} {
			at := func(cell int) uint64 { return l.Counters()[cell] }
			one, other := at(l.GuestCell(port, 3, guest)), at(l.GuestCell(port, 7, guest))
			sum := at(counter.Cell(port, whole[0])) + at(counter.Cell(port, whole[1]))
			if one != setup.LeaseFrames || other == 0 || one+other != sum {
				t.Errorf("with VF %d the machines count %d and %d packets, and the port %d", functions[1], one, other, sum)
			}
		}
	}
}
