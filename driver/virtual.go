package driver

import (
	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/limits"
	"cxdeck/driver/registry"
	"cxdeck/driver/virtualization"
)

// virtualFacts gives the rules of virtualization the facts of a host.
type virtualFacts struct{ h *Host }

func (f virtualFacts) Lab() *device.Lab                        { return f.h.lab }
func (f virtualFacts) FindPort(connection string) (int, error) { return f.h.port(connection) }
func (f virtualFacts) Running(port int) bool                   { return f.h.miniports[port].state == Running }
func (f virtualFacts) Starting(port int) bool                  { return f.h.miniports[port].state == Restarting }
func (f virtualFacts) Versions(port int) limits.Facts          { return f.h.versionFacts(port) }

func (f virtualFacts) Lacks(port int, feature limits.Feature) string { return f.h.lacks(port, feature) }

func (f virtualFacts) TeamPorts(team string) (ports []int) {
	t, err := f.h.team.Find(team)
	if err != nil {
		return nil
	}
	for _, m := range f.h.team.Teams[t].Machine.Members {
		ports = append(ports, m.Key)
	}
	return ports
}

func (f virtualFacts) Effective(port int, key string, scopes ...registry.Scope) (registry.Value, bool) {
	r, ok := f.h.catalogue(port).Find(key, scopes...)
	if !ok {
		return registry.Value{}, false
	}
	return f.h.miniports[port].effective.Reading(r).Value, true
}

func (f virtualFacts) Stored(port int, key string, scopes ...registry.Scope) (registry.Value, bool) {
	r, ok := f.h.catalogue(port).Find(key, scopes...)
	if !ok {
		return registry.Value{}, false
	}
	return f.h.hive.Of(f.h.place(port, r.Scope), r), true
}

func (f virtualFacts) Note(port int, event string, values ...string) {
	f.h.note(f.h.lab.Elapsed(), port, event, values...)
}

// hypervisor is virtualization with its rules. It is for reading, but in changeVirtual.
func (h *Host) hypervisor() virtualization.Hypervisor {
	return virtualization.Hypervisor{State: h.virtual, Facts: virtualFacts{h}}
}

// changeVirtual changes virtualization on a copy that takes the place of the shared state. The Operations of a plan share
// one copy: when one of them fails, the host before the plan takes the place of this one.
func (h *Host) changeVirtual(change func(v virtualization.Hypervisor)) {
	if !h.owned {
		h.virtual, h.owned = h.virtual.Clone(), h.planning
	}
	change(h.hypervisor())
}

// settleVirtual settles all adapters of virtual machines after a change outside of virtualization.
func (h *Host) settleVirtual() {
	if len(h.virtual.VMs) > 0 || len(h.virtual.Host) > 0 {
		h.changeVirtual(func(v virtualization.Hypervisor) { v.Settle() })
	}
	h.updateGuests()
}

// applyVirtual applies an Operation of virtualization, unless it can't be applied.
func (h *Host) applyVirtual(o hostOperation, change func(v virtualization.Hypervisor)) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	h.changeVirtual(change)
	h.updateGuests()
	return nil
}

// updateGuests gives the lab the virtual machines that move traffic. Within a plan, in which no time passes, this waits for
// the end: a plan may change hundreds of machines, and sharing the traffic out costs as much for one as for all.
func (h *Host) updateGuests() {
	if h.planning {
		h.guestsDirty = true
		return
	}
	h.hypervisor().UpdateGuests()
}

// describeVirtual sets virtualization up as the description says.
func (h *Host) describeVirtual() {
	h.virtual = virtualization.Describe(h.lab)
	for port := range h.miniports {
		_, a, _ := h.lab.Port(port)
		if card := &h.lab.Description().Adapters[a]; card.SriovPortMode != nil && card.Family == description.WinOF {
			h.hive.Set(h.place(port, registry.BusDevice), "SriovPortMode", registry.NumberValue(uint32(*card.SriovPortMode)))
		}
	}
}

// restoreVirtual takes over a saved state. A host that was saved before virtualization existed begins as described.
func (h *Host) restoreVirtual(saved *virtualization.State) error {
	if saved == nil {
		h.describeVirtual()
		return nil
	}
	h.virtual = saved
	return h.hypervisor().Check()
}

// VPorts are the virtual ports of the switches in the cards, as Get-NetAdapterVPort lists them.
func (h *Host) VPorts() []virtualization.VPortView { return h.hypervisor().VPorts() }

// SwitchPorts are the ports of the virtual switches, as vfpctrl /list-vmswitch-port lists them.
func (h *Host) SwitchPorts() []virtualization.SwitchPortView { return h.hypervisor().SwitchPorts() }
