package driver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/request"
	"cxdeck/driver/virtualization"
)

func (o CreateVM) inverse(h *Host) (Operation, error) {
	if err := request.CheckName("virtual machine", o.VM.Name); err != nil {
		return nil, err
	}
	if strings.Contains(o.VM.Name, "/") {
		return nil, errors.New("the name of a virtual machine can't have a slash")
	}
	if _, err := h.virtual.FindMachine(o.VM.Name); err == nil {
		return nil, fmt.Errorf("a virtual machine is called %q already", o.VM.Name)
	}
	if len(h.virtual.VMs) >= virtualization.MaxMachines {
		return nil, fmt.Errorf("the host has %d virtual machines, which is the most it can have", virtualization.MaxMachines)
	}
	if o.VM.State != "" && !slices.Contains(virtualization.VMStates(), o.VM.State) {
		return nil, fmt.Errorf("a virtual machine has no state %q; it is Off, Running, Paused or Saved", o.VM.State)
	}
	if err := virtualization.CheckVersion(o.VM.GuestDriver); err != nil {
		return nil, err
	}
	if err := virtualization.CheckSystem(o.VM.System, o.VM.Memory); err != nil {
		return nil, err
	}
	if len(o.VM.Adapters) > virtualization.MaxAdapters {
		return nil, fmt.Errorf("a virtual machine has %d network adapters at most", virtualization.MaxAdapters)
	}
	for i := range o.VM.Adapters {
		a := &o.VM.Adapters[i]
		if err := h.hypervisor().CheckAdapter(o.VM.Name, a); err != nil {
			return nil, err
		}
		for _, other := range o.VM.Adapters[:i] {
			if strings.EqualFold(other.Name, a.Name) {
				return nil, fmt.Errorf("two of its adapters are called %q", a.Name)
			}
			if a.StaticMAC && other.MAC == a.MAC {
				return nil, fmt.Errorf("two of its adapters have the MAC address %s", a.MAC)
			}
		}
	}
	return RemoveVM{o.VM.Name}, nil
}

func (o CreateVM) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	m := virtualization.Machine{Name: o.VM.Name, State: o.VM.State, GuestDriver: o.VM.GuestDriver, System: o.VM.System, Memory: o.VM.Memory}
	if m.State == "" {
		m.State = virtualization.VMOff
	}
	if m.Memory == virtualization.DefaultMemoryMB {
		m.Memory = 0
	}
	var before virtualization.Answers
	for _, r := range o.VM.Adapters {
		before.AddRecord(m.Name, &r)
		m.Adapters = append(m.Adapters, h.hypervisor().Addressed(m.Name, r))
	}
	h.changeMachine(m.Name, before, func(v virtualization.Hypervisor) { v.VMs = virtualization.Insert(v.VMs, o.Place, m) })
	return nil
}

func (o RemoveVM) inverse(h *Host) (Operation, error) {
	i, err := h.virtual.FindMachine(o.VM)
	if err != nil {
		return nil, err
	}
	return CreateVM{h.virtual.VMs[i].Record(), i + 1}, nil
}

func (o RemoveVM) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	h.changeMachine(o.VM, virtualization.Answers{}, func(v virtualization.Hypervisor) {
		v.VMs = slices.DeleteFunc(v.VMs, func(m virtualization.Machine) bool { return strings.EqualFold(m.Name, o.VM) })
	})
	return nil
}

func (o SetVMState) inverse(h *Host) (Operation, error) {
	i, err := h.virtual.FindMachine(o.VM)
	if err != nil {
		return nil, err
	}
	m := &h.virtual.VMs[i]
	switch {
	case !slices.Contains(virtualization.VMStates(), o.State):
		return nil, fmt.Errorf("a virtual machine has no state %q; it is Off, Running, Paused or Saved", o.State)
	case m.State == o.State:
		return nil, request.Unchanged("it is %s already", strings.ToLower(string(o.State)))
	}
	if err := virtualization.CheckTransition(m.State, o.State); err != nil && !o.Back {
		return nil, err
	}
	back := SetVMState{VM: o.VM, State: m.State, Answers: m.AnswersOf(nil)}
	back.Back = virtualization.CheckTransition(o.State, m.State) != nil
	for j := range m.Adapters {
		if m.Adapters[j].Released {
			back.Released = append(back.Released, m.Adapters[j].Name)
		}
	}
	return back, nil
}

func (o SetVMState) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	h.changeMachine(o.VM, o.Answers, func(v virtualization.Hypervisor) {
		i, err := v.FindMachine(o.VM)
		h.must(err)
		m := &v.VMs[i]
		started := o.State == virtualization.VMRunning && m.State == virtualization.VMOff
		for j := range m.Adapters {
			a := &m.Adapters[j]
			if started || o.State == virtualization.VMOff {
				a.Released = false
			}
			if slices.Contains(o.Released, a.Name) {
				a.Released = true
			}
		}
		m.State = o.State
	})
	return nil
}

func (o SetGuestDriver) inverse(h *Host) (Operation, error) {
	i, err := h.virtual.FindMachine(o.VM)
	if err != nil {
		return nil, err
	}
	if err := virtualization.CheckVersion(o.Version); err != nil {
		return nil, err
	}
	m := &h.virtual.VMs[i]
	if m.GuestDriver == o.Version {
		return nil, request.Unchanged("that is the driver it has")
	}
	return SetGuestDriver{o.VM, m.GuestDriver, m.AnswersOf(nil)}, nil
}

func (o SetGuestDriver) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	h.changeMachine(o.VM, o.Answers, func(v virtualization.Hypervisor) {
		i, err := v.FindMachine(o.VM)
		h.must(err)
		v.VMs[i].GuestDriver = o.Version
	})
	return nil
}

func (o AddVMAdapter) inverse(h *Host) (Operation, error) {
	if _, err := h.virtual.FindAdapter(virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter.Name}); err == nil {
		return nil, fmt.Errorf("a network adapter is called %q there already", o.Adapter.Name)
	}
	if o.VM != "" {
		i, err := h.virtual.FindMachine(o.VM)
		if err != nil {
			return nil, err
		}
		if len(h.virtual.VMs[i].Adapters) >= virtualization.MaxAdapters {
			return nil, fmt.Errorf("a virtual machine has %d network adapters at most", virtualization.MaxAdapters)
		}
	}
	if err := h.hypervisor().CheckAdapter(o.VM, &o.Adapter); err != nil {
		return nil, err
	}
	return RemoveVMAdapter{o.VM, o.Adapter.Name}, nil
}

func (o AddVMAdapter) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	a := h.hypervisor().Addressed(o.VM, o.Adapter)
	var before virtualization.Answers
	before.AddRecord(o.VM, &o.Adapter)
	h.changeMachine(o.VM, before, func(v virtualization.Hypervisor) {
		if i, err := v.FindMachine(o.VM); err == nil && o.VM != "" {
			v.VMs[i].Adapters = virtualization.Insert(v.VMs[i].Adapters, o.Place, a)
			return
		}
		v.Host = virtualization.Insert(v.Host, o.Place, a)
		if i, err := v.FindSwitch(a.Switch); err == nil && strings.EqualFold(v.Switches[i].Name, a.Name) {
			v.Switches[i].ManagementOS = true
		}
	})
	return nil
}

func (o RemoveVMAdapter) inverse(h *Host) (Operation, error) {
	a, err := h.virtual.FindAdapter(virtualization.AdapterName(o))
	if err != nil {
		return nil, err
	}
	list := h.virtual.Host
	if i, err := h.virtual.FindMachine(o.VM); err == nil && o.VM != "" {
		list = h.virtual.VMs[i].Adapters
	}
	place := 1 + slices.IndexFunc(list, func(one virtualization.Adapter) bool { return one.Name == a.Name })
	return AddVMAdapter{o.VM, a.Record(), place}, nil
}

func (o RemoveVMAdapter) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	is := func(a virtualization.Adapter) bool { return strings.EqualFold(a.Name, o.Adapter) }
	h.changeMachine(o.VM, virtualization.Answers{}, func(v virtualization.Hypervisor) {
		if i, err := v.FindMachine(o.VM); err == nil && o.VM != "" {
			v.VMs[i].Adapters = slices.DeleteFunc(v.VMs[i].Adapters, is)
			return
		}
		for _, a := range v.Host {
			if i, err := v.FindSwitch(a.Switch); err == nil && is(a) && strings.EqualFold(v.Switches[i].Name, a.Name) {
				v.Switches[i].ManagementOS = false
			}
		}
		v.Host = slices.DeleteFunc(v.Host, is)
	})
	return nil
}

// change sets the fields of an adapter that are to change, and gives the Operation that sets them back.
func (o SetVMAdapter) change(a *virtualization.VMAdapterRecord, dynamic description.MAC) SetVMAdapter {
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
	if o.VirtualSubnet != nil {
		back.VirtualSubnet = new(a.VirtualSubnet)
		a.VirtualSubnet = *o.VirtualSubnet
	}
	back.VLAN, back.IovWeight = number(o.VLAN, &a.VLAN), number(o.IovWeight, &a.IovWeight)
	back.VmqWeight, back.VmmqQueuePairs = number(o.VmqWeight, &a.VmqWeight), number(o.VmmqQueuePairs, &a.VmmqQueuePairs)
	back.IovQueuePairs, back.RdmaWeight = number(o.IovQueuePairs, &a.IovQueuePairs), number(o.RdmaWeight, &a.RdmaWeight)
	return back
}

func (o SetVMAdapter) nothing() bool {
	return o.Switch == nil && o.MAC == nil && o.VLAN == nil && o.IovWeight == nil && o.VmqWeight == nil && o.VmmqEnabled == nil &&
		o.VmmqQueuePairs == nil && o.IovQueuePairs == nil && o.RdmaWeight == nil && o.VirtualSubnet == nil
}

func (o SetVMAdapter) inverse(h *Host) (Operation, error) {
	name := virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter}
	a, err := h.virtual.FindAdapter(name)
	if err != nil {
		return nil, err
	}
	if o.nothing() {
		return nil, request.Unchanged("nothing of the adapter is to change")
	}
	if a.Quarantine != "" && o.Switch != nil {
		return nil, errors.New("it is in quarantine; release it first")
	}
	next := a.VMAdapterRecord
	next.Claim = 0
	back := o.change(&next, virtualization.DynamicMAC(h.lab.Description().Host.Name, name))
	if err := h.hypervisor().CheckAdapter(o.VM, &next); err != nil {
		return nil, err
	}
	if o.VM != "" {
		i, err := h.virtual.FindMachine(o.VM)
		if err != nil {
			return nil, err
		}
		back.Answers = h.virtual.VMs[i].AnswersOf(a)
	}
	return back, nil
}

func (o SetVMAdapter) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	name := virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter}
	h.changeMachine(o.VM, o.Answers, func(v virtualization.Hypervisor) {
		a, err := v.FindAdapter(name)
		h.must(err)
		o.change(&a.VMAdapterRecord, virtualization.DynamicMAC(h.lab.Description().Host.Name, name))
	})
	return nil
}
