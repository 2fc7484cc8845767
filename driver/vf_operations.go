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

func (o ResetVF) inverse(h *Host) (Operation, error) {
	port, err := h.port(o.Connection)
	if err != nil {
		return nil, err
	}
	if open := h.lab.VirtualFunctions(port); o.Function < 0 || o.Function >= open {
		if open == 0 {
			return nil, errors.New("the port has no virtual functions")
		}
		return nil, fmt.Errorf("the port has the virtual functions 0 to %d", open-1)
	}
	if h.miniports[port].state != Running {
		return nil, errNotRunning
	}
	return nil, nil
}

func (o ResetVF) apply(h *Host) error {
	port, err := h.port(o.Connection)
	if err != nil {
		return err
	}
	h.lab.ResetFunction(port, o.Function)
	for _, kind := range description.FaultKinds() { // what hung or ran wild inside of it begins anew
		if kind == description.FirmwareLoad || kind == description.Storm {
			h.must(h.lab.SetFunctionFault(port, o.Function, kind, 0))
		}
	}
	h.changeVirtual(func(v virtualization.Hypervisor) {
		v.Each(func(_ virtualization.AdapterName, _ *virtualization.Machine, a *virtualization.Adapter) {
			if a.Port == port && a.Function == o.Function {
				a.History = append(slices.Clone(a.History), virtualization.VFChange{At: h.Now(), Path: a.Path, Why: "the virtual function was reset"})
				a.History = a.History[max(0, len(a.History)-virtualization.KeptChanges):]
			}
		})
	})
	h.miniports[port].watch.Restart(h.lab, port)
	return nil
}

// stoppedGuests is the machine whose guest driver restarts with the function.
func (o ResetVF) stoppedGuests(h *Host) []string {
	port, err := h.port(o.Connection)
	if err != nil {
		return nil
	}
	for i := range h.virtual.VMs {
		for j := range h.virtual.VMs[i].Adapters {
			if a := &h.virtual.VMs[i].Adapters[j]; a.Port == port && a.Function == o.Function {
				return []string{h.virtual.VMs[i].Name}
			}
		}
	}
	return nil
}

func (o Quarantine) inverse(h *Host) (Operation, error) {
	name := virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter}
	if o.VM == "" {
		return nil, errors.New("only an adapter of a virtual machine can be quarantined")
	}
	a, err := h.virtual.FindAdapter(name)
	switch {
	case err != nil:
		return nil, err
	case o.Reason == "" && a.Quarantine == "":
		return nil, request.Unchanged("it is in no quarantine")
	case len(o.Reason) > virtualization.MaxReason || strings.ContainsFunc(o.Reason, request.Unsafe):
		return nil, fmt.Errorf("a reason has %d bytes at most, and no control characters", virtualization.MaxReason)
	}
	i, err := h.virtual.FindMachine(o.VM)
	return Quarantine{o.VM, o.Adapter, a.Quarantine, h.virtual.VMs[i].AnswersOf(a)}, err
}

func (o Quarantine) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	h.changeMachine(o.VM, o.Answers, func(v virtualization.Hypervisor) {
		a, err := v.FindAdapter(virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter})
		h.must(err)
		a.Quarantine = o.Reason
	})
	return nil
}

func (o ReleasePort) inverse(h *Host) (Operation, error) {
	a, err := h.virtual.FindAdapter(virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter})
	if err != nil {
		return nil, err
	}
	i, err := h.virtual.FindSwitch(a.Switch)
	switch {
	case o.VM == "":
		return nil, errors.New("the filter platform holds ports of virtual machines only")
	case err != nil || h.virtual.Switches[i].Extension != virtualization.ExtensionVFP:
		return nil, errors.New("its switch has no filter platform; enable the extension first")
	case a.Released != o.Back && o.Back:
		return nil, request.Unchanged("the filter platform holds it already")
	case a.Released != o.Back:
		return nil, request.Unchanged("it is out of the filter platform already")
	}
	return ReleasePort{o.VM, o.Adapter, !o.Back}, nil
}

func (o ReleasePort) apply(h *Host) error {
	if _, err := o.inverse(h); err != nil {
		return err
	}
	h.changeMachine(o.VM, virtualization.Answers{}, func(v virtualization.Hypervisor) {
		a, err := v.FindAdapter(virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter})
		h.must(err)
		a.Released = !o.Back
	})
	return nil
}
