package packet

import (
	"encoding/binary"
	"hash/crc32"

	"cxdeck/device/description"
	"cxdeck/device/roce"
	"cxdeck/device/wire"
)

// Operation codes of the base transport header (InfiniBand Architecture Specification, volume 1, section 9.2).
const (
	reliableWriteFirst     = 0x06
	reliableWriteMiddle    = 0x07
	reliableWriteLast      = 0x08
	reliableSendOnly       = 0x04
	reliableAnswer         = 0x11
	unreliableSendOnly     = 0x24
	datagramSendOnly       = 0x64
	congestionNotification = 0x81
)

// Lengths of RDMA headers, in bytes.
const (
	baseTransport   = 12
	writeHeader     = 16
	answerHeader    = 4
	datagramHeader  = 8
	invariantCRC    = 4
	variantCRC      = 2
	localRoute      = 8
	globalRoute     = 40
	noticePayload   = 16
	typeRoCE        = 0x8915
	nextTransport   = 0x1b // of a global route header
	messagePackets  = 32   // of a write
	smallestWrite   = 256  // bytes of a packet; smaller ones are sends
	firstPair       = 0x40
	pairsOfFlow     = 0x40
	peerPairs       = 0x01_0000 // the numbers of the peers' queue pairs
	maxPair         = 0xff_ffff
	fullKey         = 0xffff // the default partition, as a full member
	unlimitedCredit = 0x1f
)

// pair returns the RDMA connection of a packet.
func (p *packetOf) pair() *queuePair {
	c, size := p.talk, p.group.Size
	if p.group.Kind != Data {
		if last := c.last[1-p.group.side()]; last != nil { // the one whose data it answers
			return last
		}
	}
	q := c.pairs[size]
	if q == nil {
		number := firstPair + uint32(p.group.Number)*pairsOfFlow + uint32(p.tuple)*4 + uint32(size)
		q = &queuePair{number: [2]uint32{number & maxPair, (number + peerPairs) & maxPair}}
		q.sequence = [2]uint32{c.sequence[0] & maxPair, c.sequence[1] & maxPair}
		if c.pairs == nil {
			c.pairs = map[uint8]*queuePair{}
		}
		c.pairs[size] = q
	}
	return q
}

// overUDP appends a packet of RoCE v2 of a length.
func (b *Builder) overUDP(p *packetOf, length int) {
	rest := b.ipHeader(p, protocolUDP, length)
	b.ports(p.ends)
	b.frame = binary.BigEndian.AppendUint16(b.frame, uint16(rest))
	b.frame = append(b.frame, 0, 0)
	b.transport(p, rest-udpHeader-invariantCRC)
}

// overEthernet appends a packet of RoCE v1, whose global route header is as long as an IPv6 header.
func (b *Builder) overEthernet(p *packetOf, length int) {
	b.frame = binary.BigEndian.AppendUint16(b.frame, typeRoCE)
	rest := max(0, length-globalRoute)
	b.frame = binary.BigEndian.AppendUint32(b.frame, 6<<28|uint32(max(p.group.Flow.DSCP, 0))<<22)
	b.frame = binary.BigEndian.AppendUint16(b.frame, uint16(rest))
	b.frame = append(b.frame, nextTransport, hops)
	from, to := roce.FromAddress(p.ends.Source), roce.FromAddress(p.ends.Destination)
	b.frame = append(append(b.frame, from[:]...), to[:]...)
	b.transport(p, rest-invariantCRC)
}

// transport appends the transport headers of an RDMA packet with a number of bytes from the base transport header on, without the
// invariant CRC.
func (b *Builder) transport(p *packetOf, bytes int) {
	q, side := p.pair(), p.group.side()
	sequence := q.sequence[side]
	var operation, asks, notice byte
	switch flow := &p.group.Flow; {
	case p.group.Kind == Notification:
		operation, notice, sequence = congestionNotification, 0x40, 0
	case p.group.Kind == Acknowledge:
		operation, sequence = reliableAnswer, (q.sequence[1-side]-1)&maxPair
	case flow.Transport == description.Datagram:
		operation = datagramSendOnly
	case flow.Transport == description.Unreliable:
		operation = unreliableSendOnly
	case bytes-baseTransport < smallestWrite:
		operation, asks = reliableSendOnly, 0x80
	default:
		switch q.position[side] {
		case 0:
			operation = reliableWriteFirst
		case messagePackets - 1:
			operation, asks = reliableWriteLast, 0x80
		default:
			operation = reliableWriteMiddle
		}
		q.position[side] = (q.position[side] + 1) % messagePackets
	}
	if p.group.Kind == Data {
		q.sequence[side] = (q.sequence[side] + 1) & maxPair
		p.talk.last[side] = q
	}
	migrated := byte(0x40)
	if p.group.Kind == Notification {
		migrated = 0
	}
	b.frame = append(b.frame, operation, migrated)
	b.frame = binary.BigEndian.AppendUint16(b.frame, fullKey)
	to := q.number[1-side] // of the queue pair that receives it: index 0 is the host's
	b.frame = binary.BigEndian.AppendUint32(b.frame, uint32(notice)<<24|to)
	b.frame = binary.BigEndian.AppendUint32(b.frame, uint32(asks)<<24|sequence)
	switch operation {
	case reliableWriteFirst:
		b.frame = binary.BigEndian.AppendUint64(b.frame, uint64(p.tuple)<<32|uint64(sequence)<<12)
		b.frame = binary.BigEndian.AppendUint32(b.frame, 0x1000|uint32(p.tuple)) // memory key
		b.frame = binary.BigEndian.AppendUint32(b.frame, uint32(messagePackets*(bytes-baseTransport)-writeHeader))
	case reliableAnswer:
		b.frame = binary.BigEndian.AppendUint32(b.frame, unlimitedCredit<<24|q.sequence[1-side]/messagePackets&maxPair)
	case datagramSendOnly:
		b.frame = binary.BigEndian.AppendUint32(b.frame, 0x11111111) // queue key
		b.frame = binary.BigEndian.AppendUint32(b.frame, q.number[side])
	}
}

// infiniband appends a packet of IP over InfiniBand: local route, base transport and datagram header, the Ethertype, and the IP
// packet.
func (b *Builder) infiniband(p *packetOf, length int) {
	const virtualLane, localNext, multicastLane = 0x00, 0x02, 0
	q, side := p.pair(), p.group.side()
	b.frame = append(b.frame, virtualLane, multicastLane<<4|localNext)
	locals := [2]uint16{4, 2} // of the host and of the peers
	b.frame = binary.BigEndian.AppendUint16(b.frame, locals[side])
	b.frame = binary.BigEndian.AppendUint16(b.frame, uint16((length-variantCRC)/4))
	b.frame = binary.BigEndian.AppendUint16(b.frame, locals[1-side])
	b.frame = append(b.frame, datagramSendOnly, 0x40)
	b.frame = binary.BigEndian.AppendUint16(b.frame, fullKey)
	b.frame = binary.BigEndian.AppendUint32(b.frame, q.number[1-side])
	b.frame = binary.BigEndian.AppendUint32(b.frame, q.sequence[side])
	q.sequence[side] = (q.sequence[side] + 1) & maxPair
	b.frame = binary.BigEndian.AppendUint32(b.frame, 0x0b1b) // the queue key of IP over InfiniBand (RFC 4391)
	b.frame = binary.BigEndian.AppendUint32(b.frame, q.number[side])
	at := len(b.frame)
	b.network(p, length-at-4-invariantCRC-variantCRC)
	// RFC 4391: two reserved bytes follow the Ethertype.
	b.frame = append(b.frame, 0, 0)
	copy(b.frame[at+4:], b.frame[at+2:len(b.frame)-2])
	b.frame[at+2], b.frame[at+3] = 0, 0
}

// writeChecksums writes the checksums at the end of a whole RDMA packet.
func (b *Builder) writeChecksums(g *Group) {
	if g.Kind > Notification || g.Flow.Protocol != description.RDMA && g.Flow.Protocol != description.IPoIB {
		return
	}
	if g.Flow.Protocol == description.IPoIB || g.Flow.VXLAN {
		return
	}
	at := macBytes
	if g.Tagged {
		at += wire.VLANTag
	}
	at += 2
	end := len(b.frame) - invariantCRC
	if g.RoCE != description.RoCEv1 { // padding of a short frame follows the packet
		total := ipv6Header + int(binary.BigEndian.Uint16(b.frame[at+4:]))
		if b.frame[at]>>4 == 4 {
			total = int(binary.BigEndian.Uint16(b.frame[at+2:]))
		}
		end = min(end, at+total-invariantCRC)
	}
	if end <= at {
		return
	}
	binary.LittleEndian.PutUint32(b.frame[end:], b.invariant(b.frame[at:end], g.RoCE == description.RoCEv1))
}

const macBytes = 12

// invariant returns the invariant CRC of an RDMA packet from its network header on (annexes A16 and A17 of the InfiniBand
// Architecture Specification): fields that switches change count as ones, and so does the local route header that it does not have.
func (b *Builder) invariant(packet []byte, v1 bool) uint32 {
	var head [localRoute + ipv6Header + udpHeader + baseTransport]byte
	n := localRoute
	for i := range n {
		head[i] = 0xff
	}
	network, udp := ipv4Header, udpHeader
	if v1 || packet[0]>>4 == 6 {
		network = ipv6Header
	}
	if v1 {
		udp = 0
	}
	copied := copy(head[n:], packet[:min(len(packet), network+udp+baseTransport)])
	ip := head[n:]
	if network == ipv6Header {
		ip[0] |= 0x0f // traffic class and flow label
		ip[1], ip[2], ip[3], ip[7] = 0xff, 0xff, 0xff, 0xff
	} else {
		ip[1], ip[8], ip[10], ip[11] = 0xff, 0xff, 0xff, 0xff
	}
	if udp > 0 {
		ip[network+6], ip[network+7] = 0xff, 0xff
	}
	ip[network+udp+4] = 0xff
	sum := crc32.ChecksumIEEE(head[:n+copied])
	return crc32.Update(sum, crc32.IEEETable, packet[copied:])
}
