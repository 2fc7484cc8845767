package driver

import (
	"cmp"
	"slices"
	"sync"

	"cxdeck/device"
	"cxdeck/driver/limits"
)

// versionFacts are the versions of a port with its card and host.
func (h *Host) versionFacts(port int) limits.Facts {
	p, card, _ := h.lab.Port(port)
	d := h.lab.Description()
	a := &d.Adapters[card]
	return limits.Facts{
		Family: a.Family, Link: p.Link, Speed: p.SpeedGbps, DeviceID: a.DeviceID, System: d.Host.System,
		Driver: cmp.Or(a.DriverVersion, a.Package), Firmware: a.Firmware, Tools: d.Host.FirmwareTools,
		SubnetManager: p.Switch.SubnetManagerVersion,
	}
}

// guestFacts are those of a virtual machine behind a port.
func (h *Host) guestFacts(port int, m *vm) limits.Facts {
	f := h.versionFacts(port)
	f.Guest, f.GuestSystem, f.GuestDriver = true, m.System, m.GuestDriver
	return f
}

// lackingFeatures has for each port the features that its versions do not have, with the first reason for each.
type lackingFeatures []map[limits.Feature]string

// findLacking compares the versions of a lab once they are asked for: they never change.
func (h *Host) findLacking() func() lackingFeatures {
	facts := make([]limits.Facts, h.lab.Ports())
	for port := range facts {
		facts[port] = h.versionFacts(port)
	}
	return sync.OnceValue(func() lackingFeatures {
		list := make(lackingFeatures, len(facts))
		for port := range list {
			list[port] = map[limits.Feature]string{}
			for _, l := range limits.All() {
				if why := l.Broken(&facts[port]); why != "" && list[port][l.Feature] == "" {
					list[port][l.Feature] = why
				}
			}
		}
		return list
	})
}

// lacks says why a port does not have a feature by the versions of its card and host; empty when it does.
func (h *Host) lacks(port int, feature limits.Feature) string {
	if port < 0 || port >= h.lab.Ports() {
		return ""
	}
	return h.lacking()[port][feature]
}

// guestLacks says why a virtual machine behind a port does not have a feature; empty when it does.
func (h *Host) guestLacks(port int, m *vm, feature limits.Feature) string {
	if port < 0 {
		return ""
	}
	f := h.guestFacts(port, m)
	if why := limits.Check(feature, &f); len(why) > 0 {
		return why[0]
	}
	return ""
}

// guestLacksSRIOV says why a virtual machine behind a port can't have a virtual function; empty when it can. One that
// runs the Windows of its host on Ethernet can.
func (h *Host) guestLacksSRIOV(port int, m *vm) string {
	p, _, _ := h.lab.Port(port)
	if m.System == "" && p.Link != device.InfiniBand {
		return ""
	}
	why := h.guestLacks(port, m, limits.SRIOV)
	if why == "" && p.Link == device.InfiniBand && m.GuestDriver != "" {
		why = h.guestLacks(port, m, limits.SRIOVIPoIB)
	}
	return why
}

// LimitView is what the manuals tie to a version, as it is for one port.
type LimitView struct {
	*limits.Limit
	// Broken says in one sentence what the port lacks; empty when it lacks nothing.
	Broken string
}

// Limits are the rows of the table that are about a port, but those about virtual machines.
func (h *Host) Limits(connection string) (list []LimitView, err error) {
	port, err := h.port(connection)
	if err != nil {
		return nil, err
	}
	f := h.versionFacts(port)
	for i := range limits.All() {
		if l := &limits.All()[i]; l.Of(&f) {
			list = append(list, LimitView{l, l.Broken(&f)})
		}
	}
	return list, nil
}

// GuestLimits says what a virtual machine lacks for what its adapters ask, a sentence for each.
func (h *Host) GuestLimits(name string) (list []string) {
	i, err := h.virtual.vm(name)
	if err != nil {
		return nil
	}
	m := &h.virtual.VMs[i]
	for j := range m.Adapters {
		list = append(list, h.adapterLimits(m, &m.Adapters[j])...)
	}
	return unique(list)
}

// adapterLimits says what an adapter asks for that its versions do not have.
func (h *Host) adapterLimits(m *vm, a *vmAdapter) (list []string) {
	port := a.Port
	if port < 0 {
		port, _ = h.portOf(h.virtual, a.Switch)
	}
	if port < 0 {
		return nil
	}
	if m == nil {
		if a.RdmaWeight > 0 {
			list = append(list, h.lacks(port, limits.HostRDMA))
		}
		return unique(list)
	}
	if a.IovWeight > 0 {
		list = append(list, h.lacksSRIOV(port), h.guestLacksSRIOV(port, m))
	}
	if a.RdmaWeight > 0 {
		list = append(list, h.lacks(port, limits.GuestRDMA))
	}
	if a.VmmqEnabled && a.VmmqQueuePairs != newVMAdapter("").VmmqQueuePairs {
		list = append(list, h.lacks(port, limits.VMMQ))
	}
	if i, err := h.virtual.sw(a.Switch); err == nil && h.virtual.Switches[i].PacketDirect {
		list = append(list, h.lacks(port, limits.PacketDirect))
		if m.System != "" {
			list = append(list, h.guestLacks(port, m, limits.PacketDirect))
		}
	}
	if a.VirtualSubnet > 0 {
		list = append(list, h.lacks(port, limits.NVGRE))
	}
	return unique(list)
}

// unique are the texts of a list that are not empty, each once.
func unique(list []string) (texts []string) {
	for _, one := range list {
		if one != "" && !slices.Contains(texts, one) {
			texts = append(texts, one)
		}
	}
	return texts
}
