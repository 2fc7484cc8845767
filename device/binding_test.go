package device

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"cxdeck/device/counter"
	"cxdeck/device/setup"
)

// randomBindings are teams and VLANs over some ports.
func randomBindings(l *Lab, r *rand.Rand) (list []setup.Binding) {
	slot := 0
	next := func() int { slot++; return slot - 1 }
	vlans := func() (list []setup.TaggedMiniport) {
		for _, id := range []int{30, 31, 70, 80} {
			if r.IntN(3) == 0 {
				list = append(list, setup.TaggedMiniport{ID: id, Priority: r.IntN(9) - 1, Slot: next()})
			}
		}
		return list
	}
	ports := r.Perm(l.Ports())
	for len(ports) > 2 && r.IntN(4) > 0 {
		n := 1 + r.IntN(3)
		b := setup.Binding{Ports: ports[:min(n, len(ports))], Team: true, Slot: next(), VLANs: vlans(), Broken: r.IntN(8) == 0}
		ports = ports[len(b.Ports):]
		if r.IntN(6) > 0 {
			b.Carriers.ByAddress = r.IntN(2) == 0
			for range setup.Buckets {
				b.Carriers.Receive = append(b.Carriers.Receive, b.Ports[r.IntN(len(b.Ports))])
				b.Carriers.Send = append(b.Carriers.Send, b.Ports[r.IntN(len(b.Ports))])
			}
		}
		list = append(list, b)
	}
	if len(ports) > 0 {
		list = append(list, setup.Binding{Ports: ports[:1], Slot: setup.NoSlot, VLANs: vlans()})
	}
	return list
}

// allTo are the carriers of a team in which one port carries all.
func allTo(port int) setup.Carriers {
	all := slices.Repeat([]int{port}, setup.Buckets)
	return setup.Carriers{Receive: all, Send: all}
}

// TestATeamMovesItsFlowsAsTheyAre: what a port carried goes as it was over another one of the same kind, and comes back.
func TestATeamMovesItsFlowsAsTheyAre(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	from, to := portOf(t, l, "Ethernet 5"), portOf(t, l, "Ethernet 6")
	l.Advance(2 * time.Second)
	sent := func(port int) uint64 { return l.Counters()[counter.Cell(port, counter.HostOutPackets)] }
	risen := func(port int) uint64 {
		before, c := sent(port), l.Clone()
		c.Advance(time.Second)
		return c.Counters()[counter.Cell(port, counter.HostOutPackets)] - before
	}
	alone := [2]uint64{risen(from), risen(to)}
	for carrier, other := range map[int]int{from: to, to: from} {
		if err := l.Bind([]setup.Binding{{Ports: []int{from, to}, Team: true, Slot: 3, Carriers: allTo(carrier)}}); err != nil {
			t.Fatal(err)
		}
		// The streams of the other port begin with no rest of whole frames.
		if all := risen(carrier); risen(other) != 0 || all < alone[0]+alone[1]-100 || all > alone[0]+alone[1]+100 {
			t.Errorf("port %d sends %d frames and the other one %d; alone they send %v", carrier, all, risen(other), alone)
		}
	}
	if err := l.Bind(nil); err != nil {
		t.Fatal(err)
	}
	if now := [2]uint64{risen(from), risen(to)}; now[0]+100 < alone[0] || now[1]+100 < alone[1] {
		t.Errorf("alone again they send %v, and sent %v", now, alone)
	}
}

func TestBindingsThatCannotBe(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	half := setup.Carriers{Receive: []int{0}}
	for _, list := range [][]setup.Binding{
		{{Ports: []int{99}, Slot: setup.NoSlot}}, {{Ports: []int{-1}, Slot: setup.NoSlot}}, {{Ports: []int{1, 1}, Team: true, Slot: 0}},
		{{Ports: []int{1}, Slot: setup.NoSlot}, {Ports: []int{1}, Slot: setup.NoSlot}}, {{Ports: []int{1, 2}, Slot: setup.NoSlot}},
		{{Ports: []int{1}, Team: true, Slot: counter.VirtualSlots}}, {{Ports: []int{1}, Team: true, Slot: 0, Carriers: half}},
		{{Ports: []int{1}, Team: true, Slot: 0, Carriers: allTo(2)}},
		{{Ports: []int{1}, Slot: setup.NoSlot, VLANs: []setup.TaggedMiniport{{ID: 4095}}}}, {{Ports: []int{1}, Slot: setup.NoSlot, VLANs: []setup.TaggedMiniport{{ID: 1, Priority: 8}}}},
		{{Ports: []int{1}, Team: true, Slot: 2, VLANs: []setup.TaggedMiniport{{ID: 1, Slot: 2}}}},
	} {
		if l.Bind(list) == nil || len(l.Bindings()) != 0 {
			t.Errorf("%+v was taken", list)
		}
	}
}

// TestAPortTagsWhatItSends: frames of a port with a VLAN of its own are longer by the tag.
func TestAPortTagsWhatItSends(t *testing.T) {
	t.Parallel()
	l := newLab(t, 1)
	port := portOf(t, l, "Ethernet 5")
	mean := func() float64 {
		before := slices.Clone(l.Counters())
		l.Advance(5 * time.Second)
		rise := func(c counter.Port) float64 {
			return float64(l.Counters()[counter.Cell(port, c)] - before[counter.Cell(port, c)])
		}
		return rise(counter.SentBytes) / rise(counter.SentPackets)
	}
	s := l.Settings(port)
	s.VLAN = 70
	before := mean()
	if err := l.Configure(port, s); err != nil {
		t.Fatal(err)
	}
	if after := mean(); after < before-20 || after > before+20 || l.Counters()[counter.PriorityCell(port, 0, counter.PrioritySentPackets)] == 0 {
		t.Errorf("a frame that is sent has %v bytes, and had %v", after, before)
	}
	sw := l.SwitchPort(port)
	sw.VLANs = "1-69"
	if err := l.SetSwitchPort(port, sw); err != nil {
		t.Fatal(err)
	}
	sent := l.Counters()[counter.Cell(port, counter.SentPackets)]
	if l.Advance(time.Second); l.Counters()[counter.Cell(port, counter.SentPackets)] != sent {
		t.Error("it sends in a VLAN that the switch holds back")
	}
}
