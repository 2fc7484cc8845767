package driver

import (
	"fmt"
	"slices"

	"cxdeck/device"
	"cxdeck/driver/eventlog"
)

// overlays finds where the packets of adapters in virtual subnets travel (NVGRE, VIRT-6). What it has found out it keeps:
// it is made anew for each look at all adapters.
type overlays struct {
	host    *Host
	virtual *virtualization
	// machines are the addresses of the machines of this host, far what was found for each virtual subnet.
	machines map[device.MAC]bool
	far      map[uint32]farRecord
}

// farRecord is a lookup record that leads to another host, or why there is none.
type farRecord struct {
	LookupRecord
	why string
}

func (h *Host) newOverlays(v *virtualization) *overlays {
	return &overlays{host: h, virtual: v, far: map[uint32]farRecord{}}
}

// of is where the packets of an adapter are encapsulated. Without it why says what is missing; it is empty for an adapter
// that is in no virtual subnet.
func (s *overlays) of(m *vm, a *vmAdapter) (o device.Overlay, why string) {
	if m == nil || a.VirtualSubnet == 0 || a.Port < 0 {
		return o, ""
	}
	v, connection := s.virtual, s.host.connection(a.Port)
	i, err := v.sw(a.Switch)
	switch {
	case err != nil:
		return o, ""
	case v.Switches[i].Team != "":
		return o, "its switch is on a team, and the lab's provider addresses are at connections"
	case v.Switches[i].IOV: // the manuals: in VMQ mode, and not in SR-IOV mode
		return o, "its switch has SR-IOV, and NVGRE works without that only: make the switch anew"
	}
	if d, _, _ := s.host.lab.Port(a.Port); d.Link != device.Ethernet {
		return o, "NVGRE takes a port of Ethernet"
	}
	here := func(p ProviderAddress) bool { return p.Connection == connection && p.Address.Is4() }
	at := slices.IndexFunc(v.Net.ProviderAddresses, here)
	if at < 0 {
		return o, "there is no provider address of IPv4 at " + connection
	}
	far := s.to(a.VirtualSubnet)
	if far.why != "" {
		return o, far.why
	}
	return device.Overlay{Subnet: a.VirtualSubnet, Local: v.Net.ProviderAddresses[at].Address, Remote: far.ProviderAddress}, ""
}

// to is the first lookup record of a virtual subnet that leads to another host, and to which a customer route leads.
func (s *overlays) to(subnet uint32) farRecord {
	found, known := s.far[subnet]
	if known {
		return found
	}
	found.why = fmt.Sprintf("no lookup record of the virtual subnet %d leads to another host", subnet)
	for _, r := range s.virtual.Net.Lookups {
		if r.VirtualSubnet != subnet || !r.ProviderAddress.Is4() || s.near(&r) {
			continue
		}
		covers := func(c CustomerRoute) bool { return c.VirtualSubnet == subnet && c.Prefix.Contains(r.CustomerAddress) }
		if slices.ContainsFunc(s.virtual.Net.CustomerRoutes, covers) {
			found = farRecord{LookupRecord: r}
			break
		}
		found.why = fmt.Sprintf("no customer route of the virtual subnet %d leads to %s", subnet, r.CustomerAddress)
	}
	s.far[subnet] = found
	return found
}

// near says whether a lookup record is of a machine of this host: by its provider address, or by its MAC address.
func (s *overlays) near(r *LookupRecord) bool {
	if s.machines == nil {
		s.machines = map[device.MAC]bool{}
		s.virtual.each(func(_ AdapterName, m *vm, a *vmAdapter) {
			if m != nil {
				s.machines[a.MAC] = true
			}
		})
	}
	own := func(p ProviderAddress) bool { return p.Address == r.ProviderAddress }
	return s.machines[r.MAC] || slices.ContainsFunc(s.virtual.Net.ProviderAddresses, own)
}

// forgotten warns of records that a start of the host takes with it.
func (h *Host) forgotten(done *Host, plan Plan) []Caution {
	boots := slices.ContainsFunc(plan.Operations, func(o Operation) bool { _, boots := o.(Reboot); return boots })
	if !boots || h.virtual.Net.empty() || !done.virtual.Net.empty() {
		return nil
	}
	const text = "the records of NVGRE are kept in memory alone: they have to be added anew after the start"
	return []Caution{{eventlog.Warning, netVirtualization, "", text}}
}
