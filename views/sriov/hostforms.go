package sriov

import (
	"cmp"
	"slices"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/driver/wording"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
)

// The fields of the wizards that create switches and adapters.
const (
	newChoice      = "(new)"
	fieldNIC       = "nic"
	fieldManage    = "management_os"
	fieldBinding   = "binding"
	fieldAddress   = "address"
	fieldProvider  = "provider"
	fieldPrefix    = "prefix"
	fieldSubnet    = "subnet"
	fieldVMs       = "vms"
	fieldDomain    = "routing_domain"
	defaultNIC     = "Network Adapter"
	filterPlatform = virtualization.ExtensionVFP
)

// switchesOn returns the virtual switches on a connection.
func (v *View) switchesOn(connection string) (list []*virtualization.SwitchView) {
	for i := range v.scene.host.Switches {
		if s := &v.scene.host.Switches[i]; s.Connection == connection {
			list = append(list, s)
		}
	}
	return list
}

// onlyEthernet is the reason why an InfiniBand port can't be chosen for a switch.
const onlyEthernet = "virtual switches require Ethernet"

// switchField completes the field for a port or for a switch on it, see offerSwitches; known is false for any other field.
func (v *View) switchField(f *wizard.Field, values wizard.Values, proposed string,
	fits func(*virtualization.SwitchView) string) (asked, known bool) {
	if f.ID == fieldPort {
		v.offerPorts(f, "")
		for i := range f.Choices {
			if p := v.portNamed(f.Choices[i].ID); p != nil && p.Description.Link == description.InfiniBand {
				f.Choices[i].Disabled = onlyEthernet
			}
		}
		return true, true
	}
	return v.offerSwitches(f, v.portOf(values), proposed, values, fits)
}

// offerSwitches completes the fields for a switch on a connection: the existing switch if fits returns no reason against
// it, or a new switch with its name.
func (v *View) offerSwitches(f *wizard.Field, connection, proposed string, values wizard.Values,
	fits func(*virtualization.SwitchView) string) (asked, known bool) {
	switch f.ID {
	case fieldName:
		f.Initial.Text = v.freeSwitch(proposed)
		at := values.Text(fieldSwitch)
		usable := slices.ContainsFunc(v.switchesOn(connection), func(s *virtualization.SwitchView) bool { return fits(s) == "" })
		return at == newChoice || at == "" && !usable, true
	case fieldSwitch:
		f.Initial.Text = newChoice
		fresh := wizard.Choice{ID: newChoice, Label: "a new switch"}
		for _, s := range v.switchesOn(connection) {
			c := wizard.Choice{ID: s.Name, Label: s.Name, Text: wording.Count(s.Adapters, "adapter"), Disabled: fits(s)}
			if c.Disabled == "" {
				f.Initial.Text = s.Name
			}
			f.Choices = append(f.Choices, c)
			fresh.Disabled = "the port has a virtual switch already; choose another port"
		}
		f.Choices = append(f.Choices, fresh)
		return true, true
	}
	return true, false
}

// freeSwitch returns an unused name for a switch.
func (v *View) freeSwitch(proposed string) string {
	for n := 1; ; n++ {
		name := proposed
		if n > 1 {
			name += strconv.Itoa(n)
		}
		if !v.switchTaken(name) {
			return name
		}
	}
}

func (v *View) switchTaken(name string) bool {
	for i := range v.scene.host.Switches {
		if v.scene.host.Switches[i].Name == name {
			return true
		}
	}
	return false
}

// switchOf returns the name of the chosen switch, and whether the plan must create it.
func switchOf(values wizard.Values) (name string, fresh bool) {
	if name = values.Text(fieldSwitch); name != "" && name != newChoice {
		return name, false
	}
	return values.Text(fieldName), true
}

// ndkForm is the wizard that adds an RDMA adapter for the host to a switch.
func (v *View) ndkForm() change.Form {
	return change.Form{
		Fresh: true, Waiting: v.waiting, Outcome: v.hostOutcome,
		Field: func(f *wizard.Field, values wizard.Values) bool {
			asked, _ := v.switchField(f, values, "NdkSwitch", func(*virtualization.SwitchView) string { return "" })
			return asked
		},
		Check: func(values wizard.Values) (list []wizard.Message) {
			for i := range v.scene.host.HostAdapters {
				if a := &v.scene.host.HostAdapters[i]; a.Name == values.Text(fieldNIC) {
					list = append(list,
						wizard.Message{Field: fieldNIC, Text: "the host has an adapter " + a.Name + " already"})
				}
			}
			if name := values.Text(fieldNIC); v.portNamed(name) != nil {
				list = append(list,
					wizard.Message{Field: fieldNIC, Text: "there is a port " + name + " already"})
			}
			return list
		},
		Plan: func(values wizard.Values) driver.Plan {
			at, fresh := switchOf(values)
			name := values.Text(fieldNIC)
			plan := driver.Plan{Title: "RDMA on the adapter " + name + " of the host"}
			if fresh {
				plan.Operations = append(plan.Operations,
					virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: at, Connection: v.portOf(values)}})
			}
			plan.Operations = append(plan.Operations,
				virtualization.AddVMAdapter{Adapter: virtualization.NewVMAdapter(name, at)},
				virtualization.SetFeature{Connection: name, Feature: virtualization.FeatureRdma, On: true})
			return plan
		},
	}
}

// hostOutcome reports the state of the host's new adapter.
func (v *View) hostOutcome(values wizard.Values) wizard.Result {
	r := wizard.Result{Mark: wizard.Good, Word: "done", Text: "All changes of the plan are in effect."}
	for i := range v.scene.host.HostAdapters {
		if a := &v.scene.host.HostAdapters[i]; a.Name == values.Text(fieldNIC) {
			r.Facts = append(r.Facts, wizard.Fact{Mark: wizard.Good, Label: a.Name,
				Word: "RDMA " + wording.OnOff(a.RdmaWeight > 0), Text: "at the switch " + a.Switch})
		}
	}
	return r
}

// offerVMs completes the field for a virtual machine.
func (v *View) offerVMs(f *wizard.Field, initial string) {
	f.Initial.Text = initial
	for i := range v.scene.host.VMs {
		vm := &v.scene.host.VMs[i]
		c := wizard.Choice{ID: vm.Name, Label: vm.Name, Text: wording.Count(len(vm.Adapters), "adapter"),
			Mark: wizard.Down, Word: "off"}
		if vm.State == virtualization.VMRunning {
			c.Mark, c.Word = wizard.Good, "running"
		}
		f.Choices = append(f.Choices, c)
	}
	if len(f.Choices) == 0 {
		f.Disabled = "there is no virtual machine yet; the wizard Enable SR-IOV creates one"
	}
}

// selectedVM returns the machine of the selected row, or else the first machine.
func (v *View) selectedVM() string {
	if r := v.row(); r != nil && r.vmName() != "" {
		return r.vmName()
	}
	if len(v.scene.host.VMs) > 0 {
		return v.scene.host.VMs[0].Name
	}
	return ""
}

// unusedNICName returns an unused name for an adapter of a machine.
func (v *View) unusedNICName(vm, proposed string) string {
	for n := 1; ; n++ {
		name := proposed
		if n > 1 {
			name += " " + strconv.Itoa(n)
		}
		if v.scene.nics[nicName(vm, name)] == nil {
			return name
		}
	}
}

// static returns an address from Hyper-V's range for an adapter that requires a static address.
func static(seed int) string {
	return description.MAC{0x00, 0x15, 0x5d, 0xfe, byte(seed >> 8), byte(seed)}.String()
}

// stopMachine adds an Operation that stops a running machine, and reports whether the machine was running.
func (v *View) stopMachine(plan *driver.Plan, vm string) bool {
	if machine := v.scene.vms[vm]; machine == nil || machine.State == virtualization.VMOff {
		return false
	}
	plan.Operations = append(plan.Operations, virtualization.SetVMState{VM: vm, State: virtualization.VMOff})
	return true
}

// directForm moves a machine to a switch with PacketDirect and removes its port from the filter platform (VIRT-4).
func (v *View) directForm() change.Form {
	return change.Form{
		Fresh: true, Waiting: v.waiting,
		Field: func(f *wizard.Field, values wizard.Values) bool {
			fits := func(s *virtualization.SwitchView) string {
				if !s.PacketDirect {
					return "created without PacketDirect"
				}
				return ""
			}
			if asked, known := v.switchField(f, values, "PacketDirectSwitch", fits); known {
				return asked
			}
			switch f.ID {
			case fieldVM:
				v.offerVMs(f, v.selectedVM())
			case fieldNIC:
				f.Initial.Text = v.unusedNICName(cmp.Or(values.Text(fieldVM), v.selectedVM()), "PacketDirect")
			case fieldMAC:
				f.Initial.Text = static(len(v.scene.nics) + 1)
			}
			return true
		},
		Plan: func(values wizard.Values) driver.Plan {
			name, vm := v.portOf(values), values.Text(fieldVM)
			at, fresh := switchOf(values)
			plan := driver.Plan{Title: "PacketDirect for " + vm}
			add := func(list ...driver.Operation) { plan.Operations = append(plan.Operations, list...) }
			if p := v.portNamed(name); p != nil && !p.PacketDirect {
				add(virtualization.SetFeature{Connection: name, Feature: virtualization.FeaturePacketDirect, On: true})
			}
			filtered := values.On("extension")
			if fresh {
				add(virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: at, Connection: name, PacketDirect: true,
					ManagementOS: true}})
			} else {
				for _, s := range v.switchesOn(name) {
					filtered = filtered && (s.Name != at || s.Extension != filterPlatform)
				}
			}
			if filtered {
				extension := filterPlatform
				add(virtualization.SetSwitch{Switch: at, Extension: &extension})
			}
			v.stopMachine(&plan, vm)
			mac, _ := values.MAC(fieldMAC)
			nic := virtualization.NewVMAdapter(values.Text(fieldNIC), at)
			nic.MAC, nic.StaticMAC = description.MAC(mac), true
			add(virtualization.AddVMAdapter{VM: vm, Adapter: nic}, virtualization.SetVMState{VM: vm, State: virtualization.VMRunning})
			if values.On("extension") {
				add(virtualization.ReleasePort{VM: vm, Adapter: nic.Name})
			}
			return plan
		},
	}
}
