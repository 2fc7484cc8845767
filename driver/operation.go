package driver

import (
	"cxdeck/driver/adapters"
	"cxdeck/driver/boot"
	"cxdeck/driver/dump"
	"cxdeck/driver/fabric"
	"cxdeck/driver/flash"
	"cxdeck/driver/hardware"
	"cxdeck/driver/health/healing"
	"cxdeck/driver/health/installer"
	"cxdeck/driver/intent"
	"cxdeck/driver/journal"
	"cxdeck/driver/linux"
	"cxdeck/driver/mpi"
	"cxdeck/driver/opensm"
	"cxdeck/driver/operation"
	"cxdeck/driver/packages"
	"cxdeck/driver/power"
	"cxdeck/driver/qos"
	"cxdeck/driver/registry/edit"
	"cxdeck/driver/services"
	"cxdeck/driver/stack"
	"cxdeck/driver/subnet"
	"cxdeck/driver/teams"
	"cxdeck/driver/virtualization"
)

// inverse returns the Operation that undoes o, found before o is applied, or why o can't be applied.
func (h *Host) inverse(o Operation) (Operation, error) {
	if err := h.powerSet().Refusal(o.Kind()); err != nil {
		return nil, err
	}
	switch o := o.(type) {
	case adapters.Operation:
		return o.Inverse(partHost{h})
	case teams.Operation:
		return o.Inverse(h.teamSet())
	case fabric.Operation:
		return o.Inverse(h.fabricSet())
	case qos.Operation:
		return o.Inverse(h.qosSet())
	case stack.Operation:
		return o.Inverse(h.stackSet())
	case services.Operation:
		return o.Inverse(h.programSet().Services())
	case linux.Operation:
		return o.Inverse(h.programSet().LinuxHost())
	case opensm.Operation:
		return o.Inverse(h.programSet().Managers())
	case mpi.Operation:
		return o.Inverse(&h.mpi)
	case boot.Operation:
		return o.Inverse(h.bootSet())
	case power.Operation:
		return o.Inverse(h.powerSet())
	case healing.Operation:
		return o.Inverse(h.healingSet())
	case flash.Operation:
		return o.Inverse(h.flashSet())
	case packages.Operation:
		return o.Inverse(h.packageSet())
	case installer.Operation:
		return o.Inverse(partHost{h})
	case hardware.Operation:
		return o.Inverse(partHost{h})
	case subnet.Operation:
		return o.Inverse(partHost{h})
	case intent.Operation:
		return o.Inverse(partHost{h})
	case virtualization.Operation:
		return o.Inverse(h.hypervisor())
	case edit.Operation:
		return o.Inverse(h.edits())
	case dump.Operation:
		return o.Inverse(h.dumpSet())
	}
	return nil, &journal.UnknownOperationError{Operation: o.Kind()}
}

// change applies an Operation completely or not at all, after inverse has found that it can be applied.
func (h *Host) change(o Operation) error {
	switch o := o.(type) {
	case adapters.Operation:
		return o.Apply(partHost{h})
	case teams.Operation:
		return o.Apply(h.teamSet())
	case fabric.Operation:
		return o.Apply(h.fabricSet())
	case qos.Operation:
		return o.Apply(h.qosSet())
	case stack.Operation:
		return o.Apply(h.stackSet())
	case services.Operation:
		return o.Apply(h.programSet().Services())
	case linux.Operation:
		return o.Apply(h.programSet().LinuxHost())
	case opensm.Operation:
		return o.Apply(h.programSet().Managers())
	case mpi.Operation:
		return o.Apply(&h.mpi)
	case boot.Operation:
		return o.Apply(h.bootSet())
	case power.Operation:
		return o.Apply(h.powerSet())
	case healing.Operation:
		return o.Apply(h.healingSet())
	case flash.Operation:
		return o.Apply(h.flashSet())
	case packages.Operation:
		return o.Apply(h.packageSet())
	case installer.Operation:
		return o.Apply(partHost{h})
	case hardware.Operation:
		return o.Apply(partHost{h})
	case subnet.Operation:
		return o.Apply(partHost{h})
	case intent.Operation:
		return o.Apply(partHost{h})
	case virtualization.Operation:
		return h.applyVirtual(o)
	case edit.Operation:
		return o.Apply(h.edits())
	case dump.Operation:
		return o.Apply(h.dumpSet())
	}
	return &journal.UnknownOperationError{Operation: o.Kind()}
}

// Differences returns the values that an Operation changes, before and after it; none for an Operation whose description has
// them all.
func (h *Host) Differences(o Operation) []operation.Difference {
	switch o := o.(type) {
	case operation.Differing[teams.Set]:
		return o.Differences(h.teamSet())
	case operation.Differing[virtualization.Hypervisor]:
		return o.Differences(h.hypervisor())
	case operation.Differing[adapters.Host]:
		return o.Differences(partHost{h})
	}
	return nil
}

// SetActor sets the author of future entries of the journal.
func (h *Host) SetActor(actor Actor) { h.actor = actor }

// Actor returns the author of future entries of the journal; the zero Actor when not set.
func (h *Host) Actor() Actor { return h.actor }
