package registry

import (
	"slices"

	"cxdeck/device/description"
	"cxdeck/driver/limits"
)

// Facts describe the port and host of a driver that reads the registry.
type Facts struct {
	Link description.LinkType
	// LineRate is in Mbit/s.
	LineRate uint32
	// Processors and Nodes are counts of the host.
	Processors, Nodes int
	// DeviceID is from the card's PCI configuration space, Firmware its version; both may be unknown.
	DeviceID uint16
	Firmware string
	// GUID identifies the port.
	GUID uint64
	// Lossless has a bit for each priority with PFC.
	Lossless uint8
	// FirmwareDCBX reports that the firmware of the card has LLDP and DCBX on at the port.
	FirmwareDCBX bool
	// Port is the number of the port on its card, from 0.
	Port int
	// BesideInfiniBand reports that it is the first port of its card, with Ethernet, and another port has InfiniBand.
	BesideInfiniBand bool
	// VFs is the number of virtual functions in the firmware of the card, for all its ports.
	VFs int
	// Virtual reports that the port is a virtual function seen from its virtual machine, which no port of a lab is;
	// HostFrame is then the *JumboPacket of its host.
	Virtual   bool
	HostFrame uint32
	// SwitchFrame is the largest frame of the switch port in bytes with header; 0 when unknown.
	SwitchFrame uint32
	// Versions are the versions on which keys depend; nil when unknown.
	Versions *limits.Facts
}

// Reading is the driver's reading of one stored value.
type Reading struct {
	// Stored is the value that was read; it does not exist for a key that was absent.
	Stored Value
	// Value is the value in use. It does not exist when nothing usable is stored and the manuals don't give the driver's
	// behaviour.
	Value Value
	// Why is the reason why the stored value is not in use, as a sentence without a full stop; empty when it is in use.
	Why string
}

// Effective holds the values that the driver of a port uses. It never changes.
type Effective struct {
	catalogue *Catalogue
	facts     Facts
	readings  []Reading
	beside    []*Effective // the other ports of the card
}

// Read returns the values that a starting driver derives from the stored ones.
func Read(c *Catalogue, f Facts, stored func(*Row) Value) *Effective {
	e := &Effective{catalogue: c, facts: f, readings: make([]Reading, len(c.Rows))}
	for i := range c.Rows {
		switch r := &c.Rows[i]; {
		case !r.Scope.Stored():
		case !r.Fits(f.Link): // kept, but not used
			e.readings[i].Stored = stored(r)
		default:
			e.readings[i] = e.readAlone(r, stored(r)) // the frame size is first, and others depend on it
		}
	}
	for _, i := range c.joined {
		if r := &c.Rows[i]; r.Fits(f.Link) {
			e.readings[i] = e.Judge(r, e.readings[i].Stored)
		}
	}
	return e
}

// With returns the values after a key was read again.
func (e *Effective) With(r *Row, stored Value) *Effective {
	next := *e
	next.readings = slices.Clone(e.readings)
	next.readings[r.Index] = next.Judge(r, stored)
	for _, i := range e.catalogue.joined {
		if other := &e.catalogue.Rows[i]; other != r && other.Scope == r.Scope && other.Applies == AtOnce && other.Fits(e.facts.Link) {
			next.readings[i] = next.Judge(other, next.readings[i].Stored)
		}
	}
	return &next
}

// Replace returns the values with other readings of some keys.
func (e *Effective) Replace(readings map[*Row]Reading) *Effective {
	if len(readings) == 0 {
		return e
	}
	next := *e
	next.readings = slices.Clone(e.readings)
	for r, reading := range readings {
		next.readings[r.Index] = reading
	}
	return &next
}

// Reading returns the driver's reading of a key.
func (e *Effective) Reading(r *Row) Reading { return e.readings[r.Index] }

// number returns the effective number of a key.
func (e *Effective) number(scope Scope, name string) (uint32, bool) {
	r, ok := e.catalogue.Find(name, scope)
	if !ok {
		return 0, false
	}
	v := e.readings[r.Index].Value
	return v.Number(), v.Type() == Number
}
