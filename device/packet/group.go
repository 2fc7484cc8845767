package packet

import (
	"net/netip"
	"time"

	"cxdeck/device/description"
	"cxdeck/device/rss"
	"cxdeck/device/tunnel"
)

// Kind is the kind of a group of frames.
type Kind uint8

// The kinds.
const (
	Data          Kind = iota // of a flow
	Acknowledge               // of the data in the other direction, by TCP or RDMA
	Notification              // CNP of RoCE v2
	Pause                     // pause of IEEE 802.3, for all traffic
	PriorityPause             // PFC of IEEE 802.1Qbb
	Discovery                 // LLDP
)

// Group holds what all frames of one kind, flow, direction and size have in common.
type Group struct {
	Kind Kind
	// Flow describes the traffic; its Priority and DSCP are the ones on the cable. Number is its number in the lab.
	Flow   description.Flow
	Number int32
	// Sent frames leave the host, others arrive.
	Sent bool
	// Tagged frames have an 802.1Q tag with VLAN and priority of the flow.
	Tagged bool
	// Length is the length of each frame from header to FCS, in bytes.
	Length int
	// Size numbers the sizes of the frames of a flow: each has RDMA connections of its own.
	Size uint8
	// Lease reports DHCP, Renewal that the clients have an address already.
	Lease, Renewal bool
	// Host is the adapter's address, Far the address of the switch port.
	Host, Far description.MAC
	// RoCE is the transport of RDMA, Port the UDP port of RoCE v2, Hops the time to live of RDMA packets.
	RoCE description.RoCEMode
	Port uint16
	Hops uint8
	// Overlay returns the overlay of the n-th frame; nil without one.
	Overlay func(n uint64) tunnel.Overlay
	// Priority is the priority that a PFC frame pauses.
	Priority int
	// Discovery is the content of an LLDP frame.
	Discovery *Neighbour

	next uint64 // the number of frames that were built
}

// Frame is one frame of a capture.
type Frame struct {
	// Time is its time on the cable.
	Time time.Time
	// Sent frames leave the host.
	Sent bool
	// Length is its length without FCS, in bytes; Data is its beginning, which may be read until the next frame is built.
	Length int
	Data   []byte
	Group  *Group
	// Ends are the IP addresses and ports of the innermost packet; they are invalid without one.
	Ends rss.Tuple
	// Marked frames carry Congestion Experienced.
	Marked bool
}

// conversation is the state of the two ends of a five-tuple, by direction: 0 for frames of the peer, 1 for frames of the host.
type conversation struct {
	tuple    rss.Tuple // of the peer's frames
	sequence [2]uint32 // of the next byte of TCP
	clock    [2]uint32 // of the last segment
	packet   [2]uint16 // identification of the next IP packet
	pairs    map[uint8]*queuePair
	last     [2]*queuePair // whose data was sent last
	answered [2]uint32     // the data up to which the frames of a direction acknowledged
}

// data returns the sequence number behind the data that the frames of a group acknowledge.
func (c *conversation) data(g *Group) uint32 {
	other := 1 - g.side()
	if g.Flow.Protocol != description.RDMA {
		return c.sequence[other]
	}
	if q := c.last[other]; q != nil {
		return q.sequence[other]
	}
	return 0
}

// queuePair is the sending state of an RDMA connection.
type queuePair struct {
	number   [2]uint32 // of the queue pair at the end that receives: of the host's frames and of the peer's
	sequence [2]uint32 // of the next packet
	position [2]uint32 // of the next packet in its message
}

// conversationKey names a five-tuple of a lab.
type conversationKey struct {
	flow  int32
	tuple int32
}

// ends returns the five-tuple of frames in a direction.
func (c *conversation) ends(g *Group) rss.Tuple {
	t := c.tuple
	if !g.Sent {
		return t
	}
	t.Source, t.Destination = t.Destination, t.Source
	if g.Flow.Protocol == description.RDMA { // both ends send to the port of RoCE v2
		return t
	}
	t.SourcePort, t.DestinationPort = t.DestinationPort, t.SourcePort
	return t
}

// side returns the index of a group's direction in a conversation.
func (g *Group) side() int {
	if g.Sent {
		return 1
	}
	return 0
}

// PeerAddress returns the address of a peer's adapter: locally administered, with the end of its IP address.
func PeerAddress(ip netip.Addr) (m description.MAC) {
	b := ip.AsSlice()
	m[0], m[1] = 0x02, 0x50
	copy(m[2:], b[len(b)-4:])
	return m
}

// GroupAddress returns the address of a multicast group's frames (RFC 1112, RFC 2464).
func GroupAddress(ip netip.Addr) description.MAC {
	b := ip.AsSlice()
	if ip.Is4() {
		return description.MAC{0x01, 0x00, 0x5e, b[1] & 0x7f, b[2], b[3]}
	}
	return description.MAC{0x33, 0x33, b[12], b[13], b[14], b[15]}
}
