package driver

import (
	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/fabric"
	"cxdeck/driver/limits"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
)

// limited is an Operation that asks for something that the manuals tie to versions.
type limited interface {
	// limitsAt says what the host lacks for it, a sentence for each; h is the host on which it was done.
	limitsAt(h *Host) []string
}

// LimitsOf says what a host on which a plan was applied lacks for what the plan asks, a sentence for each.
func (h *Host) LimitsOf(plan Plan) (list []string) {
	for _, o := range plan.Operations {
		switch o := o.(type) {
		case limited:
			list = append(list, o.limitsAt(h)...)
		case teams.Operation:
			list = append(list, h.teamLimits(o)...)
		case fabric.AddPartition:
			list = append(list, h.lacksAt(o.Connection, limits.Partitions)...)
		}
	}
	return limits.Unique(list)
}

// EffectsOf says what a plan has changed besides what its Operations name, on the host on which it was applied.
func (h *Host) EffectsOf(plan Plan) (list []Caution) {
	for _, o := range plan.Operations {
		c, ok := o.(CreateSwitch)
		if !ok {
			continue
		}
		i, err := h.virtual.FindSwitch(c.Switch.Name)
		if err == nil && h.virtual.Switches[i].Preference != nil && !c.Keep {
			list = append(list, Caution{eventlog.Information, c.Switch.Connection, keyPreference,
				"the switch sets it to 1, so that the port offers VMQ in place of RSS when its adapter starts next"})
		}
	}
	return list
}

// lacksAt is what the port of a connection lacks for features.
func (h *Host) lacksAt(connection string, features ...limits.Feature) (list []string) {
	port, err := h.port(connection)
	if err != nil {
		return nil
	}
	for _, f := range features {
		list = append(list, h.lacks(port, f))
	}
	return limits.Unique(list)
}

// sriovFeatures are what virtual functions of a port need.
func (h *Host) sriovFeatures(connection string) []limits.Feature {
	if port, err := h.port(connection); err == nil {
		if p, _, _ := h.lab.Port(port); p.Link == description.InfiniBand {
			return []limits.Feature{limits.SRIOV, limits.SRIOVIPoIB}
		}
	}
	return []limits.Feature{limits.SRIOV}
}

func (o SetValue) limitsAt(h *Host) (list []string) {
	port, r, err := h.find(o.Connection, o.Adapter, o.Key)
	if err != nil {
		return nil
	}
	f := h.versionFacts(port)
	for _, l := range r.Limits() {
		if n, ok := h.hive.Of(h.place(port, r.Scope), r).Integer(); ok && l.AskedBy(n) {
			list = append(list, l.Broken(&f))
		}
	}
	return limits.Unique(list)
}

func (o CreateSwitch) limitsAt(h *Host) (list []string) {
	if o.Switch.IOV {
		list = append(list, h.lacksAt(o.Switch.Connection, h.sriovFeatures(o.Switch.Connection)...)...)
	}
	if o.Switch.PacketDirect {
		list = append(list, h.lacksAt(o.Switch.Connection, limits.PacketDirect)...)
	}
	return list
}

func (o SetNumVFs) limitsAt(h *Host) []string {
	if o.NumVFs == 0 {
		return nil
	}
	return h.lacksAt(o.Connection, h.sriovFeatures(o.Connection)...)
}

func (o SetSriovPorts) limitsAt(h *Host) []string { return h.cardLacks(o.Adapter, limits.SRIOV) }

func (o SetFirmware) limitsAt(h *Host) (list []string) {
	card, err := h.adapter(o.Adapter)
	if err != nil {
		return nil
	}
	mlx4 := h.lab.Description().Adapters[card].Family == description.WinOF
	for i := range limits.All() {
		l := &limits.All()[i]
		for _, v := range o.Values {
			if s, ok := firmware.Find(mlx4, v.Name); !ok || s.Tool == firmware.Image || !l.Setting(v.Name) {
				continue
			}
			for port := range h.miniports {
				if f := h.versionFacts(port); h.cardOf(port) == card {
					list = append(list, l.Broken(&f))
				}
			}
		}
	}
	return limits.Unique(list)
}

// cardLacks is what the ports of a card lack for a feature.
func (h *Host) cardLacks(adapter string, feature limits.Feature) (list []string) {
	card, err := h.adapter(adapter)
	if err != nil {
		return nil
	}
	for port := range h.miniports {
		if h.cardOf(port) == card {
			list = append(list, h.lacks(port, feature))
		}
	}
	return limits.Unique(list)
}

func (o SetFeature) limitsAt(h *Host) (list []string) {
	switch {
	case !o.On:
	case o.Feature == FeaturePacketDirect:
		return h.lacksAt(o.Connection, limits.PacketDirect)
	case o.Feature == FeatureNetworkVirtualization:
		return h.lacksAt(o.Connection, limits.NVGRE)
	case o.Feature == FeatureRdma:
		if a, err := h.virtual.FindAdapter(virtualization.AdapterName{Adapter: o.Connection}); err == nil {
			return h.hypervisor().AdapterLimits(nil, a)
		}
	}
	return list
}

// ofAdapter is what an adapter of a virtual machine or of the host lacks for what it asks.
func (h *Host) ofAdapter(name virtualization.AdapterName) []string {
	a, err := h.virtual.FindAdapter(name)
	if err != nil {
		return nil
	}
	if i, err := h.virtual.FindMachine(name.VM); err == nil && name.VM != "" {
		return h.hypervisor().AdapterLimits(&h.virtual.VMs[i], a)
	}
	return h.hypervisor().AdapterLimits(nil, a)
}

func (o SetVMAdapter) limitsAt(h *Host) []string {
	list := h.ofAdapter(virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter})
	if a, err := h.virtual.FindAdapter(virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter}); err == nil && o.VmmqEnabled != nil && *o.VmmqEnabled {
		list = append(list, h.lacks(a.Port, limits.VMMQ)) // also with the usual number of queues
	}
	return limits.Unique(list)
}

func (o AddVMAdapter) limitsAt(h *Host) []string {
	return h.ofAdapter(virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter.Name})
}

func (o CreateVM) limitsAt(h *Host) []string { return h.hypervisor().GuestLimits(o.VM.Name) }

func (o SetGuestDriver) limitsAt(h *Host) []string { return h.hypervisor().GuestLimits(o.VM) }

func (o SetDropless) limitsAt(h *Host) []string {
	if !o.On {
		return nil
	}
	return h.lacksAt(o.Connection, limits.Dropless)
}

// teamLimits is what the host lacks for an Operation on teams or VLANs.
func (h *Host) teamLimits(o teams.Operation) []string {
	switch o := o.(type) {
	case teams.Attach:
		if i, err := h.team.Find(o.Team); err != nil || h.team.Teams[i].Family != description.WinOF {
			return h.lacksAt(o.Connection, limits.Teams)
		}
		return h.lacksAt(o.Connection, limits.TeamTool)
	case teams.AddVLAN:
		port, err := h.port(o.Connection)
		if err == nil && h.family(port) == description.WinOF && h.lab.VirtualFunctions(port) > 0 {
			return h.lacksAt(o.Connection, limits.VLANsOfPhysical)
		}
	}
	return nil
}
