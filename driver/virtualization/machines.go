package virtualization

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/driver/request"
)

func (o CreateVM) Inverse(v Hypervisor) (Operation, error) {
	if err := v.requireRole(); err != nil {
		return nil, err
	}
	r := &o.VM
	if err := request.CheckName("virtual machine", r.Name); err != nil {
		return nil, err
	}
	if strings.Contains(r.Name, "/") {
		return nil, errors.New("the name of a virtual machine can't have a slash")
	}
	if _, err := v.FindMachine(r.Name); err == nil {
		return nil, request.Errorf("there is a virtual machine %q already", r.Name)
	}
	if len(v.VMs) >= MaxMachines {
		return nil, fmt.Errorf("the host has %d virtual machines, the maximum", MaxMachines)
	}
	if r.State != "" {
		if err := checkState(r.State); err != nil {
			return nil, err
		}
	}
	if err := checkVersion(r.GuestDriver); err != nil {
		return nil, err
	}
	if err := checkSystem(r.System, r.Memory); err != nil {
		return nil, err
	}
	if len(r.Adapters) > MaxAdapters {
		return nil, errTooManyAdapters
	}
	for i := range r.Adapters {
		a := &r.Adapters[i]
		if err := v.checkAdapter(r.Name, a); err != nil {
			return nil, err
		}
		for _, other := range r.Adapters[:i] {
			if strings.EqualFold(other.Name, a.Name) {
				return nil, request.Errorf("two of its adapters are named %q", a.Name)
			}
			if a.StaticMAC && other.MAC == a.MAC {
				return nil, fmt.Errorf("two of its adapters have the MAC address %s", a.MAC)
			}
		}
	}
	return RemoveVM{r.Name}, nil
}

var errTooManyAdapters = fmt.Errorf("a virtual machine can have at most %d network adapters", MaxAdapters)

func (o CreateVM) Apply(v Hypervisor) error {
	r := &o.VM
	m := Machine{Name: r.Name, State: r.State, GuestDriver: r.GuestDriver, System: r.System, Memory: r.Memory, NetVSC: v.newNetVSC(r)}
	if m.State == "" {
		m.State = VMOff
	}
	if m.Memory == DefaultMemoryMB {
		m.Memory = 0
	}
	var before Answers
	for i := range r.Adapters {
		before.addRecord(m.Name, &r.Adapters[i])
		m.Adapters = append(m.Adapters, v.adapterFrom(m.Name, r.Adapters[i]))
	}
	v.changeMachine(m.Name, before, func() { v.VMs = insert(v.VMs, o.Place, m) })
	return nil
}

func (o RemoveVM) Inverse(v Hypervisor) (Operation, error) {
	i, err := v.FindMachine(o.VM)
	if err != nil {
		return nil, err
	}
	return CreateVM{v.record(&v.VMs[i]), i + 1}, nil
}

func (o RemoveVM) Apply(v Hypervisor) error {
	v.changeMachine(o.VM, Answers{}, func() {
		v.VMs = slices.DeleteFunc(v.VMs, func(m Machine) bool { return strings.EqualFold(m.Name, o.VM) })
	})
	return nil
}

func (o SetVMState) Inverse(v Hypervisor) (Operation, error) {
	i, err := v.FindMachine(o.VM)
	if err != nil {
		return nil, err
	}
	m := &v.VMs[i]
	if err := checkState(o.State); err != nil {
		return nil, err
	}
	if m.State == o.State {
		return nil, request.Unchanged("it is %s already", strings.ToLower(string(o.State)))
	}
	if err := checkTransition(m.State, o.State); err != nil && !o.Back {
		return nil, err
	}
	back := SetVMState{VM: o.VM, State: m.State, Answers: m.answersOf(nil), Back: checkTransition(o.State, m.State) != nil}
	for j := range m.Adapters {
		if m.Adapters[j].Released {
			back.Released = append(back.Released, m.Adapters[j].Name)
		}
	}
	return back, nil
}

// Apply returns the ports of a machine that stops or starts to the filter platform.
func (o SetVMState) Apply(v Hypervisor) error {
	v.changeMachine(o.VM, o.Answers, func() {
		i, err := v.FindMachine(o.VM)
		panicOn(err)
		m := &v.VMs[i]
		started := o.State == VMRunning && m.State == VMOff
		for j := range m.Adapters {
			a := &m.Adapters[j]
			a.Released = a.Released && !started && o.State != VMOff || slices.Contains(o.Released, a.Name)
		}
		m.State = o.State
	})
	return nil
}

func checkState(s VMState) error {
	if slices.Contains(VMStates(), s) {
		return nil
	}
	return request.Errorf("invalid state %q of a virtual machine; it must be Off, Running, Paused or Saved", s)
}

func (o SetGuestDriver) Inverse(v Hypervisor) (Operation, error) {
	i, err := v.FindMachine(o.VM)
	if err != nil {
		return nil, err
	}
	if err := checkVersion(o.Version); err != nil {
		return nil, err
	}
	m := &v.VMs[i]
	if m.GuestDriver == o.Version {
		return nil, request.Unchanged("it has this driver already")
	}
	return SetGuestDriver{o.VM, m.GuestDriver, m.answersOf(nil)}, nil
}

func (o SetGuestDriver) Apply(v Hypervisor) error {
	v.changeMachine(o.VM, o.Answers, func() {
		i, err := v.FindMachine(o.VM)
		panicOn(err)
		v.VMs[i].GuestDriver = o.Version
	})
	return nil
}
