package virtualization

// The optional interfaces of driver for Operations of this package: what they add, restart and concern.

func (CreateSwitch) Adds() bool            { return true }
func (RemoveSwitch) Adds() bool            { return false }
func (CreateVM) Adds() bool                { return true }
func (RemoveVM) Adds() bool                { return false }
func (AddVMAdapter) Adds() bool            { return true }
func (RemoveVMAdapter) Adds() bool         { return false }
func (AddNetVirtualization) Adds() bool    { return true }
func (RemoveNetVirtualization) Adds() bool { return false }

func (o SetNumVFs) Restarts() string { return o.Connection }

func (o SetVMAdapter) OnGuest() (vm, adapter string)   { return o.VM, o.Adapter }
func (o AddVMAdapter) OnGuest() (vm, adapter string)   { return o.VM, o.Adapter.Name }
func (o Quarantine) OnGuest() (vm, adapter string)     { return o.VM, o.Adapter }
func (o ReleasePort) OnGuest() (vm, adapter string)    { return o.VM, o.Adapter }
func (o SetVMState) OnGuest() (vm, adapter string)     { return o.VM, "" }
func (o SetGuestDriver) OnGuest() (vm, adapter string) { return o.VM, "" }

func (o SetVMAdapter) Connects() bool { return o.IovWeight != nil && *o.IovWeight > 0 }
func (AddVMAdapter) Connects() bool   { return true }

func (o ResetVF) OnFunction() (connection string, function int) { return o.Connection, o.Function }

func (ResetVF) Consequence() string {
	return "its guest's driver restarts; this can't be undone"
}

func (o SetVMAdapter) Consequence() string {
	switch {
	case o.IovWeight == nil:
		return ""
	case *o.IovWeight > 0:
		return "it gets a virtual function when one is free and the guest has a driver"
	}
	return "its traffic takes the synthetic path, through the virtual switch"
}

func (o Quarantine) Consequence() string {
	if o.Reason == "" {
		return ""
	}
	return "it is off the network until it is released"
}
