package site

import (
	"slices"

	"cxdeck/device/counter"
	"cxdeck/device/description"
	"cxdeck/device/infiniband"
	"cxdeck/device/infiniband/opensm"
	"cxdeck/device/setup"
	"cxdeck/device/subnet"
)

// Tell starts and stops the managers on the switches as the settings of the switch ports say. A described subnet has managers of its own.
func (s *Site) Tell(switches []setup.SwitchPort) {
	for port, at := range s.Own {
		if !s.described && at != infiniband.Nowhere && switches[port].SubnetManager != description.SubnetManaged {
			s.SetManager(port, switches[port].SubnetManager)
		}
	}
}

// Ask returns the settings of the switch ports with the managers and, of a described subnet, the partitions that the ports see now. The
// list is a new one when something changed.
func (s *Site) Ask(switches []setup.SwitchPort) []setup.SwitchPort {
	for port, at := range s.Own {
		if at == infiniband.Nowhere {
			continue
		}
		manager, keys := switches[port].SubnetManager, switches[port].PKeys
		if seen := s.Manager(port); seen == description.SubnetManaged || manager == description.SubnetManaged {
			manager = seen
		}
		if s.described {
			keys = s.partitions(port)
		}
		if manager != switches[port].SubnetManager || !slices.Equal(keys, switches[port].PKeys) {
			switches = slices.Clone(switches)
			switches[port].SubnetManager, switches[port].PKeys = manager, keys
		}
	}
	return switches
}

// Snapshot returns a copy of the subnet with what the lab knows of its own ports: their states, counters and partitions.
func (s *Site) Snapshot(counters []uint64, state func(port int) subnet.State, switches []setup.SwitchPort) *opensm.Subnet {
	c := s.Subnet.Clone()
	for port, at := range s.Own {
		if at == infiniband.Nowhere {
			continue
		}
		near, counted := c.Fabric.At(at), s.portCounters(counters, port)
		if !s.described {
			near.PKeys = append([]description.PKey{description.DefaultPKey}, switches[port].PKeys...)
		}
		near.Counters = counted.Since(s.base[2*port])
		if far, up := c.Fabric.Far(at); up {
			if now := state(port); now != subnet.Init || !s.Fabric.Outside { // a manager outside of the lab brings both ends up by steps
				near.State = [...]infiniband.State{infiniband.Down, infiniband.Down, infiniband.Initialize, infiniband.Active}[now]
				c.Fabric.At(far).State = near.State
			}
			c.Fabric.At(far).Counters = s.mirrored(counted, port).Since(s.base[2*port+1])
		}
	}
	return c
}

// Clear sets the error counters, the traffic counters or both of a port to 0.
func (s *Site) Clear(counters []uint64, at infiniband.Place, errors, traffic bool) {
	s.Fabric.At(at).Counters.Copy(infiniband.Counters{}, errors, traffic)
	for port, own := range s.Own {
		if own == infiniband.Nowhere {
			continue
		}
		switch counted := s.portCounters(counters, port); at {
		case own:
			s.base[2*port].Copy(counted, errors, traffic)
		case s.Fabric.At(own).Far:
			s.base[2*port+1].Copy(s.mirrored(counted, port), errors, traffic)
		}
	}
	s.Touched = true
}

// LIDs returns the LIDs of a port of the lab and of its subnet manager, 0 for an Ethernet port.
func (s *Site) LIDs(port int) (lid, manager uint16) {
	if s.Own[port] == infiniband.Nowhere {
		return 0, 0
	}
	at := s.Fabric.At(s.Own[port])
	return at.LID, at.ManagerLID
}

// portCounters returns the counters of a port of the lab in the form of the subnet.
func (s *Site) portCounters(counters []uint64, port int) (c infiniband.Counters) {
	c = s.running(port, false)
	cell := func(kind counter.Port) uint64 { return counters[counter.Cell(port, kind)] }
	c.SentPackets, c.ReceivedPackets = cell(counter.SentPackets), cell(counter.ReceivedPackets)
	c.SentUnicast, c.ReceivedUnicast = c.SentPackets, c.ReceivedPackets
	c.SentData, c.ReceivedData = cell(counter.SentBytes)/Word, cell(counter.ReceivedBytes)/Word
	c.LinkDowned, c.SymbolErrors, c.ReceiveErrors = cell(counter.LinkDowns), cell(counter.SymbolErrors), cell(counter.ReceiveErrors)
	return c
}

// mirrored returns the counters of the other end of the cable of a port. It sees no damage: the errors belong to the port that receives.
func (s *Site) mirrored(c infiniband.Counters, port int) infiniband.Counters {
	far := s.running(port, true)
	far.SentPackets, far.ReceivedPackets, far.SentUnicast, far.ReceivedUnicast = c.ReceivedPackets, c.SentPackets, c.ReceivedUnicast, c.SentUnicast
	far.SentData, far.ReceivedData, far.LinkDowned = c.ReceivedData, c.SentData, c.LinkDowned
	return far
}
