package virtualization

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/request"
)

func (o AddVMAdapter) Inverse(v Hypervisor) (Operation, error) {
	if _, err := v.FindAdapter(AdapterName{o.VM, o.Adapter.Name}); err == nil {
		return nil, request.Errorf("there is a network adapter %q already", o.Adapter.Name)
	}
	if o.VM != "" {
		i, err := v.FindMachine(o.VM)
		if err != nil {
			return nil, err
		}
		if len(v.VMs[i].Adapters) >= MaxAdapters {
			return nil, errTooManyAdapters
		}
	}
	return RemoveVMAdapter{o.VM, o.Adapter.Name}, v.checkAdapter(o.VM, &o.Adapter)
}

func (o AddVMAdapter) Apply(v Hypervisor) error {
	a := v.adapterFrom(o.VM, o.Adapter)
	var before Answers
	before.addRecord(o.VM, &o.Adapter)
	v.changeMachine(o.VM, before, func() {
		list, err := v.adaptersOf(o.VM)
		panicOn(err)
		*list = insert(*list, o.Place, a)
		if o.VM == "" {
			v.setManagement(&a, true)
		}
	})
	return nil
}

// setManagement records whether the host has the adapter that a switch gave it, which has the switch's name.
func (v *State) setManagement(a *Adapter, on bool) {
	if i, err := v.FindSwitch(a.Switch); err == nil && strings.EqualFold(v.Switches[i].Name, a.Name) {
		v.Switches[i].ManagementOS = on
	}
}

func (o RemoveVMAdapter) Inverse(v Hypervisor) (Operation, error) {
	a, err := v.FindAdapter(AdapterName(o))
	if err != nil {
		return nil, err
	}
	list, err := v.adaptersOf(o.VM)
	place := 1 + slices.IndexFunc(*list, func(adapter Adapter) bool { return adapter.Name == a.Name })
	return AddVMAdapter{o.VM, a.Record(), place}, err
}

func (o RemoveVMAdapter) Apply(v Hypervisor) error {
	v.changeMachine(o.VM, Answers{}, func() {
		list, err := v.adaptersOf(o.VM)
		panicOn(err)
		is := func(a Adapter) bool { return strings.EqualFold(a.Name, o.Adapter) }
		if i := slices.IndexFunc(*list, is); i >= 0 && o.VM == "" {
			v.setManagement(&(*list)[i], false)
		}
		*list = slices.DeleteFunc(*list, is)
	})
	return nil
}

// change applies the new settings to an adapter, and returns the Operation that restores the old ones.
func (o SetVMAdapter) change(a *VMAdapterRecord, dynamic description.MAC) SetVMAdapter {
	back := SetVMAdapter{VM: o.VM, Adapter: o.Adapter}
	number := func(want *int, field *int) *int {
		if want == nil {
			return nil
		}
		old := *field
		*field = *want
		return &old
	}
	if o.Switch != nil {
		back.Switch = new(a.Switch)
		a.Switch = *o.Switch
	}
	if o.MAC != nil {
		old := description.MAC{}
		if a.StaticMAC {
			old = a.MAC
		}
		back.MAC = &old
		a.StaticMAC, a.MAC = *o.MAC != description.MAC{}, *o.MAC
		if !a.StaticMAC {
			a.MAC = dynamic
		}
	}
	if o.VmmqEnabled != nil {
		back.VmmqEnabled = new(a.VmmqEnabled)
		a.VmmqEnabled = *o.VmmqEnabled
	}
	if o.PriorityTag != nil {
		back.PriorityTag = new(a.PriorityTag)
		a.PriorityTag = *o.PriorityTag
	}
	if o.Mapping != nil {
		back.Mapping = new(a.Mapping)
		a.Mapping = *o.Mapping
	}
	back.JumboPacket = number(o.JumboPacket, &a.JumboPacket)
	if o.VirtualSubnet != nil {
		back.VirtualSubnet = new(a.VirtualSubnet)
		a.VirtualSubnet = *o.VirtualSubnet
	}
	back.VLAN, back.IovWeight = number(o.VLAN, &a.VLAN), number(o.IovWeight, &a.IovWeight)
	back.VmqWeight, back.VmmqQueuePairs = number(o.VmqWeight, &a.VmqWeight), number(o.VmmqQueuePairs, &a.VmmqQueuePairs)
	back.IovQueuePairs, back.RdmaWeight = number(o.IovQueuePairs, &a.IovQueuePairs), number(o.RdmaWeight, &a.RdmaWeight)
	return back
}

func (o SetVMAdapter) isEmpty() bool {
	return o.Switch == nil && o.MAC == nil && o.VLAN == nil && o.IovWeight == nil && o.VmqWeight == nil && o.VmmqEnabled == nil &&
		o.VmmqQueuePairs == nil && o.IovQueuePairs == nil && o.RdmaWeight == nil && o.VirtualSubnet == nil && o.PriorityTag == nil && o.Mapping == nil && o.JumboPacket == nil
}

func (o SetVMAdapter) Inverse(v Hypervisor) (Operation, error) {
	name := AdapterName{o.VM, o.Adapter}
	a, err := v.FindAdapter(name)
	switch {
	case err != nil:
		return nil, err
	case o.isEmpty():
		return nil, request.Unchanged("no setting of the adapter changes")
	case a.Quarantine != "" && o.Switch != nil:
		return nil, errors.New("it is in quarantine; release it first")
	}
	next := a.VMAdapterRecord
	next.Claim = 0
	back := o.change(&next, v.DynamicMAC(name))
	back.Answers = v.answersOf(name)
	return back, v.checkAdapter(o.VM, &next)
}

func (o SetVMAdapter) Apply(v Hypervisor) error {
	name := AdapterName{o.VM, o.Adapter}
	v.changeAdapter(name, o.Answers, func(r *VMAdapterRecord) { o.change(r, v.DynamicMAC(name)) })
	return nil
}

func (o Quarantine) Inverse(v Hypervisor) (Operation, error) {
	if o.VM == "" {
		return nil, errors.New("only an adapter of a virtual machine can be quarantined")
	}
	name := AdapterName{o.VM, o.Adapter}
	a, err := v.FindAdapter(name)
	switch {
	case err != nil:
		return nil, err
	case o.Reason == "" && a.Quarantine == "":
		return nil, request.Unchanged("it is not in quarantine")
	case len(o.Reason) > MaxReason || strings.ContainsFunc(o.Reason, request.IsUnsafe):
		return nil, fmt.Errorf("a reason can have at most %d bytes and no control characters", MaxReason)
	}
	return Quarantine{o.VM, o.Adapter, a.Quarantine, v.answersOf(name)}, nil
}

func (o Quarantine) Apply(v Hypervisor) error {
	v.changeAdapter(AdapterName{o.VM, o.Adapter}, o.Answers, func(r *VMAdapterRecord) { r.Quarantine = o.Reason })
	return nil
}

func (o ReleasePort) Inverse(v Hypervisor) (Operation, error) {
	a, err := v.FindAdapter(AdapterName{o.VM, o.Adapter})
	if err != nil {
		return nil, err
	}
	i, err := v.FindSwitch(a.Switch)
	switch {
	case o.VM == "":
		return nil, errors.New("the filter platform blocks only ports of virtual machines")
	case err != nil || v.Switches[i].Extension != ExtensionVFP:
		return nil, errors.New("its switch has no filter platform; enable the extension first")
	case a.Released != o.Back && o.Back:
		return nil, request.Unchanged("the filter platform blocks it already")
	case a.Released != o.Back:
		return nil, request.Unchanged("it is removed from the filter platform already")
	}
	return ReleasePort{o.VM, o.Adapter, !o.Back}, nil
}

func (o ReleasePort) Apply(v Hypervisor) error {
	v.changeAdapter(AdapterName{o.VM, o.Adapter}, Answers{}, func(r *VMAdapterRecord) { r.Released = !o.Back })
	return nil
}

// changeAdapter changes the record of an adapter.
func (v Hypervisor) changeAdapter(name AdapterName, before Answers, change func(*VMAdapterRecord)) {
	v.changeMachine(name.VM, before, func() {
		a, err := v.FindAdapter(name)
		panicOn(err)
		change(&a.VMAdapterRecord)
	})
}

// answersOf returns the answers of an adapter of a machine; none for the host's adapters.
func (v *State) answersOf(name AdapterName) (list Answers) {
	i, err := v.FindMachine(name.VM)
	if err != nil || name.VM == "" {
		return list
	}
	if a, err := v.FindAdapter(name); err == nil {
		list = v.VMs[i].answersOf(a)
	}
	return list
}

// DynamicMAC returns the address that Hyper-V gives an adapter: of its own range, derived from the names.
func (v Hypervisor) DynamicMAC(name AdapterName) description.MAC {
	return dynamicMAC(v.Lab().Description().Host.Name, name)
}
