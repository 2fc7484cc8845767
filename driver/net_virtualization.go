package driver

import (
	"errors"

	"cxdeck/driver/virtualization"
)

func (o AddNetVirtualization) inverse(h *Host) (Operation, error) {
	if o.Records.Empty() {
		return nil, errors.New("no record is named")
	}
	if err := o.Records.Check(virtualFacts{h}); err != nil {
		return nil, err
	}
	if _, err := h.virtual.Net.Add(o.Records); err != nil {
		return nil, err
	}
	return RemoveNetVirtualization{o.Records, true}, nil
}

func (o AddNetVirtualization) apply(h *Host) error {
	next, err := h.virtual.Net.Add(o.Records)
	if err == nil {
		h.recordNet(next)
	}
	return err
}

func (o RemoveNetVirtualization) inverse(h *Host) (Operation, error) {
	if o.Records.Empty() {
		return nil, errors.New("no record is named")
	}
	if _, err := o.remaining(h); err != nil {
		return nil, err
	}
	return RestoreNetVirtualization{h.virtual.Net}, nil
}

// remaining are the records that a host has after it.
func (o RemoveNetVirtualization) remaining(h *Host) (virtualization.NetVirtualization, error) {
	return h.virtual.Net.Remove(o.present(h))
}

// present are the records to remove; when an addition is taken back, only records that are still there.
func (o RemoveNetVirtualization) present(h *Host) virtualization.NetVirtualization {
	if !o.Back {
		return o.Records
	}
	return o.Records.Filter(h.virtual.Net, true)
}

func (o RemoveNetVirtualization) apply(h *Host) error {
	next, err := o.remaining(h)
	if err == nil {
		h.recordNet(next)
	}
	return err
}

// recordNet puts records in place of those that were, and lets the traffic of machines follow them.
func (h *Host) recordNet(r virtualization.NetVirtualization) {
	h.changeVirtual(func(v virtualization.Hypervisor) { v.Net = r })
	h.updateGuests()
}

// RestoreNetVirtualization makes the records of NVGRE what they were, in their order: it takes a removal back.
type RestoreNetVirtualization struct {
	Records virtualization.NetVirtualization `json:"records"`
}

func (RestoreNetVirtualization) Kind() string { return "restore-net-virtualization" }

// Target says what they are of.
func (RestoreNetVirtualization) Target() string { return virtualization.NetTarget }

func (o RestoreNetVirtualization) Describe() string {
	return "make the records of " + virtualization.NetTarget + " what they were"
}

// Commands are those that add the records; Host.Commands leaves out what is there.
func (o RestoreNetVirtualization) Commands() []string { return AddNetVirtualization(o).Commands() }

func (o RestoreNetVirtualization) inverse(h *Host) (Operation, error) {
	if err := o.Records.Check(virtualFacts{h}); err != nil {
		return nil, err
	}
	return RestoreNetVirtualization{h.virtual.Net}, nil
}

func (o RestoreNetVirtualization) apply(h *Host) error {
	if err := o.Records.Check(virtualFacts{h}); err != nil {
		return err
	}
	if _, err := (virtualization.NetVirtualization{}).Add(o.Records); err != nil {
		return err
	}
	h.recordNet(o.Records.Clone())
	return nil
}

// missing adds the records that a host does not have.
func (o RestoreNetVirtualization) missing(h *Host) AddNetVirtualization {
	return AddNetVirtualization{o.Records.Filter(h.virtual.Net, false)}
}
