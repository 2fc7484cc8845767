package boot

import (
	"fmt"
	"strings"

	"cxdeck/device"
	"cxdeck/device/description"
	"cxdeck/driver/limits"
)

// Host is the part of the host that a boot uses.
type Host interface {
	Lab() *device.Lab
	// Port returns the port number of a connection.
	Port(connection string) (int, error)
	// Flash returns the setting of a port in the flash of its card, by its name without the port.
	Flash(port int, name string) uint32
}

// Facts are what the card and its port have for a boot.
type Facts struct {
	Connection, Adapter string
	// MAC and GUID are the identities of the port, hex digits in lower case.
	MAC, GUID string
	// InfiniBand is the link type of the port, Cabled reports a cable with a switch at its other end.
	InfiniBand, Cabled bool
	// Firmware is the version in the flash, and OldFirmware reports one before 2.30.8000.
	Firmware    string
	OldFirmware bool
	// WinOF reports a card whose settings mlxconfig has: RomEnabled, Protocol and VLAN, 0 for none.
	WinOF      bool
	RomEnabled bool
	Protocol   int
	VLAN       int
	// Number is the number of the port on its card, and Device the device of mlxconfig.
	Number int
	Device string
}

// newFlexBoot is the firmware since which the VPI FlexBoot boots over Ethernet (002:1839).
const newFlexBoot = "2.30.8000"

// factsOf returns what a connection has for a boot.
func factsOf(h Host, connection string) (f Facts, err error) {
	port, err := h.Port(connection)
	if err != nil {
		return f, err
	}
	lab := h.Lab()
	d, a, number := lab.Port(port)
	card := &lab.Description().Adapters[a]
	f = Facts{
		Connection: connection, Adapter: card.Name, MAC: strings.ToLower(strings.ReplaceAll(d.MAC.String(), ":", "")), GUID: fmt.Sprintf("%016x", uint64(d.GUID)),
		InfiniBand: d.Link == description.InfiniBand, Cabled: lab.State(port).Cabled, Firmware: card.Firmware, OldFirmware: limits.Older(card.Firmware, newFlexBoot),
		WinOF: card.Family == description.WinOF, Number: number + 1, Device: lab.Description().DeviceName(a),
	}
	if f.WinOF {
		f.RomEnabled, f.Protocol = h.Flash(port, "BOOT_OPTION_ROM_EN") == 1, int(h.Flash(port, "LEGACY_BOOT_PROTOCOL"))
		if h.Flash(port, "BOOT_VLAN_EN") == 1 {
			f.VLAN = int(h.Flash(port, "BOOT_VLAN"))
		}
	}
	return f, nil
}
