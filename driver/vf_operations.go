package driver

import (
	"errors"
	"fmt"

	"cxdeck/device/description"
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
	for _, kind := range description.FaultKinds() { // faults that a reset clears
		if kind == description.FirmwareLoad || kind == description.Storm {
			h.must(h.lab.SetFunctionFault(port, o.Function, kind, 0))
		}
	}
	h.changeVirtual(func(v virtualization.Hypervisor) {
		v.Each(func(_ virtualization.AdapterName, _ *virtualization.Machine, a *virtualization.Adapter) {
			if a.Port == port && a.Function == o.Function {
				a.AddChange(virtualization.VFChange{At: h.Now(), Path: a.Path, Why: "the virtual function was reset"})
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
	now, err := h.virtual.CheckQuarantine(name, o.Reason)
	return Quarantine{o.VM, o.Adapter, now, h.virtual.AnswersOf(name)}, err
}

func (o Quarantine) apply(h *Host) error {
	return h.applyVirtual(o, func(v virtualization.Hypervisor) {
		v.ChangeAdapter(virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter}, o.Answers, func(r *virtualization.VMAdapterRecord) { r.Quarantine = o.Reason })
	})
}

func (o ReleasePort) inverse(h *Host) (Operation, error) {
	return ReleasePort{o.VM, o.Adapter, !o.Back}, h.virtual.CheckRelease(virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter}, o.Back)
}

func (o ReleasePort) apply(h *Host) error {
	return h.applyVirtual(o, func(v virtualization.Hypervisor) {
		v.ChangeAdapter(virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter}, virtualization.Answers{},
			func(r *virtualization.VMAdapterRecord) { r.Released = !o.Back })
	})
}
