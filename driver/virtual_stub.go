package driver

import "errors"

var errStub = errors.New("not there yet")

const notSet = "N/A"

func newVMAdapter(name string) VMAdapterRecord {
	return VMAdapterRecord{Name: name, VmqWeight: 100, VmmqQueuePairs: 16, IovQueuePairs: 1}
}

func (o SetBIOS) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o SetBIOS) apply(h *Host) error { return errStub }

func (o SetFirmware) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o SetFirmware) apply(h *Host) error { return errStub }

func (o SetNumVFs) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o SetNumVFs) apply(h *Host) error { return errStub }

func (o SetSriovPorts) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o SetSriovPorts) apply(h *Host) error { return errStub }

func (o CreateSwitch) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o CreateSwitch) apply(h *Host) error { return errStub }

func (o RemoveSwitch) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o RemoveSwitch) apply(h *Host) error { return errStub }

func (o SetSwitch) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o SetSwitch) apply(h *Host) error { return errStub }

func (o CreateVM) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o CreateVM) apply(h *Host) error { return errStub }

func (o RemoveVM) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o RemoveVM) apply(h *Host) error { return errStub }

func (o SetVMState) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o SetVMState) apply(h *Host) error { return errStub }

func (o SetGuestDriver) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o SetGuestDriver) apply(h *Host) error { return errStub }

func (o AddVMAdapter) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o AddVMAdapter) apply(h *Host) error { return errStub }

func (o RemoveVMAdapter) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o RemoveVMAdapter) apply(h *Host) error { return errStub }

func (o SetVMAdapter) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o SetVMAdapter) apply(h *Host) error { return errStub }

func (o ResetVF) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o ResetVF) apply(h *Host) error { return errStub }

func (o Quarantine) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o Quarantine) apply(h *Host) error { return errStub }

func (o ReleasePort) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o ReleasePort) apply(h *Host) error { return errStub }

func (o SetFeature) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o SetFeature) apply(h *Host) error { return errStub }

func (o AddNetVirtualization) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o AddNetVirtualization) apply(h *Host) error { return errStub }

func (o RemoveNetVirtualization) inverse(h *Host) (Operation, error) { return nil, errStub }

func (o RemoveNetVirtualization) apply(h *Host) error { return errStub }
