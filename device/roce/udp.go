package roce

import (
	"math"
	"slices"
)

// The destination ports of RoCE v2. DestinationPort is IANA's, which all WinOF-2 drivers use.
const (
	DestinationPort    = 4791
	OldDestinationPort = 1021
)

// dynamicPorts are the two bits that put a source port into 49152 to 65535.
const dynamicPorts = 0xC000

// SourcePort returns the UDP source port of a connection between two ports, so that its packets take one path through a fabric
// that balances by ports. An unknown local port is 0 (ROCE-8).
func SourcePort(local, remote uint16) uint16 { return local ^ remote | dynamicPorts }

// ChosenDestinationPort returns the UDP destination port of a WinOF driver with a value of roce_udp_dport, 0 for a key that
// is not set. Values that are not a port leave the default (ROCE-7).
func ChosenDestinationPort(key int, version ...int) uint16 {
	if key < 1 || key > math.MaxUint16 {
		return DefaultDestinationPort(version...)
	}
	return uint16(key)
}

// DefaultDestinationPort returns the UDP destination port of a WinOF driver without roce_udp_dport, by the numbers of its
// version. All machines must use the same port (ROCE-7).
func DefaultDestinationPort(version ...int) uint16 {
	if slices.Compare(version, []int{5, 10}) < 0 {
		return OldDestinationPort
	}
	return DestinationPort
}
