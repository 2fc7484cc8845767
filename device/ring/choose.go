// Package ring computes the parameters of an adapter's rings: the send ring of a packet, the buffers of rings, and the fraction
// of packets that find a ring full. Package completion models how the driver finds packets in a ring.
package ring

import (
	"encoding/binary"
	"net/netip"
)

// Distribution is the distribution of packets over the send rings (NIC-15; manual: registry key TxHashDistribution).
type Distribution uint8

// The distributions, numbered as in the registry.
const (
	BySize        Distribution = 1 // two rings, one of them for small packets
	ByHash        Distribution = 2
	ByHashAndSize Distribution = 3 // the default: two rings for each hash value
)

// SmallPacket is the minimum length in bytes of a packet that is not small.
const SmallPacket = 128

// Packet holds the packet fields that select a send ring.
type Packet struct {
	Destination                 netip.Addr // the zero Addr when it is not IP
	SourcePort, DestinationPort uint16     // 0 without ports
	Bytes                       int
}

// Choose returns the send ring of a packet, counted from 0. Small packets have the lower of two rings. With fewer rings than a
// distribution requires, the last ring takes the rest.
func (d Distribution) Choose(p Packet, rings int) int {
	return d.ChooseByFold(Fold(p), p.Bytes, rings)
}

// ChooseByFold is Choose for a packet of which only the fold and the length in bytes are known.
func (d Distribution) ChooseByFold(fold uint32, bytes, rings int) int {
	if rings <= 1 {
		return 0
	}
	large := 0
	if bytes >= SmallPacket {
		large = 1
	}
	switch d {
	case BySize:
		return large
	case ByHash:
		return int(fold % uint32(rings))
	default:
		return 2*int(fold%uint32(rings/2)) + large
	}
}

// Fold returns the hash that distributes packets over send rings, 0 for a packet that is not IP. The manual names the hashed
// fields but not the function; this fold is an estimate (NIC-15).
func Fold(p Packet) uint32 {
	if !p.Destination.IsValid() {
		return 0
	}
	var h uint32
	if p.Destination.Is4() {
		address := p.Destination.As4()
		h = binary.BigEndian.Uint32(address[:])
	} else {
		address := p.Destination.As16()
		for i := 0; i < len(address); i += 4 {
			h ^= binary.BigEndian.Uint32(address[i:])
		}
	}
	h ^= uint32(p.SourcePort) ^ uint32(p.DestinationPort)
	h ^= h >> 16
	h ^= h >> 8
	return h
}
