package sriov

import (
	"fmt"
	"net/netip"
	"strconv"

	"cxdeck/device"
	"cxdeck/driver"
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
	filterPlatform = driver.ExtensionVFP
)

// switchesOn are the switches of a connection.
func (v *View) switchesOn(connection string) (list []*driver.SwitchView) {
	for i := range v.scene.host.Switches {
		if s := &v.scene.host.Switches[i]; s.Connection == connection {
			list = append(list, s)
		}
	}
	return list
}

// switchFields ask for a switch of a connection: the one that is there, when fits says no reason against it, or a new one.
func (v *View) switchFields(connection, usual string, values widget.WizardValues, fits func(*driver.SwitchView) string) []widget.WizardField {
	choose := widget.WizardField{ID: fieldSwitch, Kind: widget.WizardOneOf, Required: true, Initial: widget.WizardValue{Text: newChoice}}
	fresh := widget.WizardChoice{ID: newChoice, Label: "a new switch"}
	for _, s := range v.switchesOn(connection) {
		c := widget.WizardChoice{ID: s.Name, Label: s.Name, Text: countOf(s.Adapters, "adapter"), Disabled: fits(s)}
		if c.Disabled == "" {
			choose.Initial.Text = s.Name
		}
		choose.Choices = append(choose.Choices, c)
		fresh.Disabled = connection + " has the switch " + s.Name + " already, and takes one"
	}
	choose.Choices = append(choose.Choices, fresh)
	fields := []widget.WizardField{choose}
	if at := values.Text(fieldSwitch); at == newChoice || at == "" && choose.Initial.Text == newChoice {
		fields = append(fields, widget.WizardField{ID: fieldName, Kind: widget.WizardText, Required: true, Limit: longestName, Initial: widget.WizardValue{Text: v.freeSwitch(usual)}})
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
		Fresh: true, Lines: v.adapterLines, Waiting: v.waiting,
		Fields: func(step string, values widget.WizardValues) []widget.WizardField {
			if step == "switch" {
				fits := func(s *driver.SwitchView) string { return "" }
				return append([]widget.WizardField{v.portField("")}, v.switchFields(v.portOf(values), "NdkSwitch", values, fits)...)
			}
			return []widget.WizardField{{ID: fieldNIC, Kind: widget.WizardText, Required: true, Limit: longestName, Initial: widget.WizardValue{Text: "SMB"}}}
		},
		Check: func(values widget.WizardValues) (list []widget.WizardMessage) {
			for i := range v.scene.host.HostAdapters {
				if a := &v.scene.host.HostAdapters[i]; a.Name == values.Text(fieldNIC) {
					list = append(list, widget.WizardMessage{Field: fieldNIC, Text: "the host has an adapter " + a.Name + " already"})
				}
			}
			return list
		},
		Plan: func(values widget.WizardValues) driver.Plan {
			at, fresh := switchOf(values)
			name := values.Text(fieldNIC)
			plan := driver.Plan{Title: "RDMA on the adapter " + name + " of the host"}
			if fresh {
				plan.Operations = append(plan.Operations, driver.CreateSwitch{Switch: driver.SwitchRecord{Name: at, Connection: v.portOf(values)}})
			}
			plan.Operations = append(plan.Operations,
				driver.AddVMAdapter{Adapter: driver.NewVMAdapter(name, at)},
				driver.SetFeature{Connection: name, Feature: driver.FeatureRdma, On: true})
			return plan
		},
	}
}

// vmField asks for a virtual machine.
func (v *View) vmField(initial string) widget.WizardField {
	f := widget.WizardField{ID: fieldVM, Kind: widget.WizardOneOf, Required: true, Initial: widget.WizardValue{Text: initial}}
	for i := range v.scene.host.VMs {
		vm := &v.scene.host.VMs[i]
		c := widget.WizardChoice{ID: vm.Name, Label: vm.Name, Text: countOf(len(vm.Adapters), "adapter"), Mark: widget.WizardDown, Word: "off"}
		if vm.State == driver.VMRunning {
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
	return device.MAC{0x00, 0x15, 0x5d, 0xfe, byte(seed >> 8), byte(seed)}.String()
}

// stopped stops a machine that runs, and says whether it did.
func (v *View) stopped(plan *driver.Plan, vm string) bool {
	if one := v.scene.vms[vm]; one == nil || one.State == driver.VMOff {
		return false
	}
	plan.Operations = append(plan.Operations, driver.SetVMState{VM: vm, State: driver.VMOff})
	return true
}

// directForm moves a machine to a switch with PacketDirect, and takes its port out of the filter platform (VIRT-4).
func (v *View) directForm() (string, change.Form) {
	return "", change.Form{
		Fresh: true, Lines: v.adapterLines, Waiting: v.waiting,
		Fields: func(step string, values widget.WizardValues) []widget.WizardField {
			if step == "switch" {
				fits := func(s *driver.SwitchView) string {
					if !s.PacketDirect {
						return "it was made without PacketDirect"
					}
					return ""
				}
				extension := widget.WizardField{ID: "extension", Kind: widget.WizardToggle, Initial: widget.WizardValue{On: true}}
				return append(append([]widget.WizardField{v.portField("")}, v.switchFields(v.portOf(values), "PacketDirectSwitch", values, fits)...), extension)
			}
			vm := values.Text(fieldVM)
			if vm == "" {
				vm = v.selectedVM()
			}
			return []widget.WizardField{
				v.vmField(v.selectedVM()),
				{ID: fieldNIC, Kind: widget.WizardText, Required: true, Limit: longestName, Initial: widget.WizardValue{Text: v.freeNIC(vm, "PacketDirect")}},
				{ID: fieldMAC, Kind: widget.WizardMAC, Required: true, Initial: widget.WizardValue{Text: static(len(v.scene.nics) + 1)}},
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
				add(driver.CreateSwitch{Switch: driver.SwitchRecord{Name: at, Connection: name, PacketDirect: true, ManagementOS: true}})
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
			nic := driver.NewVMAdapter(values.Text(fieldNIC), at)
			nic.MAC, nic.StaticMAC = device.MAC(mac), true
			add(driver.AddVMAdapter{VM: vm, Adapter: nic}, driver.SetVMState{VM: vm, State: driver.VMRunning})
			if values.On("extension") {
				add(driver.ReleasePort{VM: vm, Adapter: nic.Name})
			}
			return plan
		},
	}
}

// nvgreForm puts machines into a virtual network (VIRT-6).
func (v *View) nvgreForm() (string, change.Form) {
	return "", change.Form{
		Lines: v.adapterLines, Waiting: v.waiting, Check: v.checkNVGRE, Plan: v.nvgrePlan,
		Fields: func(step string, values widget.WizardValues) []widget.WizardField {
			switch step {
			case "switch":
				fits := func(s *driver.SwitchView) string {
					if s.IOV {
						return "it has SR-IOV, and NVGRE works with queues alone"
					}
					return ""
				}
				bound := false
				if p := v.portNamed(v.portOf(values)); p != nil {
					bound = p.NetworkVirtualization
				}
				binding := widget.WizardField{ID: fieldBinding, Kind: widget.WizardToggle, Initial: widget.WizardValue{On: bound}}
				return append(append([]widget.WizardField{v.portField("")}, v.switchFields(v.portOf(values), "NvgreSwitch", values, fits)...), binding)
			case "machines":
				row := []widget.WizardField{
					v.vmField(v.selectedVM()),
					{ID: fieldMAC, Kind: widget.WizardMAC, Required: true, Initial: widget.WizardValue{Text: static(len(v.scene.nics) + len(values.Rows(fieldVMs)) + 1)}},
					{ID: fieldAddress, Kind: widget.WizardText, Required: true, Hint: "172.16.1.5"},
				}
				return []widget.WizardField{
					{ID: fieldSubnet, Kind: widget.WizardNumber, Low: 4096, High: 1<<24 - 2, Required: true, Initial: widget.WizardValue{Text: usualSubnet}},
					{ID: fieldVMs, Kind: widget.WizardRows, Required: true, Item: "machine", Columns: row},
				}
			default:
				return []widget.WizardField{
					{ID: fieldProvider, Kind: widget.WizardText, Required: true, Hint: "192.168.20.1/24"},
					{ID: fieldPrefix, Kind: widget.WizardText, Required: true, Hint: "172.16.0.0/16"},
					{ID: fieldDomain, Kind: widget.WizardText, Required: true, Initial: widget.WizardValue{Text: "{11111111-2222-3333-4444-000000005001}"}},
				}
			}
		},
	}
}

// checkNVGRE finds addresses that are none, and machines that are there twice.
func (v *View) checkNVGRE(values widget.WizardValues) (list []widget.WizardMessage) {
	bad := func(field, text string, row int) {
		list = append(list, widget.WizardMessage{Field: field, Row: row, Text: text})
	}
	if text := values.Text(fieldProvider); text != "" {
		if _, err := netip.ParsePrefix(text); err != nil {
			bad(fieldProvider, "write an address with the length of its prefix, such as 192.168.20.1/24", 0)
		}
	}
	if text := values.Text(fieldPrefix); text != "" {
		if _, err := netip.ParsePrefix(text); err != nil {
			bad(fieldPrefix, "write a prefix such as 172.16.0.0/16", 0)
		}
	}
	addresses := map[string]bool{}
	for i, row := range values.Rows(fieldVMs) {
		address := row.Text(fieldAddress)
		if _, err := netip.ParseAddr(address); err != nil && address != "" {
			bad(fieldVMs, "write the machine's address, such as 172.16.1.5", i+1)
		}
		if addresses[address] {
			bad(fieldVMs, "the address "+address+" is there twice", i+1)
		}
		addresses[address] = true
	}
	return list
}

// nvgrePlan gives each machine an adapter in the virtual network, and the host its records.
func (v *View) nvgrePlan(values widget.WizardValues) driver.Plan {
	name := v.portOf(values)
	at, fresh := switchOf(values)
	number, _ := values.Number(fieldSubnet)
	subnet := uint32(number)
	plan := driver.Plan{Title: fmt.Sprintf("NVGRE: virtual subnet %d", subnet)}
	add := func(list ...driver.Operation) { plan.Operations = append(plan.Operations, list...) }
	if p := v.portNamed(name); p != nil && values.On(fieldBinding) && !p.NetworkVirtualization {
		add(driver.SetFeature{Connection: name, Feature: driver.FeatureNetworkVirtualization, On: true})
	}
	if fresh {
		add(driver.CreateSwitch{Switch: driver.SwitchRecord{Name: at, Connection: name, ManagementOS: true}})
	}
	provider, _ := netip.ParsePrefix(values.Text(fieldProvider))
	customer, _ := netip.ParsePrefix(values.Text(fieldPrefix))
	records := driver.NetVirtualization{
		CustomerRoutes: []driver.CustomerRoute{{RoutingDomain: values.Text(fieldDomain), VirtualSubnet: subnet, Prefix: customer,
			NextHop: netip.IPv4Unspecified(), Metric: 255}},
		ProviderAddresses: []driver.ProviderAddress{{Connection: name, Address: provider.Addr(), PrefixLength: provider.Bits()}},
		ProviderRoutes:    []driver.ProviderRoute{{Connection: name, Prefix: netip.PrefixFrom(netip.IPv4Unspecified(), 0), NextHop: provider.Addr()}},
	}
	started := map[string]bool{}
	var later []driver.Operation
	for _, row := range values.Rows(fieldVMs) {
		vm := row.Text(fieldVM)
		if !started[vm] && v.stopped(&plan, vm) {
			later = append(later, driver.SetVMState{VM: vm, State: driver.VMRunning})
		}
		mac, _ := row.MAC(fieldMAC)
		address, _ := netip.ParseAddr(row.Text(fieldAddress))
		nic := driver.NewVMAdapter(v.freeNIC(vm, "NVGRE"), at)
		if started[vm] {
			nic.Name += " " + address.String()
		}
		started[vm] = true
		nic.MAC, nic.StaticMAC = device.MAC(mac), true
		add(driver.AddVMAdapter{VM: vm, Adapter: nic})
		later = append(later, driver.SetVMAdapter{VM: vm, Adapter: nic.Name, VirtualSubnet: &subnet})
		records.Lookups = append(records.Lookups, driver.LookupRecord{CustomerAddress: address, ProviderAddress: provider.Addr(), VirtualSubnet: subnet, MAC: device.MAC(mac)})
	}
	add(driver.AddNetVirtualization{Records: records})
	add(later...)
	return plan
}

// nvgreGoneForm takes machines out of virtual networks, and the records away.
func (v *View) nvgreGoneForm() (string, change.Form) {
	return "", change.Form{
		Fresh: true, Lines: v.adapterLines,
		Fields: func(string, widget.WizardValues) []widget.WizardField {
			n := &v.scene.host.Net
			facts := []widget.WizardFact{
				{Label: "Lookup records", Text: strconv.Itoa(len(n.Lookups))}, {Label: "Customer routes", Text: strconv.Itoa(len(n.CustomerRoutes))},
				{Label: "Provider addresses", Text: strconv.Itoa(len(n.ProviderAddresses))}, {Label: "Provider routes", Text: strconv.Itoa(len(n.ProviderRoutes))},
			}
			for _, a := range v.allNICs() {
				if a.VirtualSubnet > 0 {
					facts = append(facts, widget.WizardFact{Label: nicName(a.VM, a.Name), Text: fmt.Sprintf("virtual subnet %d", a.VirtualSubnet)})
				}
			}
			return []widget.WizardField{
				{ID: "records", Label: "What goes", Kind: widget.WizardFacts, Facts: facts},
				{ID: fieldBinding, Kind: widget.WizardToggle},
			}
		},
		Plan: func(values widget.WizardValues) driver.Plan {
			plan := driver.Plan{Title: "Remove NVGRE"}
			none := uint32(0)
			for _, a := range v.allNICs() {
				if o := settings(a); a.VirtualSubnet > 0 {
					o.VirtualSubnet = &none
					plan.Operations = append(plan.Operations, o)
				}
			}
			if n := v.scene.host.Net; len(n.Lookups)+len(n.CustomerRoutes)+len(n.ProviderAddresses)+len(n.ProviderRoutes) > 0 {
				plan.Operations = append(plan.Operations, driver.RemoveNetVirtualization{Records: n})
			}
			if values.On(fieldBinding) {
				for i := range v.scene.host.Adapters {
					for j := range v.scene.host.Adapters[i].Ports {
						if p := &v.scene.host.Adapters[i].Ports[j]; p.NetworkVirtualization {
							plan.Operations = append(plan.Operations, driver.SetFeature{Connection: p.Description.Connection, Feature: driver.FeatureNetworkVirtualization})
						}
					}
				}
			}
			return plan
		},
	}
}
