package sriov

import (
	"fmt"
	"slices"

	"cxdeck/driver/virtualization"
	"cxdeck/ui/widget/wizard"
	"cxdeck/views/form"
)

// The ids of fields that more than one wizard has.
const (
	fieldAdapters  = "adapters"
	fieldFunctions = "functions"
	fieldPort      = "port"
	fieldSwitch    = "switch"
	fieldVM        = "vm"
	fieldName      = "name"
	fieldMAC       = "mac"
	fieldVLAN      = "vlan"
	fieldIOV       = "iov_weight"
	fieldVMQ       = "vmq_weight"
	fieldRDMA      = "rdma_weight"
	fieldVMMQ      = "vmmq"
	fieldPairs     = "vmmq_pairs"
	fieldIOVPairs  = "iov_pairs"
	fieldReason    = "reason"
	fieldOn        = "on"
)

// fullWeight is the default weight of a feature that is enabled.
const fullWeight = 100

// nicsOf returns the names of the rows' adapters.
func nicsOf(rows []*row) (names []string) {
	for _, r := range rows {
		if r.nic != nil {
			names = append(names, nicName(r.nic.VM, r.nic.Name))
		}
	}
	return names
}

// allNICs returns the adapters of all virtual machines, in their order.
func (v *View) allNICs() (list []*virtualization.VMAdapterView) {
	if v.scene.host == nil {
		return nil
	}
	for i := range v.scene.host.VMs {
		vm := &v.scene.host.VMs[i]
		for j := range vm.Adapters {
			list = append(list, &vm.Adapters[j])
		}
	}
	return list
}

// offerAdapters completes the field that asks for adapters; why returns the reason why one can't be chosen.
func (v *View) offerAdapters(f *wizard.Field, initial []string, why func(*virtualization.VMAdapterView) string) {
	f.Initial.IDs = initial
	for _, a := range v.allNICs() {
		c := wizard.Choice{ID: nicName(a.VM, a.Name), Label: nicName(a.VM, a.Name), Text: string(a.Path)}
		c.Mark, c.Word = wizard.Down, "no VF"
		if a.Function >= 0 {
			c.Mark, c.Word = wizard.Good, fmt.Sprintf("VF %d", a.Function)
		}
		if a.Switch != "" {
			c.Text += ", " + a.Switch
		}
		if why != nil {
			c.Disabled = why(a)
		}
		f.Choices = append(f.Choices, c)
	}
	slices.SortStableFunc(f.Choices,
		func(a, b wizard.Choice) int { return boolNumber(a.Disabled != "") - boolNumber(b.Disabled != "") })
	if len(f.Choices) == 0 {
		f.Disabled = "there is no virtual machine with an adapter yet; n creates one step by step"
	}
}

// adapters completes a form in which only the field for adapters depends on the host.
func (v *View) adapters(initial []string, why func(*virtualization.VMAdapterView) string) form.Completer {
	return func(f *wizard.Field, _ wizard.Values) bool {
		if f.ID == fieldAdapters {
			v.offerAdapters(f, initial, why)
		}
		return true
	}
}

// chosen returns the adapters of an answer that still exist.
func (v *View) chosen(values wizard.Values) (list []*virtualization.VMAdapterView) {
	for _, name := range values.IDs(fieldAdapters) {
		if a := v.scene.nics[name]; a != nil {
			list = append(list, a)
		}
	}
	return list
}

// settings returns the Operation for an adapter, still without changes.
func settings(a *virtualization.VMAdapterView) virtualization.SetVMAdapter {
	return virtualization.SetVMAdapter{VM: a.VM, Adapter: a.Name}
}

// chosenAdapters returns the adapters of an answer; without an answer, the adapters with the names.
func (v *View) chosenAdapters(values wizard.Values, names []string) []*virtualization.VMAdapterView {
	if _, asked := values[fieldAdapters]; !asked {
		values = wizard.Values{fieldAdapters: {IDs: names}}
	}
	return v.chosen(values)
}

// selectedNICs returns the names of the marked or selected adapters; a machine's head selects all of its adapters.
func (v *View) selectedNICs() []string {
	names := nicsOf(v.targetRows())
	if r := v.row(); len(names) == 0 && r != nil && r.group && r.vm != nil {
		for i := range r.vm.Adapters {
			names = append(names, nicName(r.vm.Name, r.vm.Adapters[i].Name))
		}
	}
	return names
}
