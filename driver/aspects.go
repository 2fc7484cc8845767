package driver

import "cxdeck/driver/registry"

// What an Operation may say of itself besides. Who shows or weighs Operations asks for these in place of their types.
type (
	// Adder is an Operation that brings what it names into being, or takes it away: then Adds is false.
	Adder interface{ Adds() bool }
	// Restarter is an Operation that stops and starts adapters: the one of a connection, or several when it is empty.
	Restarter interface{ Restarts() (connection string) }
	// Guest is an Operation on an adapter of a virtual machine, or on all of the machine when the adapter is empty.
	Guest interface {
		OnGuest() (vm, adapter string)
	}
	// Connector is a Guest that gives its adapter a virtual function when Connects is true, or lets it keep one.
	Connector interface {
		Guest
		Connects() bool
	}
	// Function is an Operation on a virtual function of a connection.
	Function interface {
		OnFunction() (connection string, function int)
	}
	// Final is an Operation with a consequence that its description does not name, such as that nothing takes it back.
	Final interface{ Consequence() string }
	// Writer is an Operation on one value of the registry, which belongs to a connection or to an adapter.
	Writer interface {
		Writes() (connection, adapter, key string)
		// ValueAfter is what the key of a row has then; it does not exist when it is deleted.
		ValueAfter(r *registry.Row) (registry.Value, error)
	}
)

func (CreateSwitch) Adds() bool            { return true }
func (RemoveSwitch) Adds() bool            { return false }
func (CreateVM) Adds() bool                { return true }
func (RemoveVM) Adds() bool                { return false }
func (AddVMAdapter) Adds() bool            { return true }
func (RemoveVMAdapter) Adds() bool         { return false }
func (AddNetVirtualization) Adds() bool    { return true }
func (RemoveNetVirtualization) Adds() bool { return false }

func (o RestartAdapter) Restarts() string { return o.Connection }
func (o SetNumVFs) Restarts() string      { return o.Connection }
func (ReloadDriver) Restarts() string     { return "" }
func (Reboot) Restarts() string           { return "" }

func (o SetVMAdapter) OnGuest() (vm, adapter string)   { return o.VM, o.Adapter }
func (o AddVMAdapter) OnGuest() (vm, adapter string)   { return o.VM, o.Adapter.Name }
func (o Quarantine) OnGuest() (vm, adapter string)     { return o.VM, o.Adapter }
func (o ReleasePort) OnGuest() (vm, adapter string)    { return o.VM, o.Adapter }
func (o SetVMState) OnGuest() (vm, adapter string)     { return o.VM, "" }
func (o SetGuestDriver) OnGuest() (vm, adapter string) { return o.VM, "" }

func (o SetVMAdapter) Connects() bool { return o.IovWeight != nil && *o.IovWeight > 0 }
func (AddVMAdapter) Connects() bool   { return true }

func (o ResetVF) OnFunction() (connection string, function int) { return o.Connection, o.Function }
func (o SetFunctionFault) OnFunction() (connection string, function int) {
	return o.Connection, o.Function
}

func (ResetVF) Consequence() string {
	return "its guest's driver restarts; this can't be undone"
}

func (o Quarantine) Consequence() string {
	if o.Reason == "" {
		return ""
	}
	return "it is off the network until it is released"
}

func (Reboot) Consequence() string {
	return "everything on the host goes down for about a minute; this can't be undone"
}

func (o SetValue) Writes() (connection, adapter, key string) { return o.Connection, o.Adapter, o.Key }
func (o DeleteValue) Writes() (connection, adapter, key string) {
	return o.Connection, o.Adapter, o.Key
}

func (DeleteValue) ValueAfter(*registry.Row) (registry.Value, error) { return registry.Value{}, nil }
func (o SetValue) ValueAfter(r *registry.Row) (registry.Value, error) {
	v, err := r.ParseAs(o.Value, o.Type)
	return r.Own(v), err
}
