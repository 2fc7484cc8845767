package opensm

import (
	"testing"
	"time"

	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/topology"
)

// managed returns a fat tree of 4 leaves with managers on two hosts and a switch.
func managed(t *testing.T) (*Subnet, []*Manager) {
	t.Helper()
	b := topology.New()
	_, spine := b.FatTree(4, 2, 4)
	managers := []*Manager{
		{Place: infiniband.Place{Node: b.Named("Host-3"), Port: 1}, Running: true, Priority: 1, Partitions: DefaultPartitions()},
		{Place: infiniband.Place{Node: b.Named("Host-9"), Port: 1}, Running: true, Priority: 1, Partitions: DefaultPartitions()},
		{Place: infiniband.Place{Node: spine[0]}, Priority: 14, Partitions: DefaultPartitions()},
	}
	return New(b.Fabric, managers), managers
}

func roles(managers []*Manager) [3]Role {
	return [3]Role{managers[0].Role, managers[1].Role, managers[2].Role}
}

// TestElection: the higher priority wins, then the lower GUID; a standby takes over when its master is silent.
func TestElection(t *testing.T) {
	t.Parallel()
	s, m := managed(t)
	for i, c := range []struct {
		do   func()
		wait time.Duration
		want [3]Role
	}{
		{func() {}, 0, [3]Role{Master, Standby, NotActive}},
		{func() { s.Start(m[2]) }, time.Second, [3]Role{Standby, Standby, Master}},
		{func() { s.Stop(m[2]) }, 9 * time.Second, [3]Role{Standby, Standby, NotActive}},
		{func() {}, 40 * time.Second, [3]Role{Master, Standby, NotActive}},
		{func() { m[1].Priority = 5 }, 11 * time.Second, [3]Role{Standby, Master, NotActive}},
		{func() { s.Stop(m[1]); s.Stop(m[0]) }, time.Minute, [3]Role{}},
	} {
		c.do()
		for end := s.Now() + c.wait; s.Now() < end; {
			s.Advance(s.Now() + time.Second)
		}
		if got := roles(m); got != c.want {
			t.Errorf("%d: roles %v, expected %v", i, got, c.want)
		}
	}
}

// TestReroute: a link that breaks is routed around at once; a port that trains again without a manager stays in Initialize.
func TestReroute(t *testing.T) {
	t.Parallel()
	s, m := managed(t)
	f := s.Fabric
	leaf, host := f.Named("Leaf-1"), infiniband.Place{Node: f.Named("Host-16"), Port: 1}
	lid := f.At(host).LID
	before := f.Nodes[leaf].Routes[lid]
	f.SetUnplugged(infiniband.Place{Node: leaf, Port: int(before)}, true)
	s.Changed()
	s.Advance(time.Second)
	if after := f.Nodes[leaf].Routes[lid]; after == before || after == infiniband.NoRoute {
		t.Errorf("LID %d goes out of port %d, and before of %d", lid, after, before)
	}
	if f.At(host).LID != lid {
		t.Errorf("the host's LID changed from %d to %d", lid, f.At(host).LID)
	}
	for _, manager := range m {
		s.Stop(manager)
	}
	f.SetUnplugged(infiniband.Place{Node: leaf, Port: int(before)}, false)
	s.Changed()
	s.Advance(time.Minute)
	if state := f.Nodes[leaf].Ports[before].State; state != infiniband.Initialize {
		t.Errorf("without a manager the port is %s", state)
	}
	if state := f.At(host).State; state != infiniband.Active {
		t.Errorf("the port of a host far away is %s", state)
	}
	s.Start(m[0])
	s.Advance(s.Now() + time.Second)
	if state := f.Nodes[leaf].Ports[before].State; state != infiniband.Active {
		t.Errorf("with a manager the port is %s", state)
	}
}

// TestTwoParts: a fabric that breaks apart has a master in each part, and one again when it is whole.
func TestTwoParts(t *testing.T) {
	t.Parallel()
	b := topology.New()
	left, right := b.Switch("left", 8), b.Switch("right", 8)
	b.Cable(left, 8, right, 8)
	hosts := []int{b.Adapter("a", 1), b.Adapter("b", 1)}
	b.Cable(left, 1, hosts[0], 1)
	b.Cable(right, 1, hosts[1], 1)
	m := []*Manager{
		{Place: infiniband.Place{Node: hosts[0], Port: 1}, Running: true, Priority: 3, Partitions: DefaultPartitions()},
		{Place: infiniband.Place{Node: hosts[1], Port: 1}, Running: true, Partitions: DefaultPartitions()},
	}
	s := New(b.Fabric, m)
	pass := func(d time.Duration) {
		for end := s.Now() + d; s.Now() < end; {
			s.Advance(s.Now() + time.Second)
		}
	}
	cut := infiniband.Place{Node: left, Port: 8}
	b.SetUnplugged(cut, true)
	s.Changed()
	pass(time.Minute)
	if m[0].Role != Master || m[1].Role != Master {
		t.Errorf("apart: roles %s and %s", m[0].Role, m[1].Role)
	}
	b.SetUnplugged(cut, false)
	s.Changed()
	pass(time.Minute)
	if m[0].Role != Master || m[1].Role != Standby {
		t.Errorf("together: roles %s and %s", m[0].Role, m[1].Role)
	}
	if a, c := b.At(m[0].Place), b.At(m[1].Place); a.LID == c.LID || a.ManagerLID != a.LID || c.ManagerLID != a.LID {
		t.Errorf("LIDs %d and %d, managers %d and %d", a.LID, c.LID, a.ManagerLID, c.ManagerLID)
	}
}

// BenchmarkSweep648 is the discovery and routing of a fabric of 648 ports, which may take a second.
func BenchmarkSweep648(b *testing.B) {
	networks := topology.Networks()
	f, at := networks[len(networks)-1].Build()
	m := &Manager{Place: at, Running: true, Partitions: DefaultPartitions()}
	for b.Loop() {
		m.Sweep(f)
	}
}
