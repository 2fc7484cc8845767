package virtualization

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"cxdeck/device/description"
	"cxdeck/driver/request"
)

// CheckMachine says why no machine can be made of a record.
func (v Hypervisor) CheckMachine(r *VMRecord) error {
	if err := request.CheckName("virtual machine", r.Name); err != nil {
		return err
	}
	if strings.Contains(r.Name, "/") {
		return errors.New("the name of a virtual machine can't have a slash")
	}
	if _, err := v.FindMachine(r.Name); err == nil {
		return fmt.Errorf("a virtual machine is called %q already", r.Name)
	}
	if len(v.VMs) >= MaxMachines {
		return fmt.Errorf("the host has %d virtual machines, which is the most it can have", MaxMachines)
	}
	if r.State != "" {
		if err := checkState(r.State); err != nil {
			return err
		}
	}
	if err := checkVersion(r.GuestDriver); err != nil {
		return err
	}
	if err := checkSystem(r.System, r.Memory); err != nil {
		return err
	}
	if len(r.Adapters) > MaxAdapters {
		return errTooManyAdapters
	}
	for i := range r.Adapters {
		a := &r.Adapters[i]
		if err := v.CheckAdapter(r.Name, a); err != nil {
			return err
		}
		for _, other := range r.Adapters[:i] {
			if strings.EqualFold(other.Name, a.Name) {
				return fmt.Errorf("two of its adapters are called %q", a.Name)
			}
			if a.StaticMAC && other.MAC == a.MAC {
				return fmt.Errorf("two of its adapters have the MAC address %s", a.MAC)
			}
		}
	}
	return nil
}

var errTooManyAdapters = fmt.Errorf("a virtual machine has %d network adapters at most", MaxAdapters)

// AddMachine adds the machine of a record that CheckMachine takes, at a place that counts from 1; 0 is the end.
func (v Hypervisor) AddMachine(r *VMRecord, place int) {
	m := Machine{Name: r.Name, State: r.State, GuestDriver: r.GuestDriver, System: r.System, Memory: r.Memory}
	if m.State == "" {
		m.State = VMOff
	}
	if m.Memory == DefaultMemoryMB {
		m.Memory = 0
	}
	var before Answers
	for i := range r.Adapters {
		before.addRecord(m.Name, &r.Adapters[i])
		m.Adapters = append(m.Adapters, v.addressed(m.Name, r.Adapters[i]))
	}
	v.changeMachine(m.Name, before, func() { v.VMs = insert(v.VMs, place, m) })
}

// MachineRecord is what makes a machine again, and its place.
func (v *State) MachineRecord(name string) (r VMRecord, place int, err error) {
	i, err := v.FindMachine(name)
	if err != nil {
		return r, 0, err
	}
	return v.VMs[i].record(), i + 1, nil
}

// RemoveMachine removes a virtual machine.
func (v Hypervisor) RemoveMachine(name string) {
	v.changeMachine(name, Answers{}, func() {
		v.VMs = slices.DeleteFunc(v.VMs, func(m Machine) bool { return strings.EqualFold(m.Name, name) })
	})
}

// StateChange is a change of a machine's state.
type StateChange struct {
	To VMState
	// Released are adapters whose ports stay out of the filter platform, and Answers what adapters are told; for taking a
	// stop back. Back allows a transition that Hyper-V does not allow.
	Released []string
	Answers  Answers
	Back     bool
}

// Reverse is the change that takes another one of a machine back, or why that can't be made.
func (v *State) Reverse(machine string, c StateChange) (back StateChange, err error) {
	i, err := v.FindMachine(machine)
	if err != nil {
		return back, err
	}
	m := &v.VMs[i]
	if err := checkState(c.To); err != nil {
		return back, err
	}
	if m.State == c.To {
		return back, request.Unchanged("it is %s already", strings.ToLower(string(c.To)))
	}
	if err := checkTransition(m.State, c.To); err != nil && !c.Back {
		return back, err
	}
	back = StateChange{To: m.State, Answers: m.answersOf(nil), Back: checkTransition(c.To, m.State) != nil}
	for j := range m.Adapters {
		if m.Adapters[j].Released {
			back.Released = append(back.Released, m.Adapters[j].Name)
		}
	}
	return back, nil
}

// SetState changes the state of a machine. A machine that stops or starts has its ports in the filter platform again.
func (v Hypervisor) SetState(machine string, c StateChange) {
	v.changeMachine(machine, c.Answers, func() {
		i, err := v.FindMachine(machine)
		panicOn(err)
		m := &v.VMs[i]
		started := c.To == VMRunning && m.State == VMOff
		for j := range m.Adapters {
			a := &m.Adapters[j]
			a.Released = a.Released && !started && c.To != VMOff || slices.Contains(c.Released, a.Name)
		}
		m.State = c.To
	})
}

// CheckGuestDriver says why a machine can't get a driver, and gives the present one with the answers of its adapters.
func (v *State) CheckGuestDriver(machine, version string) (now string, answers Answers, err error) {
	i, err := v.FindMachine(machine)
	if err != nil {
		return "", answers, err
	}
	if err := checkVersion(version); err != nil {
		return "", answers, err
	}
	m := &v.VMs[i]
	if m.GuestDriver == version {
		return "", answers, request.Unchanged("that is the driver it has")
	}
	return m.GuestDriver, m.answersOf(nil), nil
}

// SetGuestDriver installs a version of the driver in a machine, or removes it.
func (v Hypervisor) SetGuestDriver(machine, version string, before Answers) {
	v.changeMachine(machine, before, func() {
		i, err := v.FindMachine(machine)
		panicOn(err)
		v.VMs[i].GuestDriver = version
	})
}

// CheckNewAdapter says why a machine, or the host without a name, can't get an adapter.
func (v Hypervisor) CheckNewAdapter(machine string, r *VMAdapterRecord) error {
	if _, err := v.FindAdapter(AdapterName{machine, r.Name}); err == nil {
		return fmt.Errorf("a network adapter is called %q there already", r.Name)
	}
	if machine != "" {
		i, err := v.FindMachine(machine)
		if err != nil {
			return err
		}
		if len(v.VMs[i].Adapters) >= MaxAdapters {
			return errTooManyAdapters
		}
	}
	return v.CheckAdapter(machine, r)
}

// AddAdapter adds an adapter that CheckNewAdapter takes, at a place that counts from 1; 0 is the end.
func (v Hypervisor) AddAdapter(machine string, r *VMAdapterRecord, place int) {
	a := v.addressed(machine, *r)
	var before Answers
	before.addRecord(machine, r)
	v.changeMachine(machine, before, func() {
		if i, err := v.FindMachine(machine); err == nil && machine != "" {
			v.VMs[i].Adapters = insert(v.VMs[i].Adapters, place, a)
			return
		}
		v.Host = insert(v.Host, place, a)
		v.setManagement(&a, true)
	})
}

// setManagement keeps in mind whether the host has the adapter that a switch gave it, which is called like the switch.
func (v *State) setManagement(a *Adapter, on bool) {
	if i, err := v.FindSwitch(a.Switch); err == nil && strings.EqualFold(v.Switches[i].Name, a.Name) {
		v.Switches[i].ManagementOS = on
	}
}

// AdapterRecord is what makes an adapter again, and its place.
func (v *State) AdapterRecord(name AdapterName) (r VMAdapterRecord, place int, err error) {
	a, err := v.FindAdapter(name)
	if err != nil {
		return r, 0, err
	}
	list := v.Host
	if i, err := v.FindMachine(name.VM); err == nil && name.VM != "" {
		list = v.VMs[i].Adapters
	}
	return a.Record(), 1 + slices.IndexFunc(list, func(one Adapter) bool { return one.Name == a.Name }), nil
}

// RemoveAdapter removes an adapter.
func (v Hypervisor) RemoveAdapter(name AdapterName) {
	is := func(a Adapter) bool { return strings.EqualFold(a.Name, name.Adapter) }
	v.changeMachine(name.VM, Answers{}, func() {
		if i, err := v.FindMachine(name.VM); err == nil && name.VM != "" {
			v.VMs[i].Adapters = slices.DeleteFunc(v.VMs[i].Adapters, is)
			return
		}
		for i := range v.Host {
			if is(v.Host[i]) {
				v.setManagement(&v.Host[i], false)
			}
		}
		v.Host = slices.DeleteFunc(v.Host, is)
	})
}

// ChangeAdapter makes a change to the record of an adapter.
func (v Hypervisor) ChangeAdapter(name AdapterName, before Answers, change func(*VMAdapterRecord)) {
	v.changeMachine(name.VM, before, func() {
		a, err := v.FindAdapter(name)
		panicOn(err)
		change(&a.VMAdapterRecord)
	})
}

// AnswersOf are the answers of an adapter of a machine; none for the host's adapters.
func (v *State) AnswersOf(name AdapterName) (list Answers) {
	i, err := v.FindMachine(name.VM)
	if err != nil || name.VM == "" {
		return list
	}
	if a, err := v.FindAdapter(name); err == nil {
		list = v.VMs[i].answersOf(a)
	}
	return list
}

// DynamicMAC is the address that Hyper-V gives an adapter: of its own range, and by the names.
func (v Hypervisor) DynamicMAC(name AdapterName) description.MAC {
	return dynamicMAC(v.Lab().Description().Host.Name, name)
}

// CheckQuarantine says why an adapter can't go into quarantine for a reason, or leave it for an empty one, and gives the
// present reason.
func (v *State) CheckQuarantine(name AdapterName, reason string) (now string, err error) {
	if name.VM == "" {
		return "", errors.New("only an adapter of a virtual machine can be quarantined")
	}
	a, err := v.FindAdapter(name)
	switch {
	case err != nil:
		return "", err
	case reason == "" && a.Quarantine == "":
		return "", request.Unchanged("it is in no quarantine")
	case len(reason) > MaxReason || strings.ContainsFunc(reason, request.Unsafe):
		return "", fmt.Errorf("a reason has %d bytes at most, and no control characters", MaxReason)
	}
	return a.Quarantine, nil
}

// CheckRelease says why the port of an adapter can't be taken out of the filter platform, or put back.
func (v *State) CheckRelease(name AdapterName, back bool) error {
	a, err := v.FindAdapter(name)
	if err != nil {
		return err
	}
	i, err := v.FindSwitch(a.Switch)
	switch {
	case name.VM == "":
		return errors.New("the filter platform holds ports of virtual machines only")
	case err != nil || v.Switches[i].Extension != ExtensionVFP:
		return errors.New("its switch has no filter platform; enable the extension first")
	case a.Released != back && back:
		return request.Unchanged("the filter platform holds it already")
	case a.Released != back:
		return request.Unchanged("it is out of the filter platform already")
	}
	return nil
}

func checkState(s VMState) error {
	if slices.Contains(VMStates(), s) {
		return nil
	}
	return fmt.Errorf("a virtual machine has no state %q; it is Off, Running, Paused or Saved", s)
}
