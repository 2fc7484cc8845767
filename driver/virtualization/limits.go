package virtualization

import (
	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/driver/limits"
)

// guestLacks returns why the versions of a virtual machine behind a port lack a feature; empty when they have it.
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

// guestLacksSRIOV returns why a virtual machine behind a port can't have a virtual function; empty when it can. A machine with
// the Windows of its host on Ethernet can.
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

// guestLimits returns a sentence for each requirement of a virtual machine's adapters that is not met.
func (v Hypervisor) guestLimits(name string) (list []string) {
	i, err := v.FindMachine(name)
	if err != nil {
		return nil
	}
	m := &v.VMs[i]
	for j := range m.Adapters {
		list = append(list, v.adapterLimits(m, &m.Adapters[j])...)
	}
	return limits.Unique(list)
}

// adapterLimits returns a sentence for each feature that an adapter requests and its versions lack.
func (v Hypervisor) adapterLimits(m *Machine, a *Adapter) (list []string) {
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

// lacksSRIOV returns why the versions of a port allow no virtual functions; empty when they do.
func (v Hypervisor) lacksSRIOV(port int) string {
	why := v.Lacks(port, limits.SRIOV)
	if p, _, _ := v.Lab().Port(port); why == "" && p.Link == description.InfiniBand {
		if why = v.Lacks(port, limits.SRIOVIPoIB); why == "" && !v.Lab().ManagesVirtual(port) {
			why = "SR-IOV over IPoIB needs a subnet manager that manages virtual ports: ib sm virt enable at the switch"
		}
	}
	return why
}

// LimitsOf returns a sentence for each requirement of an Operation that the host, after it, does not meet.
func (v Hypervisor) LimitsOf(o Operation) (list []string) {
	switch o := o.(type) {
	case CreateSwitch:
		if o.Switch.IOV {
			list = v.LacksAt(o.Switch.Connection, v.sriovFeatures(o.Switch.Connection)...)
		}
		if o.Switch.PacketDirect {
			list = append(list, v.LacksAt(o.Switch.Connection, limits.PacketDirect)...)
		}
	case SetNumVFs:
		if o.NumVFs > 0 {
			return v.LacksAt(o.Connection, v.sriovFeatures(o.Connection)...)
		}
	case SetFirmware:
		return v.firmwareLimits(o)
	case SetFeature:
		feature, ok := map[AdapterFeature]limits.Feature{
			FeaturePacketDirect: limits.PacketDirect, FeatureNetworkVirtualization: limits.NVGRE,
		}[o.Feature]
		switch {
		case o.On && ok:
			return v.LacksAt(o.Connection, feature)
		case o.On && o.Feature == FeatureRdma:
			return v.limitsOfAdapter(AdapterName{Adapter: o.Connection})
		}
	case AddVMAdapter:
		return v.limitsOfAdapter(AdapterName{o.VM, o.Adapter.Name})
	case SetVMAdapter:
		list = v.limitsOfAdapter(AdapterName{o.VM, o.Adapter})
		if a, err := v.FindAdapter(AdapterName{o.VM, o.Adapter}); err == nil && o.VmmqEnabled != nil && *o.VmmqEnabled {
			list = append(list, v.Lacks(a.Port, limits.VMMQ)) // also with the default number of queues
		}
	case CreateVM:
		return v.guestLimits(o.VM.Name)
	case SetGuestDriver:
		return v.guestLimits(o.VM)
	}
	return list
}

// LacksAt lists the reasons why the port of a connection lacks features.
func (v Hypervisor) LacksAt(connection string, features ...limits.Feature) (list []string) {
	port, err := v.Port(connection)
	if err != nil {
		return nil
	}
	for _, f := range features {
		list = append(list, v.Lacks(port, f))
	}
	return limits.Unique(list)
}

// sriovFeatures returns the features that virtual functions of a port need.
func (v Hypervisor) sriovFeatures(connection string) []limits.Feature {
	if port, err := v.Port(connection); err == nil {
		if p, _, _ := v.Lab().Port(port); p.Link == description.InfiniBand {
			return []limits.Feature{limits.SRIOV, limits.SRIOVIPoIB}
		}
	}
	return []limits.Feature{limits.SRIOV}
}

// firmwareLimits returns the limits of settings in the flash of a card.
func (v Hypervisor) firmwareLimits(o SetFirmware) (list []string) {
	card, err := v.Card(o.Adapter)
	if err != nil {
		return nil
	}
	for i := range limits.All() {
		l := &limits.All()[i]
		for _, to := range o.Values {
			if s, ok := firmware.Find(v.card(card).Family == description.WinOF, to.Name); !ok || s.Tool == firmware.Image || !l.HasSetting(to.Name) {
				continue
			}
			for port := range v.Ports {
				if f := v.Versions(port); v.cardOf(port) == card {
					list = append(list, l.Broken(&f))
				}
			}
		}
	}
	return limits.Unique(list)
}

// limitsOfAdapter lists the requirements of an adapter of a virtual machine or of the host that are not met.
func (v Hypervisor) limitsOfAdapter(name AdapterName) []string {
	a, err := v.FindAdapter(name)
	if err != nil {
		return nil
	}
	if i, err := v.FindMachine(name.VM); err == nil && name.VM != "" {
		return v.adapterLimits(&v.VMs[i], a)
	}
	return v.adapterLimits(nil, a)
}
