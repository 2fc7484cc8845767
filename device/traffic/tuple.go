package traffic

import (
	"encoding/binary"
	"net/netip"

	"cxdeck/device/description"
	"cxdeck/device/ring"
	"cxdeck/device/roce"
	"cxdeck/device/rss"
)

// The number of tuples that represent a very large group: enough to fill the slots of an indirection table evenly.
const (
	MaxTuples    = 1 << 17 // of all flows together
	MinTuples    = 32      // of a flow
	enoughTuples = 4096    // of a flow
)

// Tuple holds the hashes of one flow of a group from which its rings are chosen: its receive hash, and the fold that selects
// its send ring. It holds no addresses, as a lab has thousands of tuples.
type Tuple struct {
	Hash, Fold uint32
	// Addresses and Flow are its buckets in a team: by the addresses of the two ends, and by the whole five-tuple.
	Addresses, Flow uint8
}

// NewTuples derives the five-tuples of a group and hashes them with the default key. The hash includes ports where the protocol
// has them; the settings of the port decide on its use.
func NewTuples(f *description.Flow, hasher *rss.Hasher, limit int) []Tuple {
	n := min(f.Flows, enoughTuples, limit)
	list := make([]Tuple, n)
	kind := rss.Settings{On: true, UDP: true, RawIP: true}.HashType(PacketOf(f))
	name := Named(f.Name)
	var destination netip.Addr // of the previous tuple: mostly the same
	var local uint64
	for i := range list {
		t := TupleOf(f, i*f.Flows/n, name)
		list[i] = Tuple{
			Hash: hasher.Hash(kind, t),
			Fold: ring.Fold(ring.Packet{Destination: t.Source, SourcePort: t.DestinationPort, DestinationPort: t.SourcePort}),
		}
		if i == 0 || t.Destination != destination {
			destination, local = t.Destination, 3*addressNumber(t.Destination)
		}
		addresses := Mix(addressNumber(t.Source) ^ local)
		list[i].Addresses = uint8(addresses)
		list[i].Flow = uint8(Mix(addresses ^ uint64(t.SourcePort)<<16 ^ uint64(t.DestinationPort)))
	}
	return list
}

// PacketOf returns the frames of a flow in the terms of receive side scaling.
func PacketOf(f *description.Flow) rss.Packet {
	p := rss.Packet{Network: rss.IPv4, Encapsulated: f.VXLAN}
	if f.Peer.Is6() {
		p.Network = rss.IPv6
	}
	switch f.Protocol {
	case description.TCP, description.IPoIB:
		p.Transport = rss.TCP
	case description.UDP, description.RDMA:
		p.Transport = rss.UDP
	case description.OtherIP:
	case description.NotIP:
		p.Network = rss.NotIP
	}
	return p
}

// Ports of flows whose description has none.
const (
	smbPort       = 445
	telemetryPort = 5001
	FirstDynamic  = 49152
	DynamicPorts  = 1<<16 - FirstDynamic
	peerAddresses = 1 << 12
)

// TupleOf returns the i-th five-tuple of a group, for frames from its peers. The peers have the addresses from Peer on, and
// ports derived from the group's name, which is given as a number.
func TupleOf(f *description.Flow, i int, name uint64) rss.Tuple {
	local, peer := f.Local, f.Peer
	if !local.IsValid() {
		local = netip.AddrFrom4([4]byte{10, 0, 0, 1})
	}
	if !peer.IsValid() || peer.Is4() != local.Is4() {
		peer = local.Next()
	}
	t := rss.Tuple{Source: following(peer, i%peerAddresses), Destination: local}
	if f.Multicast { // Peer is the multicast group
		t = rss.Tuple{Source: following(local, 1+i%peerAddresses), Destination: peer}
	}
	number := Mix(uint64(i) ^ name)
	dynamic := uint16(FirstDynamic + number%DynamicPorts)
	switch f.Protocol {
	case description.TCP, description.IPoIB:
		t.SourcePort, t.DestinationPort = dynamic, smbPort
	case description.UDP:
		t.SourcePort, t.DestinationPort = dynamic, telemetryPort
	case description.RDMA:
		t.SourcePort, t.DestinationPort = roce.SourcePort(uint16(number), uint16(number>>16)), roce.DestinationPort
	case description.OtherIP, description.NotIP:
		return t
	}
	if f.LocalPort != 0 && f.Protocol != description.RDMA {
		t.DestinationPort = uint16(f.LocalPort)
	}
	return t
}

// following returns the address n after another; it wraps inside the last four bytes.
func following(a netip.Addr, n int) netip.Addr {
	if a.Is4() {
		b := a.As4()
		binary.BigEndian.PutUint32(b[:], binary.BigEndian.Uint32(b[:])+uint32(n))
		return netip.AddrFrom4(b)
	}
	b := a.As16()
	binary.BigEndian.PutUint32(b[12:], binary.BigEndian.Uint32(b[12:])+uint32(n))
	return netip.AddrFrom16(b)
}

// Named returns a number derived from a name (FNV-1a).
func Named[T string | []byte](name T) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return h
}

// addressNumber returns a number derived from the text of an address.
func addressNumber(a netip.Addr) uint64 {
	var room [len("ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")]byte
	return Named(a.AppendTo(room[:0]))
}
