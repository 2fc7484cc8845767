package driver

// The optional interfaces of Operations. Screens and reviews ask for these, never for the type of an Operation.
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
)

func (o RestartAdapter) Restarts() string { return o.Connection }
func (ReloadDriver) Restarts() string     { return "" }
func (Reboot) Restarts() string           { return "" }

func (o SetFunctionFault) OnFunction() (connection string, function int) {
	return o.Connection, o.Function
}

func (Reboot) Consequence() string {
	return "everything on the host goes down for about a minute; this can't be undone"
}
