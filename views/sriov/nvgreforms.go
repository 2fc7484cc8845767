package sriov

import (
	"fmt"
	"net/netip"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
)

// nvgreForm puts machines into a virtual network (VIRT-6).
func (v *View) nvgreForm() (string, change.Form) {
	return "", change.Form{
		Lines: v.adapterLines, Waiting: v.waiting, Check: v.checkNVGRE, Plan: v.nvgrePlan,
		Fields: func(step string, values widget.WizardValues) []widget.WizardField {
			switch step {
			case "switch":
				fits := func(s *virtualization.SwitchView) string {
					if s.IOV {
						return "has SR-IOV, which NVGRE does not support"
					}
					return ""
				}
				bound := false
				if p := v.portNamed(v.portOf(values)); p != nil {
					bound = p.NetworkVirtualization
				}
				binding := toggle(fieldBinding, bound)
				return append(v.portAndSwitch("NvgreSwitch", values, fits), binding)
			case "machines":
				row := []widget.WizardField{
					v.vmField(v.selectedVM()),
					{ID: fieldMAC, Kind: widget.WizardMAC, Required: true,
						Initial: typed(static(len(v.scene.nics) + len(values.Rows(fieldVMs)) + 1))},
					{ID: fieldAddress, Kind: widget.WizardText, Required: true, Hint: "172.16.1.5"},
				}
				return []widget.WizardField{
					{ID: fieldSubnet, Kind: widget.WizardNumber, Low: 4096, High: 1<<24 - 2, Required: true,
						Initial: typed(usualSubnet)},
					{ID: fieldVMs, Kind: widget.WizardRows, Required: true, Item: "machine", Columns: row},
				}
			default:
				return []widget.WizardField{
					{ID: fieldProvider, Kind: widget.WizardText, Required: true, Hint: "192.168.20.1/24"},
					{ID: fieldPrefix, Kind: widget.WizardText, Required: true, Hint: "172.16.0.0/16"},
					{ID: fieldDomain, Kind: widget.WizardText, Required: true,
						Initial: typed("{11111111-2222-3333-4444-000000005001}")},
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
		add(driver.CreateSwitch{Switch: virtualization.SwitchRecord{Name: at, Connection: name, ManagementOS: true}})
	}
	provider, _ := netip.ParsePrefix(values.Text(fieldProvider))
	customer, _ := netip.ParsePrefix(values.Text(fieldPrefix))
	records := virtualization.NetVirtualization{
		CustomerRoutes: []virtualization.CustomerRoute{{RoutingDomain: values.Text(fieldDomain), VirtualSubnet: subnet,
			Prefix:  customer,
			NextHop: netip.IPv4Unspecified(), Metric: 255}},
		ProviderAddresses: []virtualization.ProviderAddress{{Connection: name, Address: provider.Addr(),
			PrefixLength: provider.Bits()}},
		ProviderRoutes: []virtualization.ProviderRoute{{Connection: name,
			Prefix: netip.PrefixFrom(netip.IPv4Unspecified(), 0), NextHop: provider.Addr()}},
	}
	started := map[string]bool{}
	var later []driver.Operation
	for _, row := range values.Rows(fieldVMs) {
		vm := row.Text(fieldVM)
		if !started[vm] && v.stopped(&plan, vm) {
			later = append(later, driver.SetVMState{VM: vm, State: virtualization.VMRunning})
		}
		mac, _ := row.MAC(fieldMAC)
		address, _ := netip.ParseAddr(row.Text(fieldAddress))
		nic := virtualization.NewVMAdapter(v.freeNIC(vm, "NVGRE"), at)
		if started[vm] {
			nic.Name += " " + address.String()
		}
		started[vm] = true
		nic.MAC, nic.StaticMAC = description.MAC(mac), true
		add(driver.AddVMAdapter{VM: vm, Adapter: nic})
		later = append(later, driver.SetVMAdapter{VM: vm, Adapter: nic.Name, VirtualSubnet: &subnet})
		records.Lookups = append(records.Lookups, virtualization.LookupRecord{CustomerAddress: address,
			ProviderAddress: provider.Addr(), VirtualSubnet: subnet, MAC: description.MAC(mac)})
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
				{Label: "Lookup records", Text: strconv.Itoa(len(n.Lookups))},
				{Label: "Customer routes", Text: strconv.Itoa(len(n.CustomerRoutes))},
				{Label: "Provider addresses", Text: strconv.Itoa(len(n.ProviderAddresses))},
				{Label: "Provider routes", Text: strconv.Itoa(len(n.ProviderRoutes))},
			}
			for _, a := range v.allNICs() {
				if a.VirtualSubnet > 0 {
					facts = append(facts, widget.WizardFact{Label: nicName(a.VM, a.Name),
						Text: fmt.Sprintf("virtual subnet %d", a.VirtualSubnet)})
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
			n := v.scene.host.Net
			if len(n.Lookups)+len(n.CustomerRoutes)+len(n.ProviderAddresses)+len(n.ProviderRoutes) > 0 {
				plan.Operations = append(plan.Operations, driver.RemoveNetVirtualization{Records: n})
			}
			if values.On(fieldBinding) {
				for i := range v.scene.host.Adapters {
					for j := range v.scene.host.Adapters[i].Ports {
						if p := &v.scene.host.Adapters[i].Ports[j]; p.NetworkVirtualization {
							plan.Operations = append(plan.Operations,
								driver.SetFeature{Connection: p.Description.Connection,
									Feature: driver.FeatureNetworkVirtualization})
						}
					}
				}
			}
			return plan
		},
	}
}
