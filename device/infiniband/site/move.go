package site

import (
	"slices"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/opensm"
)

// Advance moves the subnet on to a time since the lab's start: the traffic by whole seconds, the managers at once.
func (s *Site) Advance(now time.Duration) {
	s.demand = nil
	for ; s.counted < int64(now/time.Second); s.counted++ {
		s.move()
	}
	s.Subnet.Advance(now)
	s.demand = nil
}

// SetPresent tells whether a port of the lab has its cable and a driver that enabled it.
func (s *Site) SetPresent(port int, present bool) {
	if at := s.Own[port]; at != infiniband.Nowhere && s.Fabric.At(at).Unplugged == present {
		s.Fabric.SetUnplugged(at, !present)
		s.Changed()
	}
}

// Kept reports whether the subnet must be saved: it was described, or changed since it was built, or a program of the host manages it.
func (s *Site) Kept() bool {
	return s.described || s.Touched || slices.ContainsFunc(s.Managers, func(m *opensm.Manager) bool { return m.Hosted })
}

// SkipTo starts the subnet's clock at a time: a lab that was saved without it goes on from there.
func (s *Site) SkipTo(now time.Duration) {
	s.counted = int64(now / time.Second)
	s.Subnet.Advance(now)
}

// partitions returns the keys of a port of the lab beside the default partition, nil without one.
func (s *Site) partitions(port int) (keys []description.PKey) {
	at := s.Own[port]
	if at == infiniband.Nowhere {
		return nil
	}
	for _, key := range s.Fabric.At(at).PKeys {
		if key.Full() != description.DefaultPKey {
			keys = append(keys, key)
		}
	}
	return keys
}

// switchOf returns the node at the other end of the cable of a port of the lab, -1 without one.
func (s *Site) switchOf(port int) int {
	at := s.Own[port]
	if at == infiniband.Nowhere {
		return -1
	}
	return s.Fabric.At(at).Far.Node
}

// SetManager starts or stops the manager on the switch of a port of the lab, as a setting of the switch says. An absent manager also
// leaves the ports without configuration, as after a restart of the switch.
func (s *Site) SetManager(port int, state description.SubnetManager) {
	node := s.switchOf(port)
	if node < 0 {
		return
	}
	i := slices.IndexFunc(s.Managers, func(m *opensm.Manager) bool { return m.Place.Node == node })
	switch {
	case state == description.SubnetManaged && i < 0:
		s.Managers = append(s.Managers, &opensm.Manager{Place: infiniband.Place{Node: node}, Priority: opensm.SwitchPriority, Engine: opensm.MinHop, Partitions: opensm.DefaultPartitions(), Version: opensm.UsualVersion})
		s.Start(s.Managers[len(s.Managers)-1])
	case state == description.SubnetManaged && !s.Managers[i].Running:
		s.Start(s.Managers[i])
	case state != description.SubnetManaged && i >= 0 && s.Managers[i].Running:
		s.Stop(s.Managers[i])
	}
	if state != description.SubnetAbsent {
		return
	}
	for p := range s.Fabric.Nodes[node].Ports {
		if near := (infiniband.Place{Node: node, Port: p}); p > 0 && s.Fabric.At(near).State == infiniband.Active {
			s.Fabric.At(near).State = infiniband.Initialize
			s.Fabric.At(s.Fabric.At(near).Far).State = infiniband.Initialize
		}
	}
}

// Clone returns an independent copy.
func (s *Site) Clone() *Site {
	c := *s
	c.flows, c.base = slices.Clone(s.flows), slices.Clone(s.base)
	c.crossings, c.extra = slices.Clone(s.crossings), slices.Clone(s.extra)
	c.Subnet = s.Subnet.Clone()
	return &c
}
