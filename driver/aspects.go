package driver

// The optional interfaces of Operations. Screens and reviews ask for these, never for the type of an Operation.
type (
	// Adder is an Operation that creates an object, or removes one: then Adds is false.
	Adder interface{ Adds() bool }
	// Restarter is an Operation that restarts the adapter of one connection, or several adapters: then the connection is empty.
	Restarter interface{ Restarts() (connection string) }
	// Guest is an Operation on an adapter of a virtual machine, or on the whole machine: then the adapter is empty.
	Guest interface {
		OnGuest() (vm, adapter string)
	}
	// Connector is a Guest whose adapter gets or keeps a virtual function when Connects is true.
	Connector interface {
		Guest
		Connects() bool
	}
	// Function is an Operation on a virtual function of a connection.
	Function interface {
		OnFunction() (connection string, function int)
	}
	// Final is an Operation with a consequence that its description does not mention, such as that it can't be undone.
	Final interface{ Consequence() string }
)
