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
	for ; s.counted < int64(now/time.Second); s.counted++ {
		s.move()
	}
	s.Subnet.Advance(now)
}

// SetPresent tells whether a port of the lab has its cable and a driver that enabled it.
func (s *Site) SetPresent(port int, present bool) {
	if at := s.Own[port]; at != infiniband.Nowhere && s.Fabric.At(at).Unplugged == present {
		s.Fabric.SetUnplugged(at, !present)
		s.Changed()
	}
}

// Manager returns the state of the subnet manager that a port of the lab sees: up with a master in its part of the fabric. In a lab
// without a described subnet it is the manager of the switch: the host's own ones are the host's to tell.
func (s *Site) Manager(port int) description.SubnetManager {
	far := s.switchOf(port)
	if far < 0 {
		return description.SubnetDown
	}
	if m := s.Master(infiniband.Place{Node: far}); m != nil && (s.described || !s.isOwn(m.Place.Node)) {
		return description.SubnetManaged
	}
	return description.SubnetDown
}

// isOwn reports whether a node is an adapter of the host.
func (s *Site) isOwn(node int) bool {
	return slices.ContainsFunc(s.Own, func(p infiniband.Place) bool { return p.Node == node })
}

// RunManager starts a subnet manager of the host on a port of the lab, or stops it. It returns the role that the manager has now; decides is
// true in a described subnet, whose managers find out by themselves which one is the master.
func (s *Site) RunManager(port int, on bool, priority uint8) (role opensm.Role, decides bool) {
	i := slices.IndexFunc(s.Managers, func(m *opensm.Manager) bool { return m.Place == s.Own[port] })
	if i < 0 {
		if !on {
			return opensm.NotActive, s.described
		}
		s.Managers = append(s.Managers, &opensm.Manager{Place: s.Own[port], Engine: opensm.MinHop, Partitions: opensm.DefaultPartitions(), Version: opensm.UsualVersion})
		i = len(s.Managers) - 1
	}
	switch m := s.Managers[i]; {
	case on && !m.Running:
		m.Priority = priority
		s.Start(m)
	case on && m.Priority != priority:
		m.Priority = priority
		s.Changed()
	case !on && m.Running:
		s.Stop(m)
	}
	return s.Managers[i].Role, s.described
}

// Kept reports whether the subnet must be saved: it was described, or changed since it was built.
func (s *Site) Kept() bool { return s.described || s.Touched }

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
		s.Managers = append(s.Managers, &opensm.Manager{Place: infiniband.Place{Node: node}, Priority: 14, Engine: opensm.MinHop, Partitions: opensm.DefaultPartitions(), Version: opensm.UsualVersion})
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
	c.Subnet = s.Subnet.Clone()
	return &c
}
