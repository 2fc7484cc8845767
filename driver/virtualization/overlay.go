package virtualization

import (
	"fmt"
	"slices"

	"cxdeck/device/description"
	"cxdeck/device/tunnel"
)

// overlays finds the NVGRE encapsulation of adapters in virtual subnets (VIRT-6). It caches its results for one pass over all
// adapters.
type overlays struct {
	Hypervisor
	// machines has the MAC addresses of this host's machines, far the result for each virtual subnet.
	machines map[description.MAC]bool
	far      map[uint32]farRecord
}

// farRecord is a lookup record that leads to another host, or the reason why there is none.
type farRecord struct {
	LookupRecord
	why string
}

func (v Hypervisor) newOverlays() *overlays {
	return &overlays{Hypervisor: v, far: map[uint32]farRecord{}}
}

// find returns the encapsulation of an adapter's packets, or why there is none; why is empty for an adapter in no virtual
// subnet.
func (s *overlays) find(m *Machine, a *Adapter) (o tunnel.Overlay, why string) {
	if m == nil || a.VirtualSubnet == 0 || a.Port < 0 {
		return o, ""
	}
	connection := s.connection(a.Port)
	i, err := s.FindSwitch(a.Switch)
	switch {
	case err != nil:
		return o, ""
	case s.Switches[i].Team != "":
		return o, "its switch is on a team, and the lab's provider addresses are at connections"
	case s.Switches[i].IOV: // the manuals: in VMQ mode, and not in SR-IOV mode
		return o, "its switch has SR-IOV, which NVGRE does not support: recreate the switch without it"
	}
	if d, _, _ := s.Lab().Port(a.Port); d.Link != description.Ethernet {
		return o, "NVGRE requires an Ethernet port"
	}
	here := func(p ProviderAddress) bool { return p.Connection == connection && p.Address.Is4() }
	at := slices.IndexFunc(s.Net.ProviderAddresses, here)
	if at < 0 {
		return o, "there is no provider address of IPv4 at " + connection
	}
	far := s.farEnd(a.VirtualSubnet)
	if far.why != "" {
		return o, far.why
	}
	return tunnel.Overlay{Subnet: a.VirtualSubnet, Local: s.Net.ProviderAddresses[at].Address, Remote: far.ProviderAddress}, ""
}

// farEnd returns the first lookup record of a virtual subnet that leads to another host, and to which a customer route leads.
func (s *overlays) farEnd(subnet uint32) farRecord {
	found, known := s.far[subnet]
	if known {
		return found
	}
	found.why = fmt.Sprintf("no lookup record of the virtual subnet %d leads to another host", subnet)
	for _, r := range s.Net.Lookups {
		if r.VirtualSubnet != subnet || !r.ProviderAddress.Is4() || s.isLocal(&r) {
			continue
		}
		covers := func(c CustomerRoute) bool { return c.VirtualSubnet == subnet && c.Prefix.Contains(r.CustomerAddress) }
		if slices.ContainsFunc(s.Net.CustomerRoutes, covers) {
			found = farRecord{LookupRecord: r}
			break
		}
		found.why = fmt.Sprintf("no customer route of the virtual subnet %d leads to %s", subnet, r.CustomerAddress)
	}
	s.far[subnet] = found
	return found
}

// isLocal reports whether a lookup record belongs to a machine of this host, by its provider address, or by its MAC address.
func (s *overlays) isLocal(r *LookupRecord) bool {
	if s.machines == nil {
		s.machines = map[description.MAC]bool{}
		s.Each(func(_ AdapterName, m *Machine, a *Adapter) {
			if m != nil {
				s.machines[a.MAC] = true
			}
		})
	}
	own := func(p ProviderAddress) bool { return p.Address == r.ProviderAddress }
	return s.machines[r.MAC] || slices.ContainsFunc(s.Net.ProviderAddresses, own)
}
