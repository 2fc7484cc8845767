// Package hardware holds the Operations on the hardware of the lab that need no more of a driver than that it runs: cables, slots,
// processors, faults, dropless mode, captures of packets and the statistics of rings.
package hardware

import (
	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/operation"
)

// Host is what the Operations need of a host.
type Host interface {
	Lab() *device.Lab
	// Port returns the number of a connection's port, Adapter the number of an adapter.
	Port(connection string) (int, error)
	Adapter(name string) (int, error)
	// Running reports whether the driver of a port runs, CarriesSession whether the operator's session goes through it.
	Running(port int) bool
	CarriesSession(port int) bool
	// FaultChanged, LinksChanged and DroplessChanged follow a change of the hardware.
	FaultChanged(port int, kind description.FaultKind, on bool)
	LinksChanged()
	DroplessChanged(port int, on bool)
}

// Operation is a change of the hardware.
type Operation = operation.Of[Host]
