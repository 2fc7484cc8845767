package sriov

import (
	"strconv"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver"
	"cxdeck/ui/widget"
	"cxdeck/views/change"
)

// adapterLines are the differences that a change of an adapter makes.
func (v *View) adapterLines(o driver.Operation) (list []widget.WizardLine) {
	set, ok := o.(driver.SetVMAdapter)
	if !ok {
		return v.otherLines(o)
	}
	a := v.scene.nics[nicName(set.VM, set.Adapter)]
	if a == nil {
		return nil
	}
	name := nicName(set.VM, set.Adapter)
	add := func(what, from, to string) { list = append(list, change.Changed(what+" of "+name, from, to)) }
	number := func(what string, from int, to *int) {
		if to != nil {
			add(what, strconv.Itoa(from), strconv.Itoa(*to))
		}
	}
	if set.Switch != nil {
		add("Switch", or(a.Switch), or(*set.Switch))
	}
	if set.MAC != nil {
		to := set.MAC.String()
		if *set.MAC == (description.MAC{}) {
			to = "dynamic"
		}
		add("MAC address", a.MAC.String(), to)
	}
	number("VLAN", a.VLAN, set.VLAN)
	weighs := a.IovWeight
	if set.IovWeight != nil && *set.IovWeight == weighs {
		weighs = 0 // an Operation before has taken it away
	}
	number("IovWeight", weighs, set.IovWeight)
	number("IovQueuePairsRequested", a.IovQueuePairs, set.IovQueuePairs)
	number("VmqWeight", a.VmqWeight, set.VmqWeight)
	if set.VmmqEnabled != nil {
		add("VMMQ", onOff(a.VmmqEnabled), onOff(*set.VmmqEnabled))
	}
	number("VmmqQueuePairs", a.VmmqQueuePairs, set.VmmqQueuePairs)
	number("RdmaWeight", a.RdmaWeight, set.RdmaWeight)
	if set.VirtualSubnet != nil {
		add("VirtualSubnetID", strconv.FormatUint(uint64(a.VirtualSubnet), 10),
			strconv.FormatUint(uint64(*set.VirtualSubnet), 10))
	}
	if n := len(list); n > 0 && set.IovWeight != nil {
		if *set.IovWeight > 0 {
			list[n-1].Note = "it gets a virtual function when one is free and the guest has a driver"
		} else {
			list[n-1].Note = "its traffic takes the synthetic path, through the virtual switch"
		}
	}
	return list
}

// otherLines marks what comes into being and what goes.
func (*View) otherLines(o driver.Operation) []widget.WizardLine {
	l := widget.WizardLine{Text: sentence(o)}
	_, value := o.(driver.Writer)
	if _, start := o.(driver.RestartAdapter); value || start {
		return nil // shown as every value is
	}
	if o, ok := o.(driver.Adder); ok {
		if l.Change = widget.WizardRemoves; o.Adds() {
			l.Change = widget.WizardAdds
		}
	}
	if o, ok := o.(driver.Final); ok {
		l.Note = o.Consequence()
	}
	return []widget.WizardLine{l}
}

// sentence describes an Operation.
func sentence(o driver.Operation) string {
	said := o.Describe()
	return strings.ToUpper(said[:1]) + said[1:]
}
