package driver

import (
	"errors"

	"cxdeck/device/description"
	"cxdeck/driver/request"
	"cxdeck/driver/virtualization"
)

func (o CreateVM) inverse(h *Host) (Operation, error) {
	return RemoveVM{o.VM.Name}, h.hypervisor().CheckMachine(&o.VM)
}

func (o CreateVM) apply(h *Host) error {
	return h.applyVirtual(o, func(v virtualization.Hypervisor) { v.AddMachine(&o.VM, o.Place) })
}

func (o RemoveVM) inverse(h *Host) (Operation, error) {
	r, place, err := h.virtual.MachineRecord(o.VM)
	return CreateVM{r, place}, err
}

func (o RemoveVM) apply(h *Host) error {
	return h.applyVirtual(o, func(v virtualization.Hypervisor) { v.RemoveMachine(o.VM) })
}

func (o SetVMState) change() virtualization.StateChange {
	return virtualization.StateChange{To: o.State, Released: o.Released, Answers: o.Answers, Back: o.Back}
}

func (o SetVMState) inverse(h *Host) (Operation, error) {
	c, err := h.virtual.Reverse(o.VM, o.change())
	return SetVMState{o.VM, c.To, c.Released, c.Answers, c.Back}, err
}

func (o SetVMState) apply(h *Host) error {
	return h.applyVirtual(o, func(v virtualization.Hypervisor) { v.SetState(o.VM, o.change()) })
}

func (o SetGuestDriver) inverse(h *Host) (Operation, error) {
	now, answers, err := h.virtual.CheckGuestDriver(o.VM, o.Version)
	return SetGuestDriver{o.VM, now, answers}, err
}

func (o SetGuestDriver) apply(h *Host) error {
	return h.applyVirtual(o, func(v virtualization.Hypervisor) { v.SetGuestDriver(o.VM, o.Version, o.Answers) })
}

func (o AddVMAdapter) inverse(h *Host) (Operation, error) {
	return RemoveVMAdapter{o.VM, o.Adapter.Name}, h.hypervisor().CheckNewAdapter(o.VM, &o.Adapter)
}

func (o AddVMAdapter) apply(h *Host) error {
	return h.applyVirtual(o, func(v virtualization.Hypervisor) { v.AddAdapter(o.VM, &o.Adapter, o.Place) })
}

func (o RemoveVMAdapter) inverse(h *Host) (Operation, error) {
	r, place, err := h.virtual.AdapterRecord(virtualization.AdapterName(o))
	return AddVMAdapter{o.VM, r, place}, err
}

func (o RemoveVMAdapter) apply(h *Host) error {
	return h.applyVirtual(o, func(v virtualization.Hypervisor) { v.RemoveAdapter(virtualization.AdapterName(o)) })
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

func (o SetVMAdapter) name() virtualization.AdapterName {
	return virtualization.AdapterName{VM: o.VM, Adapter: o.Adapter}
}

func (o SetVMAdapter) inverse(h *Host) (Operation, error) {
	a, err := h.virtual.FindAdapter(o.name())
	switch {
	case err != nil:
		return nil, err
	case o.nothing():
		return nil, request.Unchanged("nothing of the adapter is to change")
	case a.Quarantine != "" && o.Switch != nil:
		return nil, errors.New("it is in quarantine; release it first")
	}
	next := a.VMAdapterRecord
	next.Claim = 0
	back := o.change(&next, h.hypervisor().DynamicMAC(o.name()))
	back.Answers = h.virtual.AnswersOf(o.name())
	return back, h.hypervisor().CheckAdapter(o.VM, &next)
}

func (o SetVMAdapter) apply(h *Host) error {
	return h.applyVirtual(o, func(v virtualization.Hypervisor) {
		v.ChangeAdapter(o.name(), o.Answers, func(r *virtualization.VMAdapterRecord) { o.change(r, v.DynamicMAC(o.name())) })
	})
}
