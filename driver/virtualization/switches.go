package virtualization

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/registry"
	"cxdeck/driver/request"
)

func (o CreateSwitch) Inverse(v Hypervisor) (Operation, error) {
	if err := v.requireRole(); err != nil {
		return nil, err
	}
	s := o.Switch
	if err := request.CheckName("virtual switch", s.Name); err != nil {
		return nil, err
	}
	if _, err := v.FindSwitch(s.Name); err == nil {
		return nil, request.Errorf("there is a virtual switch %q already", s.Name)
	}
	if len(v.Switches) >= MaxSwitches {
		return nil, fmt.Errorf("the host has %d virtual switches, the maximum", MaxSwitches)
	}
	if (s.Connection == "") == (s.Team == "") {
		return nil, errors.New("a virtual switch is on a connection or on a team: name one of them")
	}
	if s.IOV && s.PacketDirect {
		return nil, errors.New("a virtual switch can have SR-IOV or PacketDirect, not both")
	}
	if s.Extension != "" && s.Extension != ExtensionVFP {
		return nil, request.Errorf("there is no extension %q; use %s", s.Extension, ExtensionVFP)
	}
	if err := v.checkEmbedded(&s); err != nil {
		return nil, err
	}
	for _, other := range v.Switches {
		if s.Connection != "" && slices.Contains(other.Connections(), s.Connection) || s.Team != "" && strings.EqualFold(other.Team, s.Team) {
			return nil, fmt.Errorf("%s has the virtual switch %s already; remove it first", s.Connection+s.Team, other.Name)
		}
	}
	if s.Connection != "" {
		port, err := v.Port(s.Connection)
		if err != nil {
			return nil, err
		}
		if team := v.TeamOf(port); team != "" {
			return nil, fmt.Errorf("%s is a member of the team %s; put the switch on the team", s.Connection, team)
		}
		if d, _, _ := v.Lab().Port(port); s.PacketDirect && d.Link != description.Ethernet {
			return nil, errors.New("PacketDirect requires an Ethernet port")
		}
		if s.PacketDirect && !v.Ports[port].PacketDirect {
			return nil, fmt.Errorf("PacketDirect is off at %s; turn it on there first", s.Connection)
		}
	} else if _, err := v.TeamPorts(s.Team); err != nil {
		return nil, err
	}
	if s.Team != "" && s.IOV {
		return nil, errors.New("a switch on a team can't have SR-IOV; create it on a connection")
	}
	if s.GUID != "" {
		if _, err := request.ParseGUID(s.GUID); err != nil {
			return nil, err
		}
	}
	if _, err := v.FindAdapter(AdapterName{Adapter: s.Name}); err == nil && s.ManagementOS {
		return nil, request.Errorf("the host has a virtual adapter %q already", s.Name)
	}
	for _, name := range o.Connected {
		a, err := v.FindAdapter(name)
		if err != nil {
			return nil, err
		}
		if a.Switch != "" {
			return nil, fmt.Errorf("%s is connected to the switch %s", name, a.Switch)
		}
	}
	return RemoveSwitch{s.Name}, nil
}

func (o CreateSwitch) Apply(v Hypervisor) error {
	s := o.Switch
	if s.GUID == "" {
		s.GUID = v.newSwitchGUID(v.Lab())
	}
	s.GUID, _ = request.ParseGUID(s.GUID) // Inverse has checked it
	if port, before, ok := v.preference(&s); ok && !o.Keep {
		s.Preference = &KeptValue{Value: before}
		v.Store(port, PreferenceKey, registry.NumberValue(1))
	}
	v.Switches = insert(v.Switches, o.Place, s)
	if s.ManagementOS {
		v.Host = append(v.Host, newAdapter(v.managementAdapter(&s)))
	}
	for _, name := range o.Connected {
		if a, err := v.FindAdapter(name); err == nil {
			a.Switch = s.Name
		}
	}
	v.Reallocate(o.Answers)
	return nil
}

// PreferenceKey is the key by which a port offers Windows either RSS or VMQ. The virtual switch sets it (seed 002, line 8833).
const PreferenceKey = "*RssOrVmqPreference"

// PreferenceSet reports whether a created switch has set PreferenceKey of its port to 1.
func (o CreateSwitch) PreferenceSet(v Hypervisor) bool {
	i, err := v.FindSwitch(o.Switch.Name)
	return err == nil && v.Switches[i].Preference != nil && !o.Keep
}

// preference returns the port of a switch with the stored value of its PreferenceKey; ok is false for a switch that does
// not set it.
func (v Hypervisor) preference(s *SwitchRecord) (port int, now registry.Value, ok bool) {
	port, err := v.Port(s.Connection)
	if s.IOV || s.Connection == "" || err != nil {
		return port, now, false
	}
	d, _, _ := v.Lab().Port(port)
	if r, ok := registry.Keys(v.family(port)).Find(PreferenceKey, registry.Miniport); !ok || !r.Fits(d.Link) {
		return port, now, false
	}
	now, ok = v.Stored(port, PreferenceKey, registry.Miniport)
	return port, now, ok
}

// prefersQueues reports whether PreferenceKey still has the value that the switch has set.
func (v Hypervisor) prefersQueues(s *SwitchRecord) bool {
	_, now, ok := v.preference(s)
	return ok && s.Preference != nil && now == registry.NumberValue(1)
}

// managementAdapter returns the adapter that the host gets at a switch.
func (v Hypervisor) managementAdapter(s *SwitchRecord) VMAdapterRecord {
	a := NewVMAdapter(s.Name, s.Name)
	a.MAC = v.DynamicMAC(AdapterName{"", s.Name})
	return a
}

func (o RemoveSwitch) Inverse(v Hypervisor) (Operation, error) {
	i, err := v.FindSwitch(o.Switch)
	if err != nil {
		return nil, err
	}
	s := v.Switches[i]
	if at := len(v.Host); s.ManagementOS {
		for _, a := range v.Host {
			if strings.EqualFold(a.Switch, s.Name) && a.Name != s.Name {
				at--
			}
		}
		if at != len(v.Host) {
			return nil, fmt.Errorf("the host has further adapters at %s; remove them first", s.Name)
		}
	} else if slices.ContainsFunc(v.Host, func(a Adapter) bool { return strings.EqualFold(a.Switch, s.Name) }) {
		return nil, fmt.Errorf("the host has adapters at %s; remove them first", s.Name)
	}
	back := CreateSwitch{Switch: s, Place: i + 1, Keep: !v.prefersQueues(&s)}
	at := func(of AdapterName, a *Adapter) bool { return of.VM != "" && strings.EqualFold(a.Switch, s.Name) }
	v.Each(func(of AdapterName, _ *Machine, a *Adapter) {
		if at(of, a) {
			back.Connected = append(back.Connected, of)
		}
	})
	back.Answers = v.answers(at)
	return back, nil
}

func (o RemoveSwitch) Apply(v Hypervisor) error {
	if i, err := v.FindSwitch(o.Switch); err == nil && v.prefersQueues(&v.Switches[i]) {
		port, _, _ := v.preference(&v.Switches[i])
		v.Store(port, PreferenceKey, v.Switches[i].Preference.Value)
	}
	v.Switches = slices.DeleteFunc(v.Switches, func(s SwitchRecord) bool { return strings.EqualFold(s.Name, o.Switch) })
	at := func(a Adapter) bool { return strings.EqualFold(a.Switch, o.Switch) }
	v.Host = slices.DeleteFunc(v.Host, at)
	v.Each(func(_ AdapterName, _ *Machine, a *Adapter) {
		if at(*a) {
			a.Switch = ""
		}
	})
	v.Reallocate()
	return nil
}

func (o SetSwitch) Inverse(v Hypervisor) (Operation, error) {
	i, err := v.FindSwitch(o.Switch)
	if err != nil {
		return nil, err
	}
	s := v.Switches[i]
	if o.ManagementOS == nil && o.Extension == nil && o.Balance == nil {
		return nil, request.Unchanged("no setting of the switch changes")
	}
	back := SetSwitch{Switch: o.Switch}
	if o.Extension != nil {
		if *o.Extension != "" && *o.Extension != ExtensionVFP {
			return nil, request.Errorf("there is no extension %q; use %s", *o.Extension, ExtensionVFP)
		}
		back.Extension = new(s.Extension)
	}
	if o.Balance != nil {
		next := s
		if next.Balance = *o.Balance; !s.Embedded() {
			return nil, errors.New("only an embedded team spreads traffic; the switch has none")
		}
		if err := v.checkEmbedded(&next); err != nil {
			return nil, err
		}
		back.Balance = new(s.Balance)
	}
	if o.ManagementOS != nil {
		back.ManagementOS = new(s.ManagementOS)
		a, err := v.FindAdapter(AdapterName{Adapter: s.Name})
		switch {
		case *o.ManagementOS && !s.ManagementOS && err == nil:
			return nil, request.Errorf("the host has a virtual adapter %q already", s.Name)
		case !*o.ManagementOS && s.ManagementOS && err == nil && a.Record() != v.managementAdapter(&s):
			return nil, fmt.Errorf("the adapter %s of the host has settings of its own; remove it instead", s.Name)
		}
	}
	return back, nil
}

func (o SetSwitch) Apply(v Hypervisor) error {
	i, err := v.FindSwitch(o.Switch)
	if err != nil {
		return err
	}
	s := &v.Switches[i]
	if o.Extension != nil {
		s.Extension = *o.Extension
	}
	if o.Balance != nil {
		s.Balance = *o.Balance
	}
	if o.ManagementOS != nil && *o.ManagementOS != s.ManagementOS {
		if s.ManagementOS = *o.ManagementOS; s.ManagementOS {
			v.Host = append(v.Host, newAdapter(v.managementAdapter(s)))
		} else {
			v.Host = slices.DeleteFunc(v.Host, func(a Adapter) bool { return strings.EqualFold(a.Name, s.Name) })
		}
	}
	v.Reallocate()
	return nil
}
