package virtualization

import (
	"slices"
	"strings"
)

// AddSwitch adds a virtual switch at a place that counts from 1, 0 is the end, and connects adapters to it.
func (v Hypervisor) AddSwitch(s SwitchRecord, place int, connected []AdapterName, before Answers) {
	v.Switches = insert(v.Switches, place, s)
	if s.ManagementOS {
		v.Host = append(v.Host, newAdapter(v.ManagementAdapter(&s)))
	}
	for _, name := range connected {
		if a, err := v.FindAdapter(name); err == nil {
			a.Switch = s.Name
		}
	}
	v.Settle(before)
}

// ManagementAdapter is the adapter that the host gets at a switch.
func (v Hypervisor) ManagementAdapter(s *SwitchRecord) VMAdapterRecord {
	a := NewVMAdapter(s.Name, s.Name)
	a.MAC = v.DynamicMAC(AdapterName{"", s.Name})
	return a
}

// Connected are the adapters of virtual machines at a switch, with the answers that they have.
func (v *State) Connected(name string) (list []AdapterName, answers Answers) {
	at := func(of AdapterName, a *Adapter) bool { return of.VM != "" && strings.EqualFold(a.Switch, name) }
	v.Each(func(of AdapterName, _ *Machine, a *Adapter) {
		if at(of, a) {
			list = append(list, of)
		}
	})
	return list, v.answers(at)
}

// RemoveSwitch removes a virtual switch with the host's adapters at it, and disconnects the others.
func (v Hypervisor) RemoveSwitch(name string) {
	v.Switches = slices.DeleteFunc(v.Switches, func(s SwitchRecord) bool { return strings.EqualFold(s.Name, name) })
	at := func(a Adapter) bool { return strings.EqualFold(a.Switch, name) }
	v.Host = slices.DeleteFunc(v.Host, at)
	v.Each(func(_ AdapterName, _ *Machine, a *Adapter) {
		if at(*a) {
			a.Switch = ""
		}
	})
	v.Settle()
}

// SetSwitch changes the extension of a switch and whether the host has an adapter at it; nil leaves it as it is.
func (v Hypervisor) SetSwitch(name string, extension *Extension, management *bool) {
	i, err := v.FindSwitch(name)
	panicOn(err)
	s := &v.Switches[i]
	if extension != nil {
		s.Extension = *extension
	}
	if management != nil && *management != s.ManagementOS {
		if s.ManagementOS = *management; s.ManagementOS {
			v.Host = append(v.Host, newAdapter(v.ManagementAdapter(s)))
		} else {
			v.Host = slices.DeleteFunc(v.Host, func(a Adapter) bool { return strings.EqualFold(a.Name, s.Name) })
		}
	}
	v.Settle()
}
