package device

import (
	"cmp"
	"math"
	"slices"
	"testing"
	"time"

	"cxdeck/device/card"
	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/setup"
)

// TestTheOtherEndOfACable: what leaves one end arrives at the other or is counted there as damaged, with pauses of all
// kinds, and changes in between.
func TestTheOtherEndOfACable(t *testing.T) {
	t.Parallel()
	var paused, pausing, lost uint64
	for seed := range uint64(60) {
		l := newLab(t, seed)
		clean := seed%2 == 0
		if clean {
			l.plant.faults = nil // none by a schedule
		}
		for port := range l.Ports() {
			far := l.SwitchPort(port)
			far.PauseShare, far.PausePriority = float64(seed%5)/4, 3
			if err := l.SetSwitchPort(port, far); err != nil {
				t.Fatal(err)
			}
			if !clean {
				if err := l.SetFault(port, description.BadCable, []float64{0.001, 0.2, 1}[seed%3]); err != nil {
					t.Fatal(err)
				}
			}
		}
		for card := range l.Description().Adapters {
			if err := l.SetSlot(card, 1, 4); err != nil { // too narrow: the host pauses
				t.Fatal(err)
			}
		}
		l.Advance(3 * time.Second)
		for port := range l.Ports() {
			holdsCable(t, seed, l, port, clean)
			far := l.FarEnd(port)
			for priority := range counter.Priorities {
				if paused += far.SentPauses[priority]; clean {
					pausing += far.ReceivedPauses[priority]
				}
			}
			arrived := l.Counters()[counter.PriorityCell(port, 3, counter.PauseReceived)]
			lost += far.SentPauses[3] - arrived
			if !clean && seed%3 == 2 && arrived+far.ReceivedPauses[3] > 0 {
				t.Errorf("seed %d, port %d: pause frames arrive over a cable that damages all", seed, port)
			}
		}
		if t.Failed() {
			return
		}
	}
	if paused == 0 || pausing == 0 || lost == 0 {
		t.Errorf("%d pause frames of switches, %d of the host, %d lost: nothing was tried", paused, pausing, lost)
	}
}

func holdsCable(t *testing.T, seed uint64, l *Lab, port int, clean bool) {
	t.Helper()
	far := l.FarEnd(port)
	at := func(c counter.Port) uint64 { return l.Counters()[counter.Cell(port, c)] }
	need := func(ok bool, format string, args ...any) {
		t.Helper()
		if !ok {
			t.Errorf("seed %d, port %d: "+format, append([]any{seed, port}, args...)...)
		}
	}
	need(far.ReceivedFrames+far.ReceivedErrors == at(counter.SentPackets), "%d sent, %d arrived, %d of them damaged",
		at(counter.SentPackets), far.ReceivedFrames, far.ReceivedErrors)
	need(far.SentFrames == at(counter.ArrivedPackets) && far.SentBytes == at(counter.WireBytesReceived), "%d frames sent to it, %d arrived",
		far.SentFrames, at(counter.ArrivedPackets))
	need(!clean || far.ReceivedErrors == 0 && far.ReceivedBytes == at(counter.SentBytes), "a clean cable: %d damaged, %d bytes of %d",
		far.ReceivedErrors, far.ReceivedBytes, at(counter.SentBytes))
	for priority := range counter.Priorities {
		cell := func(c counter.Priority) uint64 { return l.Counters()[counter.PriorityCell(port, priority, c)] }
		listens := l.plan.ports[port].flowControl.Obeys(priority)
		for i, ends := range [][2]uint64{{far.SentPauses[priority], cell(counter.PauseReceived)}, {cell(counter.PauseSent), far.ReceivedPauses[priority]}} {
			need(ends[0] >= ends[1], "priority %d: %d pause frames sent, %d arrived", priority, ends[0], ends[1])
			need(!clean || i == 1 && !listens || ends[0] == ends[1], "priority %d: %d of %d pause frames lost on a clean cable",
				priority, ends[0]-ends[1], ends[0])
		}
	}
}

// TestEndsThatPauseInDifferentWays: one end sends pause frames, and the other has none (the row of a flow-control
// mismatch).
func TestEndsThatPauseInDifferentWays(t *testing.T) {
	t.Parallel()
	for _, way := range []description.FlowControl{description.NoFlowControl, description.GlobalPause} {
		l := newLab(t, 4)
		port := portOf(t, l, "Ethernet 7")
		s := l.SwitchPort(port)
		s.FlowControl = way
		if err := l.SetSwitchPort(port, s); err != nil {
			t.Fatal(err)
		}
		_, card, _ := l.Port(port)
		if err := l.SetSlot(card, 1, 2); err != nil {
			t.Fatal(err)
		}
		l.Advance(2 * time.Second)
		far, sent := l.FarEnd(port), l.Counters()[counter.PriorityCell(port, 3, counter.PauseSent)]
		if sent == 0 || far.ReceivedPauses != [counter.Priorities]uint64{} || far.ReceivedFrames != l.Counters()[counter.Cell(port, counter.SentPackets)] {
			t.Errorf("flow control %d: %d pause frames sent, %v taken", way, sent, far.ReceivedPauses)
		}
	}
}

// TestFarEndCountersSurviveAReset: a restart of the card clears its own counters, not the switch's; nor does the switch count
// anything twice.
func TestFarEndCountersSurviveAReset(t *testing.T) {
	t.Parallel()
	l := newLab(t, 4)
	l.Advance(2 * time.Second)
	before := l.FarEnd(0)
	_, card, _ := l.Port(0)
	l.ResetCard(card)
	l.Advance(time.Second)
	after := l.FarEnd(0)
	if n := after.ReceivedFrames - before.ReceivedFrames; n == 0 || n != l.Counters()[counter.Cell(0, counter.SentPackets)] {
		t.Errorf("%d frames came after the restart, %d were sent", n, l.Counters()[counter.Cell(0, counter.SentPackets)])
	}
}

// TestSwitchDrops: frames of a VLAN that it does not carry, frames that are too long, and what its queue has no
// room for.
func TestSwitchDrops(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*setup.SwitchPort)
		drops  func(FarEnd) uint64
	}{
		"vlan":  {func(s *setup.SwitchPort) { s.VLANs = "1-69" }, func(f FarEnd) uint64 { return f.WrongVLAN }},
		"long":  {func(s *setup.SwitchPort) { s.MaxFrame = 1514 }, func(f FarEnd) uint64 { return f.TooLong }},
		"speed": {func(s *setup.SwitchPort) { s.SpeedGbps = 10 }, func(f FarEnd) uint64 { return f.NoBuffer }},
	} {
		l := newLab(t, 4)
		port := 0 // Ethernet 7
		l.Advance(time.Second)
		if n := test.drops(l.FarEnd(port)); n != 0 {
			t.Errorf("%s: %d drops without a cause", name, n)
		}
		s := l.SwitchPort(port)
		test.change(&s)
		if err := l.SetSwitchPort(port, s); err != nil {
			t.Fatal(err)
		}
		l.Advance(2 * time.Second)
		if test.drops(l.FarEnd(port)) == 0 {
			t.Errorf("%s: nothing was dropped", name)
		}
	}
}

// TestFarEndPauseCountersSurviveAReset is that with a port that asks for pauses: these are not counted as frames of others.
func TestFarEndPauseCountersSurviveAReset(t *testing.T) {
	t.Parallel()
	l := newLab(t, 4)
	l.plant.faults = nil
	port := portOf(t, l, "Ethernet 7")
	_, card, _ := l.Port(port)
	if err := l.SetSlot(card, 1, 2); err != nil {
		t.Fatal(err)
	}
	l.Advance(2 * time.Second)
	before := l.FarEnd(port)
	l.ResetCard(card)
	l.Advance(time.Second)
	after, now := l.FarEnd(port), l.Counters()
	pauses, sent := now[counter.PriorityCell(port, 3, counter.PauseSent)], now[counter.Cell(port, counter.SentPackets)]
	if n := after.ReceivedFrames - before.ReceivedFrames; pauses == 0 || n != sent {
		t.Errorf("%d frames came after the restart, and %d were sent, %d of them pauses", n, sent, pauses)
	}
	if n := after.ReceivedBytes - before.ReceivedBytes; n != now[counter.Cell(port, counter.SentBytes)] {
		t.Errorf("%d bytes came after the restart, and %d were sent", n, now[counter.Cell(port, counter.SentBytes)])
	}
}

// TestPausesOverABadCable lets a cable damage half of what it carries: half of the pause frames are lost, and none of
// the frames for a port that takes damaged frames.
func TestPausesOverABadCable(t *testing.T) {
	t.Parallel()
	for _, ignores := range []bool{false, true} {
		l := newLab(t, 4)
		port := portOf(t, l, "Ethernet 7")
		s, far := l.Settings(port), l.SwitchPort(port)
		s.IgnoreFCS, far.PauseShare, far.PausePriority = ignores, 0.5, 3
		if err := l.Configure(port, s); err != nil {
			t.Fatal(err)
		}
		if err := l.SetSwitchPort(port, far); err != nil {
			t.Fatal(err)
		}
		if err := l.SetFault(port, description.BadCable, 0.5); err != nil {
			t.Fatal(err)
		}
		l.Advance(2 * time.Second)
		sent, arrived := l.FarEnd(port).SentPauses[3], l.Counters()[counter.PriorityCell(port, 3, counter.PauseReceived)]
		if want := map[bool]uint64{true: sent, false: sent / 2}[ignores]; sent == 0 || arrived > want+1 || arrived+1 < want {
			t.Errorf("of %d pause frames %d arrive, want %d", sent, arrived, want)
		}
	}
}

// TestALosslessQueueOfASwitchDropsNothing sends more to a host than its line takes: without loss the switch holds it back,
// else it drops what finds no room.
func TestALosslessQueueOfASwitchDropsNothing(t *testing.T) {
	t.Parallel()
	for _, priority := range []int{3, 0} {
		l, err := New(oneFlow(func(d *description.Description) {
			d.Schedules, d.Faults = nil, nil
			d.Flows[0].ReceiveGbps = 40
			*d.Flows[0].Priority = priority
		}), 1)
		if err != nil {
			t.Fatal(err)
		}
		far := l.SwitchPort(0)
		far.SpeedGbps = 10
		if err := l.SetSwitchPort(0, far); err != nil {
			t.Fatal(err)
		}
		l.Advance(time.Second)
		if n := l.FarEnd(0).NoBuffer; (n == 0) != (priority == 3) {
			t.Errorf("priority %d loses %d frames", priority, n)
		}
	}
}

// TestASwitchDropsNothingForAPortWithoutLink pulls the cable of a port for which frames of a VLAN come that the switch does
// not carry there.
func TestASwitchDropsNothingForAPortWithoutLink(t *testing.T) {
	t.Parallel()
	l := newLab(t, 4)
	port := portOf(t, l, "Ethernet 7")
	s := l.SwitchPort(port)
	s.VLANs = "1-69"
	if err := l.SetSwitchPort(port, s); err != nil {
		t.Fatal(err)
	}
	l.Advance(time.Second)
	if err := l.SetCable(port, false); err != nil {
		t.Fatal(err)
	}
	before := l.FarEnd(port).WrongVLAN
	l.Advance(time.Second)
	if n := l.FarEnd(port).WrongVLAN; before == 0 || n != before {
		t.Errorf("it dropped %d, and %d without a cable", before, n-before)
	}
}

// TestAnswersOverABadCable lets requests find no receive at both ends of a cable that damages half of what it carries: half
// of the answers come to the end that asked.
func TestAnswersOverABadCable(t *testing.T) {
	t.Parallel()
	for _, damage := range []float64{0, 0.5} {
		l := newLab(t, 4)
		l.plant.faults = nil
		port := portOf(t, l, "Ethernet 8")
		for kind, share := range map[description.FaultKind]float64{description.FewReceives: 0.1, description.BadCable: damage} {
			if err := l.SetFault(port, kind, share); err != nil {
				t.Fatal(err)
			}
		}
		l.Advance(5 * time.Second)
		far, at := l.FarEnd(port), func(c counter.Port) uint64 { return l.Counters()[counter.Cell(port, c)] }
		for name, n := range map[string][2]uint64{
			"requests of the host": {far.PeerResponderRNR, at(counter.RequesterRNR)}, "requests of its peers": {at(counter.ResponderRNR), far.PeerRequesterRNR},
		} {
			if want := float64(n[0]) * (1 - damage); n[0] == 0 || float64(n[1]) > want*1.01 || float64(n[1]) < want*0.99 {
				t.Errorf("%s, %g damaged: %d found no receive, and %d answers came, want %g", name, damage, n[0], n[1], want)
			}
		}
	}
}

// TestDamageHasItsShare: a bad cable damages its share of the frames of both ways, with their bytes, and the errors are of
// the lanes that a cable of the speed has, as many on each.
func TestDamageHasItsShare(t *testing.T) {
	t.Parallel()
	lanes := map[int]int{10: 1, 25: 1, 40: 4, 50: 2, 56: 4, 100: 4, 200: 4}
	for _, share := range []float64{0.001, 0.05, 0.5} {
		l := newLab(t, 3)
		l.plant.faults = nil
		for port := range l.Ports() {
			if err := l.SetFault(port, description.BadCable, share); err != nil {
				t.Fatal(err)
			}
		}
		l.Advance(5 * time.Second)
		for port := range l.Ports() {
			far := l.FarEnd(port)
			at := func(c counter.Port) uint64 { return l.Counters()[counter.Cell(port, c)] }
			near := func(what string, got, all uint64, part float64) {
				t.Helper()
				if want := float64(all) * part; math.Abs(float64(got)-want) > 2+want/10 { // every flow keeps a rest
					t.Errorf("share %v, port %d: %d of %d %s, want about %.0f", share, port, got, all, what, want)
				}
			}
			near("sent frames are damaged", far.ReceivedErrors, at(counter.SentPackets), share)
			near("sent bytes arrive", far.ReceivedBytes, at(counter.SentBytes), 1-share)
			near("arrived frames are damaged", at(counter.BadCRC)+at(counter.SymbolErrors), at(counter.ArrivedPackets), share)
			if got := at(counter.CorrectedBits); got != correctedBits*at(counter.LaneErrors) {
				t.Errorf("share %v, port %d: %d bits are corrected beside %d errors", share, port, got, at(counter.LaneErrors))
			}
			p, _, _ := l.Port(port)
			count := lanes[p.SpeedGbps]
			parts := []uint64{at(counter.LaneErrors), at(counter.LaneErrors1), at(counter.LaneErrors2), at(counter.LaneErrors3)}
			for _, part := range parts[1:] {
				parts[0] -= part
			}
			if count == 0 || parts[0]-parts[count-1] > 1 || !slices.IsSortedFunc(parts, func(a, b uint64) int { return cmp.Compare(b, a) }) || slices.Max(append(parts[count:], 0)) > 0 {
				t.Errorf("share %v, port %d of %d Gb/s: errors by lane %v", share, port, p.SpeedGbps, parts)
			}
		}
	}
	for speed, want := range lanes {
		if got := card.CableLanes(speed); got != uint64(want) {
			t.Errorf("a cable of %d Gb/s has %d lanes, want %d", speed, got, want)
		}
	}
}

// TestMessagesAreOfSoManyFrames: what is derived from frames counts one for so many of them.
func TestMessagesAreOfSoManyFrames(t *testing.T) {
	t.Parallel()
	l := newLab(t, 3)
	l.Advance(5 * time.Second)
	seen := false
	for port := range l.Ports() {
		at := func(c counter.Port) uint64 { return l.Counters()[counter.Cell(port, c)] }
		frames := at(counter.RDMAInFrames) + at(counter.RDMAOutFrames) - at(counter.OwnFrames)
		if messages := at(counter.RDMAMessages); messages*requestFrames > frames || (messages+1)*requestFrames <= frames {
			t.Errorf("port %d: %d messages of %d frames", port, messages, frames)
		}
		seen = seen || frames > requestFrames
	}
	if !seen {
		t.Error("no port has RDMA: nothing is proved")
	}
}

// TestWrongSizesHaveTheirShare: a peer that sends frames of wrong sizes sends its share of them, in three classes, and the
// rest arrives.
func TestWrongSizesHaveTheirShare(t *testing.T) {
	t.Parallel()
	for _, share := range []float64{0.001, 0.05, 0.5} {
		l, err := New(oneFlow(func(d *description.Description) { d.Flows[0].ReceiveGbps = 8 }), 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.SetFault(0, description.WrongSizes, share); err != nil {
			t.Fatal(err)
		}
		l.Advance(5 * time.Second)
		at := func(c counter.Port) uint64 { return l.Counters()[counter.Cell(0, c)] }
		classes := []uint64{at(counter.FrameTooShort), at(counter.FrameFragments), at(counter.FrameJabbers)}
		wrong, all := classes[0]+classes[1]+classes[2], at(counter.ArrivedPackets)
		if want := float64(all) * share; math.Abs(float64(wrong)-want) > 2+want/50 || classes[0]-classes[2] > 1 || wrong != at(counter.ReceiveErrors) {
			t.Errorf("share %v: %v of %d frames, %d errors", share, classes, all, at(counter.ReceiveErrors))
		}
		if got := at(counter.ReceivedPackets); got+wrong != all {
			t.Errorf("share %v: %d of %d frames are received, and %d were wrong", share, got, all, wrong)
		}
	}
}

// TestASwitchDropsWhatTheLineHasNoRoomFor: of what is sent to a line that takes the half, the other half finds no room at
// the switch.
func TestASwitchDropsWhatTheLineHasNoRoomFor(t *testing.T) {
	t.Parallel()
	for demand, part := range map[float64]float64{16: 0, 50: 0.5, 100: 0.75} {
		l, err := New(oneFlow(func(d *description.Description) {
			d.Flows[0].ReceiveGbps = demand
			*d.Flows[0].Priority = 0
			d.Adapters[0].Ports[0].SpeedGbps, d.Adapters[0].Ports[0].Switch.SpeedGbps = 25, 25
		}), 1)
		if err != nil {
			t.Fatal(err)
		}
		l.Advance(5 * time.Second)
		dropped, arrived := float64(l.FarEnd(0).NoBuffer), float64(l.Counters()[counter.Cell(0, counter.ArrivedPackets)])
		if got := dropped / (dropped + arrived); math.Abs(got-part) > 0.05 {
			t.Errorf("of %v Gb/s to a line of 25, %v is dropped, want about %v", demand, got, part)
		}
	}
}
