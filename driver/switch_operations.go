package driver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
	"cxdeck/driver/virtualization"
)

func (o CreateSwitch) inverse(h *Host) (Operation, error) {
	s := o.Switch
	if err := request.CheckName("virtual switch", s.Name); err != nil {
		return nil, err
	}
	if _, err := h.virtual.FindSwitch(s.Name); err == nil {
		return nil, fmt.Errorf("a virtual switch is called %q already", s.Name)
	}
	if len(h.virtual.Switches) >= virtualization.MaxSwitches {
		return nil, fmt.Errorf("the host has %d virtual switches, which is the most it can have", virtualization.MaxSwitches)
	}
	if (s.Connection == "") == (s.Team == "") {
		return nil, errors.New("a virtual switch is on a connection or on a team: name one of them")
	}
	if s.IOV && s.PacketDirect {
		return nil, errors.New("a virtual switch has SR-IOV or PacketDirect, and not both")
	}
	if s.Extension != "" && s.Extension != virtualization.ExtensionVFP {
		return nil, fmt.Errorf("there is no extension %q; %s is one", s.Extension, virtualization.ExtensionVFP)
	}
	for _, other := range h.virtual.Switches {
		if s.Connection != "" && other.Connection == s.Connection || s.Team != "" && strings.EqualFold(other.Team, s.Team) {
			return nil, fmt.Errorf("%s has the virtual switch %s already; remove it first", s.Connection+s.Team, other.Name)
		}
	}
	if s.Connection != "" {
		port, err := h.port(s.Connection)
		if err != nil {
			return nil, err
		}
		if t := h.team.TeamOf(port); t != nil {
			return nil, fmt.Errorf("%s is a member of the team %s; put the switch on the team", s.Connection, t.Name)
		}
		if d, _, _ := h.lab.Port(port); s.PacketDirect && d.Link != description.Ethernet {
			return nil, errors.New("PacketDirect takes a port of Ethernet")
		}
		if s.PacketDirect && !h.virtual.Ports[port].PacketDirect {
			return nil, fmt.Errorf("PacketDirect is off at %s; switch it on there first", s.Connection)
		}
	} else if _, err := h.team.Find(s.Team); err != nil {
		return nil, err
	}
	if s.Team != "" && s.IOV {
		return nil, errors.New("a switch on a team can't have SR-IOV; put it on a connection")
	}
	if s.GUID != "" {
		if _, err := request.ParseGUID(s.GUID); err != nil {
			return nil, err
		}
	}
	if _, err := h.virtual.FindAdapter(virtualization.AdapterName{Adapter: s.Name}); err == nil && s.ManagementOS {
		return nil, fmt.Errorf("the host has a virtual adapter %q already", s.Name)
	}
	for _, name := range o.Connected {
		a, err := h.virtual.FindAdapter(name)
		if err != nil {
			return nil, err
		}
		if a.Switch != "" {
			return nil, fmt.Errorf("%s is connected to the switch %s", name, a.Switch)
		}
	}
	return RemoveSwitch{s.Name}, nil
}

func (o CreateSwitch) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	s := o.Switch
	if s.GUID == "" {
		s.GUID = h.virtual.NewSwitchGUID(h.lab)
	}
	s.GUID, _ = request.ParseGUID(s.GUID) // inverse has found it good
	h.preferQueues(&s, o.Keep)
	h.changeVirtual(func(v virtualization.Hypervisor) { v.AddSwitch(s, o.Place, o.Connected, o.Answers) })
	h.updateGuests()
	return nil
}

// keyPreference says whether a port offers Windows RSS or VMQ. The virtual switch sets it (seed 002, line 8833).
const keyPreference = "*RssOrVmqPreference"

// preference is where that key of a switch's port is kept; ok is false for a switch that has nothing to do with it.
func (h *Host) preference(s *virtualization.SwitchRecord) (at registry.Place, r *registry.Row, ok bool) {
	port, err := h.port(s.Connection)
	if s.IOV || s.Connection == "" || err != nil {
		return at, nil, false
	}
	r, ok = h.catalogue(port).Find(keyPreference, registry.Miniport)
	if !ok || !r.Fits(h.lab.Description().Adapters[h.cardOf(port)].Ports[h.indexOf(port)].Link) {
		return at, nil, false
	}
	return h.place(port, r.Scope), r, true
}

// indexOf is the number of a port on its card.
func (h *Host) indexOf(port int) int {
	_, _, index := h.lab.Port(port)
	return index
}

// preferQueues lets the port of a new switch offer VMQ, and keeps what was stored before.
func (h *Host) preferQueues(s *virtualization.SwitchRecord, keep bool) {
	if at, r, ok := h.preference(s); ok && !keep {
		s.Preference = &virtualization.KeptValue{Value: h.hive.Of(at, r)}
		h.hive.Set(at, r.Name, registry.NumberValue(1))
	}
}

// prefersQueues says whether the key still has the value that a switch gave it.
func (h *Host) prefersQueues(s *virtualization.SwitchRecord) bool {
	at, r, ok := h.preference(s)
	return ok && s.Preference != nil && h.hive.Of(at, r) == registry.NumberValue(1)
}

// restorePreference gives the port of a switch that goes the value from before.
func (h *Host) restorePreference(s *virtualization.SwitchRecord) {
	if !h.prefersQueues(s) {
		return
	}
	at, r, _ := h.preference(s)
	if s.Preference.Value.Exists() {
		h.hive.Set(at, r.Name, s.Preference.Value)
	} else {
		h.hive.Delete(at, r.Name)
	}
}

func (o RemoveSwitch) inverse(h *Host) (Operation, error) {
	i, err := h.virtual.FindSwitch(o.Switch)
	if err != nil {
		return nil, err
	}
	s := h.virtual.Switches[i]
	if at := len(h.virtual.Host); s.ManagementOS {
		for _, a := range h.virtual.Host {
			if strings.EqualFold(a.Switch, s.Name) && a.Name != s.Name {
				at--
			}
		}
		if at != len(h.virtual.Host) {
			return nil, fmt.Errorf("the host has further adapters at %s; remove them first", s.Name)
		}
	} else if slices.ContainsFunc(h.virtual.Host, func(a virtualization.Adapter) bool { return strings.EqualFold(a.Switch, s.Name) }) {
		return nil, fmt.Errorf("the host has adapters at %s; remove them first", s.Name)
	}
	back := CreateSwitch{Switch: s, Place: i + 1, Keep: !h.prefersQueues(&s)}
	back.Connected, back.Answers = h.virtual.Connected(s.Name)
	return back, nil
}

func (o RemoveSwitch) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	if i, err := h.virtual.FindSwitch(o.Switch); err == nil {
		h.restorePreference(&h.virtual.Switches[i])
	}
	return h.applyVirtual(o, func(v virtualization.Hypervisor) { v.RemoveSwitch(o.Switch) })
}

func (o SetSwitch) inverse(h *Host) (Operation, error) {
	i, err := h.virtual.FindSwitch(o.Switch)
	if err != nil {
		return nil, err
	}
	s := h.virtual.Switches[i]
	if o.ManagementOS == nil && o.Extension == nil {
		return nil, request.Unchanged("nothing of the switch is to change")
	}
	back := SetSwitch{Switch: o.Switch}
	if o.Extension != nil {
		if *o.Extension != "" && *o.Extension != virtualization.ExtensionVFP {
			return nil, fmt.Errorf("there is no extension %q; %s is one", *o.Extension, virtualization.ExtensionVFP)
		}
		back.Extension = new(s.Extension)
	}
	if o.ManagementOS != nil {
		back.ManagementOS = new(s.ManagementOS)
		a, err := h.virtual.FindAdapter(virtualization.AdapterName{Adapter: s.Name})
		switch {
		case *o.ManagementOS && !s.ManagementOS && err == nil:
			return nil, fmt.Errorf("the host has a virtual adapter %q already", s.Name)
		case !*o.ManagementOS && s.ManagementOS && err == nil && a.Record() != h.hypervisor().ManagementAdapter(&s):
			return nil, fmt.Errorf("the adapter %s of the host has settings of its own; remove it instead", s.Name)
		}
	}
	return back, nil
}

func (o SetSwitch) apply(h *Host) error {
	return h.applyVirtual(o, func(v virtualization.Hypervisor) { v.SetSwitch(o.Switch, o.Extension, o.ManagementOS) })
}
