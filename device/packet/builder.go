package packet

import (
	"encoding/binary"
	"net/netip"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/rss"
	"cxdeck/device/traffic"
	"cxdeck/device/tunnel"
	"cxdeck/device/wire"
)

// Builder builds frames. It keeps the sequence numbers of all conversations from frame to frame.
type Builder struct {
	// Bytes is the number of bytes that are built of each frame; 0 builds whole frames.
	Bytes int

	conversations map[conversationKey]*conversation
	frame         []byte
}

// Build returns the next frame of a group.
func (b *Builder) Build(g *Group, at time.Time, marked bool) Frame {
	n := g.next
	g.next++
	length := g.Length
	if g.Flow.Protocol != description.IPoIB {
		length -= wire.FrameCheck
	}
	b.frame = b.frame[:0]
	var ends rss.Tuple
	switch g.Kind {
	case Pause, PriorityPause:
		b.pause(g)
	case Discovery:
		b.discovery(g)
		length = len(b.frame)
	default:
		ends = b.data(g, n, at, length, marked)
	}
	b.finish(g, length)
	return Frame{Time: at, Sent: g.Sent, Length: length, Data: b.frame, Group: g, Ends: ends, Marked: marked}
}

// finish fills a frame with zeros up to its length or to the captured bytes. A whole RDMA packet ends with its invariant CRC.
func (b *Builder) finish(g *Group, length int) {
	want := length
	if b.Bytes > 0 {
		want = min(want, b.Bytes)
	}
	if len(b.frame) > want {
		b.frame = b.frame[:want]
	}
	b.zeros(want - len(b.frame))
	if want == length {
		b.writeChecksums(g)
	}
}

// zeros appends n zeros.
func (b *Builder) zeros(n int) {
	at := len(b.frame)
	if need := at + n; need > cap(b.frame) {
		grown := make([]byte, at, max(need, 2*cap(b.frame), 2048))
		copy(grown, b.frame)
		b.frame = grown
	}
	b.frame = b.frame[:at+n]
	clear(b.frame[at:])
}

// conversationOf returns the conversation of the n-th frame of a group: its five-tuples take turns.
func (b *Builder) conversationOf(g *Group, n uint64) (*conversation, int32) {
	key := conversationKey{g.Number, int32(n % uint64(max(g.Flow.Flows, 1)))}
	c := b.conversations[key]
	if c == nil {
		if b.conversations == nil {
			b.conversations = map[conversationKey]*conversation{}
		}
		name := traffic.Named(g.Flow.Name)
		start := traffic.Mix(name + uint64(key.tuple))
		c = &conversation{
			tuple: traffic.TupleOf(&g.Flow, int(key.tuple), name), sequence: [2]uint32{uint32(start), uint32(start >> 32)},
			packet: [2]uint16{uint16(start >> 8), uint16(start >> 40)},
		}
		if g.Lease {
			c.tuple.SourcePort, c.tuple.DestinationPort = serverPort, clientPort
		}
		if g.Flow.Protocol == description.RDMA {
			c.tuple.DestinationPort = g.Port
		}
		b.conversations[key] = c
	}
	return c, key.tuple
}

// data appends the headers of a frame of a flow, and returns its ends.
func (b *Builder) data(g *Group, n uint64, at time.Time, length int, marked bool) rss.Tuple {
	c, tuple := b.conversationOf(g, n)
	for range answerable { // the next conversation with data that is not acknowledged
		if g.Kind != Acknowledge || c.answered[g.side()] != c.data(g) {
			break
		}
		g.next++
		n++
		c, tuple = b.conversationOf(g, n)
	}
	c.answered[g.side()] = c.data(g)
	ends := c.ends(g)
	if g.Lease && !g.Renewal {
		ends.Destination = netip.AddrFrom4([4]byte{255, 255, 255, 255})
		if g.Sent {
			ends.Source = netip.IPv4Unspecified()
		}
	}
	p := packetOf{group: g, talk: c, tuple: tuple, ends: ends, clock: uint32(at.UnixMilli()), marked: marked}
	if g.Flow.Protocol == description.IPoIB {
		b.infiniband(&p, length)
		return ends
	}
	host, peer := g.Host, PeerAddress(c.tuple.Source)
	from, to := peer, host
	if g.Sent {
		from, to = host, peer
	}
	switch {
	case g.Lease && !g.Renewal:
		to = broadcast
	case g.Flow.Multicast && g.Flow.Protocol == description.NotIP:
		to = broadcast
	case g.Flow.Multicast:
		to = GroupAddress(c.tuple.Destination)
	}
	b.frame = append(append(b.frame, to[:]...), from[:]...)
	if g.Tagged {
		priority := 0
		if g.Flow.Priority != nil {
			priority = *g.Flow.Priority
		}
		b.frame = binary.BigEndian.AppendUint16(b.frame, wire.TypeVLAN)
		b.frame = binary.BigEndian.AppendUint16(b.frame, uint16(priority&7)<<13|uint16(g.Flow.VLAN))
	}
	room := length - len(b.frame) - 2
	switch {
	case g.Flow.Protocol == description.NotIP:
		b.resolution(&p)
	case g.Overlay != nil:
		b.nvgre(&p, g.Overlay(n), room)
	case g.Flow.VXLAN:
		b.vxlan(&p, room)
	default:
		b.network(&p, room)
	}
	return ends
}

// answerable is the maximum number of conversations that are looked at for one with data that is not acknowledged.
const answerable = 64

// broadcast is the address of all adapters.
var broadcast = description.MAC{0xff, 0xff, 0xff, 0xff, 0xff, 0xff}

// vxlan appends a VXLAN packet (RFC 7348): outer headers, the tunnel's, and the inner frame.
func (b *Builder) vxlan(p *packetOf, room int) {
	outer := *p
	outer.ends.Source, outer.ends.Destination = tunnelEnds(p.group.Sent)
	outer.ends.SourcePort = traffic.FirstDynamic + uint16(traffic.Mix(uint64(p.ends.SourcePort)<<16|uint64(p.ends.DestinationPort))%traffic.DynamicPorts)
	outer.ends.DestinationPort = tunnel.VXLANUDPPort
	b.ipHeader(&outer, protocolUDP, room)
	b.ports(outer.ends)
	b.frame = binary.BigEndian.AppendUint16(b.frame, uint16(room-ipv4Header))
	b.frame = append(b.frame, 0, 0)             // a tunnel's UDP over IPv4 has no checksum
	b.frame = append(b.frame, 0x08, 0, 0, 0)    // the network number is there
	b.frame = append(b.frame, 0, 0x13, 0x88, 0) // network 5000
	b.inner(p, room-ipv4Header-udpHeader-vxlanHeaderLength)
}

// nvgre appends an NVGRE packet (RFC 7637): the outer IP header, GRE with the virtual subnet and the flow in its key, and the
// inner frame.
func (b *Builder) nvgre(p *packetOf, o tunnel.Overlay, room int) {
	const keyed, bridged = 0x2000, 0x6558 // GRE with a key, of Ethernet
	outer := *p
	outer.ends.Source, outer.ends.Destination = o.Remote, o.Local
	if p.group.Sent {
		outer.ends.Source, outer.ends.Destination = o.Local, o.Remote
	}
	b.ipHeader(&outer, tunnel.GREProtocol, room)
	b.frame = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b.frame, keyed), bridged)
	b.frame = binary.BigEndian.AppendUint32(b.frame, tunnel.GREKey(o.Subnet, uint8(p.ends.SourcePort)))
	b.inner(p, room-ipv4Header-greHeaderLength)
}

// inner appends the frame in a tunnel, which has a number of bytes.
func (b *Builder) inner(p *packetOf, bytes int) {
	from, to := PeerAddress(p.ends.Source), PeerAddress(p.ends.Destination)
	b.frame = append(append(b.frame, to[:]...), from[:]...)
	b.network(p, bytes-wire.EthernetHeader)
}

const (
	vxlanHeaderLength = 8
	greHeaderLength   = 8
)
