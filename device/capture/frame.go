package capture

import (
	"encoding/binary"
	"net/netip"

	"cxdeck/device/description"
	"cxdeck/device/packet"
	"cxdeck/device/rss"
	"cxdeck/device/tunnel"
	"cxdeck/device/wire"
)

// Numbers of protocols in IP packets.
const (
	protoICMP = 1
	protoTCP  = 6
	protoUDP  = 17
	protoICM6 = 58
)

// Frame is a captured packet with the data from which its bytes are derived.
type Frame struct {
	*Record
	Flow *description.Flow
	// Tuple has the ends of the packet, To is the destination adapter.
	Tuple rss.Tuple
	To    description.MAC
	// TunnelPort is the source port of a VXLAN packet.
	TunnelPort uint16
}

// Bytes returns the packet without FCS: headers as from a peer of the flow, and zeros for data.
func (p *Frame) Bytes() []byte {
	f, t, to := p.Flow, p.Tuple, p.To
	frame := make([]byte, 0, p.Length)
	if f.Multicast {
		to = packet.GroupAddress(t.Destination)
	}
	from := packet.PeerAddress(t.Source)
	frame = append(append(frame, to[:]...), from[:]...)
	if p.Tags > 0 {
		frame = binary.BigEndian.AppendUint16(frame, wire.TypeVLAN)
		frame = binary.BigEndian.AppendUint16(frame, uint16(*f.Priority)<<13|uint16(f.VLAN))
	}
	room := int(p.Length) - wire.FrameCheck - len(frame) - 2 // for the bytes after the type
	switch {
	case f.Protocol == description.NotIP:
		frame = binary.BigEndian.AppendUint16(frame, wire.TypeARP)
		frame = appendARP(frame, from, t)
	case p.Overlay.Subnet != 0:
		frame = appendNVGRE(frame, f, t, p.Overlay, room)
	case f.VXLAN:
		frame = appendVXLAN(frame, f, t, p.TunnelPort, room)
	default:
		frame = appendIP(frame, f, t, room)
	}
	whole := make([]byte, int(p.Length)-wire.FrameCheck)
	copy(whole, frame)
	return whole
}

// appendIP appends the type of a frame and the headers of an IP packet of a length.
func appendIP(b []byte, f *description.Flow, t rss.Tuple, length int) []byte {
	proto := map[description.Protocol]byte{description.TCP: protoTCP, description.UDP: protoUDP, description.RDMA: protoUDP, description.OtherIP: protoICMP}[f.Protocol]
	rest := max(0, length-ipv6Header)
	if t.Source.Is4() {
		b = appendIPv4(b, f.DSCP, length, proto, t.Source, t.Destination)
		rest = max(0, length-ipv4Header)
	} else {
		if proto == protoICMP {
			proto = protoICM6
		}
		b = binary.BigEndian.AppendUint16(b, wire.TypeIPv6)
		b = binary.BigEndian.AppendUint32(b, 6<<28|uint32(f.DSCP)<<22)
		b = binary.BigEndian.AppendUint16(b, uint16(rest))
		b = append(b, proto, 64)
		b = append(append(b, t.Source.AsSlice()...), t.Destination.AsSlice()...)
	}
	switch proto {
	case protoTCP:
		b = appendPorts(b, t)
		b = append(b, 0, 0, 0, 1, 0, 0, 0, 1, 5<<4, 0x10, 0xff, 0xff, 0, 0, 0, 0) // ACK
	case protoUDP:
		b = appendPorts(b, t)
		b = binary.BigEndian.AppendUint16(b, uint16(rest))
		b = append(b, 0, 0)
	case protoICMP:
		b = append(b, 8, 0, 0xf7, 0xff, 0, 0, 0, 0) // echo request
	case protoICM6:
		b = append(b, 128, 0, 0, 0, 0, 0, 0, 0)
	}
	return b
}

// Lengths of the headers that appendIP appends.
const (
	ipv4Header = 20
	ipv6Header = 40
)

// appendIPv4 appends the type of a frame and the IPv4 header of a packet of a length.
func appendIPv4(b []byte, dscp, length int, proto byte, from, to netip.Addr) []byte {
	b = binary.BigEndian.AppendUint16(b, wire.TypeIPv4)
	at := len(b)
	b = append(b, 0x45, byte(dscp<<2))
	b = binary.BigEndian.AppendUint16(b, uint16(length))
	b = append(b, 0, 0, 0x40, 0, 64, proto, 0, 0)
	b = append(append(b, from.AsSlice()...), to.AsSlice()...)
	binary.BigEndian.PutUint16(b[at+10:], wire.Checksum(b[at:]))
	return b
}

func appendPorts(b []byte, t rss.Tuple) []byte {
	return binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, t.SourcePort), t.DestinationPort)
}

// appendVXLAN appends a VXLAN packet (RFC 7348): outer headers, the tunnel's, and the inner frame.
func appendVXLAN(b []byte, f *description.Flow, t rss.Tuple, source uint16, length int) []byte {
	outer := description.Flow{Protocol: description.UDP, DSCP: f.DSCP}
	ends := rss.Tuple{
		Source: netip.AddrFrom4([4]byte{10, 250, 0, 2}), Destination: netip.AddrFrom4([4]byte{10, 250, 0, 1}),
		SourcePort: source, DestinationPort: tunnel.VXLANUDPPort,
	}
	at := len(b)
	b = appendIP(b, &outer, ends, length)
	b = append(b, 0x08, 0, 0, 0, 0, 0x13, 0x88, 0) // network 5000
	inner, peer := packet.PeerAddress(t.Destination), packet.PeerAddress(t.Source)
	b = append(append(b, inner[:]...), peer[:]...)
	return appendIP(b, f, t, length-(len(b)-at))
}

// appendNVGRE appends an NVGRE packet (RFC 7637): the outer IP header, GRE with the virtual subnet and the flow in its
// key, and the inner frame.
func appendNVGRE(b []byte, f *description.Flow, t rss.Tuple, o tunnel.Overlay, length int) []byte {
	const keyed, bridged = 0x2000, 0x6558 // GRE with a key, of Ethernet
	at := len(b)
	b = appendIPv4(b, f.DSCP, length, tunnel.GREProtocol, o.Remote, o.Local)
	b = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, keyed), bridged)
	b = binary.BigEndian.AppendUint32(b, tunnel.GREKey(o.Subnet, uint8(t.SourcePort)))
	inner, peer := packet.PeerAddress(t.Destination), packet.PeerAddress(t.Source)
	b = append(append(b, inner[:]...), peer[:]...)
	return appendIP(b, f, t, length-(len(b)-at)) // the Ethertype before the outer header represents the inner one
}

// appendARP appends a request for an address (RFC 826).
func appendARP(b []byte, from description.MAC, t rss.Tuple) []byte {
	if !t.Source.Is4() {
		return b
	}
	b = append(b, 0, 1, 8, 0, 6, 4, 0, 1)
	b = append(append(b, from[:]...), t.Source.AsSlice()...)
	return append(append(b, 0, 0, 0, 0, 0, 0), t.Destination.AsSlice()...)
}
