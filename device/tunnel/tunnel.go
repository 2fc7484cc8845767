// Package tunnel computes the sizes of encapsulated frames: NVGRE and VXLAN (model rules VIRT-6 to VIRT-10; WinOF manual,
// "Network Virtualization using Generic Routing Encapsulation" and "VXLAN"). Outer packets are IPv4 without options. Package
// capture writes the bytes of packets.
package tunnel

import "slices"

// Kind is a way to encapsulate Ethernet in IP.
type Kind uint8

// The kinds.
const (
	NVGRE Kind = iota // RFC 7637: GRE, IP protocol 47
	VXLAN             // RFC 7348: UDP
)

// Numbers of the outer headers.
const (
	GREProtocol  = 47   // IP protocol number of GRE (VIRT-6)
	VXLANUDPPort = 4789 // default of *VxlanUDPPortNumber (VIRT-8)
)

const (
	ethernetHeader = 14
	ipv4Header     = 20
	greHeader      = 8
	udpHeader      = 8
	vxlanHeader    = 8
)

// formats describes the kinds in the terms of a packet capture, outermost header first.
var formats = [...]struct {
	name    string
	added   int
	headers []string
}{
	NVGRE: {"nvgre", ipv4Header + greHeader + ethernetHeader, []string{
		"Outer ETH Header", "Outer IP", "GRE Header", "Inner ETH Header", "Original Ethernet Payload",
	}},
	VXLAN: {"vxlan", ipv4Header + udpHeader + vxlanHeader + ethernetHeader, []string{
		"Outer ETH Header", "Outer IP", "UDP Header", "VXLAN Header", "Inner ETH Header", "Original Ethernet Payload",
	}},
}

// String returns the kind's name in lower case.
func (k Kind) String() string { return formats[k].name }

// Added returns the bytes that encapsulation adds to an IP packet: 42, or 50 with VXLAN (VIRT-6, VIRT-8).
func (k Kind) Added() int { return formats[k].added }

// OuterIP returns the length of the outer IP packet of an inner one.
func (k Kind) OuterIP(inner int) int { return inner + formats[k].added }

// Frame returns the length of the outer frame of an inner IP packet, without FCS and VLAN tags.
func (k Kind) Frame(inner int) int { return ethernetHeader + k.OuterIP(inner) }

// Fits reports whether an inner IP packet fits the MTU of a network without fragmentation.
func (k Kind) Fits(inner, mtu int) bool { return k.OuterIP(inner) <= mtu }

// Headers returns the headers of an encapsulated frame, outermost first, in the words of the manual.
func (k Kind) Headers() []string { return slices.Clone(formats[k].headers) }

// GREKey returns the key field of NVGRE: the virtual subnet of 24 bits and the flow of 8 (VIRT-7).
func GREKey(subnet uint32, flow uint8) uint32 { return subnet<<8 | uint32(flow) }

// Port holds the settings of an adapter's port that affect its VXLAN offload.
type Port struct {
	UDPPort uint16
	Active  bool
}

// Offloads reports whether VXLAN offload works on all active ports of an adapter: the hardware supports one UDP port, so they need
// the same (VIRT-9).
func Offloads(ports ...Port) bool {
	var known Port
	for _, p := range ports {
		switch {
		case !p.Active:
		case !known.Active:
			known = p
		case p.UDPPort != known.UDPPort:
			return false
		}
	}
	return true
}
