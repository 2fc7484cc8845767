package sriov

import (
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
)

// The fields of the wizards that make switches and adapters.
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
	longestName    = 100
	usualSubnet    = "5001"
	usualNIC       = "Network Adapter"
	filterPlatform = virtualization.ExtensionVFP
)

// switchesOn are the switches of a connection.
func (v *View) switchesOn(connection string) (list []*virtualization.SwitchView) {
	for i := range v.scene.host.Switches {
		if s := &v.scene.host.Switches[i]; s.Connection == connection {
			list = append(list, s)
		}
	}
	return list
}

// onlyEthernet says why a port can't be chosen for a switch.
const onlyEthernet = "virtual switches need Ethernet"

// portAndSwitch asks for a port and for a switch of it, see switchFields.
func (v *View) portAndSwitch(usual string, values widget.WizardValues,
	fits func(*virtualization.SwitchView) string) []widget.WizardField {
	port := v.portField("")
	for i := range port.Choices {
		if p := v.portNamed(port.Choices[i].ID); p != nil && p.Description.Link == description.InfiniBand {
			port.Choices[i].Disabled = onlyEthernet
		}
	}
	return append([]widget.WizardField{port}, v.switchFields(v.portOf(values), usual, values, fits)...)
}

// switchFields ask for a switch of a connection: the one that is there, when fits says no reason against it, or a new
// one.
func (v *View) switchFields(connection, usual string, values widget.WizardValues,
	fits func(*virtualization.SwitchView) string) []widget.WizardField {
	choose := widget.WizardField{ID: fieldSwitch, Kind: widget.WizardOneOf, Required: true, Initial: typed(newChoice)}
	fresh := widget.WizardChoice{ID: newChoice, Label: "a new switch"}
	for _, s := range v.switchesOn(connection) {
		c := widget.WizardChoice{ID: s.Name, Label: s.Name, Text: countOf(s.Adapters, "adapter"), Disabled: fits(s)}
		if c.Disabled == "" {
			choose.Initial.Text = s.Name
		}
		choose.Choices = append(choose.Choices, c)
		fresh.Disabled = "the port has one; choose another port"
	}
	choose.Choices = append(choose.Choices, fresh)
	fields := []widget.WizardField{choose}
	if at := values.Text(fieldSwitch); at == newChoice || at == "" && choose.Initial.Text == newChoice {
		fields = append(fields, newName(fieldName, v.freeSwitch(usual)))
	}
	return fields
}

// freeSwitch is a name that no switch has.
func (v *View) freeSwitch(usual string) string {
	for n := 1; ; n++ {
		name := usual
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

// switchOf is the switch of an answer, and whether it is yet to be made.
func switchOf(values widget.WizardValues) (name string, fresh bool) {
	if name = values.Text(fieldSwitch); name != "" && name != newChoice {
		return name, false
	}
	return values.Text(fieldName), true
}

// ndkForm gives the host an adapter at a switch with RDMA.
func (v *View) ndkForm() (string, change.Form) {
	return "", change.Form{
		Fresh: true, Lines: v.adapterLines, Waiting: v.waiting, Outcome: v.hostOutcome,
		Fields: func(step string, values widget.WizardValues) []widget.WizardField {
			if step == "switch" {
				fits := func(s *virtualization.SwitchView) string { return "" }
				return v.portAndSwitch("NdkSwitch", values, fits)
			}
			return []widget.WizardField{newName(fieldNIC, "SMB")}
		},
		Check: func(values widget.WizardValues) (list []widget.WizardMessage) {
			for i := range v.scene.host.HostAdapters {
				if a := &v.scene.host.HostAdapters[i]; a.Name == values.Text(fieldNIC) {
					list = append(list,
						widget.WizardMessage{Field: fieldNIC, Text: "the host has an adapter " + a.Name + " already"})
				}
			}
			if name := values.Text(fieldNIC); v.portNamed(name) != nil {
				list = append(list,
					widget.WizardMessage{Field: fieldNIC, Text: "a port is called " + name + " already"})
			}
			return list
		},
		Plan: func(values widget.WizardValues) driver.Plan {
			at, fresh := switchOf(values)
			name := values.Text(fieldNIC)
			plan := driver.Plan{Title: "RDMA on the adapter " + name + " of the host"}
			if fresh {
				plan.Operations = append(plan.Operations,
					driver.CreateSwitch{Switch: virtualization.SwitchRecord{Name: at, Connection: v.portOf(values)}})
			}
			plan.Operations = append(plan.Operations,
				driver.AddVMAdapter{Adapter: virtualization.NewVMAdapter(name, at)},
				driver.SetFeature{Connection: name, Feature: driver.FeatureRdma, On: true})
			return plan
		},
	}
}

// hostOutcome reports the state of the host's new adapter.
func (v *View) hostOutcome(values widget.WizardValues) widget.WizardResult {
	r := widget.WizardResult{Mark: widget.WizardGood, Word: "done", Text: "Everything is as the plan says."}
	for i := range v.scene.host.HostAdapters {
		if a := &v.scene.host.HostAdapters[i]; a.Name == values.Text(fieldNIC) {
			r.Facts = append(r.Facts, widget.WizardFact{Mark: widget.WizardGood, Label: a.Name,
				Word: "RDMA " + onOff(a.RdmaWeight > 0), Text: "at the switch " + a.Switch})
		}
	}
	return r
}

// vmField asks for a virtual machine.
func (v *View) vmField(initial string) widget.WizardField {
	f := widget.WizardField{ID: fieldVM, Kind: widget.WizardOneOf, Required: true, Initial: typed(initial)}
	for i := range v.scene.host.VMs {
		vm := &v.scene.host.VMs[i]
		c := widget.WizardChoice{ID: vm.Name, Label: vm.Name, Text: countOf(len(vm.Adapters), "adapter"),
			Mark: widget.WizardDown, Word: "off"}
		if vm.State == virtualization.VMRunning {
			c.Mark, c.Word = widget.WizardGood, "running"
		}
		f.Choices = append(f.Choices, c)
	}
	if len(f.Choices) == 0 {
		f.Disabled = "there is no virtual machine yet; the wizard Enable SR-IOV makes one"
	}
	return f
}

// selectedVM is the machine of the selected row, or the first one.
func (v *View) selectedVM() string {
	if r := v.row(); r != nil && r.vmName() != "" {
		return r.vmName()
	}
	if len(v.scene.host.VMs) > 0 {
		return v.scene.host.VMs[0].Name
	}
	return ""
}

// freeNIC is a name that no adapter of a machine has.
func (v *View) freeNIC(vm, usual string) string {
	for n := 1; ; n++ {
		name := usual
		if n > 1 {
			name += " " + strconv.Itoa(n)
		}
		if v.scene.nics[nicName(vm, name)] == nil {
			return name
		}
	}
}

// static is an address of Hyper-V's range for an adapter that must have a static one.
func static(seed int) string {
	return description.MAC{0x00, 0x15, 0x5d, 0xfe, byte(seed >> 8), byte(seed)}.String()
}

// stopped stops a machine that runs, and says whether it did.
func (v *View) stopped(plan *driver.Plan, vm string) bool {
	if one := v.scene.vms[vm]; one == nil || one.State == virtualization.VMOff {
		return false
	}
	plan.Operations = append(plan.Operations, driver.SetVMState{VM: vm, State: virtualization.VMOff})
	return true
}

// directForm moves a machine to a switch with PacketDirect, and takes its port out of the filter platform (VIRT-4).
func (v *View) directForm() (string, change.Form) {
	return "", change.Form{
		Fresh: true, Lines: v.adapterLines, Waiting: v.waiting,
		Fields: func(step string, values widget.WizardValues) []widget.WizardField {
			if step == "switch" {
				fits := func(s *virtualization.SwitchView) string {
					if !s.PacketDirect {
						return "made without PacketDirect"
					}
					return ""
				}
				extension := toggle("extension", true)
				return append(v.portAndSwitch("PacketDirectSwitch", values, fits), extension)
			}
			vm := values.Text(fieldVM)
			if vm == "" {
				vm = v.selectedVM()
			}
			return []widget.WizardField{
				v.vmField(v.selectedVM()),
				newName(fieldNIC, v.freeNIC(vm, "PacketDirect")),
				{ID: fieldMAC, Kind: widget.WizardMAC, Required: true, Initial: typed(static(len(v.scene.nics) + 1))},
			}
		},
		Plan: func(values widget.WizardValues) driver.Plan {
			name, vm := v.portOf(values), values.Text(fieldVM)
			at, fresh := switchOf(values)
			plan := driver.Plan{Title: "PacketDirect for " + vm}
			add := func(list ...driver.Operation) { plan.Operations = append(plan.Operations, list...) }
			if p := v.portNamed(name); p != nil && !p.PacketDirect {
				add(driver.SetFeature{Connection: name, Feature: driver.FeaturePacketDirect, On: true})
			}
			filtered := values.On("extension")
			if fresh {
				add(driver.CreateSwitch{Switch: virtualization.SwitchRecord{Name: at, Connection: name, PacketDirect: true,
					ManagementOS: true}})
			} else {
				for _, s := range v.switchesOn(name) {
					filtered = filtered && (s.Name != at || s.Extension != filterPlatform)
				}
			}
			if filtered {
				extension := filterPlatform
				add(driver.SetSwitch{Switch: at, Extension: &extension})
			}
			v.stopped(&plan, vm)
			mac, _ := values.MAC(fieldMAC)
			nic := virtualization.NewVMAdapter(values.Text(fieldNIC), at)
			nic.MAC, nic.StaticMAC = description.MAC(mac), true
			add(driver.AddVMAdapter{VM: vm, Adapter: nic}, driver.SetVMState{VM: vm, State: virtualization.VMRunning})
			if values.On("extension") {
				add(driver.ReleasePort{VM: vm, Adapter: nic.Name})
			}
			return plan
		},
	}
}
