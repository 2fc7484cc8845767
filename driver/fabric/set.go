package fabric

import (
	"slices"

	"cxdeck/device"
	"cxdeck/driver/operation"
)

// State holds the virtual IPoIB ports of a host.
type State struct {
	// Partitions are in the order of their connections. The list is replaced and never changed.
	Partitions []partition
	// Broken are the entries in the registry of virtual ports that were removed while the driver of their port did not run, in the same
	// order. The list is replaced and never changed, too.
	Broken []partition
}

// Ports is the part of the host that the fabric uses.
type Ports interface {
	Lab() *device.Lab
	// Port returns the number of a connection's port.
	Port(connection string) (int, error)
	// Reclassify puts quality of service into effect where it depends on switch ports, by DCBX.
	Reclassify() error
	// VirtualPKeys returns the index in the partition table of the card for each index of a guest's port; nil for a host that is no guest.
	VirtualPKeys() []int
	// Running reports whether the driver of a port runs.
	Running(port int) bool
	// GUID returns the GUID of a new network interface: the given one, or the first free one of named, or one from the seed.
	// CheckGUID returns a given GUID in the form of the host, or why no new interface can have it.
	GUID(given string, named []string) (string, error)
	CheckGUID(given string) (string, error)
}

// Set gives access to the fabric as a host sees it.
type Set struct {
	Ports
	*State
}

// Operation is a change of the fabric or of the host's objects on it.
type Operation = operation.Of[Set]

// HasGUID reports whether a virtual port has a GUID.
func (s *State) HasGUID(guid string) bool {
	return slices.ContainsFunc(s.Partitions, func(p partition) bool { return p.guid == guid })
}
