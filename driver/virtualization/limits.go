package virtualization

import (
	"cxdeck/device/description"
	"cxdeck/driver/limits"
)

// guestLacks says why a virtual machine behind a port does not have a feature; empty when it does.
func (v Hypervisor) guestLacks(port int, m *Machine, feature limits.Feature) string {
	if port < 0 {
		return ""
	}
	f := v.Versions(port)
	f.Guest, f.GuestSystem, f.GuestDriver = true, m.System, m.GuestDriver
	if why := limits.Check(feature, &f); len(why) > 0 {
		return why[0]
	}
	return ""
}

// guestLacksSRIOV says why a virtual machine behind a port can't have a virtual function; empty when it can. One that
// runs the Windows of its host on Ethernet can.
func (v Hypervisor) guestLacksSRIOV(port int, m *Machine) string {
	p, _, _ := v.Lab().Port(port)
	if m.System == "" && p.Link != description.InfiniBand {
		return ""
	}
	why := v.guestLacks(port, m, limits.SRIOV)
	if why == "" && p.Link == description.InfiniBand && m.GuestDriver != "" {
		why = v.guestLacks(port, m, limits.SRIOVIPoIB)
	}
	return why
}

// GuestLimits says what a virtual machine lacks for what its adapters ask, a sentence for each.
func (v Hypervisor) GuestLimits(name string) (list []string) {
	i, err := v.FindMachine(name)
	if err != nil {
		return nil
	}
	m := &v.VMs[i]
	for j := range m.Adapters {
		list = append(list, v.AdapterLimits(m, &m.Adapters[j])...)
	}
	return limits.Unique(list)
}

// AdapterLimits says what an adapter asks for that its versions do not have.
func (v Hypervisor) AdapterLimits(m *Machine, a *Adapter) (list []string) {
	port := a.Port
	if port < 0 {
		port, _ = v.PortOf(a.Switch)
	}
	if port < 0 {
		return nil
	}
	if m == nil {
		if a.RdmaWeight > 0 {
			list = append(list, v.Lacks(port, limits.HostRDMA))
		}
		return limits.Unique(list)
	}
	if a.IovWeight > 0 {
		list = append(list, v.lacksSRIOV(port), v.guestLacksSRIOV(port, m))
	}
	if a.RdmaWeight > 0 {
		list = append(list, v.Lacks(port, limits.GuestRDMA))
	}
	if a.VmmqEnabled && a.VmmqQueuePairs != NewVMAdapter("", "").VmmqQueuePairs {
		list = append(list, v.Lacks(port, limits.VMMQ))
	}
	if i, err := v.FindSwitch(a.Switch); err == nil && v.Switches[i].PacketDirect {
		list = append(list, v.Lacks(port, limits.PacketDirect))
		if m.System != "" {
			list = append(list, v.guestLacks(port, m, limits.PacketDirect))
		}
	}
	if a.VirtualSubnet > 0 {
		list = append(list, v.Lacks(port, limits.NVGRE))
	}
	return limits.Unique(list)
}

// lacksSRIOV says why the versions of a port allow no virtual functions; empty when they do.
func (v Hypervisor) lacksSRIOV(port int) string {
	why := v.Lacks(port, limits.SRIOV)
	if p, _, _ := v.Lab().Port(port); why == "" && p.Link == description.InfiniBand {
		why = v.Lacks(port, limits.SRIOVIPoIB)
	}
	return why
}
