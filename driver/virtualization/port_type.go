package virtualization

import (
	"fmt"

	"cxdeck/device/description"
	"cxdeck/device/firmware"
	"cxdeck/driver/limits"
	"cxdeck/driver/registry"
)

// The types of a port in the key PortType, which has a hexadecimal digit for each port of the card, the last one for port 1: an
// assumption of the lab, with the numbers of LINK_TYPE_P1.
const (
	hardwareType = 0
	autoType     = 3
	typeDigit    = 4 // bits
	portTypeKey  = "PortType"
)

// keyType returns the type of a port in the PortType that its driver read, hardwareType without one. A driver configured to use the
// default of the hardware senses the type, too, and each cable of the lab has a type (002:1994-1997).
func (v Hypervisor) keyType(port int) uint32 {
	_, _, index := v.Lab().Port(port)
	n, ok := v.number(port, portTypeKey, registry.BusDevice)
	if !ok {
		return hardwareType
	}
	if own := n >> (typeDigit * index) & autoType; own != hardwareType {
		return own
	}
	return autoType
}

// WrongType reports whether a port uses another protocol than the far end of its cable (FAM-5): by PortType, else by its card's
// flash.
func (v Hypervisor) WrongType(port int) bool {
	d, card, index := v.Lab().Port(port)
	want := uint32(firmware.TypeEthernet)
	if d.Link == description.InfiniBand {
		want = firmware.TypeInfiniBand
	}
	switch own := v.keyType(port); own {
	case autoType:
		return false
	case hardwareType:
	default:
		return own != want
	}
	name := firmware.LinkType1
	if index > 0 {
		name = firmware.LinkType2
	}
	n, set := v.flashSetting(card, name)
	return set && n != want
}

// loadsWithMost is the WinOF version from which the bus driver loads with the maximum of LogNumQP and LogNumRdmaRc (manual, bug
// fixes of 5.50).
const loadsWithMost = "5.50"

// RefusesStart reports whether a WinOF port can't start with the keys of its card and of the bus driver, and logs the events of
// its port type; mixed reports that the driver had to set a RoCE mode because of the types of the card's ports.
func (v Hypervisor) RefusesStart(port int, mixed bool) bool {
	d, card, index := v.Lab().Port(port)
	if stored, ok := v.Stored(port, portTypeKey, registry.BusDevice); ok && stored.Exists() {
		if used, _ := v.Effective(port, portTypeKey, registry.BusDevice); used != stored {
			v.Note(port, "mlx4.port-type-not-changed", d.Device, fmt.Sprint(stored))
		}
	}
	if mixed && index == 0 && v.keyType(port) == autoType {
		v.Note(port, "mlx4.illegal-port-mix-auto")
		return true
	}
	pairs, _ := v.number(port, "LogNumQP", registry.BusDriver)
	connections, _ := v.number(port, "LogNumRdmaRc", registry.BusDriver)
	if pairs == registry.MaxLogPairs && connections == registry.MaxLogPairs && limits.Older(v.card(card).DriverVersion, loadsWithMost) {
		return true
	}
	return v.WrongType(port) // the manual has no event for it
}
