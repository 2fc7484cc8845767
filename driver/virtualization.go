package driver

import (
	"errors"

	"cxdeck/device/description"
	"cxdeck/driver/limits"
	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization"
)

func (h partHost) Card(adapter string) (int, error) { return h.adapter(adapter) }
func (h partHost) Versions(port int) limits.Facts   { return h.versionFacts(port) }
func (h partHost) Lacks(port int, feature limits.Feature) string {
	return h.missingFeature(port, feature)
}
func (h partHost) Watch(port int) *virtualization.FunctionWatch { return &h.miniports[port].watch }

func (h partHost) TeamPorts(team string) (ports []int, err error) {
	t, err := h.team.Find(team)
	if err != nil {
		return nil, err
	}
	for _, m := range h.team.Teams[t].Machine.Members {
		ports = append(ports, m.Key)
	}
	return ports, nil
}

func (h partHost) TeamOf(port int) string {
	if t := h.team.TeamOf(port); t != nil {
		return t.Name
	}
	return ""
}

func (h partHost) Effective(port int, key string, scopes ...registry.Scope) (registry.Value, bool) {
	r, ok := h.catalogue(port).Find(key, scopes...)
	if !ok || h.miniports[port].effective == nil { // its driver has never started
		return registry.Value{}, false
	}
	return h.miniports[port].effective.Reading(r).Value, true
}

func (h partHost) Stored(port int, key string, scopes ...registry.Scope) (registry.Value, bool) {
	r, ok := h.catalogue(port).Find(key, scopes...)
	if !ok {
		return registry.Value{}, false
	}
	return h.stored(port, r), true
}

func (h partHost) Store(port int, key string, value registry.Value) {
	h.StoreAt(port, registry.Miniport, key, value)
}

// hypervisor returns virtualization with its rules, read-only except in changeVirtual.
func (h *Host) hypervisor() virtualization.Hypervisor {
	return virtualization.Hypervisor{State: h.virtual, Facts: partHost{h}}
}

// changeVirtual changes a copy of virtualization, which replaces the shared state. The Operations of a plan share one copy:
// when one of them fails, the host before the plan replaces this one.
func (h *Host) changeVirtual(change func(v virtualization.Hypervisor)) {
	if !h.owned {
		h.virtual, h.owned = h.virtual.Clone(), h.planning
	}
	change(h.hypervisor())
}

// applyVirtual applies an Operation of virtualization.
func (h *Host) applyVirtual(o virtualization.Operation) (err error) {
	h.changeVirtual(func(v virtualization.Hypervisor) { err = o.Apply(v) })
	if o, ok := o.(virtualization.ResetVF); ok {
		if port, unknown := h.port(o.Connection); unknown == nil {
			h.healingSet().FunctionRestarted(port, o.Function)
		}
	}
	h.updateGuests()
	return errors.Join(err, h.setMarks())
}

// reallocateVirtual reallocates all adapters of virtual machines after a change outside of virtualization.
func (h *Host) reallocateVirtual() {
	if len(h.virtual.VMs) > 0 || len(h.virtual.Host) > 0 {
		h.changeVirtual(func(v virtualization.Hypervisor) { v.Reallocate() })
	}
	h.updateGuests()
}

// updateGuests passes the virtual machines with traffic to the lab. Within a plan, in which no time passes, it is done at the
// end: a plan may change hundreds of machines, and distributing the traffic costs as much for one as for all.
func (h *Host) updateGuests() {
	if h.planning {
		h.guestsDirty = true
		return
	}
	h.hypervisor().UpdateGuests()
}

// describeVirtual sets up virtualization from the lab's description.
func (h *Host) describeVirtual() {
	h.virtual = virtualization.Describe(h.lab)
	for port := range h.miniports {
		_, a, _ := h.lab.Port(port)
		if card := &h.lab.Description().Adapters[a]; card.SriovPortMode != nil && card.Family == description.WinOF {
			h.hive.Set(h.layout.Place(port, registry.BusDevice), "SriovPortMode", registry.NumberValue(uint32(*card.SriovPortMode)))
		}
	}
}

// restoreVirtual takes over a saved state. A host of a version without virtualization gets the state of its description.
func (h *Host) restoreVirtual(saved *virtualization.State) error {
	if saved == nil {
		h.describeVirtual()
		return nil
	}
	h.virtual = saved
	return h.hypervisor().Check()
}

// WrongType reports whether a port uses another protocol than the far end of its cable.
func (h *Host) WrongType(port int) bool { return h.hypervisor().WrongType(port) }

// VPorts returns the virtual ports of the switches in the cards, as Get-NetAdapterVPort lists them.
func (h *Host) VPorts() []virtualization.VPortView { return h.hypervisor().VPorts() }

// SwitchPorts returns the ports of the virtual switches, as vfpctrl /list-vmswitch-port lists them.
func (h *Host) SwitchPorts() []virtualization.SwitchPortView { return h.hypervisor().SwitchPorts() }
