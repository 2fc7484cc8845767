package driver

import (
	"maps"
	"slices"

	"cxdeck/device/setup"
	"cxdeck/driver/teams"
	"cxdeck/driver/teams/mux"
)

// VirtualMiniport is a network device of a team, a VLAN or a virtual IPoIB port, which Windows shows in addition to the
// ports.
type VirtualMiniport struct {
	// Team is the team of the device, Connection the port of a device that belongs to no team; the other is empty. VLAN is the
	// name of the VLAN, Partition the name of the virtual IPoIB port; both are empty for a team.
	Team, Connection, VLAN, Partition string
	// Device is its name in Device Manager; several may have the same.
	Device string
	// Slot is the place of its counters, see device.Lab.VirtualCell; device.NoSlot when it carries no traffic.
	Slot int
	// Rate is the rate of the links that carry its traffic now, in bits per second.
	Rate float64
}

// VirtualMiniports lists teams in the order of creation, each before its VLANs, then the VLANs of ports, then virtual IPoIB
// ports, which carry no workloads of the lab.
func (h *Host) VirtualMiniports() (list []VirtualMiniport) {
	for i := range h.team.Teams {
		t := &h.team.Teams[i]
		vlan := VirtualMiniport{Team: t.Name, Device: t.Device(), Slot: t.Slot}
		for _, m := range t.Machine.Members {
			if t.Machine.Role(m.Key) == mux.Active {
				vlan.Rate += h.linkRate(m.Key)
			}
		}
		list = append(list, vlan)
		for j := range t.VLANs {
			w := &t.VLANs[j]
			vlan.VLAN, vlan.Device, vlan.Slot = w.Name, teams.VLANDevice(t.Family, w.Name), w.Slot
			list = append(list, vlan)
		}
	}
	for _, port := range slices.Sorted(maps.Keys(h.team.VLANs)) {
		for _, w := range h.team.VLANs[port] {
			list = append(list, VirtualMiniport{
				Connection: h.connection(port), VLAN: w.Name, Device: teams.VLANDevice(h.family(port), w.Name), Slot: w.Slot,
				Rate: h.linkRate(port),
			})
		}
	}
	for _, p := range h.Partitions() {
		list = append(list, VirtualMiniport{Connection: p.On, Partition: p.Name, Device: p.Device, Slot: setup.NoSlot, Rate: p.Rate})
	}
	return list
}

// linkRate returns the rate of a port's link in bits per second, 0 without one.
func (h *Host) linkRate(port int) float64 {
	if state := h.lab.State(port); state.Up {
		return state.Rate
	}
	return 0
}
