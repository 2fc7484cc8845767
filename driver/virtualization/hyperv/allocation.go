package hyperv

import "fmt"

// The values of SriovPortMode (IOV-2).
const (
	AutoPort1 = 0
	AutoPort2 = 1
	Manual    = 2
)

// ModeName returns a value of SriovPortMode with its name.
func ModeName(mode int) string {
	switch mode {
	case AutoPort1:
		return "0 auto_port1"
	case AutoPort2:
		return "1 auto_port2"
	}
	return "2 manual"
}

// Defaults and limits of the number of virtual functions.
const (
	// DefaultNumVFs is NumVFs of a network interface by default (IOV-1, IOV-4).
	DefaultNumVFs = 32
	// MaxPerPort is the maximum of a port of a ConnectX-4 or later, MaxPerCard of a ConnectX-3 card (FAM-1). Early WinOF-2
	// drivers allow fewer, see PortLimit.
	MaxPerPort = 127
	MaxPerCard = 126
	// DefaultPortVFs is the default count of a port in manual mode (IOV-2).
	DefaultPortVFs = 16
)

// Card holds the virtual function settings of a ConnectX-3 and its driver.
type Card struct {
	// Permit is PermitSriov, Mode SriovPortMode; Ports are the counts of the manual mode, FirmwareVFs is the number in the
	// firmware.
	Permit      bool
	Mode        int
	Ports       [2]int
	FirmwareVFs int
	// Interface is NumVFs of the two network interfaces; InfiniBand reports that one of the ports uses it.
	Interface  [2]int
	InfiniBand bool
}

// Allocate returns the numbers of virtual functions that the bus driver enables at each of the two ports, and that Windows can
// use of them (IOV-1 to IOV-3).
func (c Card) Allocate() (bus, available [2]int) {
	firmwareVFs := min(max(c.FirmwareVFs, 0), MaxPerCard)
	switch first, second := max(c.Ports[0], 0), max(c.Ports[1], 0); {
	case !c.Permit || c.InfiniBand:
	case c.Mode == AutoPort1 || c.Mode == AutoPort2:
		bus[c.Mode] = firmwareVFs
	case first+second > firmwareVFs:
		bus = [2]int{first * firmwareVFs / (first + second), second * firmwareVFs / (first + second)}
	default:
		bus = [2]int{first, second}
	}
	for i := range bus {
		available[i] = min(bus[i], max(c.Interface[i], 0))
	}
	return bus, available
}

// The first WinOF-2 drivers open fewer virtual functions on ConnectX-4 and ConnectX-4 Lx, which have these PCI device
// ids (FAM-1; manual of 1.21, section 3.3.3).
const (
	connectX4, connectX4Lx = 0x1013, 0x1015

	lastEarlyMajor, lastEarlyMinor = 1, 21
	earlyPerPort                   = 32
)

// PortLimit returns the maximum number of virtual functions that a version of the WinOF-2 driver opens at a port of a card with
// a PCI device id.
func PortLimit(deviceID uint16, version string) int {
	var major, minor int
	if n, err := fmt.Sscanf(version, "%d.%d", &major, &minor); n < 2 || err != nil {
		return MaxPerPort
	}
	early := major < lastEarlyMajor || major == lastEarlyMajor && minor <= lastEarlyMinor
	if early && (deviceID == connectX4 || deviceID == connectX4Lx) {
		return earlyPerPort
	}
	return MaxPerPort
}

// PerPort returns the number of virtual functions of a port of a ConnectX-4 or later (IOV-4): the minimum of the firmware's
// number, the number that Windows allows and the limit of driver and family, see PortLimit.
func PerPort(enabled bool, firmware, numVFs, limit int) int {
	if !enabled {
		return 0
	}
	return max(0, min(firmware, numVFs, limit))
}

// Grant returns the number of virtual functions that a request gets (IOV-5). If it gets fewer than requested, the driver logs
// an event: reported is true.
func Grant(requested, supported int) (allowed int, reported bool) {
	return min(requested, supported), requested > supported
}

// Effective returns the value of a key that can be stored for the whole machine and for a card: the machine's value overrides the
// card's (IOV-1).
func Effective[T any](machine, card *T) *T {
	if machine != nil {
		return machine
	}
	return card
}

// QueuePairs returns the advice for IovQueuePairsRequested at a link speed in Gb/s (IOV-16).
func QueuePairs(gbps int) int {
	const fastGbps, slowPairs, fastPairs = 40, 4, 8
	if gbps < fastGbps {
		return slowPairs
	}
	return fastPairs
}
