package driver

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device"
	"cxdeck/driver/request"
)

// insert puts one into a list at a place that counts from 1, or at its end for 0 and what is beyond it.
func insert[T any](list []T, place int, one T) []T {
	if place < 1 || place > len(list) {
		return append(list, one)
	}
	return slices.Insert(list, place-1, one)
}

// VMStates are all of them.
func VMStates() []VMState { return []VMState{VMOff, VMRunning, VMPaused, VMSaved} }

func (o CreateVM) inverse(h *Host) (Operation, error) {
	if err := request.CheckName("virtual machine", o.VM.Name); err != nil {
		return nil, err
	}
	if strings.Contains(o.VM.Name, "/") {
		return nil, errors.New("the name of a virtual machine can't have a slash")
	}
	if _, err := h.virtual.vm(o.VM.Name); err == nil {
		return nil, fmt.Errorf("a virtual machine is called %q already", o.VM.Name)
	}
	if len(h.virtual.VMs) >= mostMachines {
		return nil, fmt.Errorf("the host has %d virtual machines, which is the most it can have", mostMachines)
	}
	if o.VM.State != "" && !slices.Contains(VMStates(), o.VM.State) {
		return nil, fmt.Errorf("a virtual machine has no state %q; it is Off, Running, Paused or Saved", o.VM.State)
	}
	if err := checkVersion(o.VM.GuestDriver); err != nil {
		return nil, err
	}
	if err := checkMachine(o.VM.System, o.VM.Memory); err != nil {
		return nil, err
	}
	if len(o.VM.Adapters) > mostVMAdapters {
		return nil, fmt.Errorf("a virtual machine has %d network adapters at most", mostVMAdapters)
	}
	for i := range o.VM.Adapters {
		a := &o.VM.Adapters[i]
		if err := h.checkVMAdapter(o.VM.Name, a); err != nil {
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

func checkVersion(version string) error {
	if len(version) > 64 || strings.ContainsFunc(version, request.Unsafe) {
		return errors.New("the version of a driver is a short text such as 24.4.26429")
	}
	return nil
}

// minMemoryMB is the least that Hyper-V gives a machine.
const minMemoryMB = 32

// checkMachine says why a machine can't have such a Windows or memory.
func checkMachine(system string, memory int) error {
	if len(system) > 120 || strings.ContainsFunc(system, request.Unsafe) {
		return errors.New("the system of a virtual machine is a short text such as Windows Server 2019")
	}
	if memory != 0 && (memory < minMemoryMB || memory > device.MaxMemoryMB) {
		return fmt.Errorf("the memory of a virtual machine is %d MB to %d MB, and not %d MB", minMemoryMB, device.MaxMemoryMB, memory)
	}
	return nil
}

// checkVMAdapter says why an adapter can't be.
func (h *Host) checkVMAdapter(machine string, a *VMAdapterRecord) error {
	if err := request.CheckName("network adapter", a.Name); err != nil {
		return err
	}
	if a.Switch != "" {
		if _, err := h.virtual.sw(a.Switch); err != nil {
			return err
		}
	} else if machine == "" {
		return errors.New("an adapter of the host needs a switch")
	}
	for _, one := range []struct {
		name        string
		n, low, top int
	}{
		{"the VLAN", a.VLAN, 0, 4094}, {"IovWeight", a.IovWeight, 0, 100}, {"VmqWeight", a.VmqWeight, 0, 100},
		{"RdmaWeight", a.RdmaWeight, 0, 100}, {"VmmqQueuePairs", a.VmmqQueuePairs, 1, 64},
		{"IovQueuePairsRequested", a.IovQueuePairs, 1, 64}, {"VirtualSubnetID", int(a.VirtualSubnet), 0, 1<<24 - 1},
		{"the claim", a.Claim, 0, device.MostFunctions},
	} {
		if one.n < one.low || one.n > one.top {
			return fmt.Errorf("%s of a network adapter is %d to %d, and not %d", one.name, one.low, one.top, one.n)
		}
	}
	if !(a.Share >= 0 && a.Share <= 1) {
		return fmt.Errorf("the share of a network adapter is 0 to 1, and not %v", a.Share)
	}
	if len(a.Quarantine) > mostReason || strings.ContainsFunc(a.Quarantine, request.Unsafe) {
		return fmt.Errorf("a reason has %d bytes at most, and no control characters", mostReason)
	}
	if a.MAC[0]&1 != 0 {
		return fmt.Errorf("%s is a multicast address; an adapter needs a unicast one", a.MAC)
	}
	if a.StaticMAC {
		return h.checkMAC(AdapterName{machine, a.Name}, a.MAC)
	}
	return nil
}

// checkMAC says why an adapter can't have a static address.
func (h *Host) checkMAC(of AdapterName, mac device.MAC) (err error) {
	if mac == (device.MAC{}) {
		return errors.New("a static MAC address can't be zero")
	}
	h.virtual.each(func(name AdapterName, _ *vm, a *vmAdapter) {
		if err == nil && a.MAC == mac && (!strings.EqualFold(name.VM, of.VM) || !strings.EqualFold(name.Adapter, of.Adapter)) {
			err = fmt.Errorf("%s has the MAC address %s already", name, mac)
		}
	})
	for port := range h.miniports {
		if err == nil && h.mac(port) == mac {
			err = fmt.Errorf("%s has the MAC address %s already", h.connection(port), mac)
		}
	}
	return err
}

// adopt makes an adapter of a record for a machine of the host.
func (h *Host) adopt(machine string, r VMAdapterRecord) vmAdapter {
	if !r.StaticMAC {
		r.MAC = dynamicMAC(h.lab.Description().Host.Name, AdapterName{machine, r.Name})
	}
	a := plug(r)
	a.Waits, a.Attached = false, false
	return a
}

func (o CreateVM) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	m := vm{Name: o.VM.Name, State: o.VM.State, GuestDriver: o.VM.GuestDriver, System: o.VM.System, Memory: o.VM.Memory}
	if m.State == "" {
		m.State = VMOff
	}
	if m.Memory == DefaultMemoryMB {
		m.Memory = 0
	}
	var before Answers
	for _, r := range o.VM.Adapters {
		before.remember(m.Name, &r)
		m.Adapters = append(m.Adapters, h.adopt(m.Name, r))
	}
	h.changeMachine(m.Name, before, func(v *virtualization) { v.VMs = insert(v.VMs, o.Place, m) })
	return nil
}

func (o RemoveVM) inverse(h *Host) (Operation, error) {
	i, err := h.virtual.vm(o.VM)
	if err != nil {
		return nil, err
	}
	return CreateVM{h.virtual.VMs[i].record(), i + 1}, nil
}

func (o RemoveVM) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	h.changeMachine(o.VM, Answers{}, func(v *virtualization) {
		v.VMs = slices.DeleteFunc(v.VMs, func(m vm) bool { return strings.EqualFold(m.Name, o.VM) })
	})
	return nil
}

// follows says why Hyper-V lets no state follow another.
func follows(now, next VMState) error {
	switch {
	case next != VMPaused && next != VMSaved || now == VMRunning || now == VMPaused && next == VMSaved:
		return nil
	case now == VMOff:
		return fmt.Errorf("it is off, and only a machine that runs can be %s; start it first", strings.ToLower(string(next)))
	}
	return fmt.Errorf("it is saved, and only a machine that runs can be %s; start it first", strings.ToLower(string(next)))
}

func (o SetVMState) inverse(h *Host) (Operation, error) {
	i, err := h.virtual.vm(o.VM)
	if err != nil {
		return nil, err
	}
	m := &h.virtual.VMs[i]
	switch {
	case !slices.Contains(VMStates(), o.State):
		return nil, fmt.Errorf("a virtual machine has no state %q; it is Off, Running, Paused or Saved", o.State)
	case m.State == o.State:
		return nil, request.Unchanged("it is %s already", strings.ToLower(string(o.State)))
	}
	if err := follows(m.State, o.State); err != nil && !o.Back {
		return nil, err
	}
	back := SetVMState{VM: o.VM, State: m.State, Answers: m.answersOf(nil)}
	back.Back = follows(o.State, m.State) != nil
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
	h.changeMachine(o.VM, o.Answers, func(v *virtualization) {
		i, err := v.vm(o.VM)
		h.must(err)
		m := &v.VMs[i]
		started := o.State == VMRunning && m.State == VMOff
		for j := range m.Adapters {
			a := &m.Adapters[j]
			if started || o.State == VMOff {
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
	i, err := h.virtual.vm(o.VM)
	if err != nil {
		return nil, err
	}
	if err := checkVersion(o.Version); err != nil {
		return nil, err
	}
	m := &h.virtual.VMs[i]
	if m.GuestDriver == o.Version {
		return nil, request.Unchanged("that is the driver it has")
	}
	return SetGuestDriver{o.VM, m.GuestDriver, m.answersOf(nil)}, nil
}

func (o SetGuestDriver) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	h.changeMachine(o.VM, o.Answers, func(v *virtualization) {
		i, err := v.vm(o.VM)
		h.must(err)
		v.VMs[i].GuestDriver = o.Version
	})
	return nil
}

func (o AddVMAdapter) inverse(h *Host) (Operation, error) {
	if _, err := h.virtual.adapter(AdapterName{o.VM, o.Adapter.Name}); err == nil {
		return nil, fmt.Errorf("a network adapter is called %q there already", o.Adapter.Name)
	}
	if o.VM != "" {
		i, err := h.virtual.vm(o.VM)
		if err != nil {
			return nil, err
		}
		if len(h.virtual.VMs[i].Adapters) >= mostVMAdapters {
			return nil, fmt.Errorf("a virtual machine has %d network adapters at most", mostVMAdapters)
		}
	}
	if err := h.checkVMAdapter(o.VM, &o.Adapter); err != nil {
		return nil, err
	}
	return RemoveVMAdapter{o.VM, o.Adapter.Name}, nil
}

func (o AddVMAdapter) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	a := h.adopt(o.VM, o.Adapter)
	var before Answers
	before.remember(o.VM, &o.Adapter)
	h.changeMachine(o.VM, before, func(v *virtualization) {
		if i, err := v.vm(o.VM); err == nil && o.VM != "" {
			v.VMs[i].Adapters = insert(v.VMs[i].Adapters, o.Place, a)
			return
		}
		v.Host = insert(v.Host, o.Place, a)
		if i, err := v.sw(a.Switch); err == nil && strings.EqualFold(v.Switches[i].Name, a.Name) {
			v.Switches[i].ManagementOS = true
		}
	})
	return nil
}

func (o RemoveVMAdapter) inverse(h *Host) (Operation, error) {
	a, err := h.virtual.adapter(AdapterName(o))
	if err != nil {
		return nil, err
	}
	list := h.virtual.Host
	if i, err := h.virtual.vm(o.VM); err == nil && o.VM != "" {
		list = h.virtual.VMs[i].Adapters
	}
	place := 1 + slices.IndexFunc(list, func(one vmAdapter) bool { return one.Name == a.Name })
	return AddVMAdapter{o.VM, a.record(), place}, nil
}

func (o RemoveVMAdapter) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	is := func(a vmAdapter) bool { return strings.EqualFold(a.Name, o.Adapter) }
	h.changeMachine(o.VM, Answers{}, func(v *virtualization) {
		if i, err := v.vm(o.VM); err == nil && o.VM != "" {
			v.VMs[i].Adapters = slices.DeleteFunc(v.VMs[i].Adapters, is)
			return
		}
		for _, a := range v.Host {
			if i, err := v.sw(a.Switch); err == nil && is(a) && strings.EqualFold(v.Switches[i].Name, a.Name) {
				v.Switches[i].ManagementOS = false
			}
		}
		v.Host = slices.DeleteFunc(v.Host, is)
	})
	return nil
}

// change sets the fields of an adapter that are to change, and gives the Operation that sets them back.
func (o SetVMAdapter) change(a *VMAdapterRecord, dynamic device.MAC) SetVMAdapter {
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
		old := device.MAC{}
		if a.StaticMAC {
			old = a.MAC
		}
		back.MAC = &old
		a.StaticMAC, a.MAC = *o.MAC != device.MAC{}, *o.MAC
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
	name := AdapterName{o.VM, o.Adapter}
	a, err := h.virtual.adapter(name)
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
	back := o.change(&next, dynamicMAC(h.lab.Description().Host.Name, name))
	if err := h.checkVMAdapter(o.VM, &next); err != nil {
		return nil, err
	}
	if o.VM != "" {
		i, err := h.virtual.vm(o.VM)
		if err != nil {
			return nil, err
		}
		back.Answers = h.virtual.VMs[i].answersOf(a)
	}
	return back, nil
}

func (o SetVMAdapter) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	name := AdapterName{o.VM, o.Adapter}
	h.changeMachine(o.VM, o.Answers, func(v *virtualization) {
		a, err := v.adapter(name)
		h.must(err)
		o.change(&a.VMAdapterRecord, dynamicMAC(h.lab.Description().Host.Name, name))
	})
	return nil
}
