package driver

import (
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/adapters"
	"cxdeck/driver/eventlog"
	"cxdeck/driver/fabric"
	"cxdeck/driver/hardware"
	"cxdeck/driver/limits"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
)

// LimitsOf returns a sentence for each requirement of a plan that the host, after the plan, does not meet.
func (h *Host) LimitsOf(plan Plan) (list []string) {
	for _, o := range plan.Operations {
		switch o := o.(type) {
		case adapters.SetSriovPorts:
			list = append(list, o.LimitsAt(partHost{h})...)
		case teams.Operation:
			list = append(list, h.teamLimits(o)...)
		case virtualization.Operation:
			list = append(list, h.hypervisor().LimitsOf(o)...)
		case edit.SetValue:
			list = append(list, h.valueLimits(o)...)
		case fabric.AddPartition:
			list = append(list, h.hypervisor().LacksAt(o.Connection, limits.Partitions)...)
		case fabric.SetSwitchPort:
			list = append(list, h.switchLimits(o)...)
		case hardware.SetDropless:
			if o.On {
				list = append(list, h.hypervisor().LacksAt(o.Connection, limits.Dropless)...)
			}
		}
	}
	return limits.Unique(list)
}

// EffectsOf returns the side effects of a plan, on the host on which it was applied.
func (h *Host) EffectsOf(plan Plan) (list []Caution) {
	for _, o := range plan.Operations {
		if o, ok := o.(qos.Operation); ok {
			if text := h.qos.EffectOf(o); text != "" {
				list = append(list, Caution{eventlog.Warning, o.Target(), "", text})
			}
		}
		if o, ok := o.(edit.SetValue); ok && strings.EqualFold(o.Key, "*FlowControl") && o.Value != "0" {
			list = append(list, h.pauseEffect(o.Connection)...)
		}
		if o, ok := o.(virtualization.CreateSwitch); ok && o.PreferenceSet(h.hypervisor()) {
			list = append(list, Caution{eventlog.Information, o.Switch.Connection, virtualization.PreferenceKey,
				"the switch sets it to 1, so that the port offers VMQ in place of RSS when its adapter starts next"})
		}
	}
	return list
}

// pauseEffect says that PFC of a port excludes global pause, which an operator has stored.
func (h *Host) pauseEffect(connection string) []Caution {
	port, err := h.port(connection)
	if err != nil {
		return nil
	}
	v := h.QoS()
	if p := &v.Ports[port]; p.Acts && p.Operational != 0 {
		return []Caution{{eventlog.Warning, connection, "*FlowControl",
			"global pause has no effect while PFC is on for " + p.Operational.Words() + ": the two exclude each other"}}
	}
	return nil
}

// valueLimits lists the requirements of a stored value that the host does not meet.
func (h *Host) valueLimits(o edit.SetValue) (list []string) {
	port, r, err := h.layout.Find(o.Connection, o.Adapter, o.Key)
	if err != nil {
		return nil
	}
	f := h.versionFacts(port)
	for _, l := range r.Limits() {
		if n, ok := h.stored(port, r).Integer(); ok && l.EnabledBy(n) {
			list = append(list, l.Broken(&f))
		}
	}
	return limits.Unique(list)
}

// switchLimits lists the requirements of a switch port's speed that the host does not meet.
func (h *Host) switchLimits(o fabric.SetSwitchPort) (list []string) {
	port, err := h.port(o.Connection)
	if err != nil || o.SpeedGbps == nil {
		return nil
	}
	f := h.versionFacts(port)
	f.Speed = *o.SpeedGbps
	for _, l := range limits.All() {
		if l.Speed != 0 {
			list = append(list, l.Broken(&f))
		}
	}
	return limits.Unique(list)
}

// teamLimits lists the requirements of an Operation on teams or VLANs that the host does not meet.
func (h *Host) teamLimits(o teams.Operation) []string {
	switch o := o.(type) {
	case teams.Attach:
		if i, err := h.team.Find(o.Team); err != nil || h.team.Teams[i].Family != description.WinOF {
			return h.hypervisor().LacksAt(o.Connection, limits.Teams)
		}
		return h.hypervisor().LacksAt(o.Connection, limits.TeamTool)
	case teams.AddVLAN:
		port, err := h.port(o.Connection)
		if err == nil && h.family(port) == description.WinOF && h.lab.VirtualFunctions(port) > 0 {
			return h.hypervisor().LacksAt(o.Connection, limits.VLANsOfPhysical)
		}
	}
	return nil
}
