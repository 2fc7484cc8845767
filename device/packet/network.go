package packet

import (
	"encoding/binary"
	"net/netip"

	"cxdeck/device/description"
	"cxdeck/device/rss"
	"cxdeck/device/wire"
)

// Numbers of protocols in IP packets.
const (
	protocolICMP   = 1
	protocolTCP    = 6
	protocolUDP    = 17
	protocolICMPv6 = 58
)

// Lengths of headers, in bytes.
const (
	ipv4Header = 20
	ipv6Header = 40
	tcpHeader  = 20
	tcpOptions = 12 // two of padding, and time stamps
	udpHeader  = 8
	icmpHeader = 8
)

// The ECN field of IP packets (RFC 3168).
const (
	ecnCapable     = 2
	ecnExperienced = 3
)

// hops is the time to live of packets other than RDMA.
const hops = 64

// packetOf is a packet of a group that is being built.
type packetOf struct {
	group  *Group
	talk   *conversation
	tuple  int32
	ends   rss.Tuple // of this packet
	clock  uint32    // milliseconds
	marked bool
}

// tunnelEnds returns source and destination of the lab's VXLAN tunnels.
func tunnelEnds(sent bool) (from, to netip.Addr) {
	here, there := netip.AddrFrom4([4]byte{10, 250, 0, 1}), netip.AddrFrom4([4]byte{10, 250, 0, 2})
	if sent {
		return here, there
	}
	return there, here
}

// network appends the Ethertype and an IP packet of a length.
func (b *Builder) network(p *packetOf, length int) {
	switch protocol := p.group.Flow.Protocol; {
	case protocol == description.RDMA && p.group.RoCE == description.RoCEv1:
		b.overEthernet(p, length)
	case protocol == description.RDMA:
		b.overUDP(p, length)
	case protocol == description.UDP:
		b.datagram(p, length)
	case protocol == description.OtherIP:
		b.echo(p, length)
	default:
		b.segment(p, length)
	}
}

// ipHeader appends the Ethertype and the header of an IP packet of a length, and returns the length of what follows it.
func (b *Builder) ipHeader(p *packetOf, protocol byte, length int) (rest int) {
	g := p.group
	class := byte(max(g.Flow.DSCP, 0)) << 2
	life := byte(hops)
	if g.Flow.Protocol == description.RDMA {
		if life = g.Hops; life == 0 {
			life = hops
		}
		if g.Kind != Acknowledge { // cards send notifications with it, too
			class |= ecnCapable
		}
	}
	if p.marked {
		class |= ecnExperienced
	}
	if !p.ends.Source.Is4() {
		b.frame = binary.BigEndian.AppendUint16(b.frame, wire.TypeIPv6)
		b.frame = binary.BigEndian.AppendUint32(b.frame, 6<<28|uint32(class)<<20)
		rest = max(0, length-ipv6Header)
		b.frame = binary.BigEndian.AppendUint16(b.frame, uint16(rest))
		b.frame = append(b.frame, protocol, life)
		b.frame = append(append(b.frame, p.ends.Source.AsSlice()...), p.ends.Destination.AsSlice()...)
		return rest
	}
	b.frame = binary.BigEndian.AppendUint16(b.frame, wire.TypeIPv4)
	at := len(b.frame)
	b.frame = append(b.frame, 0x45, class)
	b.frame = binary.BigEndian.AppendUint16(b.frame, uint16(length))
	identification := &p.talk.packet[g.side()]
	*identification++
	b.frame = binary.BigEndian.AppendUint16(b.frame, *identification)
	b.frame = append(b.frame, 0x40, 0, life, protocol, 0, 0)
	b.frame = append(append(b.frame, p.ends.Source.AsSlice()...), p.ends.Destination.AsSlice()...)
	binary.BigEndian.PutUint16(b.frame[at+10:], wire.Checksum(b.frame[at:]))
	return max(0, length-ipv4Header)
}

// ports appends source and destination port.
func (b *Builder) ports(t rss.Tuple) {
	b.frame = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b.frame, t.SourcePort), t.DestinationPort)
}

// segment appends a TCP segment: data, or an acknowledgement of all data of the other direction.
func (b *Builder) segment(p *packetOf, length int) {
	rest := b.ipHeader(p, protocolTCP, length)
	at, side := len(b.frame), p.group.side()
	options := 0
	if rest >= tcpHeader+tcpOptions {
		options = tcpOptions
	}
	data := max(0, rest-tcpHeader-options)
	flags := byte(0x10) // ACK
	if data > 0 {
		flags |= 0x08 // PSH
	}
	b.ports(p.ends)
	b.frame = binary.BigEndian.AppendUint32(b.frame, p.talk.sequence[side])
	b.frame = binary.BigEndian.AppendUint32(b.frame, p.talk.sequence[1-side])
	b.frame = append(b.frame, byte(tcpHeader+options)<<2, flags, 0xff, 0xff, 0, 0, 0, 0)
	if options > 0 {
		b.frame = append(b.frame, 1, 1, 8, 10)
		b.frame = binary.BigEndian.AppendUint32(b.frame, p.clock)
		b.frame = binary.BigEndian.AppendUint32(b.frame, p.talk.clock[1-side])
	}
	p.talk.clock[side] = p.clock
	p.talk.sequence[side] += uint32(data)
	b.preface(p, data)
	b.checksum(p, at, protocolTCP, rest, 16)
}

// datagram appends a UDP datagram.
func (b *Builder) datagram(p *packetOf, length int) {
	rest := b.ipHeader(p, protocolUDP, length)
	at := len(b.frame)
	b.ports(p.ends)
	b.frame = binary.BigEndian.AppendUint16(b.frame, uint16(rest))
	b.frame = append(b.frame, 0, 0)
	data := max(0, rest-udpHeader)
	if p.group.Lease {
		b.lease(p)
	} else {
		b.preface(p, data)
	}
	b.checksum(p, at, protocolUDP, rest, 6)
}

// echo appends an ICMP echo: a request from the peers, an answer from the host.
func (b *Builder) echo(p *packetOf, length int) {
	v4 := p.ends.Source.Is4()
	protocol := byte(protocolICMP)
	kind := [2]byte{8, 0} // request, answer
	if !v4 {
		protocol, kind = protocolICMPv6, [2]byte{128, 129}
	}
	rest := b.ipHeader(p, protocol, length)
	at, side := len(b.frame), p.group.side()
	p.talk.sequence[side]++
	b.frame = append(b.frame, kind[side], 0, 0, 0)
	b.frame = binary.BigEndian.AppendUint16(b.frame, uint16(p.tuple))
	b.frame = binary.BigEndian.AppendUint16(b.frame, uint16(p.talk.sequence[side]))
	if v4 {
		binary.BigEndian.PutUint16(b.frame[at+2:], wire.Checksum(b.frame[at:]))
		return
	}
	b.checksum(p, at, protocol, rest, 2)
}

// checksum computes the checksum of what begins at an index, with the pseudo-header of its IP packet, and stores it there at an
// offset. The bytes that are not appended yet are zeros.
func (b *Builder) checksum(p *packetOf, at int, protocol byte, length, offset int) {
	sum := uint32(protocol) + uint32(length)
	add := func(list []byte) {
		for i := 0; i < len(list); i += 2 {
			if i+1 == len(list) {
				sum += uint32(list[i]) << 8
				return
			}
			sum += uint32(binary.BigEndian.Uint16(list[i:]))
		}
	}
	if p.ends.Source.Is4() {
		from, to := p.ends.Source.As4(), p.ends.Destination.As4()
		add(from[:])
		add(to[:])
	} else {
		from, to := p.ends.Source.As16(), p.ends.Destination.As16()
		add(from[:])
		add(to[:])
	}
	add(b.frame[at:])
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	result := ^uint16(sum)
	if protocol == protocolUDP && result == 0 {
		result = 0xffff
	}
	binary.BigEndian.PutUint16(b.frame[at+offset:], result)
}

// resolution appends an ARP packet (RFC 826): a request from the peers, an answer from the host. Between IPv6 addresses there is no
// ARP, and the frame is of an experimental protocol.
func (b *Builder) resolution(p *packetOf) {
	const experimental = 0x88b5
	if !p.ends.Source.Is4() {
		b.frame = binary.BigEndian.AppendUint16(b.frame, experimental)
		return
	}
	operation := byte(1)
	from, to := PeerAddress(p.ends.Source), description.MAC{}
	if p.group.Sent {
		operation, from, to = 2, p.group.Host, PeerAddress(p.ends.Destination)
	}
	b.frame = binary.BigEndian.AppendUint16(b.frame, wire.TypeARP)
	b.frame = append(b.frame, 0, 1, 8, 0, 6, 4, 0, operation)
	b.frame = append(append(b.frame, from[:]...), p.ends.Source.AsSlice()...)
	b.frame = append(append(b.frame, to[:]...), p.ends.Destination.AsSlice()...)
}
