package virtualization

import (
	"cmp"
	"strconv"

	"cxdeck/device/description"
	"cxdeck/driver/operation"
	"cxdeck/driver/wording"
)

// absent represents a setting without a value.
const absent = "-"

func (o SetFirmware) Differences(v Hypervisor) (list []operation.Difference) {
	card, err := v.Card(o.Adapter)
	if err != nil {
		return nil
	}
	for _, to := range o.Values {
		list = append(list, operation.Difference{
			Name: to.Name + " of " + o.Adapter, From: settingText(v.Cards[card].Next, to.Name), To: cmp.Or(to.Value, absent),
		})
	}
	return list
}

func (o SetBIOS) Differences(v Hypervisor) (list []operation.Difference) {
	for _, setting := range []struct {
		name string
		now  bool
		to   *bool
	}{{"SR-IOV", v.NextBIOS.SRIOV, o.SRIOV}, {"Virtualization", v.NextBIOS.Virtualization, o.Virtualization}, {"Addresses above 4 GB", v.NextBIOS.Above4G, o.Above4G}} {
		if setting.to != nil {
			list = append(list, operation.Difference{Name: setting.name + " in the BIOS", From: wording.OnOff(setting.now), To: wording.OnOff(*setting.to)})
		}
	}
	return list
}

func (o SetNumVFs) Differences(v Hypervisor) []operation.Difference {
	port, err := v.Port(o.Connection)
	if err != nil {
		return nil
	}
	return []operation.Difference{{
		Name: "NumVFs of " + o.Connection, From: strconv.Itoa(v.Ports[port].NumVFs), To: strconv.Itoa(o.NumVFs),
	}}
}

func (o SetVMAdapter) Differences(v Hypervisor) (list []operation.Difference) {
	name := AdapterName{o.VM, o.Adapter}
	a, err := v.FindAdapter(name)
	if err != nil {
		return nil
	}
	add := func(what, from, to string) {
		list = append(list, operation.Difference{Name: what + " of " + name.String(), From: from, To: to})
	}
	number := func(what string, from int, to *int) {
		if to != nil {
			add(what, strconv.Itoa(from), strconv.Itoa(*to))
		}
	}
	if o.Switch != nil {
		add("Switch", cmp.Or(a.Switch, absent), cmp.Or(*o.Switch, absent))
	}
	if o.MAC != nil {
		to := o.MAC.String()
		if *o.MAC == (description.MAC{}) {
			to = "dynamic"
		}
		add("MAC address", a.MAC.String(), to)
	}
	number("VLAN", a.VLAN, o.VLAN)
	weight := a.IovWeight
	if o.IovWeight != nil && *o.IovWeight == weight {
		weight = 0 // an earlier Operation of the plan has removed it
	}
	number("IovWeight", weight, o.IovWeight)
	number("IovQueuePairsRequested", a.IovQueuePairs, o.IovQueuePairs)
	number("VmqWeight", a.VmqWeight, o.VmqWeight)
	if o.VmmqEnabled != nil {
		add("VMMQ", wording.OnOff(a.VmmqEnabled), wording.OnOff(*o.VmmqEnabled))
	}
	number("VmmqQueuePairs", a.VmmqQueuePairs, o.VmmqQueuePairs)
	number("RdmaWeight", a.RdmaWeight, o.RdmaWeight)
	number("*JumboPacket", cmp.Or(a.JumboPacket, DefaultFrame), o.JumboPacket)
	if o.PriorityTag != nil {
		add("IeeePriorityTag", wording.OnOff(a.PriorityTag), wording.OnOff(*o.PriorityTag))
	}
	if o.Mapping != nil {
		add("Team mapping", cmp.Or(a.Mapping, absent), cmp.Or(*o.Mapping, absent))
	}
	if o.VirtualSubnet != nil {
		add("VirtualSubnetID", strconv.FormatUint(uint64(a.VirtualSubnet), 10), strconv.FormatUint(uint64(*o.VirtualSubnet), 10))
	}
	return list
}
