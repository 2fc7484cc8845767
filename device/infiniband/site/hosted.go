package site

import (
	"slices"

	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/opensm"
)

// Hosted describes the subnet manager of a program of the host, or of a host beside it.
type Hosted struct {
	// Place is the port that it runs on; GUID is the one of a host beside this one.
	Place infiniband.Place
	GUID  description.GUID
	// Settings are its priority, the time between its sweeps, and whether it serves virtual ports.
	Settings opensm.Settings
}

// Beside returns a port of another host for a program that runs there: the port with a GUID, or a port of the first adapter that is not
// the host's own. It returns Nowhere when the subnet has none.
func (s *Site) Beside(guid description.GUID) infiniband.Place {
	if at, ok := s.Fabric.FindGUID(guid); ok {
		return at
	}
	for n := range s.Fabric.Nodes {
		node := &s.Fabric.Nodes[n]
		if node.Kind == infiniband.Adapter && !s.isOwn(n) && node.Ports[1].Far != infiniband.Nowhere {
			return infiniband.Place{Node: n, Port: 1}
		}
	}
	return infiniband.Nowhere
}

// RunManagers has the programs run their subnet managers, and ends the managers of programs that do not run any more.
func (s *Site) RunManagers(programs []Hosted) {
	find := func(at infiniband.Place) int {
		return slices.IndexFunc(programs, func(h Hosted) bool { return h.Place == at })
	}
	s.Managers = slices.DeleteFunc(slices.Clone(s.Managers), func(m *opensm.Manager) bool {
		ended := m.Hosted && find(m.Place) < 0
		if ended {
			s.Stop(m)
		}
		return ended
	})
	for _, h := range programs {
		i := slices.IndexFunc(s.Managers, func(m *opensm.Manager) bool { return m.Place == h.Place })
		if i < 0 {
			i = len(s.Managers)
			s.Managers = append(s.Managers, &opensm.Manager{Place: h.Place, Engine: opensm.MinHop, Partitions: opensm.DefaultPartitions(), Version: opensm.UsualVersion})
		}
		m := s.Managers[i]
		m.Hosted, m.GUID = true, h.GUID
		if m.Configure(h.Settings) {
			s.Changed()
		}
		if !m.Running {
			s.Start(m)
		}
	}
}

// HostedOn returns the subnet manager of a program on a port, nil without one.
func (s *Site) HostedOn(at infiniband.Place) *opensm.Manager {
	for _, m := range s.Managers {
		if m.Hosted && m.Place == at {
			return m
		}
	}
	return nil
}

// Manager returns the state of the subnet manager that a port of the lab sees: up with a master in its part of the fabric. In a lab
// without a described subnet it is the manager of the switch: the managers of programs are for the host to report.
func (s *Site) Manager(port int) description.SubnetManager {
	far := s.switchOf(port)
	if far < 0 {
		return description.SubnetDown
	}
	if m := s.Master(infiniband.Place{Node: far}); m != nil && (s.described || !m.Hosted) {
		return description.SubnetManaged
	}
	if s.described && s.Fabric.Outside && s.Fabric.At(s.Own[port]).State == infiniband.Active {
		return description.SubnetManaged // a manager outside of the lab activated it
	}
	return description.SubnetDown
}

// isOwn reports whether a node is an adapter of the host.
func (s *Site) isOwn(node int) bool {
	return slices.ContainsFunc(s.Own, func(p infiniband.Place) bool { return p.Node == node })
}
