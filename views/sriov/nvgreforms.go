package sriov

import (
	"fmt"
	"net/netip"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/driver/virtualization"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/change"
)

// nvgreForm adds machines to a virtual network (VIRT-6).
func (v *View) nvgreForm() change.Form {
	return change.Form{
		Waiting: v.waiting, Check: v.checkNVGRE, Plan: v.nvgrePlan,
		Field: func(f *wizard.Field, values wizard.Values) bool {
			fits := func(s *virtualization.SwitchView) string {
				if s.IOV {
					return "has SR-IOV, which NVGRE does not support"
				}
				return ""
			}
			if asked, known := v.switchField(f, values, "NvgreSwitch", fits); known {
				return asked
			}
			switch f.ID {
			case fieldBinding:
				p := v.portNamed(v.portOf(values))
				f.Initial.On = p != nil && p.NetworkVirtualization
			case fieldVM:
				v.offerVMs(f, v.selectedVM())
			case fieldMAC:
				f.Initial.Text = static(len(v.scene.nics) + len(values.Rows(fieldVMs)) + 1)
			}
			return true
		},
	}
}

// checkNVGRE reports invalid addresses, and machines that are listed twice.
func (v *View) checkNVGRE(values wizard.Values) (list []wizard.Message) {
	bad := func(field, text string, row int) {
		list = append(list, wizard.Message{Field: field, Row: row, Text: text})
	}
	if text := values.Text(fieldProvider); text != "" {
		if _, err := netip.ParsePrefix(text); err != nil {
			bad(fieldProvider, "write an address with its prefix length, such as 192.168.20.1/24", 0)
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
			bad(fieldVMs, "the address "+address+" is used twice", i+1)
		}
		addresses[address] = true
	}
	return list
}

// nvgrePlan creates an adapter in the virtual network for each machine, and the records of the host.
func (v *View) nvgrePlan(values wizard.Values) driver.Plan {
	name := v.portOf(values)
	at, fresh := switchOf(values)
	number, _ := values.Number(fieldSubnet)
	subnet := uint32(number)
	plan := driver.Plan{Title: fmt.Sprintf("NVGRE: virtual subnet %d", subnet)}
	add := func(list ...driver.Operation) { plan.Operations = append(plan.Operations, list...) }
	if p := v.portNamed(name); p != nil && values.On(fieldBinding) && !p.NetworkVirtualization {
		add(virtualization.SetFeature{Connection: name, Feature: virtualization.FeatureNetworkVirtualization, On: true})
	}
	if fresh {
		add(virtualization.CreateSwitch{Switch: virtualization.SwitchRecord{Name: at, Connection: name, ManagementOS: true}})
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
		if !started[vm] && v.stopMachine(&plan, vm) {
			later = append(later, virtualization.SetVMState{VM: vm, State: virtualization.VMRunning})
		}
		mac, _ := row.MAC(fieldMAC)
		address, _ := netip.ParseAddr(row.Text(fieldAddress))
		nic := virtualization.NewVMAdapter(v.unusedNICName(vm, "NVGRE"), at)
		if started[vm] {
			nic.Name += " " + address.String()
		}
		started[vm] = true
		nic.MAC, nic.StaticMAC = description.MAC(mac), true
		add(virtualization.AddVMAdapter{VM: vm, Adapter: nic})
		later = append(later, virtualization.SetVMAdapter{VM: vm, Adapter: nic.Name, VirtualSubnet: &subnet})
		records.Lookups = append(records.Lookups, virtualization.LookupRecord{CustomerAddress: address,
			ProviderAddress: provider.Addr(), VirtualSubnet: subnet, MAC: description.MAC(mac)})
	}
	add(virtualization.AddNetVirtualization{Records: records})
	add(later...)
	return plan
}

// nvgreRemovalForm removes machines from virtual networks, and the records of the host.
func (v *View) nvgreRemovalForm() change.Form {
	return change.Form{
		Fresh: true,
		Field: func(f *wizard.Field, _ wizard.Values) bool {
			if f.Kind != wizard.Facts {
				return true
			}
			n := &v.scene.host.Net
			f.Facts = []wizard.Fact{
				{Label: "Lookup records", Text: strconv.Itoa(len(n.Lookups))},
				{Label: "Customer routes", Text: strconv.Itoa(len(n.CustomerRoutes))},
				{Label: "Provider addresses", Text: strconv.Itoa(len(n.ProviderAddresses))},
				{Label: "Provider routes", Text: strconv.Itoa(len(n.ProviderRoutes))},
			}
			for _, a := range v.allNICs() {
				if a.VirtualSubnet > 0 {
					f.Facts = append(f.Facts, wizard.Fact{Label: nicName(a.VM, a.Name),
						Text: fmt.Sprintf("virtual subnet %d", a.VirtualSubnet)})
				}
			}
			return true
		},
		Plan: func(values wizard.Values) driver.Plan {
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
				plan.Operations = append(plan.Operations, virtualization.RemoveNetVirtualization{Records: n})
			}
			if values.On(fieldBinding) {
				for i := range v.scene.host.Adapters {
					for j := range v.scene.host.Adapters[i].Ports {
						if p := &v.scene.host.Adapters[i].Ports[j]; p.NetworkVirtualization {
							plan.Operations = append(plan.Operations,
								virtualization.SetFeature{Connection: p.Description.Connection,
									Feature: virtualization.FeatureNetworkVirtualization})
						}
					}
				}
			}
			return plan
		},
	}
}
